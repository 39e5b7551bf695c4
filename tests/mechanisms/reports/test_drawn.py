"""Randomised reports of people drawn from a finite population, compared with sums of fractions."""

import random
from fractions import Fraction
from functools import cache
from math import comb

import pytest

import planner
from planner import numbers
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.exact.without_replacement import lattice
from planner.mechanisms.reports import drawn, drawn_least, drawn_proof
from planner.mechanisms.reports.card import truthful
from tests.thorough import oracle_drawn_reports as oracle

WHOLE = (0.0, 1.0)


def binomial(n: int, share: Fraction) -> list[Fraction]:
    return [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]


@cache
def law(people: int, n: int, having: int, truth: Fraction) -> tuple[Fraction, ...]:
    """The distribution of the number of reports."""
    total = [Fraction(0)] * (n + 1)
    for k in range(max(0, n - people + having), min(n, having) + 1):
        drawn_so = Fraction(comb(having, k) * comb(people - having, n - k), comb(people, n))
        for i, x in enumerate(binomial(k, truth)):
            for j, y in enumerate(binomial(n - k, 1 - truth)):
                total[i + j] += drawn_so * x * y
    return tuple(total)


def failure(people: int, n: int, having: int, truth: Fraction, error: Fraction) -> Fraction:
    """The probability that the estimate is off by T or more."""
    strength = 2 * truth - 1
    mean = n * (1 - truth + Fraction(having, people) * strength)
    chances = law(people, n, having, truth)
    return sum(
        (x for y, x in enumerate(chances) if abs(y - mean) >= n * error * strength), Fraction(0)
    )


def worst(people: int, n: int, truth: Fraction, error: Fraction) -> Fraction:
    return max(failure(people, n, m, truth, error) for m in range(people + 1))


def in_balls(error: float, alpha: float) -> Asked:
    number = numbers.balls().number
    return Asked(number(error), number(alpha), WHOLE)


@pytest.mark.parametrize(
    ("people", "n", "truth", "error"),
    [
        (14, 6, Fraction(3, 4), Fraction(1, 5)),
        (13, 9, Fraction(4, 5), Fraction(3, 20)),
        (12, 12, Fraction(9, 10), Fraction(1, 4)),
        (9, 5, Fraction(1), Fraction(1, 4)),
        (7, 1, Fraction(3, 4), Fraction(1, 2)),
    ],
)
def test_floats_and_balls_agree_with_sums(people, n, truth, error) -> None:
    of = lattice(people, WHOLE)
    reports = drawn.Reports(of, n, 2 * truth - 1, error)
    for having in range(people + 1):
        exact = failure(people, n, having, truth, error)
        ends = reports.over(having), reports.under(having)
        ball = drawn_proof.off(of, n, having, ends, drawn_proof.Card(truth, 1 - truth, 0.05))
        assert ball.overlaps(rational(exact))
        assert float(ball.mid()) == pytest.approx(float(exact), abs=1e-12)
        assert drawn.failures(reports, [having])[0] == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize(("people", "n"), [(900, 850), (900, 300), (5000, 900)])
@pytest.mark.parametrize("truth", [Fraction(3, 5), Fraction(19, 20)])
def test_floats_and_balls_agree_on_large_studies(people, n, truth) -> None:
    of = lattice(people, WHOLE)
    reports = drawn.Reports(of, n, 2 * truth - 1, Fraction(1, 20))
    several = [0, 1, people // 10, people // 2 - 1, people // 2]
    together = drawn.failures(reports, several)
    for having, value in zip(several, together, strict=True):
        ends = reports.over(having), reports.under(having)
        ball = drawn_proof.off(of, n, having, ends, drawn_proof.Card(truth, 1 - truth, 0.05))
        assert value == pytest.approx(float(ball.mid()), abs=1e-11)


@pytest.mark.slow
def test_proofs_agree_with_sums() -> None:
    rng = random.Random(7)
    proved = refuted = excluded = 0
    for _ in range(60):
        people = rng.randint(4, 14)
        n = rng.randint(1, people)
        error, alpha = rng.choice([0.15, 0.2, 0.3, 0.45]), rng.choice([0.05, 0.2, 0.4])
        truth = Fraction(rng.randint(51, 100), 100)
        of, asked = lattice(people, WHOLE), in_balls(error, alpha)
        fails = worst(people, n, truth, Fraction(repr(error)))
        accurate = fails <= Fraction(repr(alpha))
        assert drawn_proof.certify_at_most(of, n, truth, asked) == accurate
        if drawn_proof.certify_over(of, n, truth, asked):
            cards = [p for p in range(51, 101, 3) if p <= 100 * truth]
            values = [worst(people, n, Fraction(p, 100), Fraction(repr(error))) for p in cards]
            assert all(value > Fraction(repr(alpha)) for value in values)
            excluded += 1
        least = rng.randint(max(1, n - 2), n)
        if drawn_proof.certify_sizes_over(of, least, n, truth, asked):
            refuted += 1
            for size in range(least, n + 1):
                for p in (truth, (truth + Fraction(1, 2)) / 2, Fraction(51, 100)):
                    if p <= truth:
                        assert worst(people, size, p, Fraction(repr(error))) > Fraction(repr(alpha))
        proved += accurate
    assert proved > 5
    assert refuted > 5
    assert excluded > refuted


@pytest.mark.parametrize(("people", "n"), [(14, 9), (13, 13), (12, 7), (11, 10)])
def test_the_least_card_is_accurate_and_one_a_little_less_truthful_is_not(people, n) -> None:
    error, alpha = 0.3, 0.2
    epsilon = drawn_least.least_epsilon(lattice(people, WHOLE), n, Asked(error, alpha, WHOLE))
    exact = Fraction(repr(error)), Fraction(repr(alpha))
    assert worst(people, n, truthful(epsilon), exact[0]) <= exact[1]
    assert worst(people, n, truthful(epsilon * (1 - 1e-5)), exact[0]) > exact[1]


def study(budget: float, mechanism: object = None, **sampling: object) -> planner.Study:
    return planner.Study(
        mechanism or planner.RandomizedResponse(),
        planner.Accuracy(0.1, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(budget)],
        planner.Costs(5.0),
        sampling=planner.Sampling(**sampling),
    )


def test_a_study_of_a_population_is_solved_exactly() -> None:
    plan = planner.solve(study(20_000.0, population=400), prove=True)
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    bounded = planner.solve(
        study(20_000.0, planner.RandomizedResponse(analysis="hoeffding"), population=400)
    )
    endless = planner.solve(study(20_000.0))
    assert plan.cost < min(bounded.cost, endless.cost)
    assert planner.simulate(plan, seed=3).consistent


@pytest.mark.slow
def test_that_no_study_of_a_population_exists_is_proved() -> None:
    least = planner.solve(study(20_000.0, population=400)).cost
    none = planner.solve(study(0.9 * least, population=400), prove=True)
    assert none.verdict == "infeasible"
    assert none.proof.checked


@pytest.mark.parametrize(
    ("sampling", "words"),
    [
        ({"design_effect": 2.0}, "drawn one by one"),
        ({"clusters_of": 5}, "drawn one by one"),
        ({"population": 200_000}, "too large for the exact analysis"),
    ],
)
def test_samples_that_the_exact_analysis_does_not_cover_are_refused(sampling, words) -> None:
    with pytest.raises(ValueError, match=words):
        study(20_000.0, **sampling)
    with pytest.raises(ValueError, match="no whole number of 5 people"):
        study(20_000.0, planner.RandomizedResponse(mean_range=(0.45, 0.55)), population=5)


LOWER_WINDOWS = [
    (325, 27, 0.171, 0.179, 1.955, planner.Individual(1.38), planner.Costs(8.8), 463.54),
    (263, 17, 0.198, 0.234, 1.885942, planner.Individual(3.95), planner.Costs(17.8), 678.14),
]


@pytest.mark.parametrize(
    ("people", "n", "error", "alpha", "suffices"), [x[:5] for x in LOWER_WINDOWS]
)
def test_the_least_card_lies_in_the_lowest_window(people, n, error, alpha, suffices) -> None:
    """Between cards that fail some are accurate; each of all counts is summed."""
    epsilon = drawn_least.least_epsilon(lattice(people, WHOLE), n, Asked(error, alpha, WHOLE))
    assert epsilon < suffices
    assert oracle.worst(people, n, oracle.card(epsilon), error) <= alpha
    for more in (1e-6, 1e-3, 0.02, 0.3, 0.6):
        less = oracle.card(epsilon * (1 - more))
        assert oracle.worst(people, n, less, error) > alpha


def test_a_survey_of_a_population_is_of_those_drawn_one_by_one() -> None:
    questions = [planner.Share("a", error=0.1), planner.Share("b", error=0.1)]

    def survey(**sampling: object) -> planner.Study:
        return planner.Study(
            planner.RandomizedResponse(analysis="hoeffding"),
            planner.Survey(questions, failure=0.05),
            planner.Individual(1.0),
            sampling=planner.Sampling(**sampling),
        )

    assert planner.solve(survey(population=1000, response_rate=0.8)).participants <= 800
    for sampling in ({"clusters_of": 5}, {"population": 1000, "design_effect": 2.0}):
        with pytest.raises(ValueError, match="of independent people"):
            survey(**sampling)


@pytest.mark.slow
@pytest.mark.parametrize("setting", LOWER_WINDOWS)
def test_no_study_is_cheaper_than_the_one_in_the_lowest_window(setting) -> None:
    people, _, error, alpha, _, individual, costs, suffices = setting

    def of(*conditions: object) -> planner.Study:
        return planner.Study(
            planner.RandomizedResponse(), planner.Accuracy(error, alpha), individual, conditions,
            costs, sampling=planner.Sampling(population=people),
        )  # fmt: skip

    plan = planner.solve(of())
    assert plan.cost <= suffices
    assert plan.proof.checked
    assert float(planner.limit(of(), "budget")) == pytest.approx(plan.cost, rel=1e-6)
    none = planner.solve(of(planner.Budget(0.999 * plan.cost)))
    assert none.verdict == "infeasible"
    assert none.proof.checked
