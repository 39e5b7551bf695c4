"""The same failure probability in ball arithmetic, and its proof over a range of means.

At one mean it is a sum over the counts within reach of the mean; the rest of the counts have
together at most Hoeffding's 2·exp(−2r²/N), which is added for either edge as a ball. Over a range
of means, cells are halved until the chord bound of `worst_mean` settles each.

In large studies one line does for all means: while the sample is off by D, |D| < NT, the answer is
off by NT with probability e^(−εNT)·cosh(εD), so f ≤ e^(−εNT)·E[cosh εD] + Pr[|D| ≥ NT], where
E[e^(±εD)] is at most e^(Nε²/8) (Hoeffding's lemma) and, with v the largest μ(1 − μ) of the range,
e^(Nv(e^ε − 1 − ε)) (Bennett's), and Pr[|D| ≥ NT] at most 2·exp(−2NT²).
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.exact.worst_mean import curvature, worst_mean
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb

_REST = 60.0
"""Counts out of reach have together less than e^−60 of α."""
_NARROWEST = 1e-14
_MOST_NODES = 20_000
_MOST_EPSILON_CELLS = 500


def failure_ball(
    epsilon: "arb",
    participants: int,
    excess: "arb",
    mean: "arb",
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """Pr[|K + Z − Nμ| ≥ NT] with Laplace noise, enclosed.

    Args:
        epsilon: ε.
        participants: N.
        excess: NT.
        mean: μ.
        failure: the size of answer that matters; the rest is told to e^−60 of it.
        outside: ε for samples that are off already, if another: those fail the less the more noise
            there is, the others the more, so that with a smaller ε here every term is at its least
            over [outside, epsilon].
    """
    edges = (participants * mean - excess, participants * mean + excess)
    return _sum(epsilon, outside or epsilon, participants, edges, mean, failure, whole=False)


def held_ball(
    epsilon: "arb",
    participants: int,
    edges: tuple[int, int],
    mean: "arb",
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """Pr[K + Z ≤ g] + Pr[K + Z ≥ h] with geometric noise, for edges (g, h); see `failure_ball`."""
    from flint import arb

    low, high = edges
    at = (arb(low), arb(high))
    return _sum(epsilon, outside or epsilon, participants, at, mean, failure, whole=True)


def _sum(
    inside: "arb",
    outside: "arb",
    n: int,
    edges: "tuple[arb, arb]",
    mean: "arb",
    failure: float,
    whole: bool,
) -> "arb":
    from flint import arb

    low, high = edges
    centre = float(mean.mid()) * n
    reach = math.sqrt(n * (_REST - math.log(failure)) / 2) + 1
    first, last = max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    if mean.is_zero() or (1 - mean).is_zero():
        first = last = 0 if mean.is_zero() else n
        chance = arb(1)
    else:
        chance = _chance(n, first, mean)
    odds = mean / (1 - mean) if first < last else arb(0)
    above = _Carried(inside, outside, first - high, whole)
    below = _Carried(inside, outside, first - low, whole)
    total = arb(0)
    for k in range(first, last + 1):
        total += chance * (above.up(k, high) + below.down(k, low))
        chance *= odds * (n - k) / (k + 1)
        above.step()
        below.step()
    if first > 0 or last < n:
        rest = 4 * (-2 * arb(reach - 1) ** 2 / n).exp()  # once for either edge
        total += rest.union(arb(0))
    return total


class _Carried:
    """The chances that noise carries a count over an edge, one count after the other."""

    def __init__(self, inside: "arb", outside: "arb", off: "arb", whole: bool) -> None:
        from flint import arb

        # v·e^(ε(k − edge)) and the like, for the ε that counts on either side of the edge
        near, far = arb(1) / 2, arb(1) / 2
        if whole:
            near, far = 1 / (1 + (-inside).exp()), 1 / (1 + outside.exp())
        self.near, self.far = near * (inside * off).exp(), far * (outside * off).exp()
        self.near_down, self.far_down = near * (-inside * off).exp(), far * (-outside * off).exp()
        self.grow, self.grow_far = inside.exp(), outside.exp()

    def up(self, k: int, edge: "arb") -> "arb":
        """Pr[k + Z ≥ edge]."""
        if k < edge:
            return self.near
        beyond = 1 - self.far_down
        return beyond if k > edge else self.near.union(beyond)

    def down(self, k: int, edge: "arb") -> "arb":
        """Pr[k + Z ≤ edge]."""
        if k > edge:
            return self.near_down
        beyond = 1 - self.far
        return beyond if k < edge else self.near_down.union(beyond)

    def step(self) -> None:
        """Go on to the next count."""
        self.near *= self.grow
        self.far *= self.grow_far
        self.near_down /= self.grow
        self.far_down /= self.grow_far


def _chance(n: int, k: int, mean: "arb") -> "arb":
    """Pr[K = k]."""
    from flint import arb

    ways = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    return (ways + k * mean.log() + (n - k) * (1 - mean).log()).exp()


def surely_at_most(
    epsilon: Number,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range.

    Args:
        epsilon: ε, a ball.
        participants: N, a ball that holds a whole number alone.
        error: T, a ball.
        failure: α, a ball.
        mean_range: the means, as floats.
    """
    number = numbers.balls().number
    low, high = mean_range
    if large_study_bound(epsilon, participants, error, mean_range) <= failure:
        return True
    n = int(float(participants.mid()))
    excess = error * n
    alpha = float(failure.mid())
    bend = curvature(epsilon, number(n)) / 8
    if low + high == 1:  # the failure probability is the same at μ and 1 − μ
        high = 0.5

    def value(mean: float) -> "arb":
        at = number(mean) if mean in (low, high) else _exact(mean)
        return failure_ball(epsilon, n, excess, at, alpha)

    cells = [(low, high, value(low), value(high))]
    nodes = 2
    while cells:
        left, right, at_left, at_right = cells.pop()
        worst = at_left.max(at_right)
        if not worst <= failure:
            return False
        curve = bend * (_exact(right) - _exact(left)) ** 2
        if curve < 1 and worst / (1 - curve) <= failure:
            continue
        middle = (left + right) / 2
        nodes += 1
        if right - left < _NARROWEST or nodes > _MOST_NODES:
            return False
        at_middle = value(middle)
        cells += [(left, middle, at_left, at_middle), (middle, right, at_middle, at_right)]
    return True


def surely_over(
    least: "arb",
    most: "arb",
    participants: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to pass α at some mean, for all ε in a range."""
    alpha, excess = float(failure.mid()), error * participants
    middle_mean = min(max(0.5, mean_range[0]), mean_range[1])

    def fails(low: "arb", high: "arb") -> bool:
        def over(mean: float) -> bool:
            at = _exact(mean)
            value = failure_ball(high, participants, excess, at, alpha, outside=low)
            return bool(value > failure)

        if over(middle_mean):
            return True
        size, t = float(participants), float(error.mid())
        return over(worst_mean(float((low * high).sqrt().mid()), size, t, mean_range, 1e-3).mean)

    return all_fail(fails, least, most)


def all_fail(fails: Callable[["arb", "arb"], bool], least: "arb", most: "arb") -> bool:
    """Whether every ε in [least, most] fails, by cells of ε; most may be ∞."""
    from flint import arb

    low = arb(least.lower())
    cells = [(low, arb(most.upper()))]
    if not most.is_finite():  # beyond ε = 2^20 the noise is gone
        if not fails(arb(2**20), arb(2**60)):
            return False
        cells = [(low, arb(2**20))]
    for _ in range(_MOST_EPSILON_CELLS):
        if not cells:
            return True
        low, high = cells.pop()
        if fails(low, high):
            continue
        middle = arb((low * high).sqrt().mid())
        if not (low < middle and middle < high) or (high / low - 1) < _NARROWEST:
            return False
        cells += [(low, middle), (middle, high)]
    return False


def sizes_surely_over(
    signal: "arb",
    least: int,
    most: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether every N in [least, most] with N·ε ≤ `signal` is certain to pass α at mean 1/2.

    There f ≥ e^(−εNT)·E[cosh εD] − 2·exp(−2NT²) for ε ≤ 4T (what the sum counts too much where
    |D| ≥ NT is at most e^(−εNT)·E[e^(ε|D|); |D| ≥ NT]), with E[cosh εD] = cosh(ε/2)^N. In terms of
    N·ε the first part falls with N, and with N·ε while tanh(ε/2) < 2T.
    """
    if not mean_range[0] <= 0.5 <= mean_range[1]:
        return False
    largest = signal / least
    if not (largest <= 4 * error and (largest / 2).tanh() < 2 * error):
        return False
    spread = (signal / (2 * most)).cosh().log() * most
    return bool((spread - signal * error).exp() - 2 * (-2 * least * error**2).exp() > failure)


def large_study_bound(
    epsilon: Number,
    participants: Number,
    error: Number,
    mean_range: tuple[float, float],
    whole: bool = False,
) -> Number:
    """e^(−εNT + the least of the two exponents) + 2·exp(−2NT²), for floats or balls.

    With geometric noise (`whole`) Pr[Z ≥ t] is e^(−εt)/(1 + e^(−ε)) for whole t, not half of
    e^(−εt), and the edges lie ⌈2NT⌉ apart: at worst one is NT from the mean, the other the rest.
    """
    system = numbers.of(epsilon, participants, error)
    n, excess = participants, participants * error
    nearest = min(max(0.5, mean_range[0]), mean_range[1])
    spread = system.number(nearest) * (1 - system.number(nearest))
    exponent = system.minimum(epsilon**2 / 8, spread * (system.exp(epsilon) - 1 - epsilon))
    noise = system.exp(n * exponent - epsilon * excess)
    if whole:
        size, t = (float(x.mid() if hasattr(x, "mid") else x) for x in (participants, error))
        apart = math.ceil(2 * int(size) * decimal(t))
        noise += system.exp(n * exponent - epsilon * (apart - excess))
        noise /= 1 + system.exp(-epsilon)
    return noise + 2 * system.exp(-2 * excess**2 / n)


def _exact(mean: float) -> "arb":
    from flint import arb

    return arb(mean)
