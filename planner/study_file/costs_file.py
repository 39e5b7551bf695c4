"""What a pilot found about base costs, as a file: written by `planner costs`, named in study files.

In [individual] `base_costs = { pilot = "costs.toml" }` stands for the people of the pilot, and
`base_cost = { pilot = "costs.toml" }` for their median, which is then uncertain; `worst_cost`
likewise.
"""

import math
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from planner import checks
from planner.model.people import Accepting, ObservedShare
from planner.study_file import text
from planner.study_file.text import StudyFileError
from planner.wording import named, quoted

CONFIDENCE = 0.95
"""Of all intervals in the file."""
_PILOT = "pilot"
_HALF_WIDTH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
Curve = Literal["log-normal", "observed"]


class Costs(BaseModel):
    """The median of costs with its 95 % interval, and how far people differ."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    median: checks.Share = Field(description="cost that half of the people do not exceed")
    low: checks.Cost = Field(description="lower end of the 95 % interval of the median")
    high: checks.Share = Field(description="upper end of it")
    spread: checks.Share = Field(
        description="factor of the median within which two thirds of the people lie"
    )

    @property
    def uncertain_median(self) -> dict[str, Any]:
        """A number of a study file: log-normal, with an interval as wide as the median's."""
        if not 0 < self.low < self.high:
            raise ValueError(f"low = {self.low!r} has no logarithm below high; give base_costs")
        factor = math.exp(math.log(self.high / self.low) / (2 * _HALF_WIDTH))
        return {"log_normal": [self.median, factor]}

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.low <= self.median <= self.high:
            raise ValueError(
                f"low = {self.low!r}, median = {self.median!r} and high = {self.high!r} are not in "
                "order; give them so"
            )
        if not self.spread > 1:
            raise ValueError(f"spread = {self.spread!r} is not above 1; give a factor such as 2")
        return self


class BaseCosts(Costs):
    """Base costs, and what else a file of them holds."""

    currency: str = Field("", description="of all amounts")
    never: checks.DeltaValue = Field(0.0, description="proportion who would not take part at all")
    largest: checks.Share | None = Field(None, description="largest cost that was asked about")
    observed: list[tuple[Accepting, checks.Cost]] = Field(
        default_factory=list,
        description="pairs of a proportion of the people and a base cost that they do not exceed",
    )
    intervals: list[ObservedShare] = Field(
        default_factory=list,
        description="base costs, each with the proportion observed to have at most that, and the "
        "ends of its 95 % interval",
    )
    worst_cost: Annotated[Costs | None, Field(description="cost of certain publication")] = None

    def people(self, curve: Curve) -> dict[str, Any]:
        """The `base_costs` of a study file: a distribution, or what was observed."""
        listed = [list(one) for one in self.intervals]
        intervals = {"intervals": listed} if listed else {}
        if curve == "observed":
            if not self.observed:
                raise ValueError("observed is missing; give curve = 'log-normal'")
            return {"observed": [list(pair) for pair in self.observed], **intervals}
        return {
            "log_normal": [self.median, self.spread],
            **({"never": self.never} if self.never else {}),
            **({} if self.largest is None else {"largest": self.largest}),
            **intervals,
        }

    def number(self, key: str) -> dict[str, Any]:
        """The uncertain `base_cost` or `worst_cost` of a study file.

        Raises:
            ValueError: nobody was asked about certain publication, or a median has no interval.
        """
        if key == "base_cost":
            return self.uncertain_median
        if self.worst_cost is None:
            raise ValueError(
                "worst_cost is missing: nobody was asked about certain publication; give a number "
                "in the study file"
            )
        return self.worst_cost.uncertain_median


def read_costs(path: str | Path) -> BaseCosts:
    """Read a file of base costs.

    Raises:
        StudyFileError: (a ValueError) it cannot be read, or holds a key or value that is not
            allowed.
    """
    return costs_of(text.parsed(text.read(path), str(path)), str(path))


def costs_of(data: dict[str, Any], path: str) -> BaseCosts:
    """The base costs in the keys of a file; see `read_costs`."""
    try:
        return BaseCosts.model_validate(data)
    except ValidationError as error:
        # a misspelt key is also a missing one; report the misspelling
        first = min(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
        place = ".".join(named(str(part)) for part in first["loc"])
        match first["type"]:
            case "extra_forbidden":
                known = ", ".join(BaseCosts.model_fields)
                raise StudyFileError(f"{path}: unknown key {place}; known here: {known}") from None
            case "missing":
                wanted = "a file that planner costs -o wrote"
                raise StudyFileError(f"{path}: {place} is missing; give {wanted}") from None
            case "quantity":
                raise StudyFileError(f"{path}: {place} = {first['msg']}") from None
            case "value_error":
                raise StudyFileError(f"{path}: {first['ctx']['error']}") from None
        raise StudyFileError(
            f"{path}: {place} = {quoted(first['input'])} is not allowed: {first['msg']}"
        ) from None


def with_pilot(data: dict[str, Any], path: Path, given: BaseCosts | None = None) -> dict[str, Any]:
    """The tables of a study file with what the file says that [individual] names as its pilot.

    Raises:
        StudyFileError: the file cannot be read, or is in another currency.
    """
    person = data.get("individual")
    if not isinstance(person, dict):
        return data
    own = dict(person)
    for key in ("base_costs", "base_cost", "worst_cost"):
        table = own.get(key)
        if isinstance(table, dict) and _PILOT in table:
            own[key] = _found(key, table, path, data.get("currency"), given)
    return {**data, "individual": own}


def _found(
    key: str, table: dict[str, Any], path: Path, currency: Any, given: BaseCosts | None
) -> dict[str, Any]:
    where = f"{path}: individual.{key}"
    known = (_PILOT, "curve") if key == "base_costs" else (_PILOT,)
    unknown = [name for name in table if name not in known]
    if unknown:
        raise StudyFileError(
            f"{where}: unknown key {named(unknown[0])}; known here: {', '.join(known)}"
        )
    curve = table.get("curve", "log-normal")
    if not isinstance(table[_PILOT], str):
        raise StudyFileError(f'{where}: pilot is no text; give pilot = "costs.toml"')
    if curve not in ("log-normal", "observed"):
        raise StudyFileError(
            f"{where}: curve = {quoted(curve)} is not allowed; give 'log-normal' or 'observed'"
        )
    file = path.parent / table[_PILOT]
    costs = given or read_costs(file)
    if costs.currency and currency not in (None, "", costs.currency):
        raise StudyFileError(
            f"{where}: {file} is in {costs.currency} and the study in {quoted(currency)}; give "
            "both in one currency"
        )
    try:
        return costs.people(curve) if key == "base_costs" else costs.number(key)
    except ValueError as error:
        raise StudyFileError(f"{file}: {error}") from None
