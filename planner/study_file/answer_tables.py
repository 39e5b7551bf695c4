"""The tables of an answer as a file."""

from typing import Annotated, Any, Literal

from pydantic import Field

from planner import checks
from planner.answer.question_plan import QuestionPlan
from planner.study_file.individual import Table
from planner.study_file.sections import MOST_STRATA

_MOST_ALTERNATIVES = 100  # several times the number of kinds of mechanism
_Chance = Annotated[float, Field(ge=0, le=1)]


class CardTable(Table):
    """How each person randomises their own answer."""

    truth: checks.Probability
    opposite: checks.Probability
    strength: checks.Probability


class PlanTable(Table):
    """A plan; money is null where it is too large for a number."""

    epsilon: checks.Epsilon
    delta: checks.DeltaValue
    participants: checks.Participants
    compensation: checks.Cost | None
    cost: checks.Cost | None
    failure: _Chance
    slack: dict[str, float | None]
    minimise: Literal["cost", "participants", "epsilon"]
    always_from: int
    power: _Chance | None = None
    invitations: checks.Participants | None = None
    noise: str = ""
    scale: checks.Positive | None = None
    questions: tuple[QuestionPlan, ...] = ()
    card: CardTable | None = None


class TogetherTable(Table):
    """What the plans of all strata make together."""

    epsilon: checks.Epsilon
    delta: checks.DeltaValue
    participants: checks.Participants
    cost: checks.Cost
    failure: _Chance
    total_error: checks.Positive | None


class ShareTable(Table):
    """What one stratum contributes to an answer for all people."""

    name: str
    weight: checks.AnswerRate
    participants: checks.Participants
    invitations: checks.Participants | None
    epsilon: checks.Epsilon
    compensation: checks.Cost
    cost: checks.Cost


class TotalTable(Table):
    """One answer for all people of a study with strata."""

    epsilon: checks.Epsilon
    delta: checks.DeltaValue
    participants: checks.Participants
    cost: checks.Cost
    failure: _Chance
    scale: checks.Positive
    moment: checks.Positive | None = None  # of plans that an earlier version bounded
    shares: tuple[ShareTable, ...] = Field(max_length=MOST_STRATA)


class LeastCostTable(Table):
    """The infimum of the cost, and whether a study attains it."""

    value: checks.Cost | None
    attained: bool


class ProofTable(Table):
    """How the verdict was proved."""

    method: str
    checked: bool
    statement: str


class AnswerFile(Table):
    """An answer as a file."""

    version: str
    title: str
    currency: str
    verdict: Literal["feasible", "infeasible", "undecided"]
    mechanism: str
    plan: PlanTable | TogetherTable | TotalTable | None
    least_cost: LeastCostTable | None
    conflict: list[str]
    conditions: dict[str, str] = Field(description="the words of each condition, by its key")
    relaxations: tuple[dict[str, Any], ...] = ()
    room: tuple[dict[str, Any], ...] = ()
    drops: tuple[dict[str, Any], ...] = ()
    proof: ProofTable
    notes: list[str]
    study: dict[str, Any] = Field(description="the tables of the study file")
    certificate: str = Field(
        "", description="SHA-256 of the certificate that planner certify writes"
    )
    alternatives: tuple["AnswerFile", ...] = Field((), max_length=_MOST_ALTERNATIVES)
    strata: tuple["AnswerFile", ...] = Field((), max_length=MOST_STRATA)
    digest: str = Field("", description="SHA-256 of all else, as JSON with sorted keys")
