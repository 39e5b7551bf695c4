"""People with different base costs, by group or distribution, and the proportion that must accept.

Everyone is offered the same payment, computed from one base cost; those whose base cost is at most
that take part (Hsu14 §4.4, §9.2).
"""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Annotated, Any, Self

from annotated_types import Len
from pydantic import BeforeValidator, InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import Allowed, Cost, DeltaValue, Probability
from planner.libraries import np
from planner.model.spread import Spread, spread_of
from planner.numbers import decimal, round_down
from planner.wording import quoted

Accepting = Annotated[
    float, Allowed("a proportion of the people above 0 and at most 1, such as 0.9", "%", gt=0, le=1)
]

_Fraction = Annotated[float, Allowed("a proportion of the people from 0 to 1", ge=0, le=1)]
ObservedShare = tuple[Cost, _Fraction, _Fraction, _Fraction]
"""A base cost, the proportion observed to have at most that, and the ends of its interval."""
_FACTOR = 1e200  # amounts of money times it, or divided by it, are floats
_DIGITS = 12  # an invitation in 10^12 people
_ROUNDING = 1e-9
"""The relative accuracy to which a quantile and its part agree for smooth distributions."""


@dataclass
class Groups(Spread):
    """Groups of people: pairs of a proportion of all people and their base cost.

    Attributes:
        groups: the proportion [(0, 1), together 1] and the base cost [money, ≥ 0] of each.
    """

    name = "groups"
    groups: Annotated[tuple[tuple[Probability, Cost], ...], BeforeValidator(tuple)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        total = sum(decimal(share) for share, _ in self.groups)
        if total != 1:
            raise ValueError(
                f"the proportions of the groups add up to {float(total)!r}; "
                "give proportions that make 1"
            )
        return self

    @property
    def low(self) -> float:  # type: ignore[override]
        """The smallest base cost."""
        return min(cost for _, cost in self.groups)

    @property
    def high(self) -> float:  # type: ignore[override]
        """The largest base cost."""
        return max(cost for _, cost in self.groups)

    @property
    def steps(self) -> tuple[float, ...]:
        return tuple(cost for _, cost in self.groups)

    def _sorted(self) -> tuple[list[Any], list[float]]:
        ordered = sorted(self.groups, key=lambda group: group[1])
        shares = list(accumulate(decimal(share) for share, _ in ordered))
        return shares, [cost for _, cost in ordered]

    def quantile(self, share: Any) -> Any:
        """The smallest base cost that at least this proportion of the people does not exceed."""
        shares, costs = self._sorted()
        if np.ndim(share):
            at = np.searchsorted([float(s) for s in shares], share)
            return np.array(costs)[np.minimum(at, len(costs) - 1)]
        return costs[min(bisect_left(shares, decimal(float(share))), len(costs) - 1)]

    def share_up_to(self, value: float) -> float:
        """The distribution function: the proportion of people whose base cost is at most this."""
        return float(sum(decimal(share) for share, cost in self.groups if cost <= value))

    def scaled(self, factor: float) -> Spread:
        return Groups(tuple((share, factor * cost) for share, cost in self.groups))

    def table(self) -> dict[str, Any]:
        return {self.name: [list(pair) for pair in self.groups]}


@dataclass
class Observed(Spread):
    """Base costs as a pilot observed them, at the payments that it offered and nowhere else.

    Attributes:
        points: pairs of a proportion of all people [(0, 1]] and a base cost [money, ≥ 0] that so
            many do not exceed, both ascending. Of the people between two points the larger base
            cost is assumed; nothing is known about those above the last.
    """

    name, estimated = "observed", True
    points: Annotated[tuple[tuple[Accepting, Cost], ...], BeforeValidator(tuple), Len(1)]

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        for before, after in pairwise(self.points):
            if not (before[0] < after[0] and before[1] < after[1]):
                raise ValueError(
                    f"observed: {list(after)} does not lie above {list(before)}; give pairs of "
                    "[proportion, base cost] of which both ascend"
                )
        return self

    @property
    def low(self) -> float:  # type: ignore[override]
        """The smallest base cost observed."""
        return self.points[0][1]

    @property
    def high(self) -> float:  # type: ignore[override]
        """The largest base cost; ∞ where the pilot has not seen everybody accept."""
        share, cost = self.points[-1]
        return cost if share == 1 else math.inf

    @property
    def steps(self) -> tuple[float, ...]:
        return tuple(cost for _, cost in self.points)

    def quantile(self, share: Any) -> Any:
        """The smallest observed base cost that at least this proportion does not exceed, or ∞."""
        shares = [share for share, _ in self.points]
        costs = np.array([*(cost for _, cost in self.points), math.inf])
        return costs[np.searchsorted(shares, share)][()]

    def share_up_to(self, value: float) -> float:
        """The proportion at the last point whose base cost is at most this."""
        return max((share for share, cost in self.points if cost <= value), default=0.0)

    def scaled(self, factor: float) -> Spread:
        return Observed(tuple((share, factor * cost) for share, cost in self.points))

    def table(self) -> dict[str, Any]:
        return {self.name: [list(pair) for pair in self.points]}


@dataclass
class Asked(Spread):
    """A distribution that stands for what people answered when they were asked.

    Attributes:
        of: the base costs of those who would take part for some payment.
        never: the proportion of all people who would not [[0, 1)].
        largest: the largest base cost that was asked about; above it `of` is extrapolated [money];
            None where that is not known.
        intervals: base costs that were asked about, ascending, each with the proportion of all
            people observed to have at most that, and the ends of its interval; for pictures alone.
    """

    estimated = True
    of: InstanceOf[Spread]
    never: DeltaValue = 0.0
    largest: Cost | None = None
    intervals: Annotated[tuple[ObservedShare, ...], BeforeValidator(tuple)] = ()

    @property
    def steps(self) -> tuple[float, ...]:
        return self.of.steps

    @property
    def low(self) -> float:  # type: ignore[override]
        """The smallest base cost."""
        return self.of.low

    @property
    def high(self) -> float:  # type: ignore[override]
        """The largest base cost; ∞ where some would not take part."""
        return math.inf if self.never else self.of.high

    def quantile(self, share: Any) -> Any:
        """The quantile of the others at proportion/(1 − never); ∞ where that is 1 or more."""
        if not self.never:
            return self.of.quantile(share)
        of_others = np.minimum(np.asarray(share) / (1 - self.never), 1.0)
        inside = self.of.quantile(np.where(of_others < 1, of_others, 0.5))
        return np.where(of_others < 1, inside, math.inf)[()]

    def share_up_to(self, value: float) -> float:
        return (1 - self.never) * self.of.share_up_to(value)

    def scaled(self, factor: float) -> Spread:
        largest = None if self.largest is None else factor * self.largest
        intervals = tuple((factor * cost, *shares) for cost, *shares in self.intervals)
        return Asked(self.of.scaled(factor), self.never, largest, intervals)  # type: ignore[arg-type]

    def table(self) -> dict[str, Any]:
        found = self.of.table() | ({"never": self.never} if self.never else {})
        found |= {} if self.largest is None else {"largest": self.largest}
        intervals = [list(one) for one in self.intervals]
        return found | ({"intervals": intervals} if intervals else {})


@dataclass
class People:
    """People with different base costs, and the proportion of them that must accept.

    Attributes:
        base_costs: their expected costs if they stay out [money, ≥ 0].
        accept: the proportion that must accept; 1 pays the maximum [(0, 1]].
    """

    base_costs: InstanceOf[Spread]
    accept: Accepting = 1.0

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.base_costs.low < 0:
            raise ValueError(
                f"base costs from {self.base_costs.low!r} are not allowed; give amounts of money "
                "of at least 0"
            )
        if self.accept == 1 and self.base_costs.high == float("inf"):
            raise ValueError(
                "accept = 1 pays the maximum, and these base costs have none; give a proportion "
                "such as 0.9"
            )
        if self.base_cost == math.inf:
            raise ValueError(
                f"accept = {self.accept!r} is more people than would take part for any known "
                "payment; give a smaller proportion"
            )
        return self

    @property
    def base_cost(self) -> float:
        """The base cost paid for: the quantile, or the maximum [money]."""
        return float(
            self.base_costs.high if self.accept == 1 else self.base_costs.quantile(self.accept)
        )

    @property
    def extrapolated_from(self) -> float | None:
        """The largest base cost that people were asked about, if the one paid for is larger."""
        largest = getattr(self.base_costs, "largest", None)
        return largest if largest is not None and self.base_cost > largest else None

    @property
    def accepting(self) -> float:
        """The proportion who accept: those whose base cost is at most the one paid for."""
        share = self.base_costs.share_up_to(self.base_cost)
        return share if share > self.accept * (1 + _ROUNDING) else self.accept

    def paid_for(self, base_cost: float) -> Self:
        """The same people with all base costs scaled together, so that this one is paid for.

        Args:
            base_cost: [money, ≥ 0]; for 0, which no scale gives, next to it.
        """
        factor = base_cost / self.base_cost if self.base_cost else 1.0
        factor = min(max(factor, 1 / _FACTOR), _FACTOR)
        return self if factor == 1 else replace(self, base_costs=self.base_costs.scaled(factor))

    def taking_part(self, response_rate: float) -> float:
        """The proportion of those invited who respond and accept; rounded down.

        Args:
            response_rate: the proportion who respond [(0, 1]].
        """
        if self.accepting == 1:
            return response_rate
        both = decimal(response_rate) * decimal(self.accepting)
        return round_down(float(both), _DIGITS)


def base_costs_of(table: Mapping[str, Any]) -> Spread:
    """The base costs of a study file's table: groups, what a pilot observed, or a distribution.

    Raises:
        ValueError: the table is none of these, or its numbers are not allowed.
    """
    for kind in (Groups, Observed):
        if set(table) == {kind.name}:
            return kind(_rows(kind.name, table[kind.name], _PAIR))  # type: ignore[arg-type]
    if "pilot" in table:
        raise ValueError(
            "pilot names a file beside a study file, and here is none; give log_normal = [median, "
            "factor], as the file has them"
        )
    asked = {key: table[key] for key in ("never", "largest", "intervals") if key in table}
    own = {key: value for key, value in table.items() if key not in asked}
    if "intervals" in asked:
        asked["intervals"] = _rows("intervals", asked["intervals"], _INTERVAL)
    spread = base_costs_of(own) if set(own) == {Observed.name} else spread_of(own)
    return Asked(spread, **asked) if asked else spread


_PAIR = ("share", "base cost")
_INTERVAL = ("base cost", "share", "low", "high")


def _rows(name: str, rows: Any, parts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    each = f"[{', '.join(parts)}]"
    what = "a pair" if parts == _PAIR else f"a list of {len(parts)}"
    if not isinstance(rows, list | tuple):
        raise ValueError(f"{name} = {quoted(rows)} is not a list; give a list of {each}")
    for row in rows:
        if not isinstance(row, list | tuple) or len(row) != len(parts):
            raise ValueError(f"{name}: {quoted(row)} is not {what}; give {each} for each")
        if not all(isinstance(part, int | float) for part in row):
            raise ValueError(f"{name}: {quoted(row)} is not {what} of numbers; give {each}")
    return tuple(tuple(map(float, row)) for row in rows)
