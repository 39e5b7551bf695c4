"""The floor of a survey: what its questions' floors make together (design idea 5).

Either one failure probability is shared out among the questions, as well as `split` can at each N,
or each has one of its own. A plan is proved with the shares that it states.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, Self

from planner.libraries import np
from planner.mechanisms.floor import (
    CONVEX,
    FALLING,
    SAW_TOOTHED,
    SMOOTH_FROM,
    Floor,
    QuestionFloor,
    Regularity,
    Ripple,
)
from planner.mechanisms.several.split import Part, Split
from planner.mechanisms.several.together import Together
from planner.numbers import WHOLE_LIMIT, Array, Number, decimal, round_down, round_up

_DIGITS = 15  # of a share of α that is stated
_MOST_DIGITS = 17  # of a double
_BESIDE, _FIRST = 2, 10
"""Of many people so few sizes beside the best are read exactly; where the fewest are sought."""
_SPARE = 0.15
"""So far under the least amount a refutation of all splits of α is short."""
_ROUNDING = 1e-9  # of the ε of all rates together
_CLOSE = 1e-7  # as a part, how nearly the smooth guess is found
_MORE = 1.01
"""Rates that are raised by more leave their questions room: α is shared out anew."""
_MOST_KNOWN = 200_000  # sizes of one survey that are remembered


class Share(NamedTuple):
    """What one question gets of a plan.

    Attributes:
        part: the question.
        rate: ε, or sensitivity/σ, of each time that it is asked.
        failure: αᵢ, likewise.
    """

    part: Part
    rate: float
    failure: float


@dataclass(frozen=True)
class SurveyFloor(Floor):
    """The least ε at which every question to the same people is accurate.

    Attributes:
        parts: the questions; where `failure` is None their own floors' failure probabilities hold.
        failure: α, of all of them together, or None.
        together: how rates make ε.
    """

    parts: tuple[Part, ...]
    failure: float | None
    together: Together

    @property
    def regularity(self) -> Regularity:
        """A survey that counts people saw-tooths; one of bounds is convex where they all are.

        Floors that are convex in N and α together stay so at the best split.
        """
        if self._counted:
            return SAW_TOOTHED
        floors = [part.at(self.failure) if self.failure else part.floor for part in self.parts]
        convex = all(floor.regularity.shape == "convex" for floor in floors)
        return replace(CONVEX if convex and not self.uses_delta else FALLING, on_grids=True)

    def ripple(self, participants: int) -> Ripple:
        if participants > SMOOTH_FROM:
            return Ripple(reach=_BESIDE, first=_FIRST, spare=_SPARE)
        ripples = [floor.ripple(participants) for floor in self._counted]
        far = [one for one in ripples if not one.reach]
        return max(far or ripples, default=Ripple())._replace(spare=_SPARE)

    @property
    def leaves_room(self) -> bool:
        return any(floor.leaves_room for floor in self._counted)

    @property
    def guess_is_close(self) -> bool:
        return all(floor.guess_is_close for floor in self._counted)

    @property
    def without_room(self) -> Self:
        parts = tuple(replace(part, floor=part.floor.without_room) for part in self.parts)
        return replace(self, parts=parts)

    @property
    def uses_delta(self) -> bool:
        return self.together.uses_delta

    @property
    def allowed(self) -> float:
        if self.failure is not None:
            return self.failure
        total = sum((p.times * decimal(p.floor.failure) for p in self.parts), Fraction(0))
        return min(float(total), 1.0)

    @property
    def times(self) -> list[int]:
        """How often each question is asked."""
        return [part.times for part in self.parts]

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probabilities of a plan's questions, added up; 1 where no ε is enough."""
        n = int(participants)
        shares = self.shared(float(epsilon), n, float(delta))
        if not max(share.rate for share in shares) < math.inf:
            return 1.0
        failures = (s.part.times * float(s.part.floor.achieved(s.rate, n, 0.0)) for s in shares)
        return min(sum(failures), 1.0)

    def shared(self, epsilon: float, participants: int, delta: float) -> list[Share]:
        """How a plan's ε and α are shared out: rates and failure probabilities of few digits.

        Rates are raised from their floors as far as ε allows, by one factor. They are lowered where
        ε is less than they ask, as of a plan that is not accurate.
        """
        ways = [self._read(power, np.array([float(participants)])) for power in self._powers]
        least = min(ways, key=lambda way: float(self._total(way[1], delta)[0]))
        failures, rates = (column[:, 0].tolist() for column in least)
        known = zip(self.parts, rates, failures, strict=True)
        bare = self.without_room
        edge = bare if bare != self else None  # a plan at the edge leaves no room for a proof
        if not max(rates) < math.inf:
            if edge:
                return edge.shared(epsilon, participants, delta)
            return [Share(*share) for share in known]
        factor = self.together.raised(rates, self.times, epsilon, delta)
        if factor < 1 - _ROUNDING:
            if edge:
                return edge.shared(epsilon, participants, delta)
            return [Share(part, rate * factor, failure) for part, rate, failure in known]
        factor = max(factor, 1.0)
        if math.isfinite(factor) and factor > _MORE:
            rates = [rate * factor**0.5 for rate in rates]
            failures, factor = self._with_room(rates, participants), factor**0.5
        return [
            Share(part, _fewest_digits(rate, rate * factor), failure)
            for part, rate, failure in zip(self.parts, rates, failures, strict=True)
        ]

    def _with_room(self, rates: list[float], participants: int) -> list[float]:
        """Shares of α for rates that are more than enough, so that each has as much room."""
        if self.failure is None:
            return [float(part.floor.failure) for part in self.parts]
        split = Split(self.parts, self.failure, self._powers[0])
        found = [
            float(part.floor.achieved(rate, participants, 0.0))
            for part, rate in zip(self.parts, rates, strict=True)
        ]
        return _rounded_down(split.over_the_least(np.array(found)[:, None]))[:, 0].tolist()

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return self._least(participants, delta, exact=True)

    approximate = epsilon

    def smooth(self, participants: Number, delta: Number) -> Number:
        return self._least(participants, delta, exact=False)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """About the infimum of N·ε; 0 where δ helps, as in a large study it is enough."""
        if self.uses_delta:
            return 0.0 if delta > 0 else math.inf
        return float(self.smooth(float(WHOLE_LIMIT), 0.0)) * WHOLE_LIMIT * (1 - _CLOSE)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        return max(
            share.part.at(share.failure).always_from(share.rate, participants, 0.0)
            for share in self.shared(epsilon, participants, delta)
        )

    @property
    def _counted(self) -> list[QuestionFloor]:
        """Those that count people, whose floors saw-tooth."""
        return [part.floor for part in self.parts if part.floor.regularity.saw_toothed]

    @property
    def _powers(self) -> tuple[int, ...]:
        """The ways in which α is shared out; one where each question has its own."""
        return self.together.powers if self.failure is not None else self.together.powers[:1]

    def _least(self, participants: Number, delta: Number, exact: bool) -> Number:
        n = np.asarray(participants, dtype=float)
        ways = (self._read(power, n, exact)[1] for power in self._powers)
        return np.min([self._total(rates, delta) for rates in ways], axis=0)[()]

    def _total(self, rates: Array, delta: Number) -> Array:
        """The ε of these rates; ∞ where one of them is."""
        with np.errstate(all="ignore"):
            total = self.together.epsilon(list(rates), self.times, delta)
        return np.where(np.isfinite(rates).all(axis=0), total, np.inf)

    def _read(self, power: int, n: Array, exact: bool = True) -> tuple[Array, Array]:
        """Each question's share of α and its rate at each N, exactly or about; rows by part.

        They are remembered: no money changes them, and limits and prices read them again.
        """
        known = _known(self, power, exact)
        if len(known) > _MOST_KNOWN:
            known.clear()
        sizes, at = np.unique(n, return_inverse=True)
        new = np.array([size for size in sizes.tolist() if size not in known])
        if new.size:
            failures, rates = self._computed(power, new, exact)
            known.update(zip(new.tolist(), zip(failures.T, rates.T, strict=True), strict=True))
        columns = [known[size] for size in sizes.tolist()]
        shape = (len(self.parts), *n.shape)
        failures, rates = (np.stack(x, axis=1)[:, at.ravel()] for x in zip(*columns, strict=True))
        return failures.reshape(shape), rates.reshape(shape)

    def _computed(self, power: int, n: Array, exact: bool) -> tuple[Array, Array]:
        still = np.full(n.shape, True)
        if self.failure is None:
            failures = np.array([np.full(n.shape, part.floor.failure) for part in self.parts])
        else:
            split = Split(self.parts, self.failure, power)
            failures, about = split.shares(n, exact)
            if not (exact and split.enough):
                return failures, about
            failures = _rounded_down(failures)
        reading = "epsilon" if exact else "smooth"
        rates = np.full(failures.shape, np.inf)
        for part, share, rate in zip(self.parts, failures, rates, strict=True):
            rate[still] = getattr(part.at(share[still]), reading)(n[still], 0.0)
            still = still & np.isfinite(rate)  # where a question has no rate, others need none
        return failures, rates


@lru_cache(maxsize=64)
def _known(floor: SurveyFloor, power: int, exact: bool) -> dict[float, tuple[Array, Array]]:
    """What is known of a survey by N: a column of shares and one of rates."""
    return {}


def _rounded_down(shares: Array) -> Array:
    return np.vectorize(lambda share: round_down(float(share), _DIGITS), otypes=[float])(shares)


def _fewest_digits(least: float, most: float) -> float:
    """The number with the fewest digits in [least, most], else the least."""
    if not least < math.inf:
        return least
    rounded = (round_up(least, digits) for digits in range(1, _MOST_DIGITS + 1))
    return next((x for x in rounded if x <= most), least)
