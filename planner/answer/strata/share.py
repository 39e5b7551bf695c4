"""What one stratum contributes to the one answer of a study."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.answer.sample_plan import invitations
from planner.numbers import round_up

if TYPE_CHECKING:
    from planner.model import Study

_EPSILON_DIGITS, _COST_DIGITS = 7, 12
"""Of ε, and of the costs that are added up."""


@dataclass(frozen=True)
class StratumShare:
    """One stratum of a plan for all people.

    Attributes:
        name: of the stratum.
        weight: W, the proportion of all people who belong to it.
        participants: N of it [whole, ≥ 1].
        invitations: how many to invite, so that enough take part; None where all do.
        epsilon: ε of its people [> 0].
        compensation: money for each of them.
        cost: of the stratum, without overhead [money].
    """

    name: str
    weight: float
    participants: int
    invitations: int | None
    epsilon: float
    compensation: float
    cost: float

    @classmethod
    def of(cls, study: "Study", weight: float, people: int, loss: float) -> "StratumShare":
        """What so many people contribute, who lose so much.

        Args:
            study: of the stratum by itself.
            weight: W.
            people: how many take part.
            loss: ε at least [> 0].
        """
        epsilon = round_up(loss, _EPSILON_DIGITS)
        owed = study.individual.compensation(epsilon, 0.0)
        cost = round_up(study.costs.total_of(people, owed), _COST_DIGITS)
        paid = float(study.costs.payment(owed))
        invited = invitations(study, people)
        return cls(study.title, weight, people, invited, epsilon, paid, cost)
