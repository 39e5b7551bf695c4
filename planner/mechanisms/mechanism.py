"""What every mechanism states: its accuracy, the inverse of that in ε, and their shape."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from planner import numbers
from planner.libraries import sympy
from planner.mechanisms.floor import (
    CONVEX,
    FALLING,
    SAW_TOOTHED,
    Floor,
    QuestionFloor,
    Regularity,
)
from planner.mechanisms.hypotheses import Hypotheses
from planner.mechanisms.sample import Sample
from planner.numbers import Number


class Mechanism(ABC):
    """A private mechanism as the analyst sees it: an accuracy A(ε, N) (Hsu14 Definitions 3, 12).

    The failure probability decreases with ε, N, the error and δ (`monotone`), and the signal
    N·ε that an accuracy needs never increases with N, unless the mechanism is `saw_toothed`.
    """

    kind: ClassVar[str]
    """The mechanism's name in study files."""
    summary: ClassVar[str]
    domain: ClassVar[str]
    monotone: ClassVar[str]
    convexity: ClassVar[str]
    uses_delta: ClassVar[bool] = False
    """Whether it is (ε, δ)-private and needs δ > 0, rather than ε-private."""
    symbols: ClassVar[dict[str, str]] = {}
    """The symbol of each parameter that stands in `formulas`."""
    adds: ClassVar[Literal["laplace", "geometric", "gaussian", ""]] = ""
    """The noise that is added to a proportion, where that is all the mechanism does."""
    runs: ClassVar[Literal["mean", "count", "queries", "survey", "reports", "test", ""]] = ""
    """What one simulated run of it is; empty where none is known."""
    derivation: ClassVar[Literal["mean", "mwem", "mwem-approximate", ""]] = ""
    """Which of Hsu14's derivations starts from its failure probability."""
    counts: ClassVar[bool] = False
    """Whether its answer is a count of the participants, not a number about a population."""
    asks: ClassVar[str] = ""
    """The parameter that is its number of questions; empty where it answers one."""
    surveys: ClassVar[bool] = False
    """Whether it answers a survey of several questions."""
    trusted: ClassVar[bool] = True
    """Whether a curator holds the records, whom people must trust."""
    no_opendp: ClassVar[str] = ""
    """Why no OpenDP call runs it, in a sentence; empty where one may, or nothing is known."""

    @property
    @abstractmethod
    def sampled(self) -> bool:
        """Whether its answer is about a population that the participants are a sample of.

        The sample's error is then part of its accuracy; else it is right about the data themselves.
        """

    @abstractmethod
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """A bound on the probability that the answer is off by `error` or more.

        Args:
            epsilon: ε [> 0].
            participants: N [≥ 1].
            error: T [fraction of 1, (0, 1]].
            delta: δ [[0, 1)].

        All are numbers or arrays and broadcast; the result has their common shape.

        Raises:
            ValueError: a quantity is outside its range.
        """

    @abstractmethod
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The least ε at which the failure probability is at most `failure`; ∞ where none is.

        Args:
            participants: N [≥ 1].
            error: T [fraction of 1, (0, 1]].
            failure: α [(0, 1)].
            delta: δ [[0, 1)].

        All are numbers or arrays and broadcast; the result has their common shape.

        Raises:
            ValueError: a quantity is outside its range.
        """

    @abstractmethod
    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """The infimum over N of N·epsilon_floor, which no study of any size can do without."""

    def n_epsilon_floor_from(
        self, participants: int, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The least N·ε of studies of this many people or more."""
        return self.n_epsilon_floor(error, failure, delta)

    def floor(self, error: Number, failure: Number) -> QuestionFloor:
        """What an error and a failure probability ask of ε; see `floor`."""
        return MechanismFloor(self, error, failure)

    def card(
        self, epsilon: float, participants: int, error: float, failure: float
    ) -> Fraction | None:
        """The probability with which a person reports the truth; None where a curator is trusted.

        Args:
            epsilon: ε of the plan [> 0].
            participants: N [≥ 1].
            error: T [fraction of 1, (0, 1]].
            failure: α [(0, 1)].
        """
        return None

    def floor_of_sample(self, error: Number, failure: Number, sample: Sample) -> QuestionFloor:
        """What an error and a failure probability ask of a sample as it is.

        Raises:
            ValueError: the mechanism or its analysis is not for such a sample.
        """
        if sample.simple:
            return self.floor(error, failure)
        sample.refuse_deviation()
        raise ValueError(
            f"the analysis of {self.words} is for independent people; for a population give kind = "
            '"laplace-mean"'
        )

    def given_values(self) -> "Mechanism":
        """The mechanism in a study of values in a range, not of proportions."""
        return self

    def given_delta(self, spoken_of: bool) -> "Mechanism":
        """The mechanism in a study that fixes or caps δ, or does not."""
        return self

    @property
    def tests(self) -> bool:
        """Whether it is a test alone, of which a power is asked and no error."""
        return False

    def floor_of_test(self, tested: Hypotheses, sample: Sample) -> Floor:
        """What the power of a test asks of a sample; of a mechanism that tests.

        Raises:
            ValueError: it does not test, or not such a sample.
        """
        raise ValueError(
            f'a power is that of a test; give the mechanism kind = "count-test", not {self.words}'
        )

    @property
    def n_epsilon_grows(self) -> bool:
        """Whether N·ε grows with N without end, so that some N is the best even for ε alone."""
        return False

    @property
    def saw_toothed(self) -> bool:
        """Whether the failure probability may rise with N or ε, so that no bisection is exact."""
        return False

    @property
    def broadcasts(self) -> bool:
        """Whether its floor reads arrays of errors, failure probabilities and δ."""
        return False

    @property
    def any_values(self) -> bool:
        """Whether its accuracy holds for any numbers in a range, and not for proportions alone."""
        return False

    @property
    def for_shares(self) -> bool:
        return not self.any_values

    def convex(self, failure: float) -> bool:
        """Whether N·epsilon_floor(N) is proven convex in N at this α and any fixed δ."""
        return True

    @property
    def words(self) -> str:
        return self.kind

    @property
    def alternatives(self) -> "tuple[Mechanism, ...]":
        """The mechanisms of which a study uses the best; empty for a mechanism itself."""
        return ()

    @property
    def composed(self) -> str:
        """How the privacy losses of its answers add up, in a sentence."""
        return "One answer; the parameters cover everything that is published."

    @property
    def exactly(self) -> "Mechanism | None":
        """The same with the exact failure probability, where this one is a bound on it."""
        return None

    @property
    def variant(self) -> str:
        return ""

    @classmethod
    def parameters(cls) -> list[str]:
        """What a study file gives beside the kind."""
        return [field.name for field in fields(cls)] if is_dataclass(cls) else []

    @classmethod
    @abstractmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The failure probability in symbols, for typesetting, by analysis (or "" for one)."""


@dataclass(frozen=True)
class MechanismFloor(QuestionFloor):
    """What an error and a failure probability ask of a mechanism, by its own formulas.

    Attributes:
        mechanism: what answers.
        error: T [fraction of 1, (0, 1]], number or array.
        failure: α [(0, 1)], number or array.
    """

    mechanism: Mechanism
    error: Number
    failure: Number

    @property
    def regularity(self) -> Regularity:
        if self.mechanism.saw_toothed:
            known = SAW_TOOTHED
        else:
            known = CONVEX if self.mechanism.convex(self.failure) else FALLING
        grows = self.mechanism.n_epsilon_grows
        return replace(known, n_epsilon_grows=grows, in_cells=grows)

    @property
    def uses_delta(self) -> bool:
        return self.mechanism.uses_delta

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        error, _ = self.target(epsilon, participants, delta)
        return self.mechanism.failure_probability(epsilon, participants, error, delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        target = self.target(participants, delta)
        return self.mechanism.epsilon_floor(participants, *target, delta)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self.mechanism.n_epsilon_floor_from(participants, *self.target(delta), delta)

    def sample_alone(self, participants: Number) -> Number:
        if self.mechanism.saw_toothed or not (self.mechanism.sampled and self.mechanism.any_values):
            return participants * 0
        error, _ = self.target(participants)
        return 2 * numbers.of(participants).exp(-2 * participants * error**2)

    def formula(self) -> "sympy.Expr":
        return self.mechanism.formulas()[self.mechanism.variant]

    def target(self, *values: Number) -> tuple[Number, Number]:
        """T and α in the number system of some values."""
        number = numbers.of(*values).number
        return number(self.error), number(self.failure)
