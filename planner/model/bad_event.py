"""One bad event, and how much more likely taking part can make it (Hsu14 §3)."""

from typing import Annotated

from pydantic import Field

from planner import numbers
from planner.checked import dataclass
from planner.checks import Cost, Probability
from planner.numbers import Number


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
    event: Annotated[str, Field(description="what happens, such as: your insurer learns it")] = ""

    def risk(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """The largest probability of the event for a person who takes part.

        It is the smallest of 1, e^ε·p + δ (the event) and 1 − e^(−ε)(1 − p − δ) (its absence): the
        (ε, δ) guarantee in both directions, Hsu14 eqs 1, 2, Definition 10 and footnote 21.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.
        """
        system = numbers.of(epsilon, delta)
        p = system.number(self.probability)
        likelier = system.expm1(epsilon) * p + delta
        absence = system.exp(-epsilon) * delta - system.expm1(-epsilon) * (1 - p)
        return p + system.minimum(system.minimum(likelier, absence), 1 - p)
