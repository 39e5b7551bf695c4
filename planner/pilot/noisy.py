"""What noisy counts of a pilot show: who accepts what, and a log-normal spread.

With the means m(θ) = n·p(θ) of counts under a log-normal spread θ and their covariance V(θ), the
noise's included, θ minimises Pearson's (y − m)ᵀV⁻¹(y − m), which is as efficient as the likelihood
(Ferguson 1958). Its excess over the least is at most χ² at the medians of the interval.
"""

import math

from planner.libraries import np, scipy
from planner.numbers import Array
from planner.pilot.acceptance import AcceptanceCurve
from planner.pilot.log_normal import Fit, Likelihood
from planner.pilot.release import Point, Release
from planner.study_file.costs_file import CONFIDENCE

_SURE = 40.0
"""Scales of the noise beyond which lies nothing that a double holds beside 1."""
_PLACES = tuple(k / 4 for k in range(-16, 17))
_LOG_RATES = (*range(-14, -4, 2), *(k / 2 for k in range(-8, 9)))
"""Medians and logarithms of rates b that are looked at first, in the offers' own units: noise can
leave several valleys. They reach from a million times the offers' spread to a part that lies
between two offers."""
_PRECISION = 1e-6
"""Of medians and rates in these units, far below what noise leaves unknown."""


def noisy_curve(published: Release, confidence: float = CONFIDENCE) -> AcceptanceCurve:
    """The proportion of all people with at most each base cost: noisy proportions made to ascend.

    Each proportion has the weight of its precision: of n people it is off by 1/(4n) from sampling
    and by noise, in squares.
    """
    points, noise = published.points, _variance(published.scale)
    costs, at = np.unique([point.high for point in points], return_inverse=True)
    people, accepting, draws = (
        np.array([getattr(point, key) for point in points], dtype=float)
        for key in ("people", "accepting", "draws")
    )
    weights = 1 / (1 / (4 * people) + draws * noise / people**2)
    total = np.bincount(at, weights)
    shares = np.bincount(at, weights * accepting / people) / total
    shares = np.clip(scipy.optimize.isotonic_regression(shares, weights=total).x, 0.0, 1.0)
    low, high = noisy_band(published, costs, confidence)
    return AcceptanceCurve(costs, shares, low, high, "isotonic")


def noisy_band(published: Release, costs: Array, confidence: float) -> tuple[Array, Array]:
    """An interval of the proportion at each base cost by itself, which no assumption makes.

    The lower end at x is that of the people asked about the nearest costs of at most x. Their noisy
    number is smaller in law than a binomial one with F(x) plus the noise, whose law is exact here.
    The upper end is the same from above. Which people these are does not depend on answers.
    """
    tail = (1 - confidence) / 2
    low, high = np.zeros(costs.size), np.ones(costs.size)
    for at, cost in enumerate(costs):
        below = [point for point in published.points if point.high <= cost]
        above = [point for point in published.points if point.low >= cost]
        if below:
            nearest = max(below, key=lambda point: (point.high, point.people / point.draws))
            low[at] = _least_share(nearest, nearest.accepting, published.scale, tail)
        if above:
            nearest = min(above, key=lambda point: (point.low, -point.people / point.draws))
            no = nearest.people - nearest.accepting
            high[at] = 1 - _least_share(nearest, no, published.scale, tail)
    return low, high


def _least_share(point: Point, count: int, scale: float, tail: float) -> float:
    """The least proportion at which so large a noisy count, or a larger one, is this probable.

    P(K + Z ≥ y) is the mean of P(Z ≥ y − K) over a binomial K, and grows with the proportion.
    """
    n = point.people
    reached = _tails(scale, point.draws, count - np.arange(n + 1))

    def excess(share: float) -> float:
        return float(_binomial(n, share) @ reached) - tail

    if excess(0.0) >= 0:
        return 0.0
    if excess(1.0) <= 0:
        return 1.0
    return float(scipy.optimize.brentq(excess, 0.0, 1.0, xtol=1e-12))


def _binomial(n: int, share: float) -> Array:
    """The probabilities of 0 to n."""
    k = np.arange(n + 1)
    of_ways = scipy.special.gammaln(n + 1) - scipy.special.gammaln(k + 1)
    of_ways = of_ways - scipy.special.gammaln(n - k + 1)
    found: Array = np.exp(
        of_ways + scipy.special.xlogy(k, share) + scipy.special.xlog1py(n - k, -share)
    )
    return found


def _tails(scale: float, draws: int, least: Array) -> Array:
    """The probabilities that the sum of some geometric noises is at least each whole number."""
    end = math.ceil((_SURE + 10 * draws) * scale) + 1
    z = np.arange(-end, end + 1)
    one = np.exp(-np.abs(z) / scale) * math.tanh(1 / (2 * scale))
    law = np.fft.irfft(np.fft.rfft(np.fft.ifftshift(one)) ** draws, z.size)
    sums = np.cumsum(np.fft.fftshift(np.maximum(law, 0.0))[::-1])[::-1]
    found: Array = np.where(least <= -end, 1.0, sums[np.clip(least + end, 0, 2 * end)])
    return np.where(least > end, 0.0, np.minimum(found, 1.0))


def noisy_fit(published: Release, confidence: float = CONFIDENCE) -> Fit:
    """The log-normal spread of noisy counts, with an interval of its median.

    Raises:
        ValueError: the noisy counts do not bound the median.
    """
    found = _Distance(published).fit(published.never, confidence)
    if found is None:
        raise ValueError(
            f"with noise at private_epsilon = {published.epsilon!r} the counts of "
            f"{published.people} people do not show that more accept where more is paid, so "
            "nothing bounds the median; the noise was drawn, so this run counts; ask more people"
        )
    return found


class _Distance(Likelihood):
    """Minus half of Pearson's distance between noisy counts and their means.

    With T the noisy number of those who would never take part, of N, the mean of a count is
    n·p·(1 − never), so that y − n·p·(1 − T/N) has the mean 0, without an estimate of never.
    """

    def __init__(self, published: Release) -> None:
        """The counts of a release."""
        groups, total = published.groups, published.people
        known = np.unique(np.concatenate([group.costs for group in groups]))
        logs = np.log(known)
        self.middle, self.scale = float(logs.mean()), float(logs.std()) or 1.0
        self._places = (logs - self.middle) / self.scale
        rows, people, of_group = [], [], []
        for number, group in enumerate(groups):
            at = np.searchsorted(known, group.costs)
            own = np.zeros((group.counts, known.size))
            if group.weights:
                own[0, at] = np.array(group.weights) / group.people
            else:
                own[np.arange(at.size), at] = 1
                own[np.arange(1, at.size), at[:-1]] = -1
            rows.append(own)
            people += [group.people] * group.counts
            of_group += [number] * group.counts
        self._shares, self._people = np.concatenate(rows), np.array(people, dtype=float)
        self._alike = np.equal.outer(of_group, of_group) * self._people
        self._noisy = np.array(published.noisy[:-1], dtype=float)
        self._taking_part = 1 - published.noisy[-1] / total
        noise, never = _variance(published.scale), published.never
        self._never, self._own = never, np.eye(self._people.size) * noise
        self._common = noise / total**2 - never * (1 - never) / total

    def at(self, place: float, rate: float) -> float:
        """Minus half of the distance at a median and a rate b."""
        return float(self._at_all(place, np.array([rate]))[0])

    def _at_all(self, place: float, rates: Array) -> Array:
        """The same at some rates."""
        upto = scipy.special.ndtr(rates[:, None] * (self._places - place))
        shares = upto @ self._shares.T
        means = shares * self._people
        left = self._noisy - means * self._taking_part
        own = (1 - self._never) * shares
        covariance = self._own - self._alike * (own[:, :, None] * own[:, None, :])
        places = np.arange(self._people.size)
        covariance[:, places, places] += own * self._people
        covariance = covariance + self._common * means[:, :, None] * means[:, None, :]
        found: Array = -(left * np.linalg.solve(covariance, left[..., None])[..., 0]).sum(1) / 2
        return found

    def best_rate(self, place: float) -> tuple[float, float]:
        """The best rate b at a median, and minus half of the distance there."""
        at = int(np.argmax(self._at_all(place, np.exp(_LOG_RATES))))
        found = scipy.optimize.minimize_scalar(
            lambda log_rate: -self.at(place, math.exp(log_rate)),
            bounds=(_LOG_RATES[max(at - 1, 0)], _LOG_RATES[min(at + 1, len(_LOG_RATES) - 1)]),
            method="bounded",
            options={"xatol": _PRECISION},
        )
        return math.exp(found.x), -float(found.fun)

    def best(self) -> tuple[float, float, float]:
        """The best median, its rate b, and minus half of the distance there."""
        rates = np.exp(_LOG_RATES)
        at = int(np.argmax([self._at_all(place, rates).max() for place in _PLACES]))
        found = scipy.optimize.minimize_scalar(
            lambda place: -self.best_rate(place)[1],
            bounds=(_PLACES[max(at - 1, 0)], _PLACES[min(at + 1, len(_PLACES) - 1)]),
            method="bounded",
            options={"xatol": _PRECISION},
        )
        return float(found.x), *self.best_rate(float(found.x))


def _variance(scale: float) -> float:
    """Of geometric noise."""
    return 1 / (2 * math.sinh(1 / (2 * scale)) ** 2)
