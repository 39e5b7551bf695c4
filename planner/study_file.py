"""Study files: TOML read into the model. Alone reaches for scenarios."""

import tomllib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    Tag,
    ValidationError,
    model_validator,
)

import scenarios
from planner import model, quantities
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

_REPETITION = ("times", "composition")
_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")


class StudyFileError(ValueError):
    """A study file that cannot be read; the message names file, field, value and what to write."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Target(_Table):
    kind: Literal["accuracy"] = "accuracy"
    low: quantities.Value | None = Field(None, description="lowest value of a record, if no share")
    high: quantities.Value | None = Field(None, description="highest value of a record")
    error: Annotated[float, quantities.ERROR_OF_VALUES]
    failure: quantities.Failure

    @model_validator(mode="after")
    def _range_of_values(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("low and high belong together; give both, or neither for a share")
        self.build()
        return self

    def build(self) -> model.Accuracy:
        if self.low is not None and self.high is not None:
            return model.Accuracy.of_values(self.error, self.low, self.high, self.failure)
        return model.Accuracy(error=self.error, failure=self.failure)


class _Loss(_Table):
    kind: Literal["expected-loss"]
    at_most: quantities.Share
    unit: Literal["counts", "share"] = "counts"
    reader: Literal["bayesian", "minimax"]
    loss: Literal["absolute", "squared", "zero-one"] | None = None
    off_by: quantities.Participants | None = Field(None, description="loss 1 where off by so many")
    prior_mean: quantities.Mean | None = Field(None, description="of a binomial; else uniform")
    possible: tuple[quantities.Mean, quantities.Mean] | None = None

    @model_validator(mode="after")
    def _of_its_reader(self) -> Self:
        if (self.loss is None) == (self.off_by is None):
            raise ValueError("give either loss or off_by")
        if self.reader == "minimax" and self.prior_mean is not None:
            raise ValueError("prior_mean is for the bayesian reader; a minimax one has possible")
        if self.reader == "bayesian" and self.possible is not None:
            raise ValueError("possible is for the minimax reader; a bayesian one has prior_mean")
        self.build()
        return self

    def build(self) -> model.ExpectedLoss:
        from planner.consumers.loss import OffBy
        from planner.consumers.readers import BayesianReader, MinimaxReader

        loss = self.loss if self.off_by is None else OffBy(self.off_by)
        consumer: BayesianReader | MinimaxReader
        if self.reader == "bayesian":
            prior = "uniform" if self.prior_mean is None else self.prior_mean
            consumer = BayesianReader(prior, loss)  # type: ignore[arg-type]
        else:
            consumer = MinimaxReader(self.possible or (0.0, 1.0), loss)
        return model.ExpectedLoss(consumer, self.at_most, self.unit)


class _Individual(_Table):
    scenario: str | None = Field(None, description="a scenario's name, in place of both costs")
    base_cost: quantities.Cost | None = None
    worst_cost: quantities.Cost | None = None
    capped: StrictBool = False

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        given = self.base_cost is not None or self.worst_cost is not None
        if self.scenario is not None and given:
            raise ValueError("give either scenario or base_cost (and worst_cost), not both")
        if self.scenario is None and self.base_cost is None:
            raise ValueError("give a scenario, or base_cost (and worst_cost where it is needed)")
        known = scenarios.read_all()
        if self.scenario is not None and self.scenario not in known:
            raise ValueError(
                f"scenario = {self.scenario!r} is unknown; give one of {', '.join(known)}"
            )
        return self

    def build(self) -> model.Individual:
        if self.base_cost is not None:
            return model.Individual(self.base_cost, self.worst_cost, self.capped)
        harm = scenarios.read_all()[str(self.scenario)]
        event = model.BadEvent(harm.probability, harm.worst_cost, harm.harm)
        return model.Individual(harm.base_cost, harm.worst_cost, self.capped, event)


class _Conditions(_Table):
    budget: quantities.Money | None = None
    max_harm: quantities.Money | None = Field(None, description="money per person")
    min_participants: quantities.Participants | None = None
    max_participants: quantities.Participants | None = None
    epsilon_at_most: quantities.Epsilon | None = None
    epsilon_at_least_one_over_n: StrictBool = False
    target_probability: quantities.Probability | None = None
    universe_size: quantities.UniverseSize | None = None
    delta: quantities.DeltaValue | None = None
    delta_at_most: quantities.DeltaValue | None = None
    delta_times_n_at_most: quantities.Share | None = None

    @model_validator(mode="after")
    def _targeted_publication(self) -> Self:
        if (self.target_probability is None) != (self.universe_size is None):
            raise ValueError("target_probability and universe_size belong together; give both")
        return self

    def build(self) -> list[model.Condition]:
        single: dict[Any, float | None] = {
            model.Budget: self.budget,
            model.Harm: self.max_harm,
            model.PopulationAtLeast: self.min_participants,
            model.Population: self.max_participants,
            model.EpsilonAtMost: self.epsilon_at_most,
            model.Delta: self.delta,
            model.DeltaAtMost: self.delta_at_most,
            model.DeltaTimesNAtMost: self.delta_times_n_at_most,
        }
        found: list[Any] = [kind(value) for kind, value in single.items() if value is not None]
        if self.epsilon_at_least_one_over_n:
            found.append(model.EpsilonAtLeastOneOverN())
        if self.target_probability is not None and self.universe_size is not None:
            found.append(model.TargetedPublication(self.target_probability, self.universe_size))
        return found


class _Costs(_Table):
    per_person: quantities.Cost = 0.0
    overhead: quantities.Cost = 0.0

    def build(self) -> model.Costs:
        return model.Costs(self.per_person, self.overhead)


def _without_kind(table: Any) -> Any:
    return {key: table[key] for key in table if key != "kind"} if isinstance(table, dict) else table


def _kind(table: Any) -> str:
    return str(table.get("kind", "")) if isinstance(table, dict) else "not a table"


class _Best(_Table):
    universe_size: quantities.UniverseSize | None = None
    queries: quantities.Queries | None = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.universe_size is None) != (self.queries is None):
            raise ValueError("universe_size and queries belong together; give both")
        return self

    def build(self) -> list[Mechanism]:
        """All that could do it: for one share, or for many queries about the participants."""
        if self.universe_size is None or self.queries is None:
            return [LaplaceMean(), GeometricMean(), GaussianMean()]
        sizes, count = (self.universe_size, self.queries), GeometricCount()
        counts = [Repeated(count, self.queries, rule) for rule in ("basic", "optimal")]
        return [*counts, Mwem(*sizes), MwemApproximate(*sizes), Net(*sizes)]


_FILE_KINDS: dict[str, Any] = {**KINDS, "best": _Best}
_BY_KIND = tuple(
    Annotated[kind, BeforeValidator(_without_kind), Tag(name)] for name, kind in _FILE_KINDS.items()
)


class _Repetition(_Table):
    times: quantities.Queries
    composition: Literal["basic", "advanced", "closed", "optimal"] = "optimal"


if TYPE_CHECKING:
    _Mechanism = Mechanism
else:  # a union over the registry, which no type checker can read
    _Mechanism = Annotated[Union[_BY_KIND], Discriminator(_kind)]  # noqa: UP007


def _target_kind(table: Any) -> str:
    kind = table.get("kind", "accuracy") if isinstance(table, dict) else "accuracy"
    return kind if kind == "expected-loss" else "accuracy"


_AnyTarget = Annotated[
    Annotated[_Target, Tag("accuracy")] | Annotated[_Loss, Tag("expected-loss")],
    Discriminator(_target_kind),
]


class _StudyFile(_Table):
    title: Annotated[str, Field(max_length=200)] = ""
    currency: Annotated[str, Field(max_length=20)] = ""
    target: _AnyTarget
    mechanism: _Mechanism
    individual: _Individual
    conditions: _Conditions = _Conditions()
    costs: _Costs = _Costs()
    repeated: _Repetition | None = Field(None, description="times and composition of [mechanism]")

    def _mechanisms(self) -> list[Mechanism]:
        given: Any = self.mechanism
        # without a worst cost δ cannot be paid for
        payable = self.individual.build().worst_cost is not None
        found = given.build() if isinstance(given, _Best) else [given]
        kept = [m for m in found if payable or not m.approximate] if len(found) > 1 else found
        if self.repeated is None:
            return kept
        return [Repeated(m, self.repeated.times, self.repeated.composition) for m in kept]

    def build(self) -> model.Study:
        found = self._mechanisms()
        return model.Study(
            mechanism=found[0] if len(found) == 1 else OneOf(tuple(found)),
            target=self.target.build(),
            individual=self.individual.build(),
            conditions=tuple(self.conditions.build()),
            costs=self.costs.build(),
            title=self.title,
            currency=self.currency,
        )


def read_study(path: str | Path) -> model.Study:
    """Read a study file.

    Raises:
        StudyFileError: (a ValueError) the file cannot be read, or holds an unknown key, a value
            out of range or a contradiction.
    """
    try:
        data = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise StudyFileError(f"{path}: {reason}; give the path of a study file") from None
    except UnicodeDecodeError:
        raise StudyFileError(f"{path}: not a text file in UTF-8; give a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyFileError(f"{path}: not valid TOML: {error}") from None
    if "repeated" in data:  # how times and composition are kept apart, not a section
        raise StudyFileError(f"{path}: unknown key repeated; give times in [mechanism]")
    several = data.get("mechanism")
    tables = several if isinstance(several, list) and several else [several]
    studies = [_built(path, {**data, "mechanism": table} if several else data) for table in tables]
    if len(studies) == 1:
        return studies[0]
    mechanisms = [
        one
        for study in studies
        for one in (
            study.mechanism.mechanisms if isinstance(study.mechanism, OneOf) else [study.mechanism]
        )
    ]
    return replace(studies[0], mechanism=OneOf(tuple(mechanisms)))


def _built(path: str | Path, data: dict[str, Any]) -> model.Study:
    """The study of a file with one section for its mechanism."""
    table = data.get("mechanism")
    if isinstance(table, dict) and any(key in table for key in _REPETITION):
        repeated = {key: table[key] for key in _REPETITION if key in table}
        others = {key: table[key] for key in table if key not in _REPETITION}
        data = {**data, "mechanism": others, "repeated": repeated}
    try:
        return _StudyFile.model_validate(data).build()
    except ValidationError as error:
        # a misspelt key is also a missing one: name the misspelling
        worst = min(error.errors(), key=lambda e: e["type"] not in _UNKNOWN_KEY)
        raise StudyFileError(f"{path}: {_sentence(worst, data)}") from None


def schema() -> dict[str, Any]:
    """The JSON Schema of study files."""
    found = _StudyFile.model_json_schema()
    for name, kind in _FILE_KINDS.items():
        table = found["$defs"][kind.__name__]
        table["properties"] = {"kind": {"const": name}, **table["properties"]}
        table["required"] = ["kind", *table.get("required", [])]
        table["properties"] |= found["$defs"]["_Repetition"]["properties"]
    one = found["properties"]["mechanism"]
    found["properties"]["mechanism"] = {"anyOf": [one, {"type": "array", "items": one}]}
    del found["properties"]["repeated"], found["$defs"]["_Repetition"]
    return found


def _sentence(error: Any, data: dict[str, Any]) -> str:
    """What is wrong, where, and what to write instead."""
    place = [
        str(part)
        for part in error["loc"]
        if part not in (*_FILE_KINDS, "accuracy", "expected-loss")
    ]
    where = ".".join(place).replace("repeated.", "mechanism.")
    value = error["input"]
    match error["type"]:
        case "quantity":
            return f"{where} = {error['msg']}"
        case unknown if unknown in _UNKNOWN_KEY:
            known = _keys(place[:-1], data)
            near = get_close_matches(place[-1], known, 1)
            return f"unknown key {where}; " + (
                f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
            )
        case "missing" | "missing_argument":
            return f"{where} is missing; give {_wanted(place, data)}"
        case "union_tag_invalid" if isinstance(value, dict) and "kind" not in value:
            return f"{where}.kind is missing; give one of {', '.join(_FILE_KINDS)}"
        case "union_tag_invalid" if isinstance(value, dict):
            names = ", ".join(_FILE_KINDS)
            return f"{where}.kind = {value['kind']!r} is unknown; give one of {names}"
        case "literal_error":
            return f"{where} = {value!r} is not allowed; give {error['ctx']['expected']}"
        case "value_error":
            return ": ".join(filter(None, [where, str(error["ctx"]["error"])]))
        case "string_type":
            return f"{where} = {value!r} is not allowed; give text in quotes"
        case "bool_type":
            return f"{where} = {value!r} is not allowed; give true or false"
        case "model_type" | "dict_type" | "union_tag_invalid":
            return f"{where} = {value!r} is not a table; give a section [{where}]"
    return f"{where} = {value!r} is not allowed: {error['msg']}"


def _fields(place: list[str], data: dict[str, Any]) -> dict[str, Any]:
    """The fields of the file at a place."""
    if not place:
        return dict(_StudyFile.model_fields)
    if place == ["mechanism"]:
        kind = _FILE_KINDS[_kind(data["mechanism"])]
        return dict(kind.__pydantic_fields__)
    table: Any = _StudyFile.model_fields[place[0]].annotation
    if place == ["target"]:
        table = _Loss if _target_kind(data["target"]) == "expected-loss" else _Target
    return dict(table.model_fields)


def _keys(place: list[str], data: dict[str, Any]) -> list[str]:
    return ["kind"] * (place == ["mechanism"]) + list(_fields(place, data))


def _wanted(place: list[str], data: dict[str, Any]) -> str:
    field = _fields(place[:-1], data)[place[-1]]
    for limits in field.metadata:
        if isinstance(limits, quantities.Allowed):
            return limits.words
    choices = get_args(field.annotation)
    if get_origin(field.annotation) is Literal:
        return "one of " + ", ".join(map(str, choices))
    return f"a section [{place[-1]}]"
