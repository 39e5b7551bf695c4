"""One bad event, and how much more likely taking part can make it (Hsu14 §3)."""

from planner import numbers
from planner.checked import dataclass
from planner.checks import Cost, Probability
from planner.numbers import Number
from planner.privacy.trade_off import TradeOff


@dataclass
class BadEvent:
    """A harm that may also befall those who stay out.

    Attributes:
        probability: its probability for a person who stays out [(0, 1)].
        cost: its cost [money, ≥ 0].
        event: what happens, as a clause addressed to the participant.
    """

    probability: Probability
    cost: Cost
    event: str = ""

    def risk(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """The largest probability of the event for a person who takes part.

        It is the smallest of 1, e^ε·p + δ (the event) and 1 − e^(−ε)(1 − p − δ) (its absence): the
        (ε, δ) guarantee in both directions, Hsu14 eqs 1, 2, Definition 10 and footnote 21.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.
        """
        p = numbers.of(epsilon, delta).number(self.probability)
        return p + TradeOff().rise(p, epsilon, delta)
