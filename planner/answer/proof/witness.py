"""What a rule of the checker is told: numbers as it reads them, and the best place for a rule.

Floats propose a mean or a tangent at which much is off; the rule decides (`certificate.check`).
"""

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from planner.certificate import check, check_counts
from planner.certificate.check import Box
from planner.libraries import np
from planner.mechanisms.chances import chances
from planner.mechanisms.counts import Share
from planner.mechanisms.noise import Noise
from planner.mechanisms.values import density
from planner.numbers import Array, decimal

_DIGITS = 15
"""Of the ends of boxes: finer than the room that a proof has."""
_ON_EDGE = 1e-6  # as close to a whole number as floats see
_TANGENTS = np.linspace(0.6, 1.0, 17)
"""Where tangents are tried, as parts of T."""
_LESS = 1 - 1e-9  # of a bound in floats, so that the rule holds


def signals_of(study: check.Study, box: Box) -> tuple[float, float]:
    """About the most and the least N times the rate of noise in a box."""
    if not study.uses_delta:
        return float(box.most_signal()), float(box.signal[0])
    inside, outside = (float(rate.mid()) for rate in check_counts.rates(study, box))
    return float(box.people[1]) * inside, float(box.people[0]) * outside


def best_tangent(
    noisy: Share, study: check.Study, people: tuple[int, int], least: float, most: float
) -> tuple[float, ...] | None:
    """The witness of `check_counts.convex` by which most is off; None where that is not enough."""
    t, alpha = float(study.error), float(study.failure)
    (near, chance), (far, other) = (off_by(noisy, n, study.middle) for n in (people[1], people[0]))
    start = _TANGENTS * t
    if most < math.inf:
        level, slope = _part(noisy.noise, most, t, start)
    else:  # the noise may be as good as none
        spread = float(noisy.spread(np.array(float(people[1])))) / people[1]
        start, level = np.full(12, t), np.zeros(12)
        slope = np.geomspace(0.1, 30, 12) / max(spread, 1e-9)
    u = np.full(start.shape, t)
    usable = level + slope * (t - start) <= 0.5 * _LESS
    low, high = u, np.full(start.shape, 1.0)
    for _ in range(40):
        middle = (low + high) / 2
        stays = 1 - noisy.noise.tail(least * (middle - t), np.ones(1))
        under = level + slope * (middle - start) <= stays * _LESS
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    u = np.where(usable, low, t)
    beyond = level[:, None] + slope[:, None] * (near - start[:, None])
    inside = _part(noisy.noise, most, t, near)[0] if most < math.inf else 0 * near
    value = np.where(near < start[:, None], inside, beyond) @ chance
    value = value - slope * (np.maximum(far - u[:, None], 0.0) @ other)
    value = np.where(usable | (most < math.inf), value, -1.0)
    best = int(np.argmax(value))
    if not value[best] * _LESS > alpha:
        return None
    rise = () if most < math.inf else (float(slope[best]),)
    return float(start[best]), float(u[best]), *rise


def _part(noise: Noise, most: float, error: float, d: Array) -> tuple[Array, Array]:
    """How often noise carries a sample that is d off to the error, and the slope of that in d."""
    near, over = most * (error - d), most * (error + d)
    one = np.ones(1)
    value = noise.tail(near, one) + noise.tail(over, one)
    return value, most * (density(noise, np.abs(near)) - density(noise, over))


@lru_cache(maxsize=512)
def off_by(noisy: Share, n: int, mean: Fraction) -> tuple[Array, Array]:
    """How far counts of N people are off at a mean, as proportions, and their chances."""
    count, chance = chances(np.array(float(n)), np.array(float(n * mean)), noisy.population)
    return np.abs(count / n - float(mean)), chance


def worst_mean(noisy: Share, rate: float, n: int, error: Fraction) -> Fraction:
    """The likely worst mean, as a fraction that the checker reads."""
    sizes = np.array([float(n)])
    places = noisy.places(sizes, np.array([float(error)]))
    table = noisy.table_at(sizes, places)
    rates = np.full((1, 1, 1), rate)
    off = noisy.noise.tail(table.over, rates) + noisy.noise.tail(table.under, rates)
    worst = int(np.argmax(np.sum(table.chance * off, axis=2)[0]))
    mean = float(places.mean[worst, 0])
    if noisy.population is not None:
        return Fraction(round(mean / n * noisy.population), noisy.population)
    low, high = map(decimal, noisy.mean_range)
    if noisy.noise.whole:  # the edge itself is hit, whatever floats say
        for sign in (1, -1):
            hit = mean + sign * n * float(error)
            if abs(hit - round(hit)) < _ON_EDGE:
                return min(max(Fraction(round(hit)) / n - sign * error, low), high)
    return min(max(few_digits(mean / n), low), high)


def few_digits(x: float) -> Fraction:
    """A number of few digits."""
    return Fraction(f"{x:.{_DIGITS}g}")


def text_of(x: Fraction) -> str:
    """As the checker reads it: a float, a decimal of at most 60 digits, or a quotient.

    It is exact but where a quotient would have more than 39 digits: then it is the nearest float.
    """
    with localcontext(Context(prec=60)):
        exact = Decimal(x.numerator) / Decimal(x.denominator)
    short = repr(float(x))
    if Fraction(short) == x:
        return short
    if Fraction(exact) == x:
        return f"{exact:f}"
    return str(x) if x.denominator < 10**39 else short
