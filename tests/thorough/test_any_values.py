"""Random studies of values from 0 to 1 against twenty laws of such values each, summed exactly.

That no law fails more often than promised is asked of every study. How near the worst law comes to
the promise depends on the noise: zero-one values are the worst of these laws, to a part in a
thousand, and come within 5 % of the promise where noise varies as much as the sample or more. Where
it varies less, the convex function over its tail is farther from the tail. PLANNER_SEED and
PLANNER_STUDIES choose others than the fixed ones.
"""

import math
import os
from typing import NamedTuple

import numpy as np
import pytest

import planner
from planner.privacy.gaussian import scale
from tests.thorough.laws_of_values import (
    Law,
    Noisy,
    adversaries,
    chances_of_sum,
    failure,
    of_shares,
    random_study,
)

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "120"))
_DELTA = 1e-6
_ROUNDING = 1e-9  # sums in floats, next to failures of 0.002 and more


class Worst(NamedTuple):
    study: Noisy
    failing: float
    by_shares: float
    by_laws: float
    law: str

    @property
    def reached(self) -> float:
        """The largest failure over all laws, as a part of the promise."""
        return max(self.by_shares, self.by_laws) / self.failing


def planned(noise: str, n: int, error: float, failing: float) -> Noisy | None:
    """With the least noise rate that the planner allows; None where none is enough."""
    mechanism = (planner.LaplaceMean if noise == "laplace" else planner.GaussianMean)(values="any")
    delta = _DELTA if noise == "gaussian" else 0.0
    epsilon = float(mechanism.epsilon_floor(n, error, failing, delta))
    if math.isinf(epsilon):
        return None
    rate = epsilon if noise == "laplace" else 1 / float(scale(epsilon, delta))
    return Noisy(noise, rate, n, error)


@pytest.fixture(scope="module")
def studies() -> list[Worst]:
    random = np.random.default_rng(SEED)
    rows: list[Worst] = []
    while len(rows) < STUDIES:
        noise, n, error, failing = random_study(random)
        study = planned(noise, n, error, failing)
        if study is None:
            continue
        laws = adversaries(study, random)
        assert len(laws) == 20
        failures = {law.name: failure(law, study) for law in laws}
        law = max(failures, key=lambda name: failures[name])
        rows.append(Worst(study, failing, of_shares(study), failures[law], law))
    return rows


def test_no_law_fails_more_often_than_promised(studies: list[Worst]) -> None:
    late = [row for row in studies if row.reached > 1 + _ROUNDING]
    assert not late, late[:3]


def test_the_worst_law_nearly_fails_as_often_as_promised(studies: list[Worst]) -> None:
    """Beside each line what 300 studies with the seeds 1, 2 and 20260101 have."""
    reached = np.array([row.reached for row in studies])
    noisy = np.array([row.study.spread >= 1 for row in studies])
    assert noisy.mean() >= 0.5  # 0.65 to 0.72
    assert reached[noisy].min() >= 0.95  # 0.956 to 0.974
    assert np.median(reached) >= 0.999  # 0.99994 to 0.99997
    assert np.mean(reached >= 0.95) >= 0.85  # 0.93 to 0.96; the least of all is 0.78


def test_zero_one_values_are_about_the_worst(studies: list[Worst]) -> None:
    beaten = [row for row in studies if row.by_laws > row.by_shares * (1 + 1e-3)]
    assert not beaten, beaten[:3]


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_ninth_more_noise_is_caught(noise: str) -> None:
    """Zero-one values then fail more often than promised."""
    study = planned(noise, 100, 0.15, 0.05)
    assert study is not None
    assert of_shares(study) <= 0.05 < of_shares(study._replace(rate=0.9 * study.rate))


def test_a_transform_sums_as_a_convolution_does() -> None:
    random = np.random.default_rng(SEED)
    law, total = Law("drawn", random.dirichlet(np.ones(7))), np.ones(1)
    for _ in range(40):
        total = np.convolve(total, law.chances)
    assert np.abs(chances_of_sum(law, 40) - total).sum() < 1e-13
