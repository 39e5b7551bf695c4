"""Queries of unequal ε on a lattice, exact where every ε is a multiple of one unit.

Else an ε between two lattice points a < ε < b is replaced by randomized response at b with a public
probability w, and at a otherwise. With y = e^x its δ at x is convex and piecewise straight:
(1 − w)·(e^a − y)/(1 + e^a) + w·(e^b − y)/(1 + e^b) on [e^(−a), e^a]. It is nowhere under that at ε,
(e^ε − y)/(1 + e^ε), once it is not under it at y = e^a (and, by symmetry, at e^(−a)):

    w ≥ (e^ε − e^a)/(e^b − e^a)·(1 + e^b)/(1 + e^ε).

Each query then loses more, and so does their composition (Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi 2022, *Connect the Dots*). The variance ε² grows by (ε − a)(b − ε) only, the square of
the spacing.
"""

import math
from collections import Counter
from fractions import Fraction

from planner.libraries import np
from planner.privacy.bounds import norm
from planner.privacy.law import UNIT, Law
from planner.privacy.queries import Queries
from planner.privacy.steps import Steps, all_joined, binomial, repeated

POINTS = 2**15
"""The largest number of lattice points in the range of the total loss: twice as many take
twice as long, and add a quarter as much to ε."""
_MANY = 2000
"""Of more different ε near ones are joined: for 30,000 that saves a third of the time, and
adds 3e-4 of the total."""


def common_unit(queries: Queries) -> Fraction:
    """The largest common divisor of all ε."""
    below = math.lcm(*(epsilon.denominator for epsilon, _ in queries))
    return Fraction(math.gcd(*(int(epsilon * below) for epsilon, _ in queries)), below)


def width(queries: Queries, cut: float) -> float:
    """The width of the range of losses, except a mass `cut` at either end (Hoeffding)."""
    whole = 2 * math.fsum(float(epsilon) * count for epsilon, count in queries)
    return min(whole, 2 * math.sqrt(-2 * math.log(cut)) * norm(queries))


def exact_law(queries: Queries, unit: Fraction, cut: float) -> Law:
    """The distribution of the total loss where every ε is a multiple of the unit."""
    parts = [
        binomial(float(epsilon), count, cut).stretched(int(epsilon / unit))
        for epsilon, count in queries
    ]
    return as_law(all_joined(parts, cut), unit)


def upper_law(queries: Queries, cut: float) -> Law:
    """A distribution on at most `POINTS` lattice points whose δ is an upper bound."""
    spacing = Fraction(width(queries, cut) / POINTS)
    # equal ones are convolved by repeated squaring, which is faster
    some = _rounded_up(queries, spacing / 256) if len(queries) > _MANY else queries
    parts = [repeated(_between(epsilon, spacing), count, cut / count) for epsilon, count in some]
    return as_law(all_joined(parts, cut), spacing / 2)


def _rounded_up(queries: Queries, step: Fraction) -> Queries:
    """Every ε rounded up to a multiple of the step."""
    rounded: Counter[int] = Counter()
    for epsilon, count in queries:
        rounded[math.ceil(epsilon / step)] += count
    return tuple((multiple * step, count) for multiple, count in sorted(rounded.items()))


def as_law(steps: Steps, unit: Fraction) -> Law:
    """The distribution of a loss of one unit for each step."""
    losses = float(unit) * (steps.low + 2.0 * np.arange(len(steps.masses)))
    blur = 4 * UNIT * float(np.abs(losses).max())
    return Law(losses, steps.masses, steps.error, steps.lost, blur)


def _between(epsilon: Fraction, spacing: Fraction) -> Steps:
    """One query at ε as randomized response at a or b, in steps of half the spacing."""
    n = epsilon // spacing
    at, a, b = float(epsilon), float(n * spacing), float((n + 1) * spacing)
    share = math.expm1(float(epsilon - n * spacing)) / math.expm1(float(spacing))
    tilt = math.exp(b - at) * (1 + math.exp(-b)) / (1 + math.exp(-at))
    # a larger share of b only loses more, so rounding it up keeps the bound
    w = min(1.0, share * tilt * (1 + 32 * UNIT))
    masses = np.zeros(2 * n + 3)
    for size, place, chance in ((a, n, 1 - w), (b, n + 1, w)):
        lie = math.exp(-size) / (1 + math.exp(-size))
        masses[n + 1 + place] += chance * (1 - lie)
        masses[n + 1 - place] += chance * lie
    return Steps(-2 * (n + 1), masses, (8 + b) * UNIT, 0.0)
