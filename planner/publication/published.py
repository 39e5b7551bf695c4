"""One published answer, and those of all strata to one question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from planner.model.questions import NO_ANSWER
from planner.numbers import decimal, round_up
from planner.publication.decision import Decision
from planner.publication.items import rounded_up
from planner.wording import plain, quantile

_DIGITS = 4
"""Of the error of a group."""


class Named(Protocol):
    """An answer, published or planned."""

    @property
    def name(self) -> str:
        """Of the question."""

    @property
    def kind(self) -> str:
        """What is asked."""

    @property
    def stratum(self) -> str:
        """Whose answer it is; empty where there are no strata."""

    @property
    def answer_rate(self) -> float | None:
        """Of a proportion among those who answer, the planned proportion of these."""


One = TypeVar("One", bound=Named)


class Row(NamedTuple):
    """A number of an answer, as tables and pictures show it.

    Attributes:
        group: its name; empty where the answer is one number.
        number, error, possible: itself, its error, and the possible value nearest to it.
        interval: [low, high]; None where there is none.
    """

    group: str
    number: float
    error: float
    possible: float
    interval: list[float] | None


@dataclass(frozen=True)
class OfStratum:
    """The people of one stratum whose records were used.

    Attributes:
        name: of the stratum.
        participants: N of it.
        epsilon: what each of them has been promised.
    """

    name: str
    participants: int
    epsilon: float


@dataclass(frozen=True)
class Published:
    """One published answer.

    Attributes:
        name: of the question.
        kind: "share", "count", "difference", "histogram", "mean" or "quantile".
        answer: the number, or those of all groups; of a quantile the chosen value, or the
            chosen candidate's number from 0. Noise can move it out of the range of possible values.
        error: it is off by this or more with probability at most `failure`; of a quantile, in rank.
        failure: of this answer.
        noise: the kind of noise.
        scale: of the noise on the sums; None where people randomised their answers. Of the answer
            for all people of strata that of a noise of its own, in its unit; None without one.
        nearest: the possible values nearest to the answer, which are off by no more.
        groups: the names of its groups; empty where they have none.
        interval: [low, high], in which the true value is, except with probability `failure`;
            of groups one each, all of which hold together. None of a quantile.
        noise_error: what noise alone moves a number by, or farther, with probability `failure` at
            most; of groups with its part of it. None of a quantile and of randomised answers.
        sampling_error: the same of drawing people alone; None also of a count.
        fitted: of a histogram, the proportions nearest to its answer that are not negative and add
            up to one; off by less than twice `error` where the answer is off by less than `error`.
        answer_rate: of a proportion or a mean of those who answer, the planned part of these: its
            answer and error are of two numbers of all people, yes and no, or how far values are
            over the least and under the largest one, as parts of the range; else None.
        answered: of it, that of those who answer, its error, and its interval's two ends; None
            where nothing is known of them.
        planned_error: the error that was planned; None where as many people came as planned.
        planned_failure: the probability at most, computed, that it is missed with those who came.
        low, high: the least and the largest possible value; None of a candidate's number.
        stratum: whose answer it is; empty where there are no strata, and of all people.
        participants: N of the stratum.
        share_at_least: of proportions in groups that people report, the least proportion of all
            people of a group whose planned `error` holds; else None. Its answer is the proportion
            of yes in each
            group, whose interval holds whatever the size of the group: [0, 1] where it is too small
            for any statement, and its proportion then stands as 1/2.
        cells: of it, the published proportions of all people: yes and no of the first group, and
            so on.
        test: what a planned test decides; else None.
        at, candidates: of a quantile its rank, and among how many it is chosen; else None.
        by_itself: whether it follows from the other answers, and its failure is apart from theirs.
        values: of a mean of those who answer, the range of the answers; else None.
    """

    name: str
    kind: str
    answer: float | list[float]
    error: float
    failure: float
    noise: str
    scale: float | None
    nearest: float | list[float] | None = None
    groups: tuple[str, ...] = ()
    interval: list[float] | list[list[float]] | None = None
    noise_error: float | None = None
    sampling_error: float | None = None
    fitted: list[float] | None = None
    planned_error: float | None = None
    planned_failure: float | None = None
    low: float | None = None
    high: float | None = None
    answer_rate: float | None = None
    answered: list[float] | None = None
    stratum: str = ""
    participants: int | None = None
    by_itself: bool = False
    share_at_least: float | None = None
    cells: list[float] | None = None
    test: Decision | None = None
    at: float | None = None
    candidates: int | None = None
    values: list[float] | None = None

    @property
    def compared(self) -> bool:
        """Whether it is a difference between two groups, the second less the first."""
        return self.kind == "difference"

    @property
    def numbers(self) -> list[float]:
        """The answer of each group, or the only one."""
        return self.answer if isinstance(self.answer, list) else [self.answer]

    @property
    def chosen(self) -> str:
        words = f"candidate {self.numbers[0]:g}"
        if self.at is None or self.candidates is None:
            return f"{words}, counted from 0"
        if self.low is not None and self.high is not None:
            values = f"{plain(self.candidates)} values from {plain(self.low)} to {plain(self.high)}"
            return f"{quantile(self.at)}: {plain(self.numbers[0])}, one of {values}"
        return f"{quantile(self.at)}: {words} of 0 to {plain(self.candidates - 1)}"

    @property
    def possible(self) -> list[float]:
        """The possible value nearest to each number."""
        if self.nearest is None:
            return self.numbers
        return self.nearest if isinstance(self.nearest, list) else [self.nearest]

    @property
    def group_names(self) -> tuple[str, ...]:
        """The name of each group, or its number; empty where there are no groups."""
        if not isinstance(self.answer, list):
            return ()
        return self.groups or tuple(f"group {g}" for g in range(len(self.answer)))

    @property
    def among_answered(self) -> list[tuple[float, float]]:
        """Of each group its proportion among those who answered, and its error; empty if unknown.

        Where no proportion p is off by T or more, p' = p/(1 − m) with m the proportion without an
        answer, and q = a/(1 − b) with a, b the published ones, differ by less than e = T(1 +
        p')/(1 − b). As p' is at most 1, and less than q + e, e is the less of 2T/(1 − b) and T(1 +
        q)/(1 − b − T). Two
        groups are divided by their own sum, which halves the error: see `publication.answered`.
        """
        if self.groups[-1:] != (NO_ANSWER,):
            return []
        *shares, missing = self.numbers
        together = sum(shares)
        if len(shares) == 2 and together > 0:
            return [(min(max(x / together, 0.0), 1.0), self.error / together) for x in shares]
        answered = 1 - missing
        if not answered > self.error:
            return []
        found = [share / answered for share in shares]
        largest = 2 * self.error / answered
        left = answered - self.error
        return [(q, min(largest, self.error * (1 + max(q, 0.0)) / left)) for q in found]

    @property
    def rows(self) -> list[Row]:
        """All that is shown of it: first the proportion among those who answer, if it is one."""
        names = self.group_names or ("",)
        first, rows = list[Row](), list[Row]()
        if self.answer_rate is not None:
            names = tuple(f"{name}, of all" for name in names)
        if self.answered is not None:
            share, error, *ends = self.answered
            what = "yes" if self.values is None else "mean"
            first = [Row(f"{what}, of those who answer", share, error, share, ends)]
            if self.values is not None:  # the others are in another unit
                return first
        ends_of: list[list[float] | None] = [*self.intervals] or [None] * len(self.numbers)
        for name, x, near, interval in zip(
            names, self.numbers, self.possible, ends_of, strict=True
        ):
            error = self.error if self.cells is None or interval is None else _farther(x, interval)
            rows.append(Row(name, x, error, near, interval))
        return first + rows

    @property
    def people(self) -> list[float]:
        """Of groups that people report, about the proportion of all people in each."""
        cells = self.cells or []
        return [yes + no for yes, no in zip(cells[::2], cells[1::2], strict=True)]

    @property
    def intervals(self) -> list[list[float]]:
        """The interval of each number; empty where there are none."""
        if self.interval is None:
            return []
        found = [one for one in self.interval if isinstance(one, list)]
        return found or [[end for end in self.interval if not isinstance(end, list)]]


def _farther(x: float, interval: list[float]) -> float:
    """How far a number is from the farther end of its interval, rounded up."""
    low, high = map(decimal, interval)
    return round_up(rounded_up(max(decimal(x) - low, high - decimal(x))), _DIGITS)


@dataclass(frozen=True)
class OfStrata(Published):
    """The answers of all strata to one question, which one table and one picture show.

    Attributes:
        parts: the answer of each stratum, of one number; and that of all people, if there is one.
    """

    parts: tuple[Published, ...] = ()

    @property
    def rows(self) -> list[Row]:
        return [Row(one.stratum or one.name, *one.rows[0][1:]) for one in self.parts]

    @property
    def group_names(self) -> tuple[str, ...]:
        return tuple(row.group for row in self.rows)

    @property
    def numbers(self) -> list[float]:
        return [row.number for row in self.rows]

    @property
    def intervals(self) -> list[list[float]]:
        return [one.intervals[0] for one in self.parts]


def by_question(answers: Sequence[One]) -> dict[str, list[One]]:
    """The answers of strata to each question with answers of one number; none without strata.

    The name of a study's only question is empty, and the answer for all people is to it.
    """
    found: dict[str, list[One]] = {}
    for one in answers:
        if one.stratum and one.kind in ("share", "mean") and one.answer_rate is None:
            asked = one.name.removeprefix(one.stratum).removeprefix(": ")
            found.setdefault(asked, []).append(one)
    if "" in found:
        found[""] += [one for one in answers if not one.stratum]
    return found


def together(name: str, parts: Sequence[Published]) -> OfStrata:
    """The answers of strata to one question, together."""
    first, of_groups = parts[0], any(one.compared for one in parts)
    ends = [(one.low, one.high) for one in parts if one.low is not None and one.high is not None]
    low, high = min(x for x, _ in ends), max(x for _, x in ends)  # as numbers have a range
    return OfStrata(
        name or ("both groups" if of_groups else "each stratum"), first.kind, [], first.error,
        first.failure, first.noise, None, low=low, high=high, parts=tuple(parts),
    )  # fmt: skip
