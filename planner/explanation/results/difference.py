"""Two publications compared, in words."""

from typing import Any

from planner.explanation.results.publication import digits, outward
from planner.numbers import round_up
from planner.publication.difference import Difference, Differences
from planner.wording import confidence


def title(found: Differences) -> str:
    """The studies and their days."""
    names = [name or "Study" for name, _ in (found.first, found.second)]
    days = [time[:10] for _, time in (found.first, found.second)]
    rehearsed = " (rehearsed with invented records)" if found.rehearsed else ""
    if names[0] == names[1]:
        return f"{names[0]}: from {days[0]} to {days[1]}{rehearsed}"
    return f"From {names[0]}, {days[0]}, to {names[1]}, {days[1]}{rehearsed}"


def rows(found: Differences) -> list[tuple[str, str]]:
    """Each difference with its interval, what holds together, and what was not compared."""
    changes = [row for one in found.differences for row in _rows(one)]
    if not changes:
        return [("compared", "nothing"), *_left_out(found)]
    words = (
        "each interval holds the true change at "
        f"{confidence(round_up(found.failure, 6))} for all of them jointly"
    )
    if found.independent:
        words += "; the samples and the noise of the two are stated to be independent"
    return [*changes, ("accuracy", words), *_left_out(found)]


def lines(found: Differences) -> list[dict[str, Any]]:
    """A line for each number, for a pandas table."""
    return [line for one in found.differences for line in one.lines()]


def _left_out(found: Differences) -> list[tuple[str, str]]:
    """What was not compared, and why."""
    return [("not compared", f"{name}: {reason}") for name, reason in found.not_compared]


def _rows(one: Difference) -> list[tuple[str, str]]:
    """The rows of one question."""
    return [
        (", ".join(filter(None, [one.name, line["group"]])), _words(line, one.error))
        for line in one.lines()
    ]


def _words(line: dict[str, Any], error: float) -> str:
    """A difference with its interval, and whether it is certain to be one."""
    x, ends = line["difference"], [line["interval_low"], line["interval_high"]]
    low, high = outward(ends, error)
    words = f"{'+' if x > 0 else ''}{digits(x, error)}, from {low} to {high}"
    if ends[0] > 0:
        return f"{words}: more than before"
    return f"{words}: {'less than before' if ends[1] < 0 else 'perhaps no change'}"
