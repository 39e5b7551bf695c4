"""Two publications compared: by how much each answer has changed, with an interval of its own.

The true value p₁ is in [l₁, h₁] except with probability α₁, and p₂ in [l₂, h₂] except with α₂. So
p₂ − p₁ is in [l₂ − h₁, h₂ − l₁] except with α₁ + α₂, by the union bound, whoever was asked. If
samples and noise of the two are independent, both hold with (1 − α₁)(1 − α₂) at least. Of several
answers α₁ and α₂ are the sums over all that are compared. Intervals of proportions within groups
that people report hold whatever the sizes of the groups, and so do those of their differences. A
file does not say how people were drawn, so no shorter interval follows from the files alone.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from planner.numbers import decimal
from planner.publication.items import rounded_up
from planner.publication.published import Published
from planner.publication.results import Publication
from planner.publication.within_groups import NOTHING
from planner.show import Shown
from planner.wording import plain

_TOO_FEW = "in one of them too few people report this group for anything to be known of it"


@dataclass(frozen=True)
class Difference:
    """By how much the answer to one question has changed.

    Attributes:
        name: of the question.
        kind: "share", "count", "histogram" or "mean".
        difference: the second minus the first, of the possible values nearest to the answers; of
            groups one each.
        interval: [low, high], in which the true difference is, except with probability `failure`;
            of groups one each, all of which hold together.
        failure: of this difference.
        error: the promised errors of both together; within groups that people report that of a
            group as large as planned in both, as intervals of smaller ones are wider.
        groups: the names of its groups, or their numbers; empty where there are none.
    """

    name: str
    kind: str
    difference: float | list[float]
    interval: list[float] | list[list[float]]
    failure: float
    error: float
    groups: tuple[str, ...] = ()

    def lines(self) -> list[dict[str, Any]]:
        """A line for each number."""
        if isinstance(self.difference, list):
            cells = list(zip(self.groups, self.difference, self.interval, strict=True))
        else:
            cells = [("", self.difference, self.interval)]
        return [
            {
                "question": self.name,
                "group": group,
                "difference": x,
                "interval_low": ends[0],  # type: ignore[index]
                "interval_high": ends[1],  # type: ignore[index]
                "failure": self.failure,
            }
            for group, x, ends in cells
        ]


@dataclass(frozen=True, repr=False)
class Differences(Shown):
    """Two publications compared.

    Attributes:
        first: the title and the time of the first.
        second: the same of the second.
        differences: each of those that were compared.
        failure: the probability that any of the intervals misses its true difference.
        independent: whether samples and noise of the two are stated to be independent.
        not_compared: the other questions, each with the reason.
        rehearsed: whether the records of both were invented.
    """

    first: tuple[str, str]
    second: tuple[str, str]
    differences: tuple[Difference, ...]
    failure: float
    independent: bool
    not_compared: tuple[tuple[str, str], ...]
    rehearsed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        titles = {name: dict(zip(("title", "published"), getattr(self, name), strict=True))
                  for name in ("first", "second")}  # fmt: skip
        reasons = [{"name": name, "reason": reason} for name, reason in self.not_compared]
        return {**asdict(self), **titles, "not_compared": reasons}


def difference(first: Publication, second: Publication, independent: bool = False) -> Differences:
    """Compare two publications, question by question: the second minus the first.

    Args:
        first: the earlier one, from `planner.publication.read_results`.
        second: the later one.
        independent: states that the samples and the noise of the two are independent of each other.

    Raises:
        ValueError: both are the same, or one of them is a rehearsal and the other is none.
    """
    if first.rehearsed != second.rehearsed:
        which = "first" if first.rehearsed else "second"
        raise ValueError(
            f"the {which} results are a rehearsal with invented records, and the others are not; "
            "give two publications"
        )
    if (first.plan, first.published, first.answers) == (
        second.plan, second.published, second.answers
    ):  # fmt: skip
        raise ValueError("both are the same publication; give results of another time")
    pairs, left_out = _paired(first, second)
    failures = [(decimal(one.failure), decimal(other.failure)) for one, other in pairs]
    return Differences(
        (first.title, first.published),
        (second.title, second.published),
        tuple(
            _difference(*pair, _together(*failure, independent))
            for pair, failure in zip(pairs, failures, strict=True)
        ),
        _together(
            sum((one for one, _ in failures), Fraction(0)),
            sum((other for _, other in failures), Fraction(0)),
            independent,
        ),
        independent,
        tuple(left_out),
        first.rehearsed,
    )


def _paired(
    first: Publication, second: Publication
) -> tuple[list[tuple[Published, Published]], list[tuple[str, str]]]:
    """The answers that can be compared, and the names of the others with the reason."""
    later = {one.name: one for one in second.answers}
    pairs, left_out = [], []
    for one in first.answers:
        other = later.pop(one.name, None)
        if reason := "only the first asks it" if other is None else _reason(one, other):
            left_out.append((one.name, reason))
        elif other is not None:
            unknown = _unknown(one) | _unknown(other)
            left_out += [(f"{one.name}, {group}", _TOO_FEW) for group in sorted(unknown)]
            if len(unknown) < len(one.group_names) or not unknown:
                pairs.append((one, other))
    return pairs, [*left_out, *((name, "only the second asks it") for name in later)]


def _unknown(one: Published) -> set[str]:
    """The groups that people report which are too small for anything to be known of them."""
    if one.cells is None:
        return set()
    return {row.group for row in one.rows if row.interval == NOTHING[1:]}


_KINDS = {"share": "proportion"}
"""What people read of a kind, where it is another word."""


def _reason(one: Published, other: Published) -> str:
    """Why two answers of one name cannot be compared; empty where they can."""
    if one.kind != other.kind:
        first, second = (_KINDS.get(kind, kind) for kind in (one.kind, other.kind))
        return f"a {first} in the first, and a {second} in the second"
    if one.kind == "quantile":
        return "a quantile has an error in rank, and no interval"
    if (one.answer_rate is None) != (other.answer_rate is None):
        return "only one of them is of those who answer"
    if (one.cells is None) != (other.cells is None):
        return "only one of them is within groups that people report"
    if one.group_names != other.group_names:
        return "its groups are not the same"
    if not one.intervals or not other.intervals:
        return "a file of an earlier version has no interval of it"
    if one.kind != "histogram" and None in (one.low, one.high, other.low, other.high):
        return "a file of an earlier version does not state the range of its values"
    if (one.low or 0) != (other.low or 0) and one.kind == "histogram":
        return "only one of them is of differences between two groups"
    if (one.low, one.high) != (other.low, other.high) and one.kind != "histogram":
        return f"its values are {_range(one)} in the first, and {_range(other)} in the second"
    return ""


def _range(one: Published) -> str:
    """The range of the values in words."""
    return f"{plain(one.low or 0.0)} to {plain(one.high or 0.0)}"


def _difference(one: Published, other: Published, failure: float) -> Difference:
    """The difference of two answers."""
    later = {row.group: row for row in other.rows}
    known = later.keys() - _unknown(one) - _unknown(other)
    rows = [(row, later[row.group]) for row in one.rows if row.group in known]
    numbers = [float(decimal(y.possible) - decimal(x.possible)) for x, y in rows]
    intervals = [list(_outward(x.interval or [], y.interval or [])) for x, y in rows]
    several = isinstance(one.answer, list)
    return Difference(
        one.name,
        one.kind,
        numbers if several else numbers[0],
        intervals if several else intervals[0],
        failure,
        rounded_up(decimal(one.error) + decimal(other.error)),
        tuple(row.group for row, _ in rows) if several else (),
    )


def _outward(one: list[float], other: list[float]) -> Iterator[float]:
    """[l₂ − h₁, h₂ − l₁], rounded outward."""
    low, high = decimal(other[0]) - decimal(one[1]), decimal(other[1]) - decimal(one[0])
    yield from (-rounded_up(-low) + 0.0, rounded_up(high))


def _together(one: Fraction, other: Fraction, independent: bool) -> float:
    """The probability that either of two fails, at most."""
    one, other = min(one, Fraction(1)), min(other, Fraction(1))
    failure = one + other - (one * other if independent else 0)
    return rounded_up(min(failure, Fraction(1)))
