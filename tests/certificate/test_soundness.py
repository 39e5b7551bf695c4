"""Rules of the kernel at their edges: what is just true is accepted, what is just false is not.

The edges are formulas of the papers, by another library or by hand.
"""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import scipy.stats
from flint import arb, ctx

import planner
from planner.certificate import check, check_counts, check_people, check_surveys
from planner.certificate.check import Box

DELTA = Fraction(1, 10**6)
NEAR = 1e-6
"""So near, as a part of a failure probability, rules tell what is allowed from what is not."""


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(check.PRECISION):
        check.effort[0] = 0
        yield


def asked(kind: str, error: float, failure: float) -> dict[str, str]:
    lines = [
        f"target.error = {error}", f"target.failure = {failure:.15e}", f"mechanism.kind = {kind}",
        "individual.base_cost = 1",
    ]  # fmt: skip
    return check.keys_of(lines)


def count(kind: str, error: float, failure: float) -> check_counts.Count:
    return check_counts.Count(asked(kind, error, failure))


def point(n: int, epsilon: Fraction, delta: Fraction) -> Box:
    return Box((n, n), (n * epsilon, n * epsilon), (epsilon, epsilon), (delta, delta))


@pytest.mark.parametrize("n", [50, 400])
def test_noise_alone_excludes_where_it_is_off_too_often_and_not_otherwise(n: int) -> None:
    """Laplace: Pr[|Z| ≥ NT] = e^(−εNT). Gaussian: 2Q(NT/σ), σ the least that is private."""
    for kind, epsilon, delta in (
        ("laplace-mean", Fraction(2, n), Fraction(0)),
        ("gaussian-mean", Fraction(9, n), DELTA),
    ):
        off = math.exp(-float(epsilon) * n * 0.5)
        if delta:
            sigma = float(check_counts.deviation(epsilon, delta)[0])
            off = 2 * scipy.stats.norm.sf(n * 0.5 / sigma)
        box = point(n, epsilon, delta)
        assert check_counts.noise_alone(count(kind, 0.5, off * (1 - NEAR)), box)
        assert not check_counts.noise_alone(count(kind, 0.5, off * (1 + NEAR)), box)


def test_a_mean_excludes_where_it_is_off_too_often_and_not_otherwise() -> None:
    """One person of mean 1/2: K is 0 or 1, so the sample is off by 1/2 whatever it says."""
    for error, epsilon in ((0.6, Fraction(2)), (0.4, Fraction(1, 2))):
        e = float(epsilon)

        def beyond(t: float, e: float = e) -> float:
            return math.exp(-e * t) / 2 if t > 0 else 1 - math.exp(e * t) / 2

        off = beyond(error - 0.5) + beyond(error + 0.5)
        box = point(1, epsilon, Fraction(0))
        assert check_counts.one_mean(count("laplace-mean", error, off * (1 - NEAR)), box)
        assert not check_counts.one_mean(count("laplace-mean", error, off * (1 + NEAR)), box)


def test_a_line_that_passes_what_a_sample_stays_off_with_excludes_nothing() -> None:
    """With s = Nε and g(d) = (e^(−s(T − d)) + e^(−s(T + d)))/2 the tangent at t may go on to u.

    There it may be 1 − e^(−s(u − T))/2 at most.
    """
    s, error, t = 30.0, 0.1, 0.09
    near, far = math.exp(-s * (error - t)), math.exp(-s * (error + t))

    def line(u: float) -> float:
        return (near + far) / 2 + s * (near - far) / 2 * (u - t)

    def stays(u: float) -> float:
        return 1 - math.exp(-s * (u - error)) / 2

    study, signal = count("laplace-mean", error, 0.05), (arb(s), arb(s))
    for u, under in ((0.1, True), (0.125, True), (0.13, False), (0.2, False)):
        assert (line(u) <= stays(u)) is under or u == 0.1
        named = Fraction(str(t)), Fraction(str(u))
        off = check_counts.off_at_least(study, (100, 100), Fraction(1, 2), signal, *named)
        assert bool(off > 0) is under, u


def test_counts_that_are_left_out_may_be_anywhere() -> None:
    """K is 3 or 4, or with 0.3 some other; geometric noise of a = 1/2 takes it to 4 or more."""
    half = arb(2).log()
    law = 3, [arb("0.4"), arb("0.3")], arb(0).union(arb("0.3"))
    known = 0.4 * (1 / 3) + 0.3 * (2 / 3)
    found = check_people.reached(law, 4, (half, half))
    for chance in (known, known + 0.3):
        assert abs(float((arb(chance) - found).mid())) <= float(found.rad()) * (1 + NEAR)
    assert float(found.rad()) == pytest.approx(0.15, rel=1e-6)


def test_without_noise_a_count_is_reached_or_not() -> None:
    law = 0, [arb("0.25"), arb("0.5"), arb("0.25")], arb(0)
    endless = arb.pos_inf()
    for edge, chance in ((0, 1.0), (1, 0.75), (2, 0.25), (3, 0.0)):
        assert float(check_people.reached(law, edge, (endless, endless))) == chance


def test_a_study_of_numbers_that_cannot_be_is_refused() -> None:
    right = {"target.error": "0.1", "target.failure": "0.05", "mechanism.kind": "laplace-mean",
             "individual.base_cost": "1"}  # fmt: skip
    check_counts.Count(right)
    for key, value in (
        ("target.error", "1.5"), ("target.error", "0"), ("target.failure", "1"),
        ("target.failure", "1.5"), ("mechanism.mean_range", "0.2,1.5"),
        ("mechanism.mean_range", "0.5,0.2"), ("individual.base_cost", "-1"),
        ("sampling.response_rate", "1.5"), ("sampling.response_rate", "0"),
        ("sampling.arrive", "0.4"), ("sampling.arrive", "1"), ("individual.family", "0"),
        ("individual.breach", "1"), ("conditions.min_participants", "0"),
    ):  # fmt: skip
        with pytest.raises(check.RefusedError):
            check_counts.Count({**right, key: value})


def test_what_a_certificate_proves_is_told_by_the_exit_status(tmp_path, capsys) -> None:
    paper, person = planner.LaplaceMean("paper"), planner.Individual(1.0)
    plan = planner.solve(planner.Study(paper, planner.Accuracy(0.2, 0.1), person))
    two = planner.Study(target=planner.Difference(error=0.5, failure=0.5))
    computed, file = planner.solve(two, prove=False), tmp_path / "some.cert"
    for text, status, last in (
        ("nothing", 1, "refused: "), (plan.certificate(), 0, "proved"),
        (plan.certificate().replace("error = 0.2", "error = 0.1"), 1, "refused: "),
        (computed.certificate(), 2, "incomplete"),
    ):  # fmt: skip
        file.write_text(text, "utf-8")
        assert check.main(str(file)) == status
        assert capsys.readouterr().out.splitlines()[-1].startswith(last)


COSTS = planner.Costs(per_person=2.0, overhead=10.0)
PERSON = planner.Individual(1.0, 100.0)
COARSE = planner.Accuracy(0.15, 0.1)
PLANNED = [
    (planner.LaplaceMean(values="any", mean_range=(0.1, 0.35)), {}),
    (planner.GaussianMean(values="any", mean_range=(0.6, 0.8)), {}),
    (planner.LaplaceMean(), {"population": 150}),
    (planner.LaplaceMean(mean_range=(0.1, 0.3)), {"population": 120}),
    (planner.GeometricMean(mean_range=(0.05, 0.3)), {}),
    (planner.RandomizedResponse(), {}),
    (planner.LaplaceMean("hoeffding"), {}),
]


@pytest.mark.parametrize(("mechanism", "drawn"), PLANNED)
def test_a_plan_that_fails_a_little_more_often_is_refused(mechanism, drawn) -> None:
    conditions = [planner.Delta(1e-6)] if mechanism.uses_delta else []
    asked = planner.Study(
        mechanism, COARSE, PERSON, conditions, COSTS, sampling=planner.Sampling(**drawn)
    )
    text = planner.solve(asked).certificate()
    assert planner.certificate.verify(text)[1] == []
    assert text.count("target.failure = 0.1\n") == 1
    with pytest.raises(check.RefusedError):
        planner.certificate.verify(text.replace("failure = 0.1\n", "failure = 0.097\n"))


@pytest.mark.parametrize(
    "mechanism",
    [planner.LaplaceMean("hoeffding"), planner.LaplaceMean("paper"), planner.Mwem(8, 3)],
)
@pytest.mark.parametrize("costs", [planner.Costs(), COSTS])
def test_a_refutation_is_not_one_of_a_study_with_a_little_more_money(mechanism, costs) -> None:
    asked = planner.Study(mechanism, COARSE, PERSON, (), costs)
    least = planner.solve(asked).least_cost
    poor = replace(asked, conditions=[planner.Budget(float(f"{0.99 * least:.4g}"))])
    none = planner.solve(poor)
    assert (none.verdict, none.proof.checked) == ("infeasible", True)
    budget, more = f"budget = {poor.conditions[0].money!r}", f"budget = {1.005 * least!r}"
    text = none.certificate()
    assert text.count(budget) == 1
    with pytest.raises(check.RefusedError):
        planner.certificate.verify(text.replace(budget, more))


def test_a_sample_alone_excludes_what_is_off_too_often_half_of_the_time() -> None:
    """Symmetric noise leaves what is off by T or more so at least half of the time."""
    n, error = 30, Fraction(1, 10)
    one = count("laplace-mean", 0.1, 0.05)
    off = 2 * scipy.stats.binom.cdf(math.ceil(n * (0.5 - 0.1)) - 1, n, 0.5)  # by more than T
    rise = Fraction(64)  # over 2n, and a half of its inverse is a double
    named = (error, error + 1 / (2 * rise), rise)
    least = check_counts.off_at_least(one, (n, n), Fraction(1, 2), (arb(0), arb(0)), *named)
    assert float(least.mid()) == pytest.approx(off / 2, rel=1e-12)


def test_samples_exclude_a_survey_where_they_are_off_too_often_and_not_otherwise() -> None:
    n = 30
    off = scipy.stats.binom.cdf(math.ceil(n * (0.5 - 0.1)) - 1, n, 0.5)  # half of both sides
    for allowed, excluded in ((off * (1 - NEAR), True), (off * (1 + NEAR), False)):
        lines = [
            f"target.failure = {allowed:.15e}", "mechanism.kind = added-noise",
            "mechanism.noise = laplace", "mechanism.analysis = exact",
            "mechanism.composition = basic", "question.1 = share; error = 0.1",
            "individual.base_cost = 1", "conditions.min_participants = 30",
            "conditions.max_participants = 30",
        ]  # fmt: skip
        survey = check_surveys.Survey(check.keys_of(lines))
        assert check_surveys.samples(survey, survey.box) == excluded


@pytest.mark.parametrize("n", [20, 60])
def test_gaussian_signals_of_a_box_are_those_of_its_ends(n: int) -> None:
    """N/σ, of the least σ that some ε and δ of the box allow and of the largest."""
    one = count("gaussian-mean", 0.1, 0.05)
    low, high, fewest = Fraction(1, 2), Fraction(2), Fraction(1, 10**9)
    box = Box((n, 2 * n), (n * low, 2 * n * high), (low, high), (fewest, DELTA))
    most, least = (float(x.mid()) for x in check_counts.signals(one, box))
    assert most == pytest.approx(2 * n / float(check_counts.deviation(high, DELTA)[0]), rel=1e-6)
    assert least == pytest.approx(n / float(check_counts.deviation(low, fewest)[0]), rel=1e-6)


def test_a_family_of_endless_people_costs_as_much_as_it_is_large() -> None:
    """N·E·(e^(gε) − 1) is E·g·y at least, y = Nε, however many people there are."""
    for part, excluded in ((1 - 1e-9, True), (1 + 1e-9, False)):
        keys = asked("laplace-mean", 0.5, 0.05)
        keys |= {"individual.family": "3", "conditions.budget": f"{6 * part:.12f}"}
        box = Box((1, check.ENDLESS), (Fraction(2), Fraction(2)), (Fraction(0), Fraction(1)),
                  (Fraction(0), Fraction(0)))  # fmt: skip
        assert check.over_limits(check_counts.Count(keys), box) == excluded
