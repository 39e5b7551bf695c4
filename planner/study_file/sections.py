"""The sections of a study file: their keys, and the model objects that they build.

Only this file, `reader` and `individual` use scenarios.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, Union

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    StrictBool,
    Tag,
    model_validator,
)

from planner import checks, model
from planner.consumers.loss import OffBy
from planner.consumers.readers import BayesianReader, MinimaxReader
from planner.mechanisms import (
    KINDS,
    GaussianMean,
    GeometricCount,
    GeometricMean,
    LaplaceMean,
    Mechanism,
    Mwem,
    MwemApproximate,
    Net,
    OneOf,
    Repeated,
)
from planner.model.strata import Total
from planner.study_file.failure import FailureKeys
from planner.study_file.groups import GroupsTable
from planner.study_file.individual import IndividualTable, Table
from planner.study_file.questions import Questions, SurveyTarget, survey


class AccuracyTarget(FailureKeys):
    """The section [target] of error and failure."""

    kind: Literal["accuracy"] = "accuracy"
    low: checks.Value | None = Field(None, description="lowest value of a record that is a number")
    high: checks.Value | None = Field(
        None, description="highest value of a record that is a number"
    )
    error: Annotated[float, checks.ERROR_OF_VALUES] | None = None
    deviation_at_most: checks.Positive | None = Field(
        None, description="the most that the standard deviation of the records is: an assumption"
    )

    @model_validator(mode="after")
    def _range_of_values(self) -> Self:
        """Refuse half a range of values."""
        if (self.low is None) != (self.high is None):
            raise ValueError("low and high must be given together, or neither for a share")
        self.build()
        return self

    def build(self) -> model.Accuracy:
        """The target in the model."""
        failure = self.allowed_failure
        if failure is None:
            raise ValueError("failure is missing; give a probability such as 0.05")
        if self.error is None:
            values = None if self.low is None or self.high is None else (self.low, self.high)
            return model.Accuracy(failure=failure, values=values)
        if self.low is not None and self.high is not None:
            numbers = (self.error, self.low, self.high, failure, self.deviation_at_most)
            return model.Accuracy.of_values(*numbers)
        if self.deviation_at_most is not None:
            raise ValueError("deviation_at_most is of values; give low and high, or leave it out")
        return model.Accuracy(error=self.error, failure=failure)


class LossTarget(Table):
    """[target] with kind = "expected-loss"."""

    kind: Literal["expected-loss"]
    at_most: checks.Share
    unit: Literal["counts", "share"] = "counts"
    reader: Literal["bayesian", "minimax"]
    loss: Literal["absolute", "squared", "zero-one"] | None = None
    off_by: checks.Participants | None = Field(None, description="a loss of 1 where off by so many")
    prior_mean: checks.Mean | None = Field(
        None, description="mean of a binomial prior; else uniform"
    )
    possible: tuple[checks.Mean, checks.Mean] | None = None

    @model_validator(mode="after")
    def _of_its_reader(self) -> Self:
        """Refuse keys that belong to another reader."""
        if (self.loss is None) == (self.off_by is None):
            raise ValueError("give either loss or off_by")
        if self.reader == "minimax" and self.prior_mean is not None:
            raise ValueError("prior_mean is for the bayesian reader; a minimax reader has possible")
        if self.reader == "bayesian" and self.possible is not None:
            raise ValueError("possible is for the minimax reader; a bayesian reader has prior_mean")
        self.build()
        return self

    def build(self) -> model.ExpectedLoss:
        """The target in the model."""
        loss = self.loss if self.off_by is None else OffBy(self.off_by)
        consumer: BayesianReader | MinimaxReader
        if self.reader == "bayesian":
            prior = "uniform" if self.prior_mean is None else self.prior_mean
            consumer = BayesianReader(prior, loss)  # type: ignore[arg-type]
        else:
            consumer = MinimaxReader(self.possible or (0.0, 1.0), loss)
        return model.ExpectedLoss(consumer, self.at_most, self.unit)


class PowerTarget(Table):
    """[target] with kind = "power"."""

    kind: Literal["power"]
    null: checks.Mean
    alternative: checks.Mean
    power: checks.Probability = 0.8
    significance: checks.Probability = 0.05
    sides: Literal[1, 2] = 1

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        """Refuse what is no test."""
        self.build()
        return self

    def build(self) -> model.Power:
        """The target in the model."""
        return model.Power(self.null, self.alternative, self.power, self.significance, self.sides)


class DifferenceTarget(FailureKeys):
    """[target] with kind = "difference": an error and a failure, or what a test is to find."""

    kind: Literal["difference"]
    error: checks.Error | None = None
    baseline: checks.Mean | None = None
    change: checks.Change | None = None
    power: checks.Probability | None = None
    significance: checks.Probability | None = None
    sides: Literal[1, 2] | None = None
    baseline_range: tuple[checks.Mean, checks.Mean] | None = None
    margin: checks.Margin | None = None

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        """Refuse what is neither, or both."""
        self.build()
        return self

    def build(self) -> model.Difference:
        """The target in the model."""
        of_error = {"error": self.error, "failure": self.allowed_failure}
        of_test = {name: getattr(self, name) for name in _OF_A_TEST}
        given, tested = (
            {name: value for name, value in some.items() if value is not None}
            for some in (of_error, of_test)
        )
        if given and tested:
            raise ValueError(
                "a difference has either an error and a failure, or what a test is to find "
                f"({', '.join(_OF_A_TEST)}); leave one of the two out"
            )
        for name in ("error", "failure") if given else ("baseline", "change"):
            if name not in given | tested:
                raise ValueError(f"{name} is missing; give a number such as {_SUCH_AS[name]}")
        return model.Difference(**given, **tested)


_OF_A_TEST = ("baseline", "change", "power", "significance", "sides", "baseline_range", "margin")
_SUCH_AS = {"error": "0.05", "failure": "0.05", "baseline": "0.3", "change": "0.1"}


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
        """Refuse one of two keys that belong together."""
        if (self.target_probability is None) != (self.universe_size is None):
            raise ValueError("target_probability and universe_size must be given together")
        return self

    def build(self) -> list[model.Condition]:
        """The conditions in the model."""
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
        """The costs in the model."""
        return model.Costs(**dict(self))


class _Sampling(Table):
    """The section [sampling]: how the people are drawn."""

    population: checks.Participants | None = Field(
        None,
        description="number of people of whom the participants are drawn",
    )
    response_rate: checks.Rate = Field(1.0, description="share of those invited who take part")
    design_effect: checks.DesignEffect = Field(
        1.0, description="variance against that of independent people: an assumption"
    )
    clusters_of: checks.Participants = Field(1, description="number of people drawn together")
    secret: StrictBool = Field(
        False, description="whether nobody learns who of the population is drawn"
    )
    about: Literal["respondents", "all"] | None = Field(
        None, description="whom the answer is about where some do not respond"
    )

    def build(self) -> model.Sampling:
        """The sampling in the model."""
        return model.Sampling(**dict(self))


class _Strata(Table):
    """The section [strata]: what is of all of them; their file has been read before."""

    total: Total | None = Field(
        None,
        description="how the answer for all people is made: of the strata's noisy answers (sum), "
        "with one noise (one-noise), or with one noise beside answers of the strata (both); the "
        "cheaper way by default",
    )


def _without_kind(table: Any) -> Any:
    """The table of a mechanism without its kind."""
    return {key: table[key] for key in table if key != "kind"} if isinstance(table, dict) else table


def kind_of(table: Any) -> str:
    """The kind that a [mechanism] names."""
    return str(table.get("kind", "")) if isinstance(table, dict) else "not a table"


class _Best(Table):
    """A [mechanism] of kind "best"."""

    universe_size: checks.UniverseSize | None = None
    queries: checks.Queries | None = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        """Refuse one of two keys that belong together."""
        if (self.universe_size is None) != (self.queries is None):
            raise ValueError("universe_size and queries must be given together")
        return self

    def build(self) -> list[Mechanism]:
        """All suitable mechanisms: for one share, or for many queries about the participants."""
        if self.universe_size is None or self.queries is None:
            return [LaplaceMean(), GeometricMean(), GaussianMean()]
        sizes, count = (self.universe_size, self.queries), GeometricCount()
        counts = [Repeated(count, self.queries, rule) for rule in ("basic", "optimal")]
        return [*counts, Mwem(*sizes), MwemApproximate(*sizes), Net(*sizes)]


FILE_KINDS: dict[str, Any] = {**KINDS, "best": _Best}
_BY_KIND = tuple(
    Annotated[kind, BeforeValidator(_without_kind), Tag(name)] for name, kind in FILE_KINDS.items()
)


class Repetition(Table):
    """The keys of a repeated [mechanism]."""

    times: checks.Queries
    composition: Literal["basic", "advanced", "closed", "optimal"] | None = None


if TYPE_CHECKING:
    _Mechanism = Mechanism
else:  # a union over the registry, which type checkers cannot follow
    _Mechanism = Annotated[Union[_BY_KIND], Discriminator(kind_of)]  # noqa: UP007


MOST_STRATA = 1000
TARGETS: dict[str, type[Table]] = {
    "accuracy": AccuracyTarget,
    "difference": DifferenceTarget,
    "expected-loss": LossTarget,
    "power": PowerTarget,
    "survey": SurveyTarget,
}
"""The tables of [target] by their kinds."""


def target_kind(table: Any) -> str:
    """The kind of a [target], by default "accuracy"."""
    return str(table.get("kind", "accuracy")) if isinstance(table, dict) else "accuracy"


_AnyTarget = Annotated[
    Annotated[AccuracyTarget, Tag("accuracy")]
    | Annotated[DifferenceTarget, Tag("difference")]
    | Annotated[LossTarget, Tag("expected-loss")]
    | Annotated[PowerTarget, Tag("power")]
    | Annotated[SurveyTarget, Tag("survey")],
    Discriminator(target_kind),
]


class StudyTables(Table):
    """A study file; `repeated` holds times and composition of its mechanism."""

    title: Annotated[str, Field(max_length=200)] = ""
    currency: Annotated[str, Field(max_length=20)] = ""
    target: _AnyTarget
    mechanism: _Mechanism
    individual: IndividualTable
    conditions: _Conditions = _Conditions()
    costs: _Costs = _Costs()
    sampling: _Sampling = _Sampling()
    records: model.Records = model.Records()
    repeated: Repetition | None = Field(None, description="times and composition of [mechanism]")
    question: Questions | None = None
    stratum: Annotated[list[model.Stratum], Field(max_length=MOST_STRATA)] | None = None
    strata: _Strata = _Strata()
    groups: GroupsTable | None = None

    def _mechanisms(self) -> list[Mechanism]:
        """The mechanisms to choose from, repeated where the file says so."""
        given: Any = self.mechanism
        # without a worst cost δ > 0 cannot be compensated
        payable = self.individual.worst_cost is not None or self.individual.base_cost is None
        kept = given.build() if isinstance(given, _Best) else [given]
        if len(kept) > 1 and not payable:
            kept = [m for m in kept if not m.uses_delta]
        if self.repeated is None:
            return kept
        if len(kept) > 1:
            kept = [m for m in kept if not m.uses_delta]
        return [Repeated(m, self.repeated.times, self.repeated.composition) for m in kept]

    def _target(self) -> Any:
        """The target in the model."""
        if isinstance(self.target, SurveyTarget):
            asked = self.question or []
            return survey(self.target, [self.groups.of(q) for q in asked] if self.groups else asked)
        return self.target.build()

    @model_validator(mode="after")
    def _error_given(self) -> Self:
        """Refuse a missing error, which only strata may have in its place."""
        target = self.target
        if isinstance(target, AccuracyTarget) and target.error is None and not self.stratum:
            raise ValueError("target.error is missing; give a fraction of 1, such as 0.05")
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
        self.individual.currency_of(self.currency)
        return self

    def build(self) -> model.Study:
        """The study in the model."""
        mechanisms = self._mechanisms()
        mechanism = mechanisms[0] if len(mechanisms) == 1 else OneOf(tuple(mechanisms))
        return model.Study(
            mechanism=mechanism,
            target=self._target(),
            individual=self.individual.build(mechanism),
            conditions=tuple(self.conditions.build()),
            costs=self.costs.build(),
            sampling=self.sampling.build(),
            records=self.records,
            strata=tuple(self.stratum or ()),
            total=self.strata.total,
            title=self.title,
            currency=self.individual.currency_of(self.currency),
        )
