"""The checker of reports, of finite populations and of geometric noise, against definitions."""

import math
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from scipy import stats

import planner
from planner.certificate import check, check_bounds, check_counts, check_people, verify
from planner.certificate.check import RefusedError, ball
from tests.certificate.test_check import changed_lines, encloses, text

KINDS = {
    "laplace": "laplace-mean", "gaussian": "gaussian-mean", "geometric": "geometric-mean",
    "none": "randomized-response",
}  # fmt: skip
DELTA = Fraction(1, 1000)
REPORTS = (
    "target.error = 0.1", "target.failure = 0.05", "mechanism.kind = randomized-response",
    "individual.base_cost = 12.5", "costs.per_person = 5", "costs.overhead = 2000",
)  # fmt: skip
CARD = ("claim feasible participants = 300, epsilon = 1.285199, delta = 0", "card 0.7833334")
TOWN = (
    "target.error = 0.05", "target.failure = 0.05", "mechanism.kind = laplace-mean",
    "sampling.population = 2000", "individual.base_cost = 12.5",
)  # fmt: skip
DRAWN = "claim feasible participants = 435, epsilon = 0.2333492, delta = 0"


def is_refused(*lines: str) -> bool:
    try:
        return bool(verify(text(*lines))[1])
    except RefusedError:
        return True


@pytest.mark.parametrize(
    "claim",
    [
        (CARD[0],), (*CARD, CARD[1]), (CARD[0], "card 0.7833335"), (CARD[0], "card 0.78"),
        (CARD[0], "card 0.5"), (CARD[0], "card 1"), (CARD[0], "card 0.2166666"),
        (CARD[0], "card 3/2"), (CARD[0], "card"), (CARD[0], "answer 0.7833334 0.05"),
        (CARD[0].replace("300", "299"), CARD[1]), (CARD[0].replace("300", "301"), CARD[1]),
        (CARD[0].replace("1.285199", "1.285198"), CARD[1]),
    ],
)  # fmt: skip
def test_a_card_that_is_changed_is_refused(claim):
    assert verify(text(*REPORTS, *CARD)) == ([*REPORTS, *CARD], [])
    assert is_refused(*REPORTS, *claim)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("population = 2000", "population = 2500"), ("population = 2000", "population = 434"),
        ("= 435", "= 434"), ("0.2333492", "0.23334"), ("error = 0.05", "error = 0.0499"),
        ("population = 2000", "population = 0"), ("population = 2000", "population = 2000.5"),
        ("population = 2000", "population = -2000"), ("population = 2000", "population = inf"),
        ("population = 2000", "population = 1e300"), ("laplace-mean", "gaussian-mean"),
        ("laplace-mean", "geometric-mean"), ("laplace-mean", "geometric-count"),
        ("laplace-mean", "randomized-response"), ("delta = 0", "delta = 0\ncard 0.6"),
    ],
)  # fmt: skip
def test_a_sample_of_a_town_that_is_changed_is_refused(old, new):
    lines = "\n".join([*TOWN, DRAWN])
    assert verify(text(*TOWN, DRAWN)) == ([*TOWN, DRAWN], [])
    assert old in lines
    assert is_refused(*lines.replace(old, new).split("\n"))


def test_a_study_that_no_rule_is_about_is_refused():
    for line in [
        "conditions.population = 400",
        "sampling.population = 2000",
        "mechanism.values = any",
        "mechanism.mean_range = 0.00001,0.00002",
        "mechanism.analysis = paper",
        "sampling.secret = 1",
        "sampling.design_effect = 2",
        "sampling.clusters_of = 2",
        "target.values = 0, 1",
    ]:
        assert is_refused(*TOWN, line, DRAWN)


def test_a_weaker_card_is_another_plan():
    """So a least ε does not exclude the one that does with less; no rule is about that."""
    least = (*REPORTS, "conditions.epsilon_at_least_one_over_n = 1")
    assert not is_refused(*least, *CARD)
    assert is_refused(*least, "claim infeasible", "bound")


def test_hostile_certificates_are_refused():
    for hostile in [
        (*TOWN[:3], f"sampling.population = {2**53}", DRAWN.replace("435", str(2**52))),
        (*TOWN, "claim infeasible", "convex 0 1e30"),
        (*TOWN, "claim infeasible", "convex 0.01"),
        (*TOWN, "claim infeasible", "people 435", "convex nan 1", "limits"),
        (*TOWN, "claim infeasible", "one-mean 1/3"),
        (*REPORTS, "claim infeasible", "mean-half"),
        (*REPORTS, "claim infeasible", "bound"),
        (*REPORTS, CARD[0].replace("300", "1e300"), CARD[1]),
        (*REPORTS, CARD[0].replace("1.285199", "1e300"), "card 0." + "9" * 60),
    ]:
        assert is_refused(*hostile)


def test_it_runs_beside_the_other_file(tmp_path):
    """From a folder that holds nothing else, where nothing of ours can be imported."""
    for module in (check, check_bounds, check_counts, check_people):
        shutil.copy(module.__file__, tmp_path)
    source = (tmp_path / "check_people.py").read_text("utf-8")
    assert len(source.splitlines()) <= 400
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", source, re.MULTILINE))
    assert imported - set(sys.stdlib_module_names) == {"flint", "planner"}
    for name, lines in (("reports.cert", (*REPORTS, *CARD)), ("town.cert", (*TOWN, DRAWN))):
        (tmp_path / name).write_text(text(*lines), "utf-8")
        run = [sys.executable, "-s", "check.py", name]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [*lines, "proved"]


class Asked(NamedTuple):
    """A question: noise, the people of a population or 0, the error and the range of means."""

    noise: str
    people: int
    error: Fraction
    means: tuple[Fraction, Fraction]

    def lines(self, failure: float) -> list[str]:
        low, high = (float(mean) for mean in self.means)
        lines = [f"target.error = {float(self.error)}", f"target.failure = {failure!r}"]
        lines += [f"mechanism.kind = {KINDS[self.noise]}", f"mechanism.mean_range = {low},{high}"]
        return lines + [f"sampling.population = {self.people}"] * bool(self.people)


def draw(rng: random.Random, *noises: str) -> Asked:
    noise = rng.choice(noises or list(KINDS))
    people = 2 * rng.randint(10, 150) if noise != "none" and rng.random() < 0.7 else 0
    people = people or (100 if noise in ("laplace", "gaussian") else 0)
    ends = rng.choice([(0, 1), (0, 1), (0.1, 0.4), (0.5, 0.5), (0.3, 1)])
    low, high = (Fraction(str(end)) for end in ends)
    return Asked(noise, people, Fraction(rng.randint(1, 40), 100), (low, high))


def off(noise: str, rate: Any, left: Any, np: Any = np) -> Any:
    """Pr[Z ≥ left] of an array; of whole noise `left` is rounded up."""
    whole = np.ceil(left - 1e-12)
    match noise:
        case "none":
            return (left <= 1e-12) * 1.0
        case "geometric":
            a = np.exp(-rate)
            return np.where(whole >= 0, a ** np.maximum(whole, 0), 1 + a - a ** (1 - whole)) / (
                1 + a
            )
        case "laplace":
            tail = np.exp(-rate * abs(left)) / 2
            return np.where(left > 0, tail, 1 - tail)
    return stats.norm.sf(left * rate)


def failing(asked: Asked, n: int, mean: Fraction, rate: float, error: Fraction) -> float:
    """How often the answer is off, in floats; edges are decided in fractions."""
    k = np.arange(n + 1)
    having = round(float(mean) * asked.people)
    chances = (
        stats.hypergeom.pmf(k, asked.people, having, n)
        if asked.people
        else stats.binom.pmf(k, n, float(mean))
    )
    sides = ([float(n * (m + error) - count) for count in range(n + 1)] for m in (mean, 1 - mean))
    up, down = (np.array(left) for left in sides)
    return float(chances @ (off(asked.noise, rate, up) + off(asked.noise, rate, down)[::-1]))


def worst(asked: Asked, n: int, rate: float, strength: Fraction = Fraction(1)) -> float:
    """The largest failure probability over all means that are asked of."""
    error = asked.error * strength
    low, high = (Fraction(1, 2) + (mean - Fraction(1, 2)) * strength for mean in asked.means)
    if asked.people:
        all_means = [Fraction(having, asked.people) for having in range(asked.people + 1)]
    else:
        edges = [Fraction(h, n) + side for h in range(-n, 2 * n + 1) for side in (error, -error)]
        all_means = [low, high, *edges, *(low + (high - low) * Fraction(j, 53) for j in range(54))]
    means = [mean for mean in all_means if low <= mean <= high]
    return max((failing(asked, n, mean, rate, error) for mean in means), default=0.0)


def test_sums_are_those_of_the_definitions():
    """In 50 digits."""
    rng = random.Random(1)
    mpmath.mp.dps = 50
    for _ in range(40):
        asked = draw(rng)
        n = rng.randint(1, min(asked.people or 60, 60))
        of = asked.people or 60
        mean, rate = Fraction(rng.randint(0, of), of), str(round(math.exp(rng.uniform(-3, 1)), 3))
        one = check_people.People(check.keys_of(asked.lines(0.1)))
        with ctx.workprec(check.PRECISION):
            rates = (arb.pos_inf() if asked.noise == "none" else ball(Fraction(rate)),) * 2
            found = check_people.failing(one, n, mean, rates)
        total, m = mpmath.mpf(0), mpmath.mpf(mean.numerator) / mean.denominator
        having = int(mean * of)
        for k in range(n + 1):
            chance = mpmath.binomial(n, k) * m**k * (1 - m) ** (n - k)
            if asked.people:
                ways = mpmath.binomial(having, k) * mpmath.binomial(of - having, n - k)
                chance = ways / mpmath.binomial(of, n) if max(0, n - of + having) <= k else 0
                chance = chance if k <= having else 0
            for left in (n * (mean + asked.error) - k, k - n * (mean - asked.error)):
                total += chance * tail_of(asked.noise, mpmath.mpf(rate), left)
        assert encloses(found, total), (asked, n, mean, rate)


def tail_of(noise: str, rate: mpmath.mpf, left: Fraction) -> mpmath.mpf:
    """Pr[Z ≥ left], in 50 digits."""
    x, a, whole = mpmath.mpf(left.numerator) / left.denominator, mpmath.exp(-rate), math.ceil(left)
    if noise == "none":
        return mpmath.mpf(x <= 0)
    if noise == "geometric":
        return a**whole / (1 + a) if whole >= 0 else 1 - a ** (1 - whole) / (1 + a)
    if noise == "laplace":
        return a**x / 2 if x > 0 else 1 - a**-x / 2
    return mpmath.erfc(x * rate / mpmath.sqrt(2)) / 2


def compare_plans(seed: int, points: int) -> int:
    """Plans are accepted where the worst mean keeps α, to a part in 10^6, and refused elsewhere."""
    rng, accepted = random.Random(seed), 0
    for _ in range(points):
        asked = draw(rng)
        n = rng.randint(2, min(asked.people or 120, 120))
        epsilon, strength = Fraction(str(round(math.exp(rng.uniform(-2.5, 1.5)), 3))), Fraction(1)
        rate, delta, card = float(epsilon), 0.0, []
        if asked.noise == "gaussian":
            rate, delta = 1 / float(check_counts.deviation(epsilon, DELTA)[1]), float(DELTA)
        if asked.noise == "none":
            truth = Fraction(math.floor(1e6 / (1 + math.exp(-rate))), 10**6)
            card, strength = [f"card {float(truth)!r}"], 2 * truth - 1
        least = worst(asked, n, rate, strength)
        plan = f"claim feasible participants = {n}, epsilon = {float(epsilon)}, delta = {delta}"
        for factor in (0.8, 1 - 1e-6, 1 + 1e-6, 1.3):
            if 1e-9 < least * factor < 1:
                refused = is_refused(*asked.lines(least * factor), plan, *card)
                assert refused == (factor < 1), (asked, n, epsilon, factor, least)
                accepted += not refused
    return accepted


def test_plans_are_accepted_where_every_mean_keeps_to_alpha():
    assert compare_plans(seed=2, points=7) > 4


@pytest.mark.slow
def test_many_plans_are_accepted_where_every_mean_keeps_to_alpha():
    assert compare_plans(seed=3, points=200) > 200


def compare_boxes(seed: int, points: int) -> dict[str, int]:
    """What a rule excludes fails at some mean, at sizes and ε of the box, by sums in floats."""
    rng, excluded = random.Random(seed), dict.fromkeys([*check_people.RULES, "convex"], 0)
    for _ in range(points):
        asked = draw(rng, "laplace", "geometric", "geometric", "none", "none", "gaussian")
        most = min(asked.people or 60, 60)
        first = rng.randint(2, most)
        last = rng.choice([first, min(first + rng.randint(1, 12), most)])
        low = math.exp(rng.uniform(-3, 1))
        ends = (Fraction(f"{low:.3g}"), Fraction(f"{low * (1 + rng.random() ** 3):.3g}"))
        exact = rng.random() < 0.8 or asked.noise in ("geometric", "gaussian")
        failure = round(rng.uniform(0.02, 0.4), 3)
        lines = [*asked.lines(failure), f"mechanism.analysis = {'exact' if exact else 'hoeffding'}"]
        one = check_people.People(check.keys_of(lines))
        signal = first * ends[0], last * ends[1]
        box = one.box._replace(people=(first, last), epsilon=ends, signal=signal)
        if asked.noise == "gaussian":
            box = box._replace(delta=(DELTA, DELTA))
        for name, *witness in witnesses(rng, asked, one, box):
            if name not in one.rules or not one.rules[name](one, box, *witness):
                continue
            excluded[name] += 1
            for _ in range(exact):
                n = rng.randint(first, last)
                epsilon = rng.uniform(*(float(x) for x in ends))
                rate, strength = epsilon, Fraction(1)
                if asked.noise == "gaussian":
                    rate = 1 / float(check_counts.deviation(Fraction(epsilon), DELTA)[1])
                if asked.noise == "none":
                    strength = Fraction(round(math.tanh(epsilon / 2), 9)).limit_denominator(10**9)
                off = worst(asked, n, rate, strength)
                assert off > failure * (1 - 1e-9), (name, witness, asked, box, n, epsilon, off)
    return excluded


def witnesses(rng: random.Random, asked: Asked, one: Any, box: Any) -> list[tuple[str, ...]]:
    """Rules with what they may be given."""
    of, error = asked.people or 40, float(one.error)
    means = [f"{rng.randint(0, of)}/{of}" for _ in range(4)]
    ends = [(rng.uniform(0, error), error * rng.uniform(1, 3)) for _ in range(4)]
    return [
        ("bound",), ("noise-alone",), ("mean-half",), *(("one-mean", mean) for mean in means),
        *(("convex", f"{start:.6f}", f"{far:.6f}") for start, far in ends),
    ]  # fmt: skip


def test_what_a_rule_excludes_fails():
    excluded = compare_boxes(seed=5, points=15)
    assert min(excluded[name] for name in ("one-mean", "mean-half", "noise-alone")) > 0, excluded


@pytest.mark.slow
def test_much_that_a_rule_excludes_fails():
    excluded = compare_boxes(seed=6, points=600)
    del excluded["limits"]
    assert min(excluded.values()) > 2, excluded


def study_of(budget: float, error: float, kind: str) -> planner.Study:
    """A study that is infeasible or nearly so."""
    mechanism, people = {
        "reports": (planner.RandomizedResponse(), None),
        "reports by a bound": (planner.RandomizedResponse("hoeffding"), None),
        "geometric": (planner.GeometricMean(), None),
        "geometric of a town": (planner.GeometricMean(), 300),
        "town": (planner.LaplaceMean(), 500),
        "town by a bound": (planner.LaplaceMean("hoeffding"), 500),
    }[kind]
    return planner.Study(
        mechanism, planner.Accuracy(error, 0.05), planner.Individual(12.5),
        [planner.Budget(budget)], planner.Costs(5.0, 200.0),
        sampling=planner.Sampling(population=people),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        "reports",
        "reports by a bound",
        "geometric",
        "geometric of a town",
        "town",
        "town by a bound",
    ],
)
def test_changed_covers_are_refused_or_true(kind):
    """What is accepted of another budget or error has no plan that the planner knows."""
    rng, error, found = random.Random(7), 0.12, {"refused": 0, "true": 0}
    limit = planner.limit(study_of(50_000.0, error, kind), "budget").value
    none = planner.solve(study_of(limit * 0.9, error, kind))
    lines = none.certificate().splitlines()[1:]
    start = lines.index("claim infeasible") + 1
    for _ in range(150):
        budget, now = limit * 0.9, list(lines)
        if rng.random() < 0.7:
            now = changed_lines(rng, lines, start)
        else:
            budget = limit * (1 + rng.choice([-1, 1]) * 10 ** rng.uniform(-4, -0.5))
            now[:start] = [
                f"conditions.budget = {budget!r}" if x.startswith("conditions.budget") else x
                for x in lines[:start]
            ]
        if is_refused(*now):
            found["refused"] += 1
            continue
        found["true"] += 1
        assert planner.solve(study_of(budget, error, kind)).verdict != "feasible", now
        assert budget < limit
    assert found["refused"] > 50, found
