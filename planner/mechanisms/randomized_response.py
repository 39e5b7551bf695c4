"""A proportion without a curator: each person randomises their own answer (Warner 1965).

The truth is reported with probability p = e^ε/(1 + e^ε), the opposite with q = 1 − p. The
proportion of reports has the mean λ = q + μ(p − q), p − q = tanh(ε/2), and (Y/N − q)/(p − q)
estimates μ. It is off by T or more only if the proportion of reports is off by T(p − q), so by
Hoeffding's inequality

    f ≤ 2·exp(−2NT²·tanh²(ε/2)),   ε(N) = 2·artanh(√(c/N)),   c = ln(2/α)/(2T²).

ε falls with N, but N·ε(N) grows as 2√(cN): there is a best number of people even where only
compensation is paid. It then costs N(e^ε − 1)E = 2E√c·u²/(u − √c) with u = √N, as e^ε is
(u + √c)/(u − √c); that is convex in u, and least at u = 2√c: at N = 4c, p = 3/4 and ε = ln 3,
whatever T, α and E are, for 8cE. Money for each person adds a term in u², which keeps it convex.
"""

import math
from dataclasses import dataclass as plain_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import ClassVar, Literal

from pydantic import model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, Truth, in_range
from planner.libraries import find_root, np, scipy
from planner.mechanisms import card
from planner.mechanisms.count_floor import single, whole
from planner.mechanisms.counts import Share
from planner.mechanisms.floor import FALLING, SAW_TOOTHED, QuestionFloor, Regularity, Ripple
from planner.mechanisms.many_people import LARGE, large
from planner.mechanisms.mechanism import BoundFloor, Mechanism, MechanismFloor
from planner.mechanisms.noise import NO_NOISE
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Array, Number, decimal

_REPORTS = Share(NO_NOISE)
"""Reports are a count without noise."""
_FEW = 60  # people of whom all numbers of right counts are tried
_BESIDE, _CLOSE = 2, 1e-15
"""Numbers of right counts that are tried about the likely one; and how closely a strength is found
between two, as of few people it may be nearly 1."""
_ON_EDGE, _BEYOND_EDGE = 1e-9, 1e-8
"""Of a count: so close to an edge floats take it to be on it, and so far beyond it not."""
_SIZES_AFTER = 5_000
_ROUNDING = 1e-12
_SURELY = 1 + Fraction(1, 10**15)  # times a float: over what it stands for
_HALF = 0.5  # with up to this α the counts that are right lie about the mean


@dataclass
class RandomizedResponse(Mechanism):
    """A proportion estimated from answers that people randomise, so that nobody is trusted.

    The error is relative to the population, so it includes the sampling error. Numbers in a range
    are rounded to 0 or 1 at random, with their distance from the ends, and then reported.

    Attributes:
        analysis: how the failure probability is computed. "exact" is the true one, at the worst
            proportion, of a card with a decimal p (see `card`); "hoeffding" is a bound.
        mean_range: the population proportions at which the answer must be accurate [in [0, 1]];
            where it leaves 1/2 out, the least ε of the exact analysis may lie a per cent too high.
        values: of records: "zero-one" for a proportion, "any" for numbers from 0 to 1; None is
            "any" where the study's target has a range of values, else "zero-one". Only people
            drawn from a finite population make a difference (see `ReportsFloor`).
        probability: p of a card, a die or a spinner that is given, with which the truth is
            reported; None where the card is chosen too. Exact analysis alone [in (1/2, 1)].
    """

    kind: ClassVar[str] = "randomized-response"

    analysis: Literal["exact", "hoeffding"] = "exact"
    mean_range: MeanRange = (0.0, 1.0)
    values: Literal["zero-one", "any"] | None = None
    probability: Truth | None = None

    @model_validator(mode="after")
    def _of_a_given_card(self) -> "RandomizedResponse":
        if self.probability is not None and self.analysis != "exact":
            raise ValueError(
                f"probability = {self.probability!r} is for the exact analysis; give analysis = "
                '"exact", or leave the probability out'
            )
        return self

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        if self.analysis == "exact":
            return single(failure_of_reports(epsilon, whole(participants), error, self.mean_range))
        system = numbers.of(epsilon, participants, error)
        bound = 2 * system.exp(-2 * participants * (error * card.strength(epsilon)) ** 2)
        return system.minimum(bound, system.number(1.0))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        if self.analysis == "exact":
            return _least_epsilon(self, whole(participants), error, failure)
        system = numbers.of(participants, error, failure)
        needed = system.sqrt(_people(error, failure) / participants)
        return card.epsilon_of_strength(system.minimum(needed, system.number(1.0)))

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        """N·ε is over 2√(cN), and N over c = ln(2/α)/(2T²)."""
        system = numbers.of(error, failure)
        people = _people(error, failure)
        return 2 * system.sqrt(people * system.maximum(people, system.number(participants)))

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        """As for a population without end, which is safe (see `ReportsFloor`)."""
        sample.refuse_deviation()
        if not sample._replace(population=None).simple:
            raise ValueError(
                "without a curator people are drawn one by one; leave clusters_of and "
                'design_effect out, or give kind = "laplace-mean"'
            )
        if self.analysis != "exact":
            return _BoundOfReports(self, error, failure)
        if sample.population is None:
            return ReportsFloor(self, error, failure)
        anywhere = replace(self, mean_range=(0.0, 1.0))
        return ReportsFloor(anywhere, error, min(failure, _HALF))


def printed_card(
    asked: RandomizedResponse, epsilon: float, participants: int, error: float, failure: float
) -> Fraction:
    """The p that is printed for a plan: by the bound, with the digits that accuracy needs.

    Args:
        asked: the mechanism.
        epsilon: ε of the plan [> 0].
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        failure: α [(0, 1)].
    """
    if asked.probability is not None:
        return decimal(asked.probability)
    truth = card.truthful(epsilon)
    if asked.analysis == "exact":
        return truth
    for digits in range(card.DIGITS, card.MOST_DIGITS):
        truth = card.truthful(epsilon, digits)
        least = math.log(2 / failure) / (2 * participants)
        if float((decimal(error) * (2 * truth - 1)) ** 2) >= least * (1 + _ROUNDING):
            break
    return truth


def _people(error: Number, failure: Number) -> Number:
    """N·(p − q)² by Hoeffding's bound: c = ln(2/α)/(2T²)."""
    system = numbers.of(error, failure)
    return system.log(2 / system.number(failure)) / (2 * error**2)


def failure_of_reports(
    epsilon: Number, participants: Array, error: Number, mean_range: tuple[float, float]
) -> Array:
    """How often the estimate of a card is off, at the likely worst proportion of reports."""
    strength = cache(lambda epsilon: float(2 * card.truthful(float(epsilon)) - 1))
    strengths = np.vectorize(strength, otypes=[float])
    return _failing(strengths(epsilon), participants, error, mean_range)


def _failing(
    strength: Array, participants: Array, error: Number, mean_range: tuple[float, float]
) -> Array:
    """The same at a strength: the proportion of reports is 1/2 + (μ − 1/2)s."""
    s, n, t = (np.asarray(x, float) for x in np.broadcast_arrays(strength, participants, error))
    shape, (s, n, t) = s.shape, (x.ravel() for x in (s, n, t))
    values = large(NO_NOISE, np.ones(n.size), n, t * s)
    low, high = (0.5 + (end - 0.5) * s for end in mean_range)
    for few in (True, False):
        rows = np.flatnonzero((n <= LARGE) & ((n <= _FEW) == few))
        if not rows.size:
            continue
        apart = (n * t * s)[rows]
        if few:
            mean = _REPORTS.places(n[rows], (t * s)[rows]).mean
            if mean_range[0] + mean_range[1] != 1.0:  # else these mirror each other
                mean = np.concatenate([mean, n[rows] - mean])
        else:  # an edge is just hit
            centre = np.clip(0.5, low, high)[rows] * n[rows]
            mean = np.floor(centre + apart) + np.arange(-1, 3)[:, None] - apart
            if mean_range[0] + mean_range[1] != 1.0:
                beyond = np.floor(centre - apart) + np.arange(-1, 3)[:, None] + apart
                mean = np.concatenate([mean, beyond])
        mean = np.clip(mean, (low * n)[rows], (high * n)[rows])
        values[rows] = np.max(_off(n[rows], mean, apart), axis=0)
    return values.reshape(shape)


def _off(n: Array, mean: Array, apart: Array) -> Array:
    """How often a count of N lies so far from its mean; on an edge, as far as floats see, too."""
    high = np.ceil(mean + apart - _ON_EDGE)
    low = np.floor(mean - apart + _ON_EDGE)
    share = np.clip(mean / n, 0.0, 1.0)
    first, last = np.clip(high, 1.0, n), np.clip(low, 0.0, n - 1)
    over = scipy.special.betainc(first, n - first + 1, share)
    under = scipy.special.betaincc(last + 1, n - last, share)
    over = np.where(high <= 0, 1.0, np.where(high > n, 0.0, over))
    under = np.where(low < 0, 0.0, np.where(low >= n, 1.0, under))
    return np.asarray(np.minimum(over + under, 1.0))


def least_strength(
    participants: Array, error: Number, failure: Number, mean_range: tuple[float, float]
) -> Array:
    """The p − q over which reports are accurate; over 1 where no card is; arrays broadcast.

    Fewer than w = ⌈2NTs⌉ counts are right, so it is just beyond s = (w − 1)/(2NT), or between that
    and w/(2NT), where the failure falls slowly.
    """

    def just_over(strength: Array) -> Array:
        return np.minimum(strength + _BEYOND_EDGE / (n * t), 1.0)

    n, t, a = (np.asarray(x, float) for x in np.broadcast_arrays(participants, error, failure))
    shape, (n, t, a) = n.shape, (x.ravel() for x in (n, t, a))
    about = -scipy.special.ndtri(a / 2) / (2 * t * np.sqrt(n))
    width = np.floor(2 * n * t * np.minimum(about, 1.0))
    beside = np.arange(-_BESIDE, _BESIDE + 1)
    few = float(n.max(initial=1.0)) <= _FEW
    if few:  # the ends of the range may matter: all are tried
        width, beside = 0 * n, np.arange(math.ceil(2 * float((n * t).max())) + 1)
    tried = np.clip(width + beside[:, None], 1.0, np.ceil(2 * n * t))
    ends = np.minimum(tried / (2 * n * t), 1.0)
    enough = np.array([_failing(s, n, t, mean_range) <= a for s in ends])
    if few:  # and more strength may fail more often
        starts = just_over((tried - 1) / (2 * n * t))
        enough |= np.array([_failing(s, n, t, mean_range) <= a for s in starts])
    first = np.argmax(enough, axis=0)
    width = tried[first, np.arange(n.size)]
    low, high = (width - 1) / (2 * n * t), np.minimum(width / (2 * n * t), 1.0)
    low = just_over(low)
    at_once, possible = _failing(low, n, t, mean_range) <= a, enough.any(axis=0)
    least, rows = np.where(at_once, low, high), np.flatnonzero(possible & ~at_once)

    def over(strength: Array, row: Array) -> Array:
        at = np.asarray(row, int)
        return _failing(strength, n[at], t[at], mean_range) / a[at] - 1

    if rows.size:
        close = {"xatol": 0.0, "xrtol": _CLOSE, "fatol": 0.0, "frtol": 0.0}
        found = find_root(over, (low[rows], high[rows]), args=(rows,), tolerances=close)
        least[rows] = np.where(found.f_bracket[1] <= 0, found.bracket[1], found.bracket[0])
    bounded = (np.sqrt(n) * -scipy.special.ndtri(a / 2) / 2 + 1.5) / (n * t)
    least = np.where(n > LARGE, bounded, np.where(possible, least, np.inf))
    return least.reshape(shape)


def _least_epsilon(
    asked: RandomizedResponse, participants: Array, error: Number, failure: Number
) -> Number:
    """The least ε of a card that is printed, or of the one that is given; over arrays about it."""
    if asked.probability is not None:
        strength = np.array(2 * asked.probability - 1)
        off = _failing(strength, participants, error, asked.mean_range)
        given = card.epsilon_of(1 - Decimal(repr(asked.probability)))
        return single(np.where(off <= failure, given, np.inf))
    least = least_strength(participants, error, failure, asked.mean_range)
    if np.ndim(least):
        return card.about_printed(least)
    return card.least_printed(Fraction(float(least)) * _SURELY) if least <= 1 else math.inf


class _BoundOfReports(BoundFloor):
    """The same by Hoeffding's bound."""

    regularity = replace(FALLING, n_epsilon_grows=True, in_cells=True)


@plain_dataclass(frozen=True)
class ReportsFloor(MechanismFloor):
    """The least ε of a card; see `MechanismFloor`.

    It is safe for people drawn from a finite population.
    With λᵢ the chance of a report 1 from person i, their number has the generating function
    e_N(1 + λᵢ(z − 1))/C(M, N), e_N the elementary symmetric polynomial, which is stable, so
    that all its roots are real: it is a sum of independent zero-one values, and of all those
    with its mean the binomial one is the least likely to lie between two counts about the mean
    (Hoeffding 1956, Theorem 5). Where the right counts do not lie about the mean of the reports
    there is one right count, as it is within one of the mean. Where that is 0 or N, there is a
    mean a count nearer to the middle with one right count as well. But no count between 0 and N
    has a chance over 1/2, so for α ≤ 1/2 such a study is not allowed at every mean. A larger α
    is read as 1/2, and a narrower range of means as all of them.
    """

    mechanism: RandomizedResponse

    @property
    def mean_range(self) -> tuple[float, float]:
        """The proportions at which it must be accurate."""
        return self.mechanism.mean_range

    def ripple(self, participants: int) -> Ripple:
        """Costs at ties differ by a part in √N, and rise by x²/4 at xN from here: about N^(3/4)."""
        return Ripple(24 + int(1.2 * participants**0.75))

    @property
    def regularity(self) -> Regularity:
        return replace(SAW_TOOTHED, n_epsilon_grows=True, in_cells=True)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        n, given = whole(participants), self.mechanism.probability
        if given is not None:
            return single(_failing(np.array(2 * given - 1), n, self.error, self.mean_range))
        return single(failure_of_reports(epsilon, n, self.error, self.mean_range))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        n = np.asarray(participants, float)
        return _least_epsilon(self.mechanism, n, self.error, self.failure)

    def smooth(self, participants: Number, delta: Number) -> Number:
        deviate = -scipy.special.ndtri(np.asarray(self.failure) / 2)
        strength = deviate / (2 * self.error * np.sqrt(np.asarray(participants, float)))
        given = self.mechanism.probability
        if given is None:
            return card.epsilon_of_strength(np.minimum(strength, 1.0))
        epsilon = card.epsilon_of(1 - Decimal(repr(given)))
        return np.where(strength <= 2 * given - 1, epsilon, np.inf)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return 0.0

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        return participants * 0.0

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε suffices, as far as sizes are looked at."""
        strength = float(2 * (self.mechanism.probability or card.truthful(epsilon)) - 1)
        surely = int(_people(self.error, self.failure) / strength**2) + 1
        sizes = np.arange(participants, min(surely, participants + _SIZES_AFTER) + 1, dtype=float)
        values = _failing(np.array(strength), sizes, self.error, self.mean_range)
        late = np.flatnonzero(values > self.failure)
        return int(sizes[late[-1]]) + 1 if late.size else participants
