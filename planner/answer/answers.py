"""The three answers: a plan, a proof that none exists, or "undecided".

Where there is no curator a plan has a card, which each person is handed (Warner 1965).
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from planner.answer.problem.problem import each, problem_of
from planner.answer.proof.plan import Proof
from planner.answer.question_plan import QuestionPlan
from planner.answer.strata.share import StratumShare
from planner.mechanisms import kinds
from planner.mechanisms.randomized_response import RandomizedResponse, printed_card
from planner.model import Choice, Study
from planner.numbers import not_above
from planner.output import program_version
from planner.show import Parts, Shown, view
from planner.wording import quoted, several

_MOST_NAMES = 4
"""Of strata that a message lists."""


class Card(NamedTuple):
    """How a person randomises their own answer.

    Attributes:
        truth: p, the probability with which the true answer is reported, a decimal [(1/2, 1)].
        opposite: q = 1 − p, with which the opposite is.
    """

    truth: Fraction
    opposite: Fraction

    @property
    def strength(self) -> Fraction:
        """By how much reports tell people apart: p − q."""
        return self.truth - self.opposite

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the estimate is (proportion of reports − opposite)/strength."""
        return {name: float(getattr(self, name)) for name in ("truth", "opposite", "strength")}


class AnyAnswer(Shown):
    """What all answers have in common."""

    study: Study
    verdict: ClassVar[str]

    def shown_title(self) -> str:
        return f"{self.study.title or 'Study'}: {self.verdict}"

    def to_dict(self) -> dict[str, Any]:
        return to_dict(self)  # type: ignore[arg-type]

    def save(self, path: str | Path, force: bool = True) -> None:
        """Write the answer as a file, which `planner.read_answer` reads.

        Raises:
            ValueError: the file cannot be written, or the study holds what no file can.
        """
        view(type(self), "save")(self, path, force)

    def certificate(self) -> str:
        """The text of its certificate, which `planner/certificate` checks by itself.

        Raises:
            ValueError: the answer is undecided.
        """
        return str(view(type(self), "certificate")(self))


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
        failure: the failure probability that the plan achieves (or its bound), of a test that to
            miss the alternative.
        questions: what each question of a survey gets; empty where one question is asked.
        invitations: how many to invite, so that enough take part; None where all do.
        card: how each person randomises their own answer; None where a curator holds the records.
        noise: on the answer of one question: "laplace", "geometric" or "gaussian"; without a
            curator "answer", as people report it; empty where the mechanism adds none.
        scale: of that noise, in the unit of the answer: of Gaussian noise its standard deviation.
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
    failure: float
    slack: dict[str, float]
    least_cost: float
    attained: bool
    proof: Proof
    notes: tuple[str, ...] = ()
    always_from: int = 0
    alternatives: tuple["Answer", ...] = ()
    questions: tuple[QuestionPlan, ...] = ()
    card: Card | None = None
    invitations: int | None = None
    noise: str = ""
    scale: float | None = None

    def __post_init__(self) -> None:
        """Questions print as a table."""
        object.__setattr__(self, "questions", Parts(self.questions))

    def row(self) -> dict[str, Any]:
        """Its numbers in a table of strata or of studies."""
        names = (
            *("epsilon", "delta", "participants", "invitations"),
            *("compensation", "cost", "failure"),
        )
        numbers = {name: getattr(self, name) for name in names}
        error = None
        if self.study.survey is None and self.study.power is None:
            target: Any = self.study.target
            error = target.in_unit(target.error)
        return {"name": self.study.title, "verdict": self.verdict, **numbers, "error": error}

    @property
    def power(self) -> float | None:
        """The power that the plan achieves, rounded down; None where it is not a test."""
        if self.study.power is None:
            return None
        return not_above(1 - Fraction(self.failure))


class _WithoutPlan(AnyAnswer):
    """An answer without a plan: the plan's numbers are None, so that answers can be tabulated."""

    epsilon: ClassVar[None] = None
    delta: ClassVar[None] = None
    participants: ClassVar[None] = None
    compensation: ClassVar[None] = None
    cost: ClassVar[None] = None
    failure: ClassVar[None] = None
    least_cost: ClassVar[None] = None


@dataclass(frozen=True, repr=False)
class Infeasible(_WithoutPlan):
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
class Undecided(_WithoutPlan):
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


class _OfStrata(AnyAnswer):
    """What feasible studies with strata have in common."""

    verdict: ClassVar[str] = "feasible"
    minimise: ClassVar[str] = "cost"
    strata: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Strata print as a table."""
        object.__setattr__(self, "strata", Parts(self.strata))

    @property
    def epsilon(self) -> float:
        """The largest ε of any stratum's people."""
        return float(max(one.epsilon for one in self.strata))

    @property
    def compensation(self) -> float:
        """The least that any stratum's people are paid [money]."""
        return float(min(one.compensation for one in self.strata))

    @property
    def invitations(self) -> int | None:
        """How many people are to be invited in all; None where all take part."""
        if all(one.invitations is None for one in self.strata):
            return None
        return sum(one.invitations or one.participants for one in self.strata)


@dataclass(frozen=True, repr=False)
class StrataPlan(_OfStrata):
    """A feasible study with strata.

    Attributes:
        study: the study.
        strata: the plan of each stratum as a study by itself, in order; its title is its name.
        failure: the probability, at most, that the answer of any stratum is off by its error.
        participants: how many people take part in all.
        cost: of the whole study, overhead included [money].
        total_error: by how much or more the answer for all people, the weighted sum of the strata's
            answers, is off with probability α at most, by itself, in its unit; None where that is
            not known, as of a survey or of other noise than Laplace's.
        proof: how the plan was checked.
        notes: further remarks, in sentences.
    """

    study: Study
    strata: tuple[Plan, ...]
    failure: float
    participants: int
    cost: float
    total_error: float | None
    proof: Proof
    notes: tuple[str, ...] = ()

    def stratum(self, name: str) -> Plan:
        """The plan of a stratum, a study by itself.

        Raises:
            ValueError: none has this name.
        """
        for plan in self.strata:
            if plan.study.title == name:
                return plan
        near = several([quoted(plan.study.title) for plan in self.strata[:_MOST_NAMES]])
        raise ValueError(f"no stratum is named {quoted(name)}; give one such as {near}")

    @property
    def delta(self) -> float:
        """The largest δ of any stratum's people."""
        return max(plan.delta for plan in self.strata)


@dataclass(frozen=True, repr=False)
class TotalPlan(_OfStrata):
    """One answer for all people, of a sample from every stratum.

    Attributes:
        study: the study.
        strata: what each stratum contributes, in order.
        failure: the probability that the answer is off by its error or more, at most.
        participants: how many people take part in all.
        cost: of the whole study, overhead included [money].
        scale: b, of the one noise on the weighted sum of the strata's means, in its unit.
        proof: how the plan was checked.
        notes: further remarks, in sentences.
    """

    delta: ClassVar[float] = 0.0
    study: Study
    strata: tuple[StratumShare, ...]
    failure: float
    participants: int
    cost: float
    scale: float
    proof: Proof
    notes: tuple[str, ...] = ()


Answer = Plan | StrataPlan | TotalPlan | Infeasible | Undecided
Given = Study | Answer
"""Whatever takes a study takes its answer too."""


def study_of(given: Given) -> Study:
    """The study, or that of an answer: of several mechanisms, by that of its plan.

    Raises:
        ValueError: it is neither, such as the name of a file.
    """
    study = given.study if isinstance(given, AnyAnswer) else given
    if not isinstance(study, Study):
        raise ValueError(f"{quoted(study)} is not a Study; planner.read_study reads a file")
    return study


def condition_words(study: Study) -> dict[str, str]:
    """The words of each condition of a study, its target among them, by its key."""
    if study.strata:
        strata = {f"stratum.{one.name}": f"stratum {one.name}" for one in study.strata}
        own = {condition.key: condition.label for condition in study.conditions}
        return {"target": study.target.label, **own, **strata}
    return {c.key: c.label for one in each(study) for c in problem_of(one).conditions}


def plan_to_dict(plan: Answer) -> dict[str, Any] | None:
    """A plan as plain data; None of another answer."""
    if not isinstance(plan, Plan):
        return None
    keys = {label: key for key, label in condition_words(plan.study).items()}
    fields = ("epsilon", "delta", "participants", "compensation", "cost", "failure")
    rest = ("minimise", "always_from", "power", "invitations", "noise", "scale")
    data = {
        **{name: getattr(plan, name) for name in fields},
        "slack": {keys[label]: room for label, room in plan.slack.items()},
        **{name: value for name in rest if (value := getattr(plan, name)) not in (None, "")},
    }
    if plan.questions:
        data["questions"] = [question.to_dict() for question in plan.questions]
    if plan.card:
        data["card"] = plan.card.to_dict()
    return data


def to_dict(
    answer: Answer,
    relaxations: Iterable[Shown] = (),
    room: Iterable[Shown] = (),
) -> dict[str, Any]:
    """The answer as plain data, in the shape that `planner solve --json` prints.

    It is complete by itself: with the study, and what to run. Conditions are named by their keys in
    study files, with the words of each beside them.
    """
    study = answer.study
    words = condition_words(study)
    keys = {label: key for key, label in words.items()}
    conflict = answer.conflict if isinstance(answer, Infeasible) else ()
    least: dict[str, Any] | None = None
    others: tuple[Answer, ...] = ()
    strata: tuple[Plan, ...] = ()
    together: dict[str, Any] | None = None
    if isinstance(answer, StrataPlan):
        strata = answer.strata
        names = ("epsilon", "delta", "participants", "cost", "failure", "total_error")
        together = {name: getattr(answer, name) for name in names}
    if isinstance(answer, TotalPlan):
        own = ("epsilon", "delta", "participants", "cost", "failure", "scale")
        together = {name: getattr(answer, name) for name in own}
        together["shares"] = [asdict(share) for share in answer.strata]
    if isinstance(answer, Plan):
        least = {"value": answer.least_cost, "attained": answer.attained}
        others = answer.alternatives
    return {
        "version": program_version(),
        "title": study.title,
        "currency": study.currency,
        "verdict": answer.verdict,
        "mechanism": kinds.words(study.mechanism),
        "plan": plan_to_dict(answer) if together is None else together,
        "least_cost": least,
        "conflict": [keys[label] for label in conflict],
        "conditions": words,
        "relaxations": [change.to_dict() for change in relaxations],
        **({"room": [change.to_dict() for change in room]} if room else {}),
        "proof": answer.proof._asdict(),
        "notes": list(answer.notes),
        "study": view(Study, "tables")(study),
        **({"alternatives": [to_dict(other) for other in others]} if others else {}),
        **({"strata": [to_dict(plan) for plan in strata]} if strata else {}),
    }


def card_of(study: Study, choice: Choice) -> Card | None:
    """The card of a plan; None where a curator holds the records."""
    if not isinstance(study.mechanism, RandomizedResponse):
        return None
    epsilon, _, participants = choice
    target = study.accuracy
    truth = printed_card(study.mechanism, epsilon, participants, target.error, target.failure)
    return Card(truth, 1 - truth)
