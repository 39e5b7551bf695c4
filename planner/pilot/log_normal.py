"""The spread of costs as log-normal, by maximum likelihood with censored answers.

With x = ln cost, b = 1/σ and a = μ/σ a person whose cost lies above l and at most u adds
ln(Φ(b·ln u − a) − Φ(b·ln l − a)), and one whose cost is known adds ln b − (b·x − a)²/2. Both are
concave in (a, b) (Burridge 1981), so a maximum is the largest one, and the medians μ whose largest
likelihood is within χ²/2 of it are one interval (Wilks 1938).
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from planner.libraries import np, scipy
from planner.numbers import Array
from planner.pilot.answers import Answers
from planner.study_file.costs_file import CONFIDENCE

_LEAST_RATE, _MOST_RATE = 1e-6, 1e6
"""Ends of b, as the answers' own spread has it: factors without end, and of 1.000001."""
_FARTHEST = 60.0
"""Spreads of the answers from their middle to a median that nothing bounds."""


@dataclass(frozen=True)
class Fit:
    """A log-normal spread of costs.

    Attributes:
        median: half of the people who would take part have at most this [money].
        low: the lower end of the interval of the median [money].
        high: the upper end [money].
        spread: e^σ; about two thirds lie between median/spread and median·spread [> 1].
        never: the proportion of all people who would not take part for any payment [[0, 1)].
    """

    median: float
    low: float
    high: float
    spread: float
    never: float

    def share_up_to(self, costs: Array) -> Array:
        """The proportion of all people whose costs are at most each amount.

        Args:
            costs: [money, > 0; any shape].
        """
        places = np.log(np.asarray(costs) / self.median) / math.log(self.spread)
        shares: Array = (1 - self.never) * scipy.special.ndtr(places)
        return shares


def fit(answers: Answers, confidence: float = CONFIDENCE) -> Fit:
    """The log-normal spread of largest likelihood, with an interval of its median.

    Args:
        answers: of a pilot.
        confidence: that the interval holds the median, if the spread is log-normal [(0, 1)].

    Raises:
        ValueError: no spread has a largest likelihood, or the answers do not bound the median.
    """
    if answers.low.max() <= answers.high.min():
        raise ValueError(
            "one cost for all people explains every answer, which shows no spread; give more "
            "offers in between"
        )
    found = _Likelihood(answers).fit(answers.never, confidence)
    if found is None:
        raise ValueError(
            f"the answers of {answers.people} people do not show that more accept where more is "
            "paid, so nothing bounds the median; ask more people, or offer payments that differ "
            "more"
        )
    return found


class Likelihood(ABC):
    """The logarithm of the likelihood of medians and rates b, in units of the answers' own.

    Attributes:
        middle: a cost is exp(middle + scale·place).
        scale: see `middle` [> 0].
    """

    middle: float
    scale: float

    @abstractmethod
    def at(self, place: float, rate: float) -> float:
        """The log-likelihood at a median and a rate b."""

    def fit(self, never: float, confidence: float) -> Fit | None:
        """The spread of largest likelihood; None where nothing bounds its median."""
        middle, rate, most = self.best()
        if not rate > 2 * _LEAST_RATE:
            return None
        sufficient = most - float(scipy.special.chdtri(1, 1 - confidence)) / 2
        ends = [self.end(middle, sufficient, way) for way in (-1, 1)]
        if not all(map(math.isfinite, ends)):
            return None
        low, median, high = (self.cost(place) for place in (ends[0], middle, ends[1]))
        return Fit(median, low, high, math.exp(self.scale / rate), never)

    def cost(self, place: float) -> float:
        return math.exp(self.middle + self.scale * place)

    def best_rate(self, place: float) -> tuple[float, float]:
        """The best rate b at a median, and the log-likelihood there: along a line it is concave."""
        found = scipy.optimize.minimize_scalar(
            lambda log_rate: -self.at(place, math.exp(log_rate)),
            bounds=(math.log(_LEAST_RATE), math.log(_MOST_RATE)),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return math.exp(found.x), -float(found.fun)

    def best(self) -> tuple[float, float, float]:
        """The best median, its rate b, and the log-likelihood there."""
        found = scipy.optimize.minimize_scalar(
            lambda place: -self.best_rate(place)[1],
            bounds=(-_FARTHEST, _FARTHEST),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return float(found.x), *self.best_rate(float(found.x))

    def end(self, middle: float, sufficient: float, way: int) -> float:
        """The farthest median on one side that is likely enough; ±∞ where nothing bounds it."""

        def excess(place: float) -> float:
            return self.best_rate(place)[1] - sufficient

        far = 0.25
        while excess(middle + way * far) > 0:
            far *= 2
            if far > _FARTHEST:
                return way * math.inf
        root = scipy.optimize.brentq(excess, middle, middle + way * far, xtol=1e-10)
        return float(root)


class _Likelihood(Likelihood):
    """That of answers."""

    def __init__(self, answers: Answers) -> None:
        """Answers as logarithms, alike ones together; a cost of 0 is at most the least above 0."""
        low, high = answers.low, answers.high
        least = answers.asked[answers.asked > 0][0]
        low, high = np.where(high == 0, -math.inf, low), np.where(high == 0, least, high)
        low = np.where(low > 0, low, 0.0)
        (low, high), people = np.unique(np.stack([low, high]), axis=1, return_counts=True)
        with np.errstate(divide="ignore"):
            low, high = np.log(low), np.log(high)
        known = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
        self.middle, self.scale = float(known.mean()), float(known.std()) or 1.0
        self._low, self._high = ((x - self.middle) / self.scale for x in (low, high))
        self._exact, self._people = low == high, people.astype(float)

    def at(self, place: float, rate: float) -> float:
        low, high = rate * (self._low - place), rate * (self._high - place)
        exact = self._exact
        between = _log_between(low[~exact], high[~exact])
        known = math.log(rate) - low[exact] ** 2 / 2
        return float(self._people[~exact] @ between + self._people[exact] @ known)


def _log_between(low: Array, high: Array) -> Array:
    """ln(Φ(high) − Φ(low)), also far out, where both are near 0 or near 1."""
    low, high = np.where(low > 0, -high, low), np.where(low > 0, -low, high)
    upper, lower = scipy.special.log_ndtr(high), scipy.special.log_ndtr(low)
    found: Array = upper + np.log1p(-np.exp(lower - upper))
    return found
