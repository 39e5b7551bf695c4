"""The rules of counts and bounds, each beside sums, slopes and formulas found by themselves."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.stats
from flint import arb, ctx

import planner
from planner.certificate import check, check_bounds, check_counts, check_people, verify
from planner.certificate.check import Box
from planner.mechanisms import count_floor, counts, many_people
from planner.mechanisms.noise import GAUSSIAN as GAUSSIAN_NOISE, GEOMETRIC
from planner.privacy.gaussian import scale

LAPLACE, GAUSSIAN = "laplace-mean", "gaussian-mean"
DELTA = Fraction(1, 10**6)


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(check.PRECISION):
        check.effort[0] = 0
        yield


def count(error, failure, kind=LAPLACE, *more):
    given = [f"target.error = {error}", f"target.failure = {failure}", f"mechanism.kind = {kind}"]
    return check_counts.Count(check.keys_of([*given, "individual.base_cost = 1", *more]))


def tail(kind, t, rate):
    """Pr[Z ≥ t], by another library."""
    law = scipy.stats.laplace(scale=1 / rate) if kind == LAPLACE else scipy.stats.norm(0, 1 / rate)
    return law.sf(t)


def failure(kind, n, rate, error, mean):
    """Pr[|K + Z − Nμ| ≥ NT], by another library; of one mean or an array."""
    k, mean = np.arange(n + 1), np.asarray(mean, float)[..., None]
    over, under = n * mean + n * error - k, k - (n * mean - n * error)
    off = tail(kind, over, rate) + tail(kind, under, rate)
    return (scipy.stats.binom.pmf(k, n, mean) * off).sum(axis=-1)


def settings(seed, number):
    """Sizes, rates, errors and means, such that the answer is off now and then."""
    rng = random.Random(seed)
    for _ in range(number):
        n, kind = int(10 ** rng.uniform(0.7, 2.7)), rng.choice([LAPLACE, GAUSSIAN])
        error = Fraction(
            round(min(0.9, 10 ** rng.uniform(-0.3, 0.6) / math.sqrt(n)), 4)
        ).limit_denominator(10**4)
        signal = rng.uniform(0.7, 7)
        yield rng, kind, n, error, signal / float(n * error), rng.uniform(0.01, 0.99)


@pytest.mark.parametrize("number", [15, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_slope_is_steeper_than_the_rule_says(number):
    for rng, kind, n, error, rate, mean in settings(1, number):
        mean = rng.choice([mean, 0.5 + rng.uniform(-1, 1) / n / 4])
        mean = min(max(mean, 1e-3), 1 - 1e-3)
        step = 1e-7
        before, after = (failure(kind, n, rate, float(error), mean + x) for x in (-step, step))
        middle = failure(kind, n, rate, float(error), mean)
        if middle < 1e-12 or rate > 40:  # floats tell no slopes
            continue
        study = count(error, rng.choice([0.05, 1e-4, 0.5, 1e-8]), kind)
        slope, p = abs(after - before) / (2 * step), float(check_counts.spared(study))
        steepness, drift = (
            float(bound(study, n, arb(rate), Fraction(mean)).upper())
            for bound in (check_counts.steepness, check_counts.drift)
        )
        most = min(steepness * (middle + p), drift)
        assert slope <= most * (1 + 1e-4) + 1e-5, (kind, n, rate, error, mean)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_few_means_are_enough_where_noise_is_much_wider_than_the_sample_varies(kind):
    n, error, epsilon = 20_000, Fraction(1, 20), Fraction(1, 400 if kind == LAPLACE else 100)
    rate = float(epsilon)
    if kind == GAUSSIAN:
        rate = 1 / float(check_counts.deviation(epsilon, DELTA)[0])
    study = count(error, f"{failure(kind, n, rate, float(error), 0.5) * (1 + 1e-5):.12e}", kind)
    assert check_counts.accurate(study, n, epsilon, DELTA)
    assert check.effort[0] < 100 * n


@pytest.mark.parametrize("number", [16, pytest.param(150, marks=pytest.mark.slow)])
def test_a_plan_is_accepted_just_where_it_is_accurate(number):
    # light noise too, of which f ripples from step to step; with steps in strips or without
    for at, (_, kind, n, error, rate, _) in enumerate(settings(8, number)):
        if at % 2:
            if number < 100:  # sums over larger ones take long
                continue
            n, error = n + 2_000, error / 4
        epsilon = Fraction(round(10**4 * min(20 * rate, 5.0)) if at % 3 else 10**4, 10**4)
        rate = float(epsilon)
        if kind == GAUSSIAN:
            rate = 1 / float(check_counts.deviation(epsilon, DELTA)[0])
        means = np.concatenate([np.linspace(0.5 - 3 / n, 0.5, 600), np.linspace(0, 0.5, 300)])
        worst = failure(kind, n, rate, float(error), means).max()
        if not 1e-9 < worst < 0.6:
            continue
        for part, accepted in ((1 - 1e-7, False), (1 + 4e-4, True)):
            check.effort[0] = 0
            study = count(error, f"{worst * part:.12e}", kind)
            assert check_counts.accurate(study, n, epsilon, DELTA) is accepted, (kind, n, error)


@pytest.mark.parametrize("number", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_the_bound_for_large_studies_is_never_under_the_failure(number):
    for _, kind, n, error, rate, mean in settings(2, number):
        study = count(error, 0.05, kind)
        bound = float(check_counts.large(study, n, arb(rate)).upper())
        assert bound >= failure(kind, n, rate, float(error), mean) - 1e-12
        floats = many_people.large(
            counts.LAPLACE if kind == LAPLACE else GAUSSIAN_NOISE,
            np.array(rate), np.array(float(n)), np.array(float(error)),
        )  # fmt: skip
        assert float(floats) == pytest.approx(min(bound, 1.0), rel=1e-9)


@pytest.mark.parametrize("number", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_the_bound_for_large_studies_of_whole_noise_is_never_under_the_failure(number):
    for rng, _, n, error, rate, mean in settings(7, number):
        if rng.random() < 0.5:  # an edge is just hit
            mean = min(max(math.ceil(n * (mean + error)) / n - float(error), 0.0), 1.0)
        k, a = np.arange(n + 1), math.exp(-rate)
        edges = n * (Fraction(mean) + error), n * (Fraction(mean) - error)
        beyond = (
            math.ceil(edges[0] - Fraction(1, 10**9)) - k,
            k - math.floor(edges[1] + Fraction(1, 10**9)),
        )
        chances = scipy.stats.binom.pmf(k, n, mean)
        noisy = [
            np.where(
                t > 0, a ** np.maximum(t, 0) / (1 + a), 1 - a ** np.maximum(1 - t, 1) / (1 + a)
            )
            for t in beyond
        ]
        alone = [np.where(t <= 0, 1.0, 0.0) for t in beyond]
        given = [f"target.error = {error}", "target.failure = 0.05", "individual.base_cost = 1"]
        for kind, tails in (("geometric-mean", noisy), ("randomized-response", alone)):
            study = check_people.People(check.keys_of([*given, f"mechanism.kind = {kind}"]))
            bound = float(check_people.large(study, n, arb(rate)).upper())
            assert bound >= chances @ sum(tails) - 1e-12, (kind, n, error, rate, mean)
            if kind == "geometric-mean":
                floats = many_people.large(
                    GEOMETRIC, np.array(rate), np.array(float(n)), np.array(float(error))
                )
                assert float(floats) == pytest.approx(min(bound, 1.0), rel=1e-9)


@pytest.mark.parametrize("number", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_all_studies_of_a_box_that_the_convex_rule_excludes_fail(number):
    excluded = 0
    for rng, _, n, error, rate, _ in settings(3, number):
        last = n + rng.randint(0, max(1, n // 20))
        low, high = n * rate, n * rate * rng.uniform(1, 1.2)
        box = Box((n, last), (Fraction(low), Fraction(high)), (Fraction(0), math.inf), (0, 0))
        study = count(error, round(10 ** rng.uniform(-3, -0.5), 4))
        start, far = Fraction(rng.uniform(0.5, 1)) * error, error * Fraction(1 + rng.random() ** 2)
        if not check_counts.convex(study, box, *(f"{float(x):.9f}" for x in (start, far))):
            continue
        excluded += 1
        for _ in range(4):
            people, signal = rng.randint(n, last), rng.uniform(low, high)
            off = failure(LAPLACE, people, signal / people, float(error), 0.5)
            assert off > float(study.failure) * (1 - 1e-9)
    assert excluded > number / 20


def mwem(size, queries, error, alpha, _):
    bits = mpmath.log(32 * queries * mpmath.log(size) / (alpha * error**2))
    return 128 * mpmath.log(size) * bits / error**3


def mwem_with_delta(size, queries, error, alpha, delta):
    bits = mpmath.log(32 * queries * mpmath.log(size) / (alpha * error**2))
    return 64 * mpmath.sqrt(mpmath.log(size) * mpmath.log(1 / delta)) * bits / error**2


def net(size, queries, error, alpha, _):
    answers = mpmath.log(2 * queries) * mpmath.log(size)

    def over(y):
        root = mpmath.cbrt(2 * answers * y**2)
        return mpmath.log(size / alpha) - y * error / 2 + mpmath.mpf(3) / 4 * root

    return mpmath.findroot(over, 30 * answers / error**3)


FORMULAS = {"mwem": mwem, "mwem-approximate": mwem_with_delta, "net": net}
"""The least N·ε, as each paper has it."""


@pytest.mark.parametrize("kind", FORMULAS)
def test_a_formula_is_that_of_its_paper_and_sharp(kind):
    rng, number = random.Random(4), mpmath.mpf
    delta = "1e-6" if kind == "mwem-approximate" else "0"
    for _ in range(20):
        size, queries = 2 ** rng.randint(2, 40), rng.randint(1, 10**6)
        error, alpha = round(rng.uniform(0.02, 0.9), 3), round(rng.uniform(0.001, 0.4), 4)
        lines = [
            f"target.error = {error}", f"target.failure = {alpha}", f"mechanism.kind = {kind}",
            f"mechanism.universe_size = {size}", f"mechanism.queries = {queries}",
        ]  # fmt: skip
        n = rng.randint(1, 10**6)
        with mpmath.workdps(30):
            given = number(size), number(queries), number(str(error)), number(str(alpha))
            least = FORMULAS[kind](*given, number(delta)) / n
            plans = {
                proved: mpmath.nstr(least * factor, 25, min_fixed=-mpmath.inf, max_fixed=mpmath.inf)
                for factor, proved in ((1 + 1e-12, True), (1 - 1e-12, False))
            }
        for proved, epsilon in plans.items():
            plan = f"claim feasible participants = {n}, epsilon = {epsilon}, delta = {delta}"
            assert is_proved([*lines, plan]) is proved, (lines, plan)


def with_budget(study, money):
    return replace(study, conditions=[*study.conditions, planner.Budget(money)])


def is_proved(lines):
    text = "\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""])
    try:
        return not verify(text)[1]
    except check.RefusedError:
        return False


def closed(rng):
    """A study by a closed formula, without a budget."""
    mechanism = rng.choice([
        planner.LaplaceMean("paper"), planner.LaplaceMean("hoeffding"), planner.Mwem(2**20, 50),
        planner.Net(2**10, 50),
    ])  # fmt: skip
    conditions = [planner.MaxHarm(round(rng.uniform(1, 30), 2))] if rng.random() < 0.4 else []
    return planner.Study(
        mechanism,
        planner.Accuracy(round(rng.uniform(0.02, 0.3), 3), round(rng.uniform(0.001, 0.3), 4)),
        planner.Individual(round(10 ** rng.uniform(-1, 2), 3)),
        conditions,
        planner.Costs(per_person=round(rng.uniform(0.5, 20), 2)),
    )


@pytest.mark.parametrize("number", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_closed_formulas_decide_to_nine_digits_on_both_sides(number):
    rng = random.Random(5)
    for _ in range(number):
        study = closed(rng)
        least = planner.solve(study).least_cost
        for factor, verdict in ((1 + 1e-9, "feasible"), (1 - 1e-9, "infeasible")):
            answer = planner.solve(with_budget(study, least * factor))
            assert (answer.verdict, answer.proof.checked) == (verdict, True), (study, factor)


@pytest.mark.parametrize("number", [8, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_no_law_of_values_passes_the_bounds(kind, number):
    """Sums of values on a lattice, convolved, and both edges."""
    rng = np.random.default_rng(7)
    for _ in range(number):
        n, rate = int(rng.integers(2, 25)), float(np.exp(rng.uniform(-1.5, 1)))
        steps = np.sort(rng.choice(21, size=rng.integers(2, 5), replace=False))
        chances = rng.dirichlet(np.ones(len(steps)) / 2)
        mean = float(steps @ chances) / 20
        deviation = math.sqrt(float((steps / 20 - mean) ** 2 @ chances))
        one, whole = np.zeros(21), np.ones(1)
        one[steps] = chances
        for _ in range(n):
            whole = np.convolve(whole, one)
        total = np.arange(len(whole)) / 20
        error = round(float(rng.uniform(0.05, 0.4)), 3)
        edges = n * (mean + error) - total, total - n * (mean - error)
        true = float(whole @ (tail(kind, edges[0], rate) + tail(kind, edges[1], rate)))
        if not 1e-9 < true < 0.9:
            continue
        known = min(0.5, math.ceil(deviation * 1000 + 1) / 1000)
        study = check_bounds.OneMean(check.keys_of([
            f"target.error = {error}", f"target.failure = {true * 0.999999:.12f}",
            f"mechanism.kind = {kind}", "mechanism.values = any",
            f"target.deviation_at_most = {known}",
        ]))  # fmt: skip
        for touch in ("0.05", "0.3", "1.5"):
            assert not check_bounds.any_values(study, n, arb(rate), Fraction(touch))
            assert not check_bounds.limited(study, n, arb(rate), Fraction(touch) * 3, Fraction(0))


def _as_if(failure, by):
    return lambda self, rate, n, error, closely: failure(self, rate / by, n, error, closely=closely)


def lying(monkeypatch, by):
    """Let every search of a least rate be wrong by a part, and floats say that it is right."""
    least = counts.Noisy._least
    monkeypatch.setattr(counts.Noisy, "_least", lambda *given: least(*given) * by)
    for kind in (counts.Noisy, counts.Share):
        monkeypatch.setattr(kind, "_at_worst", _as_if(kind._at_worst, by))
    monkeypatch.setattr(count_floor, "known_rates", lambda *_: {})  # nothing is remembered


@pytest.mark.parametrize(
    "mechanism",
    [
        planner.LaplaceMean(), pytest.param(planner.GeometricMean(), marks=pytest.mark.slow),
        planner.GaussianMean(), planner.LaplaceMean(values="any"),
        pytest.param(planner.GaussianMean(values="any"), marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_search_that_lies_by_a_per_cent_is_not_believed(mechanism, monkeypatch):
    study = planner.Study(
        mechanism,
        planner.Accuracy(0.1, 0.05),
        planner.Individual(1.0, 1e4),
        [planner.Delta(1e-6)] if mechanism.uses_delta else [],
        planner.Costs(per_person=2.0),
    )
    assert planner.solve(study).proof.checked
    lying(monkeypatch, 0.99)
    answer = planner.solve(study)
    assert (answer.verdict, answer.proof.checked) == ("feasible", False)
    assert "not proved" in answer.proof.statement


def test_a_plan_that_fails_by_its_own_floats_is_none(monkeypatch):
    study = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(0.1, 0.05), planner.Individual(1.0, 1e4),
        costs=planner.Costs(per_person=2.0),
    )  # fmt: skip
    least = counts.Noisy._least
    monkeypatch.setattr(counts.Noisy, "_least", lambda *given: least(*given) * 0.99)
    monkeypatch.setattr(count_floor, "known_rates", lambda *_: {})
    assert planner.solve(study).verdict == "undecided"


def test_a_lie_about_the_cheapest_study_refutes_nothing(monkeypatch):
    study = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(0.1, 0.05), planner.Individual(1.0),
        costs=planner.Costs(per_person=2.0),
    )  # fmt: skip
    budget = planner.solve(study).cost * 1.001
    lying(monkeypatch, 1.2)
    answer = planner.solve(with_budget(study, budget))
    assert answer.verdict == "undecided"


@pytest.mark.parametrize("number", [3, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["laplace", "paper", "mwem", "mean", "gaussian"])
def test_damaged_certificates_are_refused_or_true(kind, number):
    """Digits, signs, words and lines of covers are changed; what is accepted has no plan."""
    rng = random.Random(kind)
    mechanism = {
        "laplace": planner.LaplaceMean(), "paper": planner.LaplaceMean("paper"),
        "mwem": planner.Mwem(2**10, 5), "mean": planner.LaplaceMean(values="any"),
        "gaussian": planner.GaussianMean(),
    }[kind]  # fmt: skip
    study = planner.Study(
        mechanism,
        planner.Accuracy(0.15, 0.1),
        planner.Individual(1.0, 100.0),
        [planner.Delta(1e-5)] if kind == "gaussian" else [],
        planner.Costs(per_person=2.0),
    )
    least = planner.solve(study).cost
    budget = float(f"{least * 0.8:.6g}")
    lines = planner.solve(with_budget(study, budget)).certificate().split("\n")[1:-1]
    start = lines.index("claim infeasible") + 1
    refused = 0
    for _ in range(number):
        damaged = list(lines)
        if rng.random() < 0.4:  # of a study that has a plan
            where = next(k for k, line in enumerate(lines) if line.startswith("conditions.budget"))
            damaged[where] = f"conditions.budget = {least * rng.uniform(1.001, 1.5)!r}"
        else:
            at = rng.randrange(start, len(lines))
            damaged[at] = changed(rng, damaged[at])
        if damaged == lines:
            continue
        budgets = [line.split(" = ")[1] for line in damaged if line.startswith("conditions.budget")]
        if is_proved(damaged):
            assert float(budgets[0]) < least
        else:
            refused += 1
    assert refused > number / 3


def changed(rng, line):
    """A line with one of its characters changed, or another line."""
    if rng.random() < 0.2:
        return rng.choice(
            ["limits", "noise-alone", "bound", "unproved", "people 7", "convex 0 1", ""]
        )
    at = rng.randrange(len(line))
    return line[:at] + rng.choice("0123456789-. e") + line[at + 1 :]


def test_gaussian_plans_hold_at_the_least_noise_that_is_private():
    study = count("0.05", "0.05", GAUSSIAN, "conditions.delta = 1e-6")
    noisy = counts.Share(GAUSSIAN_NOISE)
    rate = float(noisy.least_rate(np.array(900.0), np.array(0.05), np.array(0.0499)))
    epsilon = next(e for e in np.linspace(0.05, 5, 4000) if 1 / scale(e, 1e-6) >= rate)
    assert check_counts.accurate(study, 900, Fraction(repr(float(epsilon))), DELTA)
    assert not check_counts.accurate(study, 900, Fraction(repr(float(epsilon * 0.97))), DELTA)


BASE = {
    "target.error": "0.1", "target.failure": "0.05", "mechanism.kind": "laplace-mean",
    "individual.base_cost": "0.1",
}  # fmt: skip
CAPPED = {"individual.worst_cost": "1", "individual.capped": "1", "individual.breach": "0.5"}
SPREAD = {
    "mechanism.values": "any", "target.deviation_at_most": "0.1", "target.error": "0.05",
    "conditions.min_participants": "100", "conditions.max_participants": "100",
}  # fmt: skip
IN_PAIRS = {
    "conditions.min_participants": "200", "conditions.max_participants": "200",
    "sampling.clusters_of": "2", "mechanism.mean_range": "0.4,0.6",
}  # fmt: skip
POSSIBLE = [
    # a slope under 0 would make the convex bound as high as one likes
    ({"conditions.max_participants": "1000000"}, "1000 0.1", ["convex 0.1 0.2 -1e9"]),
    ({"sampling.population": "5000"}, "1000 0.1", ["people 5000", "convex 0.1 0.2 -1e9", "limits"]),
    # what is paid in whole coins is no harm
    ({"costs.smallest_coin": "1", "conditions.max_harm": "0.5"}, "1000 0.1", ["limits"]),
    # who is owed the cap already is owed no more for ε
    (CAPPED | {"individual.family": "2", "conditions.min_participants": "1000",
               "conditions.budget": "1000"}, "1000 0.1", ["limits"]),
    (CAPPED | {"individual.family": "2", "conditions.max_harm": "1"}, "1000 0.1", ["limits"]),
    ({"individual.capped": "1", "individual.base_cost": "1", "conditions.budget": "0"},
     "1000 0.1", ["limits"]),
    # values that may deviate little have no proportion of 1/2
    (SPREAD, "100 3 parabola 1 0", ["one-mean 0.5"]),
    (SPREAD, "100 3 parabola 1 0", ["mean-half"]),
    (SPREAD | IN_PAIRS, "200 3 parabola 1 0", ["one-mean 0.5"]),
    (SPREAD | IN_PAIRS, "200 3 parabola 1 0", ["mean-half"]),
    (SPREAD | IN_PAIRS, "200 3 parabola 1 0", ["convex 0.05 0.07 20"]),
    # ε·⌈NT⌉ may be over N·ε·T
    ({"target.error": "0.5", "target.failure": "0.1", "mechanism.kind": "geometric-count",
      "individual.base_cost": "1", "costs.per_person": "15", "conditions.budget": "34"},
     "1 2.95", ["signal 3", "bound", "people 1", "limits", "people 2", "limits", "limits"]),
]  # fmt: skip
"""Studies, a plan of each that is right, and a wrong proof that there is none."""


def text_of(lines):
    return "\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""])


@pytest.mark.parametrize(("keys", "plan", "cover"), POSSIBLE)
def test_a_study_that_has_a_plan_is_not_refuted(keys, plan, cover):
    study = [f"{key} = {value}" for key, value in (BASE | keys).items()]
    n, epsilon, *witness = plan.split(" ", 2)

    def proved(*lines):
        try:
            return not verify(text_of([*study, *lines]))[1]
        except check.RefusedError:
            return False

    assert proved(f"claim feasible participants = {n}, epsilon = {epsilon}, delta = 0", *witness)
    assert not proved("claim infeasible", *cover)


def test_a_claim_about_another_analysis_is_not_proved_by_the_exact_one():
    study = [f"{key} = {value}" for key, value in BASE.items()]
    plan = "claim feasible participants = 200, epsilon = 0.3, delta = 0"
    assert not verify(text_of([*study, plan]))[1]
    changed = f"{plan} with mechanism.analysis = hoeffding"
    with pytest.raises(check.RefusedError, match="not proved"):
        verify(text_of([*study, changed]))


@pytest.mark.parametrize(("part", "holds"), [(1 - 1e-6, False), (1 + 1e-3, True)])
@pytest.mark.parametrize(
    ("n", "error", "epsilon"),
    [(10, "0.59", "3.12"), (8, "0.19", "2.67"), (39, "0.28", "1.43"), (56, "0.22", "1.01")],
)
def test_a_worst_mean_between_the_ends_of_strips_is_not_passed_over(n, error, epsilon, part, holds):
    """Of so few people the answer is off most often at a mean that is neither 0 nor 1/2."""
    means = np.linspace(0, 0.5, 20_001)
    off = failure(LAPLACE, n, float(epsilon), float(error), means)
    assert off[-1] < off.max() * (1 - 1e-3)
    study = count(error, f"{off.max() * part:.15e}")
    assert check_counts.accurate(study, n, Fraction(epsilon), Fraction(0)) is holds
