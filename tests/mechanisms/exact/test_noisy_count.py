"""The exact failure probability, against values computed elsewhere and by another method."""

import json
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import planner
from planner.mechanisms.exact.noisy_count import upper_side

CASES = json.loads(
    (Path(__file__).parents[2] / "reference" / "exact_failure.json").read_text("utf-8")
)["cases"]


def failure(case: dict) -> float:
    """Both sides, from exact fractions."""
    n, epsilon = case["participants"], np.float64(case["epsilon"])
    mean, error = Fraction(case["exact"]["mean"]), Fraction(case["exact"]["error"])
    total = 0.0
    for m in (mean, 1 - mean):
        level = n * m + n * error
        rise = np.float64(math.ceil(level) - level) if case["noise"] == "geometric" else None
        side = upper_side(np.float64(n), np.float64(m), np.float64(n * error), epsilon, rise)
        total += float(side)
    return total


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['noise']}-{c['participants']}")
def test_reference(case: dict) -> None:
    assert failure(case) == pytest.approx(case["failure"], rel=1e-9)


def test_reference_through_the_mechanism() -> None:
    for case in CASES:
        if case["noise"] == "laplace" and len(case["exact"]["error"]) < 6:
            mechanism = planner.LaplaceMean(mean_range=(case["mean"], case["mean"]))
            found = mechanism.failure_probability(
                case["epsilon"], case["participants"], case["error"]
            )
            assert found == pytest.approx(case["failure"], rel=1e-9)


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def naive(n: int, mean: Fraction, error: Fraction, epsilon: Fraction, whole: bool) -> arb:
    """The textbook form with its overflowing factors, in wide balls."""
    total = arb(0)
    grow = ball(epsilon).exp()
    v, w = (1 / (1 + 1 / grow), 1 / (1 + grow)) if whole else (arb(1) / 2, arb(1) / 2)
    for m in (mean, 1 - mean):
        level = n * m + n * error
        h = math.ceil(level)
        x = ball(Fraction(h) if whole else level)
        p, q = ball(m), ball(1 - m)

        def above(chance: arb, h: int = h) -> arb:
            return arb(0) if h > n else chance.beta_lower(h, n - h + 1, regularized=True)

        def below(other: arb, h: int = h) -> arb:
            return arb(1) if h > n else other.beta_lower(n - h + 1, h, regularized=True)

        up, down = q + p * grow, q + p / grow
        total += above(p)
        total += v * (n * up.log() - ball(epsilon) * x).exp() * below(q / up)
        total -= w * (n * down.log() + ball(epsilon) * x).exp() * above(p / grow / down)
    return total


@pytest.mark.parametrize(
    ("points", "least", "most", "within"), [(200, 0, 9, 1e-9), (20, 9, 12, 1e-7)]
)
def test_random_points_by_balls(points: int, least: int, most: int, within: float) -> None:
    before, ctx.prec = ctx.prec, 300
    try:
        rng, checked = random.Random(20), 0
        while checked < points:
            n = int(10 ** rng.uniform(least, most))
            mean = Fraction(
                repr(round(rng.choice([rng.random(), 0.5, 10 ** rng.uniform(-5, -0.5)]), 6))
            )
            epsilon = Fraction(f"{10 ** rng.uniform(-6, math.log10(50)):.6g}")
            spread = math.sqrt(n * mean * (1 - mean)) * 10 ** rng.uniform(-2, 1.5)
            error = Fraction(f"{(spread + rng.choice([0, 10]) / epsilon) / n:.8g}")
            whole = rng.random() < 0.4
            if not 0 < error <= 1 or not 0 < mean < 1:
                continue
            truth = naive(n, mean, error, epsilon, whole)
            if not truth > arb("1e-300"):
                continue
            case = {
                "participants": n,
                "epsilon": float(epsilon),
                "noise": "geometric" if whole else "laplace",
                "exact": {"mean": str(mean), "error": str(error)},
            }
            assert truth.rad() < 1e-12 * truth.mid()
            assert failure(case) == pytest.approx(float(truth.mid()), rel=within), case
            checked += 1
    finally:
        ctx.prec = before


@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_without_sampling_error_the_noise_is_left(mean: float) -> None:
    mechanism = planner.LaplaceMean(mean_range=(mean, mean))
    assert mechanism.failure_probability(0.3, 100, 0.05) == pytest.approx(math.exp(-0.3 * 5))


def test_huge_epsilon_leaves_the_sample() -> None:
    from scipy.stats import binom

    mechanism = planner.LaplaceMean(mean_range=(0.5, 0.5))
    left = binom.cdf(44, 100, 0.5) * 2  # off by 5.5 people or more
    assert mechanism.failure_probability(700.0, 100, 0.055) == pytest.approx(left)


def test_arrays_broadcast() -> None:
    mechanism = planner.LaplaceMean(mean_range=(0.3, 0.3))
    epsilon = np.array([0.01, 0.1, 5.0])[:, None]
    n = np.array([10, 1000, 10**6])
    found = mechanism.failure_probability(epsilon, n, 0.05)
    assert found.shape == (3, 3)
    for i, e in enumerate(epsilon[:, 0]):
        for j, size in enumerate(n):
            one = mechanism.failure_probability(float(e), int(size), 0.05)
            assert found[i, j] == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize("mechanism", [planner.LaplaceMean(), planner.GeometricMean()])
def test_parts_of_people_are_refused(mechanism: planner.LaplaceMean) -> None:
    with pytest.raises(ValueError, match="participants must be whole"):
        mechanism.failure_probability(0.1, 10.5, 0.05)
    with pytest.raises(ValueError, match="participants must be whole"):
        mechanism.epsilon_floor(np.array([10.0, 10.5]), 0.05, 0.05)
