"""Shares of α where a question needs no ε, or hardly any α is left for it."""

import numpy as np
import pytest

from planner.mechanisms import ExponentialQuantile, LaplaceMean
from planner.mechanisms.several.best_shares import Part, best_shares, nearly_best_shares

SIZES = np.array([6.0, 10.0, 40.0, 300.0, 5000.0])
SHARE = Part(LaplaceMean(analysis="hoeffding").floor(0.2, 0.1))
MEDIAN = Part(ExponentialQuantile(candidates=2).floor(0.2, 0.1))
FINE = Part(ExponentialQuantile(candidates=40).floor(0.3, 0.1))


@pytest.mark.slow
@pytest.mark.parametrize("search", [best_shares, lambda *given: nearly_best_shares(*given, None)])
@pytest.mark.parametrize("failure", [0.05, 0.9, 0.999, 1 - 1e-9])
@pytest.mark.parametrize(
    "parts", [(SHARE, MEDIAN), (MEDIAN, FINE), (MEDIAN,), (SHARE, FINE, MEDIAN)]
)
def test_every_question_has_some_rate_and_some_share(search, failure, parts) -> None:
    with np.errstate(all="ignore"):
        failures, rates = search(parts, failure, 1, SIZES)
    assert np.all(failures > 0)
    assert np.all(rates > 0)
    assert np.sum(failures, axis=0) == pytest.approx(failure, rel=1e-12)


def test_a_sample_that_fails_nearly_as_often_as_it_may_leaves_others_a_share() -> None:
    share = Part(LaplaceMean().floor(0.2744741, 0.1))
    alone = share.floor.likely(np.array([1e4]), np.array([10.0]), 0.0)[0]
    with np.errstate(all="ignore"):
        failures, _ = best_shares((share, FINE), alone * (1 + 1e-11), 1, np.array([10.0]))
    assert np.all(failures > 0)
