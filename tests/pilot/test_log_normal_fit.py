"""The spread of costs as log-normal."""

import numpy as np
import pytest
from scipy import stats

from planner.pilot import Answers, fit
from tests.pilot.pilots import FACTOR, LEVELS, MEDIAN, NOBODY, mixed, yes_or_no


def by_scipy(answers: Answers) -> tuple[float, float]:
    """Median and factor by SciPy's fit of censored data, from another start."""
    low, high = answers.low, answers.high
    exact, left = low == high, np.isneginf(low)
    right = np.isposinf(high) & ~exact
    both = ~(exact | left | right)
    data = stats.CensoredData(
        low[exact], left=high[left], right=low[right],
        interval=np.stack([low[both], high[both]], axis=1),
    )  # fmt: skip
    sigma, _, median = stats.lognorm.fit(data, 1.0, floc=0, scale=5.0)
    return float(median), float(np.exp(sigma))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [yes_or_no, mixed])
def test_it_is_that_of_scipy(make, seed) -> None:
    answers = make(seed, 200)
    fitted = fit(answers)
    assert (fitted.median, fitted.spread) == pytest.approx(by_scipy(answers), rel=1e-4)


@pytest.mark.slow
def test_the_interval_is_of_likelihoods() -> None:
    """At its ends no factor makes the answers less likely than e^(−1.92) of the best."""
    answers = mixed(4, 120)
    fitted = fit(answers)

    def likelihood(median: float, factor: float) -> float:
        law = stats.lognorm(np.log(factor), scale=median)
        exact = answers.low == answers.high
        between = law.cdf(answers.high[~exact]) - law.cdf(answers.low[~exact])
        return float(np.log(between).sum() + law.logpdf(answers.low[exact]).sum())

    best = likelihood(fitted.median, fitted.spread)
    factors = np.linspace(1.3, 4, 400)
    for end in (fitted.low, fitted.high):
        most = max(likelihood(end, factor) for factor in factors)
        assert best - most == pytest.approx(stats.chi2.ppf(0.95, 1) / 2, abs=1e-3)


def test_money_has_no_unit() -> None:
    answers = yes_or_no(2)
    cents = Answers(100 * answers.low, 100 * answers.high, 100 * answers.offers, NOBODY)
    ours, theirs = fit(answers), fit(cents)
    assert 100 * ours.median == pytest.approx(theirs.median, rel=1e-6)
    assert 100 * ours.low == pytest.approx(theirs.low, rel=1e-6)
    assert ours.spread == pytest.approx(theirs.spread, rel=1e-6)


def test_many_answers_find_the_law() -> None:
    fitted = fit(yes_or_no(3, 20_000, LEVELS))
    assert fitted.median == pytest.approx(MEDIAN, rel=0.03)
    assert fitted.spread == pytest.approx(FACTOR, rel=0.03)
    assert fitted.share_up_to(np.array([fitted.median])) == pytest.approx([0.5])


@pytest.mark.parametrize(
    ("yes", "message"),
    [
        ([1.0, 0.0], "more accept where more is paid"),
        ([0.5, 0.5], "more accept where more is paid"),
        ([0.0, 1.0], "shows no spread"),
    ],
)
def test_answers_without_a_spread(yes, message) -> None:
    offers = np.repeat([5.0, 20.0], 20)
    accepted = np.concatenate([np.arange(20) < 20 * share for share in yes])
    answers = Answers(
        np.where(accepted, -np.inf, offers), np.where(accepted, offers, np.inf), offers, NOBODY
    )
    with pytest.raises(ValueError, match=message):
        fit(answers)
