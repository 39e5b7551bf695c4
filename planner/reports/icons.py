"""A thousand marks for a thousand people: how many a harm befalls before and after.

People whom a harm befalls are squares, those whom taking part can add are crossed diamonds, all
others open circles: the shapes differ, so that the picture works without colour.
"""

import math
from typing import NamedTuple

from markupsafe import Markup

from planner.explanation.participant import Risk
from planner.numbers import decimal, round_up
from planner.wording import at_most, plain

MARKS, _COLUMNS, _CELL = 1000, 40, 10  # 25 rows; a mark of 8 has a margin of 1


class Odds(NamedTuple):
    """One risk among a round number of people.

    Attributes:
        event: what happens, as a clause.
        people: the number of people that the marks stand for.
        before: the number of marks for those whom the harm befalls anyway; parts of marks count.
        after: the largest number of marks if all take part.
        before_words, after_words: the same to the digit, as "200 of 1,000".
    """

    event: str
    people: int
    before: float
    after: float
    before_words: str
    after_words: str

    @property
    def struck(self) -> str:
        """The marks of those whom the harm befalls anyway, as a number in words."""
        return plain(float(f"{self.before:.3g}"))

    @property
    def added(self) -> str:
        """The marks that taking part adds at most, as a number in words."""
        return at_most(self.after - self.before, 3)

    @property
    def each(self) -> int:
        """The number of people for each mark."""
        return self.people // MARKS


def odds(risk: Risk) -> Odds:
    """A risk as counts among enough people that the harm befalls at least one of them anyway."""
    people = MARKS
    while decimal(risk.before) * people < 1:
        people *= 10
    each, before = people // MARKS, decimal(risk.before) * people
    after = round_up(min(risk.after, 1.0) * people, 12)
    of = f"of {plain(people)}"
    return Odds(
        risk.event,
        people,
        float(before / each),
        min(float(MARKS), round_up(after / each, 12)),
        f"{plain(float(before))} {of}",
        f"{at_most(after, 4)} {of}",
    )


def picture(before: float, after: float, name: str, words: str) -> Markup:
    """Marks in rows of forty: `before` squares, `after` − `before` crossed diamonds, circles.

    A part of a mark is drawn as its left part, so that no rise looks larger than it is.
    """
    width, height = _COLUMNS * _CELL, MARKS // _COLUMNS * _CELL
    struck = [_place(at) for at in range(math.ceil(before))]
    squares = "".join(f"M{x + 1} {y + 1}h8v8h-8z" for x, y in struck)
    added = [_place(at) for at in range(math.floor(before), math.ceil(after))]
    diamonds = "".join(f"M{x + 5} {y}l5 5-5 5-5-5z" for x, y in added)
    crosses = "".join(f"M{x + 5} {y + 1}v8M{x + 1} {y + 5}h8" for x, y in added)
    return Markup(
        '<svg class="people" viewBox="0 0 {w} {h}" role="img" aria-labelledby="{name}-t">'
        '<title id="{name}-t">{words}</title>'
        '<defs><pattern id="{name}-o" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<circle cx="5" cy="5" r="2.8" fill="none" stroke="#767676"/></pattern>'
        '<clipPath id="{name}-s"><path d="{left}"/></clipPath>'
        '<clipPath id="{name}-d"><path d="{right}"/></clipPath></defs>'
        '<path fill="url(#{name}-o)" d="{others}"/>'
        '<path class="struck" clip-path="url(#{name}-s)" fill="#222" d="{squares}"/>'
        '<g clip-path="url(#{name}-d)" stroke="#b34700" stroke-width="1.6">'
        '<path class="added" fill="#fff" d="{diamonds}"/><path d="{crosses}"/></g></svg>'
    ).format(
        w=width, h=height, name=name, words=words,
        squares=squares, diamonds=diamonds, crosses=crosses,
        left=_cells(0, before), right=_cells(before, after), others=_cells(after, MARKS),
    )  # fmt: skip


def _cells(first: float, last: float) -> str:
    """The outline of the places from one mark to another, parts of them included."""
    parts = []
    for at in range(math.floor(first), math.ceil(last)):
        x, y = _place(at)
        start, end = max(first - at, 0.0), min(last - at, 1.0)
        parts.append(
            f"M{x + _CELL * start:g} {y}h{_CELL * (end - start):g}v{_CELL}H{x + _CELL * start:g}z"
        )
    return "".join(parts)


def _place(at: int) -> tuple[int, int]:
    return at % _COLUMNS * _CELL, at // _COLUMNS * _CELL
