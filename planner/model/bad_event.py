"""What a person fears: one bad event, and how much likelier taking part can make it (Hsu14 §3)."""

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.checks import Cost, Probability
from planner.numbers import Number
from planner.privacy.trade_off import TradeOff


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BadEvent:
    """A harm that may strike those who stay out too.

    Attributes:
        probability: chance that it strikes a person who stays out [(0, 1)].
        cost: what it then costs them [money, ≥ 0].
        event: what happens, as a clause that tells it to the participant.
    """

    probability: Probability
    cost: Cost
    event: str = ""

    def risk(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """The most that its probability p can be for a person who takes part.

        It is the least of 1, e^ε·p + δ (the event) and 1 − e^(−ε)(1 − p − δ) (its absence): the
        (ε, δ) guarantee read both ways, Hsu14 eqs 1, 2, Definition 10 and footnote 21.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.
        """
        p = numbers.of(epsilon, delta).number(self.probability)
        return p + TradeOff().rise(p, epsilon, delta)
