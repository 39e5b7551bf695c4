"""What an answer asks of people who also lose privacy to one answer for all people of strata.

That answer has one noise of scale b on the weighted sum of the strata's means. A person among N of
a stratum of weight W moves it by W/N at most, so they lose m/N to it, m = W/b. All that they lose
is the ε of their stratum's own answer and this: floors add (design idea 5). N times the sum is that
of the own answer and a constant, so that nothing changes in how the floor runs over N.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.floor import QuestionFloor, Regularity, Ripple
from planner.numbers import Number
from planner.wording import plain


def own_epsilon(epsilon: Number, participants: Number, for_total: float) -> Number:
    """What of ε is left for the own answer; in floats, arrays, fractions or balls."""
    return epsilon - numbers.of(epsilon, participants).number(for_total) / participants


def failure_beside_total(
    of: Callable[[Number], Number], epsilon: Number, participants: Number, for_total: float
) -> Number:
    """The failure probability of the own answer; 1 where nothing is left for it.

    Args:
        of: the failure probability at an ε of its own.
        epsilon: ε of each person [> 0].
        participants: N [≥ 1].
        for_total: m [> 0].
    """
    own = own_epsilon(epsilon, participants, for_total)
    if np.ndim(own):
        return np.where(own > 0, of(np.where(own > 0, own, 1.0)), 1.0)
    return of(own) if own > 0 else numbers.of(own).number(1.0)


@dataclass(frozen=True)
class FloorBesideTotal(QuestionFloor):
    """What an accuracy asks where each person's ε also pays for the answer for all people.

    Attributes:
        alone: what it asks by itself.
        for_total: m, what of N·ε the answer for all people has [> 0].
    """

    alone: QuestionFloor
    for_total: float

    @property
    def regularity(self) -> Regularity:
        """As by itself."""
        return self.alone.regularity

    @property
    def error(self) -> Number:
        """T."""
        return self.alone.error

    @property
    def failure(self) -> Number:
        """α."""
        return self.alone.failure

    def with_error(self, error: float) -> "FloorBesideTotal":
        """The same for another error."""
        return replace(self, alone=self.alone.with_error(error))

    def ripple(self, participants: int) -> Ripple:
        """As by itself."""
        return self.alone.ripple(participants)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability at what is left of ε."""

        def at(own: Number) -> Number:
            return self.alone.achieved(own, participants, delta)

        return failure_beside_total(at, epsilon, participants, self.for_total)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """About the failure probability, over arrays."""

        def at(own: Number) -> Number:
            return self.alone.likely(own, participants, delta)

        return failure_beside_total(at, epsilon, participants, self.for_total)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε of its own, and what the answer for all people takes."""
        return self.alone.epsilon(participants, delta) + self._lost(participants)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The same, to search and draw with."""
        return self.alone.approximate(participants, delta) + self._lost(participants)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """The same with an ε of its own that suffices."""
        return self.alone.sufficient(participants, delta) + self._lost(participants)

    def read_often(self) -> None:
        """As by itself."""
        self.alone.read_often()

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The infimum of N·ε."""
        number = numbers.of(delta).number
        return self.alone.n_epsilon(participants, delta) + number(self.for_total)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What both noises ask of a sample that is perfect."""
        return self.alone.noise_alone(participants, delta) + self._lost(participants)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """An N from which ε always suffices: with more people it loses less to the other answer."""
        own = own_epsilon(epsilon, participants, self.for_total)
        return self.alone.always_from(own, participants, delta)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether what is left of ε is certain to reach it."""
        own = own_epsilon(epsilon, participants, self.for_total)
        return bool(own > 0) and self.alone.certify_reached(own, participants, delta)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to miss it: it leaves too little, or nothing.

        By itself no ε below that of noise alone reaches it.
        """
        size = numbers.balls().number(participants)
        low, high = (own_epsilon(x, size, self.for_total) for x in (least, most))
        low = low.max(self.alone.noise_alone(size, delta))
        return bool(high < low) or self.alone.certify_missed(low, high, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to miss it: the most people keep the most."""
        own = own_epsilon(epsilon, numbers.balls().number(most), self.for_total)
        return bool(own <= 0) or self.alone.certify_missed_sizes(own, least, most, delta)

    def sample_alone(self, participants: Number) -> Number:
        """As by itself."""
        return self.alone.sample_alone(participants)

    def formula(self) -> "sympy.Expr":
        """That of the own answer at what is left of ε."""
        epsilon, n, lost = sympy.symbols("epsilon N y_0", positive=True)
        whole = self.alone.formula()
        if epsilon in whole.free_symbols:
            return whole.subs(epsilon, epsilon - lost / n)
        left = f"(ε − {plain(self.for_total)}/N)"
        return sympy.Symbol(str(whole).replace("ε", left))  # the exact one is a phrase

    def _lost(self, participants: Number) -> Number:
        """m/N."""
        return numbers.of(participants).number(self.for_total) / participants
