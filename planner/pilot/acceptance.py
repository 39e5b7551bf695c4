"""The proportion of people whose costs are at most an amount, without an assumed distribution.

Of one answer a person, yes or no, the estimate of largest likelihood is the isotonic regression of
the proportions who accept (Ayer et al. 1955). Of intervals it is Turnbull's (1976): a mass on each
of the innermost ones, by self-consistency. Both are identified at the costs that answers are about.
"""

import math
from dataclasses import dataclass
from typing import Literal

from planner.libraries import np, scipy
from planner.numbers import Array
from planner.pilot.answers import FEWEST, Answers
from planner.study_file.costs_file import CONFIDENCE

_GAP = 1e-8
"""How far the likelihood of a person may be from the largest one, as a fraction of it."""
_STEPS = 20_000
"""Of the self-consistency; a pilot of a thousand people with three answers each takes a tenth."""


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True)
class AcceptanceCurve:
    """The proportion of all people whose costs are at most each amount, with a band.

    Attributes:
        costs: the amounts that answers are about, ascending [money; shape (amounts,)].
        shares: the estimated proportions of all people, refusers included [[0, 1]; shape
            (amounts,)].
        low: the lower ends of the intervals of each proportion by itself [[0, 1]; shape
            (amounts,)].
        high: the upper ends [[0, 1]; shape (amounts,)].
        method: "isotonic" or "turnbull".
    """

    costs: Array
    shares: Array
    low: Array
    high: Array
    method: str

    @property
    def rises(self) -> tuple[tuple[float, float], ...]:
        """The proportions and the amounts at which the estimate rises."""
        before = np.concatenate([[0.0], self.shares[:-1]])
        up = self.shares > before
        pairs = zip(self.shares[up], self.costs[up], strict=True)
        return tuple((float(share), float(cost)) for share, cost in pairs)


def acceptance_curve(answers: Answers, confidence: float = CONFIDENCE) -> AcceptanceCurve:
    """The estimate of largest likelihood at each amount asked about, with a band.

    Args:
        answers: of a pilot.
        confidence: that each interval by itself holds the proportion [(0, 1)].
    """
    costs = answers.asked
    if answers.yes_or_no:
        shares, method = _isotonic(answers, costs), "isotonic"
    else:
        shares, method = _turnbull(answers, costs) * (1 - answers.never), "turnbull"
    low, high = band(answers, costs, confidence)
    return AcceptanceCurve(costs, shares, low, high, method)


def _isotonic(answers: Answers, costs: Array) -> Array:
    offers = np.concatenate([answers.offers, answers.refused])
    accepted = np.concatenate([np.isfinite(answers.high), np.zeros(answers.refused.size)])
    at = np.searchsorted(costs, offers)
    people = np.bincount(at, minlength=costs.size)
    shares = np.bincount(at, accepted, minlength=costs.size) / people
    found: Array = scipy.optimize.isotonic_regression(shares, weights=people).x
    return found


def _turnbull(answers: Answers, costs: Array) -> Array:
    """The distribution function of largest likelihood at amounts that hold all ends of intervals.

    Cell j lies above amount j − 1 and up to amount j; the last one lies above all. It can have a
    mass where it is an innermost interval: some interval begins at its left end and some ends at
    its right one, or someone's cost is that right end. The proportion of people in each cell,
    given the masses, is again the masses (self-consistency). The likelihood of each person is
    within a factor exp(−gap) of the largest one where no cell's gradient exceeds 1 by more than
    the gap.
    """
    ends, people = np.unique(np.stack([answers.low, answers.high]), axis=1, return_counts=True)
    exact = ends[0] == ends[1]
    right = np.append(costs, math.inf)
    left = np.concatenate([[-math.inf], costs])
    begins, stops = np.isin(left, ends[0][~exact]), np.isin(right, ends[1][~exact])
    innermost = (begins & stops) | np.isin(right, ends[0][exact])
    innermost[0] |= bool(stops[0])
    left, right = left[innermost], right[innermost]
    inside = (left >= ends[0][:, None]) & (right <= ends[1][:, None])
    inside = np.where(exact[:, None], right == ends[0][:, None], inside).astype(float)
    weights, masses = people / people.sum(), np.full(left.size, 1 / left.size)
    for _ in range(_STEPS):
        gradient = (weights / (inside @ masses)) @ inside
        if gradient.max() < 1 + _GAP:
            break
        masses = masses * gradient
    sums = np.concatenate([[0.0], np.cumsum(masses)])
    found: Array = np.minimum(sums[np.searchsorted(right, costs, side="right")], 1.0)
    return found


def band(answers: Answers, costs: Array, confidence: float) -> tuple[Array, Array]:
    """An interval of the proportion of all people at each amount by itself, without assumptions.

    The lower end at x counts people who are known to have costs of at most x: of those with one
    offer, the ones with an offer of x, or if these are fewer than 20 the nearest n^(2/3) with x or
    less, which the offers alone decide; and all others, as above x where their answers leave it
    open. Each is counted with a probability of at most F(x), so the number is smaller in law than
    the binomial one, and the lower end of Clopper and Pearson (1934) holds. The upper end is the
    same from above.

    Args:
        answers: of a pilot.
        costs: the amounts [money; shape (amounts,)].
        confidence: that each interval by itself holds the proportion [(0, 1)].
    """
    one = np.concatenate([np.isfinite(answers.offers), np.isfinite(answers.refused)])
    above = np.full(answers.refused.size, math.inf)
    lows, highs = np.concatenate([answers.low, above]), np.concatenate([answers.high, above])
    offers = np.concatenate([answers.offers, answers.refused])[one]
    accepted = np.isfinite(highs[one])
    order = np.argsort(offers, kind="stable")
    offers, accepted = offers[order], np.concatenate([[0], np.cumsum(accepted[order])])
    nearest = math.ceil(offers.size ** (2 / 3))
    others = (lows[~one], highs[~one])
    tail = (1 - confidence) / 2
    low, high = np.zeros(costs.size), np.ones(costs.size)
    for at, cost in enumerate(costs):
        known = int(np.sum(others[1] <= cost))
        first, end = (int(np.searchsorted(offers, cost, side=side)) for side in _SIDES)
        window = nearest if end - first < FEWEST else end - first
        start = _all_alike(offers, max(end - window, 0), "left") if end else 0
        yes, people = known + accepted[end] - accepted[start], others[0].size + end - start
        low[at] = scipy.special.betaincinv(yes, people - yes + 1, tail) if yes else 0.0

        # an answer of exactly this amount is at most it
        known = int(np.sum((others[0] >= cost) & (others[1] > cost)))
        last = min(first + window, offers.size) - 1
        end = _all_alike(offers, last, "right") if first < offers.size else first
        no = known + (end - first) - (accepted[end] - accepted[first])
        people = others[0].size + end - first
        high[at] = 1 - scipy.special.betaincinv(no, people - no + 1, tail) if no else 1.0
    return low, high


def _all_alike(offers: Array, at: int, side: Literal["left", "right"]) -> int:
    """The first or the last place (plus 1) of the offers that are the same as one."""
    return int(np.searchsorted(offers, offers[at], side=side))
