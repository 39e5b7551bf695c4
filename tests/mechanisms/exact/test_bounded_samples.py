"""The bound for any values of people drawn from a population, and of clusters drawn whole."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from flint import arb

import planner
from planner.mechanisms.exact import Asked, NoisyShare, noisy
from planner.mechanisms.exact.least_rate import least_rate
from planner.mechanisms.exact.no_noise import sufficient_size
from planner.mechanisms.sample import Sample

WHOLE = (0.0, 1.0)
PARTS = 20  # values are multiples of one over this


def tail(kind: str, x: np.ndarray, rate: float) -> np.ndarray:
    """Pr[Z ≥ x]."""
    if kind == "none":
        return np.where(x <= 1e-9, 1.0, 0.0)
    scale = 1 / rate
    return np.asarray(
        scipy.stats.laplace.sf(x, scale=scale)
        if kind == "laplace"
        else scipy.stats.norm.sf(x, scale=scale)
    )


def worst(share: NoisyShare, rate: float, n: int, error: float) -> float:
    return share.worst_mean(rate, float(n), Asked(error, 0.0, WHOLE)).most


def off(
    kind: str, total: np.ndarray, weight: float, mean: float, edge: float, rate: float
) -> float:
    """How often weighted sums, with noise, lie an edge or more from their mean."""
    sums = np.arange(len(total)) / PARTS * weight
    up, down = tail(kind, mean + edge - sums, rate), tail(kind, sums - mean + edge, rate)
    return float(total @ (up + down))


def of_population(values: np.ndarray, n: int, kind: str, rate: float, error: float) -> float:
    """How often the mean of n of these whole numbers, drawn without replacement, is off."""
    ways = np.zeros((n + 1, int(values.sum()) + 1))
    ways[0, 0] = 1.0
    for place, value in enumerate(values):
        for drawn in range(min(n, place + 1), 0, -1):
            ways[drawn, value:] += ways[drawn - 1, : ways.shape[1] - value]
    mean = n * values.sum() / len(values) / PARTS
    return off(kind, ways[n] / ways[n].sum(), 1.0, mean, n * error, rate)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian", "none"])
def test_no_population_of_values_fails_more_often(kind: str) -> None:
    random = np.random.default_rng(20261124)
    for _ in range(40):
        people = int(random.integers(2, 30))
        n, error = int(random.integers(1, people + 1)), random.uniform(0.05, 0.6)
        rate = float(np.exp(random.uniform(-2, 2)))
        bound = worst(noisy(kind, True, WHOLE, Sample(people)), rate, n, error)
        ones = int(random.integers(0, people + 1))
        populations = [
            np.repeat([PARTS, 0], [ones, people - ones]),
            random.integers(0, PARTS + 1, people),
            np.append(np.repeat([PARTS, 0], [people // 2, (people - 1) // 2]), PARTS // 2),
        ]
        for values in populations:
            assert of_population(values[:people], n, kind, rate, error) <= bound * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian", "none"])
def test_no_law_of_clusters_fails_more_often(kind: str) -> None:
    """Of clusters whose people are all alike, and a last one that is not whole."""
    random = np.random.default_rng(20261125)
    for _ in range(40):
        each, n = int(random.integers(2, 6)), int(random.integers(1, 40))
        error, rate = random.uniform(0.05, 0.6), float(np.exp(random.uniform(-2, 2)))
        bound = worst(noisy(kind, False, WHOLE, Sample(clusters_of=each)), rate, n, error)
        whole, rest = divmod(n, each)
        for low, high in ((0, PARTS), *np.sort(random.integers(0, PARTS + 1, (3, 2))).tolist()):
            chance = random.uniform()
            total = np.array([1.0])
            for people in [each] * whole + [rest] * (rest > 0):
                one = np.zeros(people * PARTS + 1)
                one[people * low] += 1 - chance
                one[people * high] += chance
                total = np.convolve(total, one)
            mean = n * (low + chance * (high - low)) / PARTS
            assert off(kind, total, 1.0, mean, n * error, rate) <= bound * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sample", [Sample(population=700), Sample(clusters_of=3), Sample(design_effect=1.7)]
)
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_what_is_found_is_proved_on_both_sides(kind: str, sample: Sample) -> None:
    share, asked, n = noisy(kind, True, WHOLE, sample), Asked(0.1, 0.05, WHOLE), 650
    rate = least_rate(share, float(n), asked)
    balls = asked._replace(error=arb(0.1), failure=arb(0.05))
    assert share.certify_at_most(arb(rate * (1 + 1e-5)), arb(n), balls)
    assert not share.certify_at_most(arb(rate * (1 - 1e-3)), arb(n), balls)
    assert share.certify_over(arb(rate / 4), arb(rate * (1 - 2e-3)), n, balls)
    assert not share.certify_over(arb(rate / 4), arb(rate * 1.01), n, balls)
    assert share.certify_sizes_over(arb(0.9 * rate), 640, n, balls)


def test_clusters_of_one_are_people() -> None:
    one, asked = noisy("laplace", True, WHOLE), Asked(0.05, 0.05, WHOLE)
    for counted in (Sample(clusters_of=4), Sample(design_effect=4.0)):
        share = noisy("laplace", False, WHOLE, counted)
        assert 4 * least_rate(share, 2400.0, asked) == pytest.approx(
            least_rate(one, 600.0, asked), rel=1e-9
        )
        # three more people are no further cluster
        more = 2403 * least_rate(share, 2403.0, asked)
        assert more == pytest.approx(2400 * least_rate(share, 2400.0, asked), rel=1e-9)


def test_how_many_count_is_decided_in_fractions() -> None:
    for each in (Fraction(6, 5), Fraction(7, 5), Fraction(13, 10)):
        law = noisy("laplace", True, WHOLE, Sample(design_effect=float(each))).law
        sizes = np.arange(1, 5_000)
        expected = [max(int(n / each), 1) for n in map(int, sizes)]
        assert law.counted(sizes.astype(float)).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("sampling", [{"population": 3000}, {"clusters_of": 2}])
def test_a_survey_of_a_sample_is_exact_and_cheaper_than_by_a_bound(sampling: dict) -> None:
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
        plan = planner.solve(study)
        assert plan.proof.checked
        return float(plan.cost)

    assert cost("exact") < 0.8 * cost("hoeffding")


@pytest.mark.parametrize(
    "sample", [Sample(population=19), Sample(clusters_of=3), Sample(deviation=0.4)]
)
@pytest.mark.parametrize("mean_range", [(0.9, 1.0), (0.0, 0.0), (0.5, 0.5), (0.1, 0.3)])
def test_the_size_without_noise_at_the_ends_of_a_range(
    sample: Sample, mean_range: tuple[float, float]
) -> None:
    """Without a warning, and no more than by Hoeffding's bound."""
    most = sufficient_size(0.2, 1e-4, mean_range, sample)
    assert most is not None
    assert 1 <= most <= min(124 * sample.clusters_of, sample.population or 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("mean_range", [(0.0, 0.999), (0.02, 0.99), (0.05, 1.0)])
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_means_from_one_end_nearly_to_the_other_are_proved(
    kind: str, mean_range: tuple[float, float]
) -> None:
    for people, n, error in ((500, 100, 0.2), (9, 4, 0.9)):
        share = noisy(kind, True, mean_range, Sample(population=people))
        asked = Asked(error, 0.05, mean_range)
        rate = least_rate(share, float(n), asked)
        balls = asked._replace(error=arb(error), failure=arb(0.05))
        assert share.certify_at_most(arb(rate * (1 + 1e-5)), arb(n), balls)
