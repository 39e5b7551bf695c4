"""Failure probabilities of noisy counts at random points, in 300-bit balls.

`python tests/reference/make_noisy_count.py` writes `noisy_count.json` beside this file. The points
are drawn with `random.Random(20)`: 200 with N up to 10^9, kept where floats should be right to
1e-9, and 20 with N up to 10^12, right to 1e-7. The method is the textbook form of Pr[|K/N + noise/N
− mean| >= error], K ~ Binomial(N, mean), with its overflowing factors; each value is certain to a
part in 10^12.
"""

import json
import math
import random
from fractions import Fraction
from pathlib import Path

from flint import arb, ctx, fmpq

BITS = 300
SEED = 20
BATCHES = ((200, 0, 9, 1e-9), (20, 9, 12, 1e-7))  # points, log10 of least and most N, accuracy


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


def drawn(points: int, least: int, most: int, within: float, seed: int = SEED) -> list[dict]:
    """Random points with their failure probability."""
    before, ctx.prec = ctx.prec, BITS
    try:
        rng, cases = random.Random(seed), []
        while len(cases) < points:
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
            if not truth.rad() < 1e-12 * truth.mid():
                raise ArithmeticError(f"{BITS} bits are too few at N = {n}")
            cases.append(
                {
                    "noise": "geometric" if whole else "laplace",
                    "epsilon": float(epsilon),
                    "participants": n,
                    "failure": float(truth.mid()),
                    "within": within,
                    "exact": {"mean": str(mean), "error": str(error)},
                }
            )
        return cases
    finally:
        ctx.prec = before


def made() -> list[dict]:
    """All points of the file."""
    return [case for batch in BATCHES for case in drawn(*batch)]


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case) for case in made())
    Path(__file__).with_name("noisy_count.json").write_text(f"[\n{lines}\n]\n", "utf-8")
