"""The share who accept, without an assumption."""

import numpy as np
import pytest
from scipy import stats

from planner.pilot import Answers, acceptance_curve
from tests.pilot.pilots import FACTOR, LEVELS, MEDIAN, NOBODY, mixed, yes_or_no


def by_min_max(answers: Answers) -> np.ndarray:
    """Isotonic regression by the min-max formula: no pooling."""
    offers = np.unique(answers.offers)
    people = np.array([np.sum(answers.offers == one) for one in offers])
    yes = np.array([np.sum((answers.offers == one) & (answers.high <= one)) for one in offers])
    ends = range(offers.size)
    mean = {(i, j): yes[i : j + 1].sum() / people[i : j + 1].sum() for i in ends for j in ends[i:]}
    return np.array(
        [max(min(mean[i, j] for j in ends[k:]) for i in ends[: k + 1]) for k in range(offers.size)]
    )


@pytest.mark.parametrize("seed", range(5))
def test_yes_and_no_are_isotonic(seed) -> None:
    answers = yes_or_no(seed, 200, np.linspace(1, 60, 25))
    curve = acceptance_curve(answers)
    assert curve.method == "isotonic"
    assert np.abs(curve.shares - by_min_max(answers)).max() < 1e-9


def masses_by_grid(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """A second EM: a mass on every amount asked about and between them, by loops."""
    places = np.unique(np.concatenate([answers.low, answers.high]))
    places = places[np.isfinite(places)]
    between = np.concatenate([(places[1:] + places[:-1]) / 2, [2 * places[-1]]])
    points = np.sort(np.concatenate([[places[0] / 2], places, between]))
    rows = []
    for low, high in zip(answers.low, answers.high, strict=True):
        rows.append(points == low if low == high else (points > low) & (points <= high))
    possible = np.array(rows, dtype=float)
    masses = np.full(points.size, 1 / points.size)
    for _ in range(4000):
        share = possible * masses
        masses = (share / share.sum(axis=1, keepdims=True)).mean(axis=0)
    return places, np.array([masses[points <= place].sum() for place in places])


@pytest.mark.parametrize("seed", range(3))
def test_intervals_are_turnbulls(seed) -> None:
    answers = mixed(seed, 80)
    curve = acceptance_curve(answers)
    places, shares = masses_by_grid(answers)
    assert curve.method == "turnbull"
    assert np.array_equal(curve.costs, places)
    assert np.abs(curve.shares - shares).max() < 1e-4


def test_amounts_alone_give_the_empirical_distribution() -> None:
    asks = np.arange(1.0, 31.0)
    nan = np.full(30, np.nan)
    curve = acceptance_curve(Answers(asks, asks, nan, NOBODY))
    assert curve.shares == pytest.approx(np.arange(1, 31) / 30, abs=1e-9)
    between = [stats.binomtest(k, 30).proportion_ci() for k in range(1, 31)]
    assert curve.low == pytest.approx([one.low for one in between])
    assert curve.high == pytest.approx([one.high for one in between])


def test_of_many_people_at_an_offer_the_interval_is_that_of_their_share() -> None:
    answers = yes_or_no(7, 400, LEVELS)
    curve = acceptance_curve(answers)
    for at, offer in enumerate(curve.costs):
        here = answers.offers == offer
        yes = int(np.sum(here & (answers.high <= offer)))
        interval = stats.binomtest(yes, int(here.sum())).proportion_ci()
        assert curve.low[at] == pytest.approx(interval.low)
        assert curve.high[at] == pytest.approx(interval.high)


@pytest.mark.slow
@pytest.mark.parametrize("make", [yes_or_no, mixed])
def test_each_interval_holds_the_share(make) -> None:
    missed = []
    for seed in range(150):
        curve = acceptance_curve(make(seed, 150))
        true = stats.lognorm.cdf(curve.costs, np.log(FACTOR), scale=MEDIAN)
        missed.append(np.mean((true < curve.low) | (true > curve.high)))
    assert np.mean(missed) < 0.05


def test_those_who_would_never_take_part_count_as_no() -> None:
    offers = np.repeat([10.0, 40.0], 20)
    high = np.where(np.arange(40) % 4 == 0, np.inf, offers)
    low = np.where(np.isinf(high), offers, -np.inf)
    with_refusers = acceptance_curve(Answers(low, high, offers, np.full(20, 40.0)))
    assert with_refusers.shares == pytest.approx([0.5, 0.5])  # 15/20 and 15/40, pooled
    asks = np.arange(1.0, 31.0)
    curve = acceptance_curve(Answers(asks, asks, np.full(30, np.nan), np.full(10, np.nan)))
    assert curve.shares[-1] == pytest.approx(0.75)
    assert curve.high[-1] < 1
