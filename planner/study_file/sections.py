"""The sections of a study file: their keys, and the model objects that they build.

Only this file, `reader` and `individual` use scenarios.
"""

from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, StrictBool, model_validator

from planner import checks, model
from planner.mechanisms import KINDS, Mechanism, kinds
from planner.model.study import NOTHING_TO_LOSE
from planner.study_file.groups import GroupsTable
from planner.study_file.individual import IndividualTable, Table
from planner.study_file.questions import Questions, SurveyTarget, by_kind, survey
from planner.study_file.targets import AccuracyTarget, AnyTarget, target_kind

SINGLE_CONDITIONS: dict[str, Any] = {
    kind.key: kind
    for kind in (
        model.Budget,
        model.MaxHarm,
        model.MinParticipants,
        model.MaxParticipants,
        model.EpsilonAtMost,
        model.Delta,
        model.DeltaAtMost,
        model.DeltaTimesNAtMost,
    )
}
"""The conditions of one number, by their keys."""


class _Conditions(Table):
    """The section [conditions]."""

    budget: checks.Money | None = None
    max_harm: checks.Money | None = Field(None, description="maximum harm per person, in money")
    min_participants: checks.Participants | None = None
    max_participants: checks.Participants | None = None
    epsilon_at_most: checks.Epsilon | None = None
    epsilon_at_least_one_over_n: StrictBool = False
    target_probability: checks.Probability | None = None
    universe_size: checks.UniverseSize | None = None
    delta: checks.DeltaValue | None = None
    delta_at_most: checks.DeltaValue | None = None
    delta_times_n_at_most: checks.Share | None = None

    @model_validator(mode="after")
    def _targeted_publication(self) -> Self:
        if (self.target_probability is None) != (self.universe_size is None):
            raise ValueError("target_probability and universe_size must be given together")
        return self

    def build(self) -> list[model.Condition]:
        conditions: list[Any] = [
            kind(value)
            for key, kind in SINGLE_CONDITIONS.items()
            if (value := getattr(self, key)) is not None
        ]
        if self.epsilon_at_least_one_over_n:
            conditions.append(model.EpsilonAtLeastOneOverN())
        if self.target_probability is not None and self.universe_size is not None:
            conditions.append(
                model.TargetedPublication(self.target_probability, self.universe_size)
            )
        return conditions


class _Costs(Table):
    """The section [costs]: money that is not compensation."""

    per_person: checks.Cost = 0.0
    overhead: checks.Cost = 0.0
    per_invitation: checks.Cost = Field(
        0.0, description="money for each person invited, who takes part with the response rate"
    )
    incentive: checks.Cost = Field(
        0.0, description="what each participant is paid at least, for the risk included"
    )
    smallest_coin: checks.Cost = Field(
        0.0, description="payments are rounded up to multiples of it, such as 0.01"
    )

    def build(self) -> model.Costs:
        return model.Costs(**dict(self))


if TYPE_CHECKING:
    _Mechanism = Mechanism
else:  # a union over the registry, which type checkers cannot follow
    _Mechanism = by_kind(KINDS)


def with_kind(data: dict[str, Any]) -> dict[str, Any]:
    """The tables of a study file, where [mechanism] has no kind with what its target implies."""
    table, target = data.get("mechanism", {}), data.get("target", {})
    if not isinstance(table, dict) or "kind" in table or not isinstance(target, dict):
        return data
    asked = "survey" if "question" in data else target_kind(target)
    if asked == "difference" and "error" not in target:
        asked = "power"
    sampling = data.get("sampling", {})
    drawn = sampling if isinstance(sampling, dict) else {}
    one_by_one = not any(drawn.get(key, 1) != 1 for key in ("design_effect", "clusters_of"))
    kind = kinds.implied(asked, "low" in target, one_by_one, target.get("curator") is not False)
    return {**data, "mechanism": {"kind": kind, **table}}


MOST_STRATA = 1000


class StudyTables(Table):
    """A study file."""

    title: Annotated[str, Field(max_length=200)] = ""
    currency: Annotated[str, Field(max_length=20)] = ""
    target: AnyTarget
    mechanism: _Mechanism
    individual: IndividualTable = Field(  # type: ignore[assignment]
        None, description="without it nobody is paid"
    )
    conditions: _Conditions = _Conditions()
    costs: _Costs = _Costs()
    sampling: model.Sampling = model.Sampling()
    records: model.Records = model.Records()
    question: Questions | None = None
    stratum: Annotated[list[model.Stratum], Field(max_length=MOST_STRATA)] | None = None
    groups: GroupsTable | None = None

    def _target(self) -> Any:
        asked = self.question or []
        if isinstance(self.target, SurveyTarget):
            return survey(self.target, [self.groups.of(q) for q in asked] if self.groups else asked)
        return self.target.build()

    @model_validator(mode="after")
    def _error_given(self) -> Self:
        target = self.target
        if isinstance(target, AccuracyTarget) and target.error is None and not self.stratum:
            raise ValueError("target.error is missing; give a fraction of 1, such as 0.05")
        own = any(one.error is not None for one in self.stratum or ())
        if isinstance(target, AccuracyTarget) and target.times_error != 1 and not own:
            raise ValueError("times_error is for the errors of questions or strata; give error")
        no_curator = isinstance(target, AccuracyTarget) and target.curator is False
        if no_curator and kinds.is_curated(self.mechanism):
            raise ValueError(
                f"target.curator = false, but {self.mechanism.kind} has a curator who holds the "
                "answers; leave [mechanism] out, or curator"
            )
        return self

    @model_validator(mode="after")
    def _in_groups(self) -> Self:
        """Refuse groups without questions, and questions that no group can have."""
        if self.groups is not None:
            if not isinstance(self.target, SurveyTarget):
                raise ValueError(
                    'groups is for questions; ask in a section [[question]] with kind = "share", a '
                    "name and an error, and leave target.error and mechanism out"
                )
            self._target()
        return self

    @model_validator(mode="after")
    def _one_currency(self) -> Self:
        """Refuse a scenario in another currency without an exchange rate."""
        _ = self._currency
        return self

    @property
    def _currency(self) -> str:
        return (
            self.currency if self.individual is None else self.individual.currency_of(self.currency)
        )

    def _strata(self) -> tuple[model.Stratum, ...]:
        strata, target = tuple(self.stratum or ()), self.target
        if not isinstance(target, AccuracyTarget) or target.times_error == 1:
            return strata
        return tuple(one.with_error_times(target.times_error) for one in strata)

    def build(self) -> model.Study:
        return model.Study(
            mechanism=self.mechanism,
            target=self._target(),
            individual=NOTHING_TO_LOSE if self.individual is None else self.individual.build(),
            conditions=tuple(self.conditions.build()),
            costs=self.costs.build(),
            sampling=self.sampling,
            records=self.records,
            strata=self._strata(),
            title=self.title,
            currency=self._currency,
        )
