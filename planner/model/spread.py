"""An uncertain or varying number: an interval or a distribution.

Each kind has quantiles and a distribution function; an interval makes no claim about what is
likely inside it, and is sampled uniformly where it must be sampled.
"""

import math
from abc import abstractmethod
from dataclasses import fields
from typing import Any, ClassVar, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Share, Value
from planner.libraries import np, scipy
from planner.wording import named, quoted


class Spread:
    """A number somewhere between `low` and `high`."""

    name: ClassVar[str]
    """What study files call the kind."""
    estimated: ClassVar[bool] = False
    """Whether it stands for what some people answered."""
    low: float
    high: float

    @abstractmethod
    def quantile(self, share: Any) -> Any:
        """The quantile at a proportion, a number or array in [0, 1]."""

    @abstractmethod
    def share_up_to(self, value: float) -> float:
        """The distribution function at `value`."""

    @property
    def steps(self) -> tuple[float, ...]:
        """The values at which the distribution function rises; none where it does so everywhere."""
        return ()

    @property
    def median(self) -> float:
        return float(self.quantile(0.5))

    def scaled(self, factor: float) -> "Spread":
        """The same spread of amounts that are all so many times as large.

        Args:
            factor: by which each is multiplied [> 0].
        """
        values = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*(factor * value for value in values))

    def table(self) -> dict[str, Any]:
        """The table of a study file that describes it."""
        return {self.name: [getattr(self, field.name) for field in fields(self)]}  # type: ignore[arg-type]


class _Range(Spread):
    """A number between two finite ends."""

    def _ordered(self, least: float | None = None) -> None:
        if not self.low < self.high:
            raise ValueError(
                f"low = {self.low!r} is not below high = {self.high!r}; give the lower number first"
            )
        if least is not None and not self.low > least:
            raise ValueError(f"low = {self.low!r} is not above 0; its logarithm is needed")

    def _place(self, value: float) -> float:
        """The relative position of a value between the ends, in [0, 1]."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


@dataclass
class Uniform(_Range):
    """Uniform between `low` and `high`."""

    name = "uniform"
    low: Value
    high: Value

    @model_validator(mode="after")
    def _valid(self) -> Self:
        self._ordered()
        return self

    def quantile(self, share: Any) -> Any:
        return self.low + share * (self.high - self.low)

    def share_up_to(self, value: float) -> float:
        return self._place(value)


@dataclass
class Interval(Uniform):
    """Anywhere from `low` to `high`, with no claim about what is likely."""

    name = "interval"


@dataclass
class LogUniform(_Range):
    """Log-uniform between `low` and `high`."""

    name = "log_uniform"
    low: Value
    high: Value

    @model_validator(mode="after")
    def _valid(self) -> Self:
        self._ordered(0.0)
        return self

    def quantile(self, share: Any) -> Any:
        value = self.low * np.exp(share * math.log(self.high / self.low))
        return np.clip(value, self.low, self.high)

    def share_up_to(self, value: float) -> float:
        clipped = min(max(value, self.low), self.high)
        return math.log(clipped / self.low) / math.log(self.high / self.low)


@dataclass
class Triangular(_Range):
    """Between `low` and `high`, most likely at `mode`."""

    name = "triangular"
    low: Value
    mode: Value
    high: Value

    @model_validator(mode="after")
    def _valid(self) -> Self:
        self._ordered()
        if not self.low <= self.mode <= self.high:
            raise ValueError(
                f"mode = {self.mode!r} is not between low = {self.low!r} and high = "
                f"{self.high!r}; give low, mode, high"
            )
        return self

    def quantile(self, share: Any) -> Any:
        width, rise, fall = self.high - self.low, self.mode - self.low, self.high - self.mode
        left = self.low + np.sqrt(share * width * rise)
        right = self.high - np.sqrt((1 - share) * width * fall)
        return np.where(np.asarray(share) <= rise / width, left, right)[()]

    def share_up_to(self, value: float) -> float:
        width = self.high - self.low
        if value <= self.low or value >= self.high:
            return float(value >= self.high)
        if value <= self.mode and self.mode > self.low:
            return (value - self.low) ** 2 / (width * (self.mode - self.low))
        return 1 - (self.high - value) ** 2 / (width * (self.high - self.mode))


@dataclass
class LogNormal(Spread):
    """Log-normal: about two thirds lie within a factor of the median.

    Attributes:
        middle: the median [> 0].
        factor: e^σ: 68 % lie between middle/factor and middle·factor [> 1].
    """

    name = "log_normal"
    middle: Share
    factor: Share

    @model_validator(mode="after")
    def _valid(self) -> Self:
        if not self.factor > 1:
            raise ValueError(f"factor = {self.factor!r} is not above 1; give one such as 2")
        return self

    @property
    def low(self) -> float:  # type: ignore[override]
        return 0.0

    @property
    def high(self) -> float:  # type: ignore[override]
        """∞."""
        return math.inf

    def scaled(self, factor: float) -> Spread:
        return LogNormal(factor * self.middle, self.factor)

    def quantile(self, share: Any) -> Any:
        with np.errstate(over="ignore"):
            return self.middle * np.exp(math.log(self.factor) * scipy.special.ndtri(share))

    def share_up_to(self, value: float) -> float:
        if value <= 0:
            return 0.0
        return float(scipy.special.ndtr(math.log(value / self.middle) / math.log(self.factor)))


KINDS: dict[str, type[Spread]] = {
    kind.name: kind for kind in (Interval, Uniform, LogUniform, Triangular, LogNormal)
}


def spread_of(table: dict[str, Any]) -> Spread:
    """The interval or distribution of a study file's table, such as {uniform = [1, 20]}.

    Raises:
        ValueError: the kind is unknown, or its numbers are not allowed.
    """
    names = ", ".join(f"{name} = [...]" for name in KINDS)
    if len(table) != 1 or next(iter(table)) not in KINDS:
        given = ", ".join(map(named, list(table)[:2])) or "nothing"
        raise ValueError(f"a table of {given} is not a number; give one of {names}")
    ((name, values),) = table.items()
    kind: Any = KINDS[name]
    wanted = 3 if kind is Triangular else 2
    if not isinstance(values, list | tuple) or len(values) != wanted:
        words = {
            "triangular": "low, mode and high",
            "log_normal": "the median and a factor",
        }.get(name, "low and high")
        raise ValueError(f"{name} = {quoted(values)} is not allowed; give {words}, as a list")
    return kind(*values)
