"""Proofs about randomised reports of N people drawn from M, in ball arithmetic.

Let those who have the property report it with probability p and others with q < p, and let c(x) be
the probability that x of the former and N − 1 − x of the latter report it j times: the coefficient
of z^j in (1 − p + pz)^x·(1 − q + qz)^(N − 1 − x). One more person who has it, in place of one who
has not, raises Pr[Y ≥ j + 1] by (p − q)·c(x), so with K of those drawn who have it

    Pr[Y ≥ j + 1] = Pr[Binomial(N, q) ≥ j + 1] + (p − q)·Σ c(x)·Pr[K > x].

As a Krawtchouk polynomial of x, c satisfies, with n = N − 1, p′ = 1 − p and q′ = 1 − q,

    (n − x)qq′·c(x + 1) = ((n − x)p′q − xpq′ + j(p − q))·c(x) + xpp′·c(x − 1).

Up to the x at which the bracket is 0 all terms are positive, and from there on down from n.

Over m, the people of M who have the property, Pr[g < Y < h] rises and then falls: one more of them
adds (p − q)(N/M)·(Pr[Y′ = g] − Pr[Y′ = h − 1]), Y′ of N − 1 drawn from the other M − 1, and the
likelihood ratio of Y′ grows with m, as that of K does, and that of Y′ with K (Karlin 1968). So on
a cell of m the failure probability is the largest at its ends, with the counts right on all of it.

Over p, let m be M/2 rounded up. For a count h over N/2, Pr[Y ≥ h] at m and at M − m together fall
with p: the derivative is N·(M − m)/(2M) times a chance that Y′ = h − 1 with fewer who have the
property, less that with more, and beyond the middle the latter is larger, again by its likelihood
ratio. The edge moves out with p. So what this p fails with at least, every smaller one does.
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.law import HALF, out_of_reach, within_reach
from planner.mechanisms.exact.noise_balls import NoNoise, rational
from planner.mechanisms.exact.sums.binomial_tails import log_ways
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.exact.without_replacement import Hypergeometric, Lattice, chances_of
from planner.mechanisms.reports.drawn import Reports, at_likely
from planner.numbers import decimal

if TYPE_CHECKING:
    from flint import arb

_MOST_CELLS = 20_000  # before a proof is given up
_CELLS_OF_CARDS = 200  # before a proof is given up
_SPREAD = 1.25
"""Times √i, so far more than expected others make up for with a chance of e^(−2 · 1.25²)."""


class Card(NamedTuple):
    """How often the property is reported, and the failure probability that matters.

    Attributes:
        having: p.
        others: q, under p.
        failure: α.
    """

    having: Fraction
    others: Fraction
    failure: float


def reached(people: int, n: int, having: int, least: int, card: Card) -> "arb":
    """Pr[Y ≥ least] of n people drawn, where `having` of all have the property."""
    if least <= 0 or least > n:
        return arb(least <= 0)
    first, beyond = _drawn_beyond(people, n, having, card.failure)
    rest = out_of_reach(Hypergeometric(people).drawn(n), card.failure)
    if card.having == 1 and card.others == 0:  # K itself
        known = [arb(1), *beyond, arb(0)]
        return known[min(max(least - first, 0), len(known) - 1)] + rest
    steps = _one_more(n, least - 1, card)
    total = sum(steps[:first], arb(0))
    total += sum((c * more for c, more in zip(steps[first:], beyond, strict=False)), arb(0))
    alone = BINOMIAL.over_edge(NoNoise(), n, card.others, Fraction(least), card.failure)
    return alone + rational(card.having - card.others) * total + rest


def off(of: Lattice, n: int, having: int, ends: tuple[int, int], card: Card) -> "arb":
    """Pr[Y ≥ high] + Pr[Y ≤ low]; where q < 1 − p, no more than at any card between p and 1 − q."""
    high, low = ends
    upper = reached(of.people, n, having, high, card)
    return upper + reached(of.people, n, of.people - having, n - low, card)


@lru_cache(maxsize=512)
def _drawn_beyond(people: int, n: int, having: int, failure: float) -> "tuple[int, list[arb]]":
    """The least K within reach, and Pr[K > x] from there on; all K below surely are passed."""
    drawn = Hypergeometric(people).drawn(n)
    reach = within_reach(drawn, failure)
    first, chances = chances_of(people, drawn, having, reach)
    if drawn < n:  # those left out are mirrored
        first, chances = having - (first + len(chances) - 1), chances[::-1]
    from_here = list(accumulate(chances[::-1]))[::-1]
    return first, from_here[1:]


@lru_cache(maxsize=64)
def _one_more(participants: int, j: int, card: Card) -> "list[arb]":
    """c(x) for x from 0 to N − 1."""
    n, p, q = participants - 1, rational(card.having), rational(card.others)
    others, having = q * (1 - q), p * (1 - p)
    if not q > 0:
        return [_chance(x, j, p) for x in range(n + 1)]
    level, slope = n * (1 - p) * q + j * (p - q), (1 - p) * q + p * (1 - q)
    turn = min(max(int(float((level / slope).mid())), 0), n)
    up, last = [_chance(n, j, q)], arb(0)
    for x in range(turn):
        here = up[-1]
        up.append(((level - x * slope) * here + x * having * last) / ((n - x) * others))
        last = here
    down, last = [_chance(n, j, p)], arb(0)
    for x in range(n, turn + 1, -1):
        here = down[-1]
        down.append(((n - x) * others * last - (level - x * slope) * here) / (x * having))
        last = here
    return up + down[: n - turn][::-1]


def _chance(n: int, j: int, share: "arb") -> "arb":
    """Pr[Binomial(n, share) = j]."""
    if j > n:
        return arb(0)
    return (log_ways(n, j) + j * share.log() + (n - j) * (1 - share).log()).exp()


def certify_at_most(of: Lattice, n: int, truth: Fraction, asked: Asked) -> bool:
    """Whether the failure probability of a card is certain to be at most α at every m."""
    if n > of.people or truth == HALF:
        return False
    reports = Reports(of, n, 2 * truth - 1, decimal(float(asked.error.mid())))
    card = Card(truth, 1 - truth, float(asked.failure.mid()))

    def holds(having: int, high: int, low: int) -> bool:
        return low < high and bool(off(of, n, having, (high, low), card) <= asked.failure)

    cells = [(of.low, of.high)]
    for _ in range(_MOST_CELLS):
        if not cells:
            return True
        left, right = cells.pop()
        high, low = reports.over(left), reports.under(right)
        if holds(right, high, low) and (left == right or holds(left, high, low)):
            continue
        if (high, low) == (reports.over(right), reports.under(left)):
            return False
        middle = _before_tip(reports, left, right)
        cells += [(left, middle), (middle + 1, right)]
    return False


def _before_tip(reports: Reports, left: int, right: int) -> int:
    """The m of a cell nearest its middle after which the counts that are right change."""
    middle = (left + right) // 2
    high, low = reports.over(middle), reports.under(middle)
    tips = [reports.last_over(count) for count in (high - 1, high)]
    tips += [reports.first_under(count) - 1 for count in (low, low + 1)]
    inside = [tip for tip in tips if left <= tip < right]
    return min(inside, key=lambda tip: abs(tip - middle))


def certify_over(of: Lattice, n: int, most: Fraction, asked: Asked) -> bool:
    """Whether every p up to `most` is certain to fail, near the middle or at some m."""
    cells = [(HALF, most)]
    for _ in range(_CELLS_OF_CARDS):
        if not cells:
            return True
        start, end = cells.pop()
        if certify_sizes_over(of, n, n, end, asked) or _fails_between(of, n, start, end, asked):
            continue
        if end - start < Fraction(1, 10**9):
            return False
        middle = (start + end) / 2
        cells += [(start, middle), (middle, end)]
    return False


def _fails_between(of: Lattice, n: int, start: Fraction, end: Fraction, asked: Asked) -> bool:
    """Whether every p in [start, end] is certain to fail at the m that seems the worst at an end.

    At a tie another m becomes the worst, but the one before it often still fails.
    """
    alpha, error = float(asked.failure.mid()), float(asked.error.mid())
    if end == HALF or n > of.people:
        return False
    ends = [p for p in (end, start) if p > HALF]
    sides = [Reports(of, n, 2 * p - 1, decimal(error)) for p in ends]
    guess = Asked(error, alpha, asked.mean_range)
    for having, _ in dict.fromkeys(at_likely(of, n, 2 * p - 1, guess) for p in ends):
        high, low = max(r.over(having) for r in sides), min(r.under(having) for r in sides)
        if start == HALF:
            high, low = max(high, math.ceil(n * HALF)), min(low, n // 2)
        if off(of, n, having, (high, low), Card(start, 1 - end, alpha)) > asked.failure:
            return True
    return False


def certify_sizes_over(of: Lattice, least: int, most: int, truth: Fraction, asked: Asked) -> bool:
    """Whether every N in a range is certain to fail near the middle at every p up to one.

    Let N = a + i, a + i ≤ b. The first a are over by what N must be, and x + y more, and the others
    make up for no more: given that at most x of the first more than expected have the property,
    they report it at least i/2 − is(d + x/(M − a)) − y times, except with probability e^(−2y²/i).
    """
    people = of.people
    if least > people:
        return True
    most = min(most, people)
    having = people - people // 2
    if not (truth > HALF and (of.low <= having <= of.high or of.low <= people // 2 <= of.high)):
        return False
    apart = Fraction(having, people) - HALF
    strength, error = 2 * truth - 1, decimal(float(asked.error.mid()))
    alpha, more = float(asked.failure.mid()), most - least
    edge, kept, rest = most * strength * (error + apart), arb(1), arb(0)
    if more:
        drawn = Hypergeometric(people).drawn(least)
        reach = Fraction(within_reach(drawn, alpha))
        beyond = Fraction(math.ceil(_SPREAD * math.sqrt(more)))
        edge += more * strength * (apart + reach / (people - least)) + beyond
        kept, rest = 1 - (-2 * rational(beyond) ** 2 / more).exp(), out_of_reach(drawn, alpha)
    high = math.ceil(least * HALF + edge)
    if high > least:
        return False
    card = Card(truth, 1 - truth, alpha)
    both = (reached(people, least, m, high, card) for m in (having, people - having))
    return bool((sum(both, arb(0)) - 2 * rest) * kept > asked.failure)
