"""The plan of a sequence of studies: each study, and all together."""

from dataclasses import dataclass
from typing import Any, ClassVar

from planner.answer.proof.plan import Proof
from planner.model import Study
from planner.show import Shown


@dataclass(frozen=True)
class Step:
    """One study of a sequence.

    Attributes:
        study: the study.
        epsilon: its own ε [> 0].
        base_cost: a participant's expected cost before it [money].
        compensation: the payment to each participant [money].
        cost: its total cost [money].
        failure: its failure probability.
    """

    study: Study
    epsilon: float
    base_cost: float
    compensation: float
    cost: float
    failure: float


@dataclass(frozen=True, repr=False)
class SequencePlan(Shown):
    """A feasible sequence.

    Attributes:
        steps: its studies in order.
        participants: N, the people who take part in each [whole, ≥ 1].
        epsilon: the sum of the steps' ε.
        compensation: the total payment to each participant, (e^(Σε) − 1)E [money].
        cost: of the whole sequence [money].
        least_cost: the infimum of the cost over all feasible sequences [money].
        attained: whether a sequence attains it.
        proof: how the plan was checked.
        notes: who takes part where people differ, in sentences.
    """

    verdict: ClassVar[str] = "feasible"
    steps: tuple[Step, ...]
    participants: int
    epsilon: float
    compensation: float
    cost: float
    least_cost: float
    attained: bool
    proof: Proof
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        names = ("epsilon", "base_cost", "compensation", "cost", "failure")
        return {
            "verdict": self.verdict,
            "participants": self.participants,
            "epsilon": self.epsilon,
            "compensation": self.compensation,
            "cost": self.cost,
            "least_cost": {"value": self.least_cost, "attained": self.attained},
            "steps": [
                {"title": step.study.title, **{name: getattr(step, name) for name in names}}
                for step in self.steps
            ],
            "proof": self.proof._asdict(),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, repr=False)
class NoSequence(Shown):
    """A sequence that is infeasible or undecided.

    Attributes:
        verdict: "infeasible" or "undecided".
        proof: why.
    """

    verdict: str
    proof: Proof

    def to_dict(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "steps": [], "proof": self.proof._asdict()}

    def shown_title(self) -> str:
        return f"Sequence: {self.verdict}"

    def shown_rows(self) -> list[tuple[str, str]]:
        return [("proof", self.proof.statement)]
