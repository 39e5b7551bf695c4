"""Sampled losses: mean, spread, and the δ that they show."""

import math

import numpy as np
import pytest

from planner.privacy.composition import compose, loss_walk


def test_mean_and_spread() -> None:
    paths = loss_walk(0.5, 40, 20_000, np.random.default_rng(0))
    assert paths.shape == (20_000, 41)
    assert (paths[:, 0] == 0).all()
    assert np.allclose(np.abs(np.diff(paths, axis=1)), 0.5, rtol=1e-6, atol=0)
    after = np.arange(41)
    spread = 0.5 * np.sqrt(after) / math.cosh(0.25)
    assert (
        np.abs(paths.mean(axis=0) - after * 0.5 * math.tanh(0.25)) <= 4 * spread / 20_000**0.5
    ).all()
    assert paths.std(axis=0)[1:] == pytest.approx(spread[1:], rel=0.03)


def test_the_walks_show_delta() -> None:
    ends = loss_walk(0.2, 30, 50_000, np.random.default_rng(1))[:, -1]
    shown = np.maximum(-np.expm1(1.0 - ends), 0)
    # the δ at which the total of 30 is 1, and the other way round
    assert compose([0.2] * 30, shown.mean()) == pytest.approx(1.0, abs=0.02)


def test_the_seed() -> None:
    one, same, other = (loss_walk(1.0, 9, 3, np.random.default_rng(k)) for k in (0, 0, 1))
    assert (one == same).all()
    assert (one != other).any()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"epsilon": 0.0}, r"epsilon = 0\.0 is not allowed; give a finite number above 0"),
        ({"times": 0}, "times = 0 is not allowed; give a whole number of at least 1"),
        ({"runs": 1.5}, r"runs = 1\.5 is not allowed"),
    ],
)
def test_refusals(changed: dict, words: str) -> None:
    arguments = {"epsilon": 0.1, "times": 3, "runs": 2} | changed
    with pytest.raises(ValueError, match=words):
        loss_walk(**arguments, rng=np.random.default_rng(0))
