"""The three answers: a plan, a proof that none exists, or "undecided"."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from planner.answer.card import Card
from planner.answer.proof.plan import Proof
from planner.answer.question_plan import QuestionPlan
from planner.answer.sample_plan import Pool
from planner.model import Study
from planner.show import Shown


class AnyAnswer(Shown):
    """What all answers have in common."""

    study: Study
    verdict: ClassVar[str]

    def shown_title(self) -> str:
        """The study and the verdict."""
        return f"{self.study.title or 'Study'}: {self.verdict}"

    def to_dict(self) -> dict[str, Any]:
        """As `planner solve --json` prints it."""
        return to_dict(self)  # type: ignore[arg-type]


@dataclass(frozen=True, repr=False)
class Plan(AnyAnswer):
    """A feasible study.

    Attributes:
        study: the study.
        minimise: the objective: "cost", "participants" or "epsilon".
        epsilon: ε [> 0].
        delta: δ [[0, 1)].
        participants: N [whole, ≥ 1].
        compensation: money for each participant.
        cost: money for the whole study.
        failure: the failure probability that the plan achieves (or its bound); None where the
            target is an expected loss.
        loss: the expected loss that the plan achieves, in the target's unit; None where the target
            is an accuracy.
        questions: what each question of a survey gets; empty where one question is asked.
        invitations: how many to invite on average; None where all who are invited take part.
        pool: what each of a population bears and is paid of whom nobody knows who is drawn; else
            None.
        card: how each person randomises their own answer; None where a curator holds the records.
        alternatives: the answers by the study's other mechanisms, where it may choose.
        slack: the room left in each condition, in its own unit.
        least_cost: the infimum of the cost over all feasible studies [money].
        attained: whether a study attains `least_cost`.
        proof: how the plan was checked.
        notes: further remarks, in sentences.
        always_from: the smallest N from which this ε always suffices for the accuracy; over
            `participants` where the exact failure probability saw-tooths in N.
    """

    verdict: ClassVar[str] = "feasible"
    study: Study
    minimise: str
    epsilon: float
    delta: float
    participants: int
    compensation: float
    cost: float
    failure: float | None
    slack: dict[str, float]
    least_cost: float
    attained: bool
    proof: Proof
    notes: tuple[str, ...] = ()
    always_from: int = 0
    loss: float | None = None
    alternatives: tuple["Answer", ...] = ()
    questions: tuple[QuestionPlan, ...] = ()
    card: Card | None = None
    invitations: int | None = None
    pool: Pool | None = None


@dataclass(frozen=True, repr=False)
class Infeasible(AnyAnswer):
    """No N, ε and δ meet all conditions.

    Attributes:
        study: the study.
        conflict: labels of conditions that conflict; without any one of them a study exists (but a
            bound on δ is kept wherever accuracy depends on δ).
        proof: why none exists.
        notes: further remarks, in sentences.
    """

    verdict: ClassVar[str] = "infeasible"
    study: Study
    conflict: tuple[str, ...]
    proof: Proof
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Undecided(AnyAnswer):
    """Neither a plan nor its impossibility could be proved.

    Attributes:
        study: the study.
        proof: what was tried.
        notes: further remarks, in sentences.
    """

    verdict: ClassVar[str] = "undecided"
    study: Study
    proof: Proof
    notes: tuple[str, ...] = ()


Answer = Plan | Infeasible | Undecided
Given = Study | Answer
"""Whatever takes a study takes its answer too."""


def study_of(given: Given) -> Study:
    """The study, or that of an answer: of several mechanisms, by that of its plan."""
    return given.study if isinstance(given, AnyAnswer) else given


def to_dict(
    answer: Answer,
    relaxations: Iterable[Shown] = (),
    room: Iterable[Shown] = (),
) -> dict[str, Any]:
    """The answer as plain data, in the shape that `planner solve --json` prints."""
    plan = least_cost = None
    if isinstance(answer, Plan):
        fields = ("epsilon", "delta", "participants", "compensation", "cost", "failure", "slack")
        plan = {name: getattr(answer, name) for name in fields}
        if answer.loss is not None:
            plan["loss"] = answer.loss
        if answer.questions:
            plan["questions"] = [question.to_dict() for question in answer.questions]
        if answer.invitations is not None:
            plan["invitations"] = answer.invitations
        if answer.pool is not None:
            plan["pool"] = answer.pool._asdict()
        if answer.card:
            plan["card"] = answer.card.to_dict()
        least_cost = {"value": answer.least_cost, "attained": answer.attained}
    others = answer.alternatives if isinstance(answer, Plan) else ()
    choice: dict[str, Any] = {}
    if others:
        choice = {
            "mechanism": answer.study.mechanism.words,
            "alternatives": [
                {"mechanism": other.study.mechanism.words, **to_dict(other)} for other in others
            ],
        }
    return {
        "title": answer.study.title,
        "verdict": answer.verdict,
        "plan": plan,
        "least_cost": least_cost,
        "conflict": list(answer.conflict) if isinstance(answer, Infeasible) else [],
        "relaxations": [change.to_dict() for change in relaxations],
        **({"room": [change.to_dict() for change in room]} if room else {}),
        "proof": answer.proof._asdict(),
        "notes": list(answer.notes),
        **choice,
    }
