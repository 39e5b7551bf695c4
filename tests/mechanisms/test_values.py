"""The bound for any values: no law, population or cluster of values is off more often."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

import planner
from planner.answer.check import check
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.mechanisms.count_floor import noisy
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.values import AnyValues, LimitedDeviation
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of

WHOLE = (0.0, 1.0)
PARTS = 60
"""Values are multiples of one over this."""


def tail(kind: str, x: np.ndarray, rate: float) -> np.ndarray:
    """Pr[Z ≥ x]."""
    of = scipy.stats.laplace if kind == "laplace" else scipy.stats.norm
    return np.asarray(of.sf(x, scale=1 / rate))


def bound(kind: str, rate: float, n: int, error: float, sample: Sample = SIMPLE) -> float:
    """What the mean of any values fails with at most."""
    of = noisy(kind, True, WHOLE, sample)
    return float(of.failure(np.array(rate), np.array(float(n)), np.array(error)))


def least_rate(sample: Sample, n: int, error: float, failure: float, of_any: bool = True) -> float:
    of = noisy("laplace", of_any, WHOLE, sample)
    return float(of.least_rate(np.array(float(n)), np.array(error), np.array(failure)))


def off(kind: str, total: np.ndarray, mean: float, edge: float, rate: float) -> float:
    """How often sums, with noise, lie an edge or more from their mean."""
    sums = np.arange(len(total)) / PARTS
    up, down = tail(kind, mean + edge - sums, rate), tail(kind, sums - mean + edge, rate)
    return float(total @ (up + down))


def of_law(
    values: np.ndarray, chances: np.ndarray, n: int, kind: str, rate: float, t: float
) -> float:
    """How often the mean of n such values is off by t, exactly."""
    one = np.zeros(PARTS + 1)
    np.add.at(one, np.rint(values * PARTS).astype(int), chances)
    total = np.array([1.0])
    for _ in range(n):
        total = np.convolve(total, one)
    return off(kind, total, n * float(values @ chances), n * t, rate)


def drawn_law(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Three values with their chances; often the ends of the range are among them."""
    values = random.integers(0, PARTS + 1, size=3) / PARTS
    if random.random() < 0.5:
        values[:2] = 0.0, 1.0
    return values, random.dirichlet([0.4, 0.4, 0.4])


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(("n", "error", "rate"), [(9, 0.3, 0.7), (12, 0.2, 1.5), (6, 0.4, 0.3)])
def test_no_convex_function_is_better(kind: str, n: int, error: float, rate: float) -> None:
    """The least E φ(K) over convex φ on a fine grid that are over Pr[Z ≥ x − s] there."""
    fine = 24
    points = np.arange(n * fine + 1) / fine
    chance = np.zeros(len(points))
    chance[::fine] = scipy.stats.binom.pmf(np.arange(n + 1), n, 0.5)
    bends, rows = np.zeros((len(points) - 2, len(points))), np.arange(len(points) - 2)
    bends[rows, rows], bends[rows, rows + 1], bends[rows, rows + 2] = -1, 2, -1
    lower = tail(kind, n * (0.5 + error) - points, rate)
    found = scipy.optimize.linprog(
        chance, A_ub=bends, b_ub=np.zeros(len(rows)), bounds=[(q, None) for q in lower]
    )
    best = 2 * found.fun
    assert best * (1 - 2e-3) <= bound(kind, rate, n, error) <= best * (1 + 3e-2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_no_law_of_values_fails_more_often(kind: str) -> None:
    random = np.random.default_rng(20261124)
    for _ in range(60):
        n, t, rate = int(random.integers(1, 14)), random.uniform(0.1, 0.7), random.uniform(0.1, 4)
        values, chances = drawn_law(random)
        assert of_law(values, chances, n, kind, rate, t) <= bound(kind, rate, n, t) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_no_law_with_so_small_a_deviation_fails_more_often(kind: str) -> None:
    random, near = np.random.default_rng(20261124), []
    for _ in range(100):
        n, t, rate = int(random.integers(1, 16)), random.uniform(0.05, 0.7), random.uniform(0.1, 4)
        values, chances = drawn_law(random)
        deviation = float(np.sqrt(chances @ (values - float(values @ chances)) ** 2))
        if not 0.01 < deviation < 0.5:
            continue
        most = bound(kind, rate, n, t, Sample(deviation=deviation * (1 + 1e-9)))
        fails = of_law(values, chances, n, kind, rate, t)
        assert fails <= most * (1 + 1e-3) + 1e-9  # at the means that are tried
        near.append(fails / most if most > 0 else 1.0)
    assert max(near) > 0.8


def test_values_of_zero_and_one_come_near() -> None:
    rate, n = least_rate(Sample(deviation=0.15), 127, 0.05, 0.05), 127
    mean = 0.5 - (0.25 - 0.15**2) ** 0.5
    chances = np.array([1 - mean, mean])
    fails = of_law(np.array([0.0, 1.0]), chances, n, "laplace", rate, 0.05 - 1e-12)
    assert 0.04 < fails <= 0.05


def test_a_large_deviation_is_no_news() -> None:
    """No values in [0, 1] deviate by more than 1/2."""
    known, unknown = (
        least_rate(sample, 600, 0.05, 0.05) for sample in (Sample(deviation=0.5), SIMPLE)
    )
    assert known == pytest.approx(unknown, rel=1e-3)


def of_population(values: np.ndarray, n: int, kind: str, rate: float, error: float) -> float:
    """How often the mean of n of these whole numbers, drawn without replacement, is off."""
    ways = np.zeros((n + 1, int(values.sum()) + 1))
    ways[0, 0] = 1.0
    for place, value in enumerate(values):
        for drawn in range(min(n, place + 1), 0, -1):
            ways[drawn, value:] += ways[drawn - 1, : ways.shape[1] - value]
    mean = n * values.sum() / len(values) / PARTS
    return off(kind, ways[n] / ways[n].sum(), mean, n * error, rate)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_no_population_of_values_fails_more_often(kind: str) -> None:
    """Neither where those who are left out stand for the sample, nor of a census."""
    random = np.random.default_rng(20261124)
    for _ in range(40):
        people = int(random.integers(2, 30))
        n, error = int(random.integers(1, people + 1)), random.uniform(0.05, 0.6)
        rate = float(np.exp(random.uniform(-2, 2)))
        most = bound(kind, rate, n, error, Sample(people))
        ones = int(random.integers(0, people + 1))
        populations = [
            np.repeat([PARTS, 0], [ones, people - ones]),
            random.integers(0, PARTS + 1, people),
            np.append(np.repeat([PARTS, 0], [people // 2, (people - 1) // 2]), PARTS // 2),
        ]
        for values in populations:
            fails = of_population(values[:people], n, kind, rate, error)
            assert fails <= most * (1 + 1e-5) + 1e-9


def test_a_census_of_values_has_noise_alone() -> None:
    assert least_rate(Sample(300), 300, 0.1, 0.05) == pytest.approx(np.log(20) / 30, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_no_law_of_clusters_fails_more_often(kind: str) -> None:
    """Of clusters whose people are all alike, and a last one that is not whole."""
    random = np.random.default_rng(20261125)
    for _ in range(40):
        each, n = int(random.integers(2, 6)), int(random.integers(1, 40))
        error, rate = random.uniform(0.05, 0.6), float(np.exp(random.uniform(-2, 2)))
        most = bound(kind, rate, n, error, Sample(clusters_of=each))
        whole, rest = divmod(n, each)
        ends = np.sort(random.integers(0, PARTS + 1, (3, 2))).tolist()
        for low, high in ((0, PARTS), *ends):
            chance = random.uniform()
            total = np.array([1.0])
            for people in [each] * whole + [rest] * (rest > 0):
                one = np.zeros(people * PARTS + 1)
                one[people * low] += 1 - chance
                one[people * high] += chance
                total = np.convolve(total, one)
            mean = n * (low + chance * (high - low)) / PARTS
            assert off(kind, total, mean, n * error, rate) <= most * (1 + 1e-5) + 1e-9


def test_clusters_of_one_are_people() -> None:
    one = least_rate(SIMPLE, 600, 0.05, 0.05)
    for counted in (Sample(clusters_of=4), Sample(design_effect=4.0)):
        assert 4 * least_rate(counted, 2400, 0.05, 0.05, False) == pytest.approx(one, rel=1e-6)
        # three more people are no further cluster
        more = 2403 * least_rate(counted, 2403, 0.05, 0.05, False)
        assert more == pytest.approx(2400 * one / 4, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("sampling", [{"population": 3000}, {"clusters_of": 2}])
def test_a_survey_of_a_sample_is_cheaper_than_by_hoeffdings_bound(sampling: dict) -> None:
    questions = planner.Survey(
        [planner.Mean("age", error=8.0, low=18.0, high=98.0), planner.Share("smokes", error=0.1)],
        failure=0.1,
    )

    def cost(analysis: str) -> float:
        study = planner.Study(
            target=questions,
            mechanism=planner.AddedNoise(noise="laplace", analysis=analysis),
            individual=planner.Individual(base_cost=12.5),
            costs=planner.Costs(per_person=5.0),
            sampling=planner.Sampling(**sampling),
        )
        return float(planner.solve(study).cost)

    assert cost("exact") < 0.8 * cost("hoeffding")


@pytest.fixture
def incomes() -> planner.Study:
    return planner.Study(
        target=planner.Accuracy.of_values(500.0, 0.0, 10_000.0, 0.05, deviation_at_most=1500.0),
        mechanism=planner.LaplaceMean(),
        individual=planner.Individual(base_cost=12.5, worst_cost=1250.0),
        costs=planner.Costs(per_person=5.0),
    )


@pytest.mark.slow
def test_incomes_are_planned_for_what_they_are(incomes: planner.Study) -> None:
    plan = planner.solve(incomes)
    unknown = replace(incomes, target=replace(incomes.target, deviation_at_most=None))
    assert plan.cost < 0.45 * planner.solve(unknown).cost
    assert plan.proof.checked
    assert "assuming a standard deviation of the values of at most 1,500" in plan.proof.statement
    assert "standard deviation of the values of at most 1,500" in str(consent(plan))
    assert "assuming a standard deviation" in str(methods(plan))
    assert any("a standard deviation of the values" in words for words in check(plan).unchecked)


@pytest.mark.slow
def test_a_study_file_keeps_the_assumption(incomes: planner.Study) -> None:
    assert study_of(tables_of(incomes), "incomes") == incomes
    survey = replace(
        incomes,
        target=planner.Survey(
            (planner.Mean("income", error=500.0, low=0.0, high=1e4, deviation_at_most=1500.0),),
            0.05,
        ),
        mechanism=planner.AddedNoise(noise="laplace"),
    )
    assert study_of(tables_of(survey), "survey") == survey
    assert planner.solve(survey).cost == pytest.approx(planner.solve(incomes).cost, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mechanism": planner.LaplaceMean(analysis="hoeffding")}, 'give analysis = "exact"'),
        ({"mechanism": planner.RandomizedResponse()}, "leave it out"),
    ],
)
def test_where_it_is_not_used_it_is_refused(
    incomes: planner.Study, change: dict, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        replace(incomes, **change)


@pytest.mark.parametrize("deviation", [0.0, -1.0, 6000.0, float("nan")])
def test_impossible_deviations_are_refused(deviation: float) -> None:
    with pytest.raises(ValueError, match="deviation_at_most"):
        planner.Accuracy.of_values(500.0, 0.0, 1e4, 0.05, deviation_at_most=deviation)


@pytest.mark.parametrize("law", [AnyValues(), LimitedDeviation(deviation=0.2)])
def test_a_size_fails_alike_alone_and_beside_others(law: AnyValues) -> None:
    """Whatever noise the others have: of little noise a sum ripples, and more means are tried."""
    n, rates = np.array([900.0, 1000.0, 1100.0, 1200.0]), np.array([0.12, 2.0, 0.14, 0.4])
    together = law.failure(rates, n, np.full(4, 0.035))
    for k in range(4):
        alone = law.failure(rates[k : k + 1], n[k : k + 1], np.full(1, 0.035))
        assert together[k] == pytest.approx(alone[0], rel=1e-12)
