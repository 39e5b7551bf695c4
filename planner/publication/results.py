"""Results: what was published, and the files that hold it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from planner.model.questions import NO_ANSWER
from planner.output import check_target
from planner.show import Drawn, Shown, as_json, new_axes, view
from planner.wording import not_installed, quoted, several, spreadsheet_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = (
    *("question", "group", "answer", "error", "failure", "nearest_possible"),
    *("interval_low", "interval_high", "noise_error", "sampling_error", "fitted"),
)
"""Of a table of results."""
STRATA = ("stratum", "participants")
"""Further columns of one with strata."""
PICTURES = (".png", ".svg")
"""Endings of pictures, each of one question."""
ENDINGS = (".json", ".csv", ".xlsx", ".md", ".html", ".htm", *PICTURES)
"""Of files of results."""
_MOST_NAMES = 8
"""Names of questions that a message lists."""


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
        """Of a share among those who answer, the planned proportion of these."""


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
class Published:
    """One published answer.

    Attributes:
        name: of the question.
        kind: "share", "count", "histogram", "mean" or "quantile".
        answer: the number, or those of all groups; of a quantile the chosen candidate. Noise can
            move it out of the range of possible values.
        error: it is off by this or more with probability at most `failure`; of a quantile, in rank.
        failure: of this answer.
        noise: the kind of noise.
        scale: of the noise on the sums; None where people randomised their answers.
        nearest: the possible values nearest to the answer, which are off by no more.
        groups: the names of its groups; empty where they have none.
        interval: [low, high], in which the true value is, except with probability `failure`;
            of groups one each, all of which hold together. None of a quantile.
        noise_error: what noise alone moves a number by, or farther, with probability `failure` at
            most; of groups with its part of it. None of a quantile and of randomised answers.
        sampling_error: the same of drawing people alone; None also of a count.
        fitted: of a histogram, the shares nearest to its answer that are not negative and add up to
            one; off by less than twice `error` where the answer is off by less than `error`.
        answer_rate: of a share among those who answer, the planned proportion of these: its groups
            are yes and no of all people, and its answer and error are theirs; else None.
        answered: of it, the share among those who answer, its error, and its interval's two ends;
            None where nothing is known of them.
        planned_error: the error that was planned; None where as many people came as planned.
        planned_failure: the probability at most, proved, that it is missed with those who came.
        low, high: the least and the largest possible value; None of a quantile.
        stratum: whose answer it is; empty where there are no strata, and of all people.
        participants: N of the stratum.
        by_itself: whether it follows from the other answers, and its failure is apart from theirs.
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

    @property
    def numbers(self) -> list[float]:
        """The answer of each group, or the only one."""
        return self.answer if isinstance(self.answer, list) else [self.answer]

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
        """Of each group its share among those who answered, and its error; empty if unknown.

        Where no share p is off by T or more, p' = p/(1 − m) with m the share without an answer, and
        q = a/(1 − b) with a, b the published ones, differ by less than e = T(1 + p')/(1 − b). As p'
        is at most 1, and less than q + e, e is the less of 2T/(1 − b) and T(1 + q)/(1 − b − T). Two
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
        """All that is shown of it: first the share among those who answer, if it is one."""
        names = self.group_names or ("",)
        first, rows = list[Row](), list[Row]()
        if self.answer_rate is not None:
            names = tuple(f"{name}, of all" for name in names)
        if self.answered is not None:
            share, error, *ends = self.answered
            first = [Row("yes, of those who answer", share, error, share, ends)]
        ends_of: list[list[float] | None] = [*self.intervals] or [None] * len(self.numbers)
        for name, x, near, interval in zip(
            names, self.numbers, self.possible, ends_of, strict=True
        ):
            rows.append(Row(name, x, self.error, near, interval))
        return first + rows

    @property
    def intervals(self) -> list[list[float]]:
        """The interval of each number; empty where there are none."""
        if self.interval is None:
            return []
        found = [one for one in self.interval if isinstance(one, list)]
        return found or [[end for end in self.interval if not isinstance(end, list)]]


@dataclass(frozen=True)
class OfStrata(Published):
    """The answers of all strata to one question, which one table and one picture show.

    Attributes:
        parts: the answer of each stratum, of one number; and that of all people, if there is one.
    """

    parts: tuple[Published, ...] = ()

    @property
    def rows(self) -> list[Row]:
        """A row for each stratum."""
        return [Row(one.stratum or one.name, *one.rows[0][1:]) for one in self.parts]

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the strata."""
        return tuple(row.group for row in self.rows)

    @property
    def numbers(self) -> list[float]:
        """The answer of each stratum."""
        return [row.number for row in self.rows]

    @property
    def intervals(self) -> list[list[float]]:
        """The interval of each."""
        return [one.intervals[0] for one in self.parts]


@dataclass(frozen=True, repr=False)
class Publication(Shown):
    """What was published.

    Attributes:
        title: of the study.
        published: the time, in UTC.
        participants: N, how many people's records were used.
        epsilon, delta: what each person's privacy has been promised.
        failure: the probability that any of the answers is off by its error or more.
        answers: each answer.
        privacy: by what the privacy is shown, in sentences.
        plan: the digest of the plan.
        certificate: SHA-256 of the plan's certificate, or empty.
        rehearsed: whether the records were invented.
        notes: further remarks, in sentences.
        planned: how many people were planned; None where as many came.
        records: what was recognised of the records; shown, and not in the results.
        paid: what the people cost beside the budget; shown, and not in the results.
    """

    title: str
    published: str
    participants: int
    epsilon: float
    delta: float
    failure: float
    answers: tuple[Published, ...]
    privacy: str
    plan: str
    certificate: str = ""
    rehearsed: bool = False
    notes: tuple[str, ...] = ()
    planned: int | None = None
    records: str = field(default="", compare=False)
    paid: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as the results file holds it."""
        data = asdict(self)
        del data["records"], data["paid"]  # of records beyond those used, and of money
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The publication of plain data, as a results file holds it."""
        answers = tuple(
            Published(**{**one, "groups": tuple(one.get("groups", ()))}) for one in data["answers"]
        )
        return cls(**{**data, "answers": answers, "notes": tuple(data["notes"])})

    @property
    def shown(self) -> list[Published]:
        """The answers as pages show them: those of all strata to one question together."""
        found, left = list[Published](), list(self.answers)
        for name, parts in by_question(self.answers).items():
            found.append(together(name, parts))
            left = [one for one in left if one not in parts]
        return found + left

    @property
    def columns(self) -> tuple[str, ...]:
        """Of a table of results; those of strata come first where there are any."""
        return (*STRATA, *COLUMNS) if any(one.stratum for one in self.answers) else COLUMNS

    def lines(self) -> list[dict[str, Any]]:
        """A line for each number that is published, by the columns of a table of results."""
        return [
            {name: line[name] for name in self.columns}
            for answer in self.answers
            for line in _lines(answer)
        ]

    def text(self, ending: str) -> str:
        """What a file of results holds, by its ending: JSON, CSV, Markdown or a page."""
        match ending.lower():
            case ".json":
                return as_json(self.to_dict()) + "\n"
            case ".csv":
                return self._as_csv()
            case ".md":
                return str(view(type(self), "markdown")(self))
        return str(view(type(self), "page")(self))

    def save(self, path: str | Path, question: str | None = None) -> None:
        """Write the results to a file, whole or not at all; nothing is replaced.

        Args:
            path: a .json, .csv, .xlsx, .md or .html file, or a .png or .svg picture.
            question: of a picture, whose answers it shows; needed where there are several.

        Raises:
            ValueError: the file exists or cannot be written, or no picture can be drawn.
        """
        target = Path(path)
        if target.exists():
            raise ValueError(f"{target} exists, and results are not replaced; give another file")
        check_target(target, ENDINGS)
        check_output(target, self.answers, question)
        view(type(self), "save")(self, target, question)

    def plot(  # type: ignore[override]
        self, question: str | None = None, ax: "Axes | None" = None
    ) -> "Axes":
        """Draw the answers to one question, on `ax` or on new axes, and return them.

        Raises:
            ValueError: as `save` of a picture.
        """
        answer = drawable(self.answers, question)
        axes = new_axes(view(type(self), "height")(answer)) if ax is None else ax
        view(type(self), "draw_answer")(axes, self, answer)
        view(Drawn, "fit")(axes)
        return axes

    def _as_csv(self) -> str:
        """A line for each number that is published."""
        file = io.StringIO()
        writer = csv.DictWriter(file, self.columns, lineterminator="\n")
        writer.writeheader()
        for line in self.lines():
            texts = {name: spreadsheet_text(x) for name, x in line.items() if isinstance(x, str)}
            writer.writerow(line | texts)
        return file.getvalue()


def _lines(one: Published) -> list[dict[str, Any]]:
    """The lines of one answer."""
    rows, of_all = one.rows, len(one.rows) - len(one.numbers)
    shares: list[Any] = [*one.fitted] if one.fitted else [None] * len(one.numbers)
    fitted = [*[None] * of_all, *shares]
    whose = dict(zip(STRATA, (one.stratum, one.participants), strict=True))
    lines = []
    for place, (row, share) in enumerate(zip(rows, fitted, strict=True)):
        numbered = isinstance(one.answer, list) and not one.groups
        parts = (one.noise_error, one.sampling_error) if place >= of_all else (None, None)
        cells = (
            *(one.name, place if numbered else row.group, row.number, row.error, one.failure),
            row.possible if one.nearest is not None else None,
            *(row.interval or (None, None)),
            *(*parts, share),
        )
        lines.append(whose | dict(zip(COLUMNS, cells, strict=True)))
    return lines


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
    first = parts[0]
    return OfStrata(
        name or "each stratum", first.kind, [], first.error, first.failure, first.noise, None,
        low=first.low, high=first.high, parts=tuple(parts),
    )  # fmt: skip


def drawable(answers: Sequence[One], question: str | None) -> One:
    """The answer that a picture shows.

    Args:
        answers: of a study.
        question: the name of one of them; None where there is one alone. Of strata the answers of
            all to one question are one, of which the first stands for all where none is published.

    Raises:
        ValueError: there are several and none is named, or none has this name, or it has no
            picture.
    """
    of_strata = by_question(answers)
    asked = "" if question is None else question
    if parts := of_strata.get(asked):
        published = [one for one in parts if isinstance(one, Published)]
        return together(asked, published) if published else parts[0]  # type: ignore[return-value]
    names = [*filter(None, of_strata), *(one.name for one in answers)]
    answers = [*(of_strata[name][0] for name in filter(None, of_strata)), *answers]
    known = [quoted(name) for name in names[:_MOST_NAMES]]
    listed = several([*known, f"{len(names) - len(known)} more"] if names[_MOST_NAMES:] else known)
    if question is None and len(answers) > 1:
        raise ValueError(f"a picture shows one question; give --question with one of {listed}")
    if question is not None and question not in names:
        near = get_close_matches(question, names, 1)
        hint = f"did you mean {quoted(near[0])}?" if near else f"there are {listed}"
        raise ValueError(f"no question is named {quoted(question)}; {hint}")
    one = answers[0 if question is None else names.index(question)]
    if one.kind == "quantile":
        raise ValueError(
            f"{quoted(one.name)} is a quantile, whose error is one of rank, so it has no picture; "
            "write .html, .md or .csv"
        )
    return one


def check_output(target: Path, answers: Sequence[Named], question: str | None) -> None:
    """Refuse a file of results that could not be written, before anything is published.

    Raises:
        ValueError: a picture needs another question, another file needs none, or a library is
            missing.
    """
    ending = target.suffix.lower()
    if ending in PICTURES:
        drawable(answers, question)
    elif question is not None:
        raise ValueError(f"{target}: --question is for pictures; end the name in .png or .svg")
    if ending == ".xlsx" and find_spec("openpyxl") is None:
        raise ValueError(not_installed("a workbook needs", "openpyxl", "records"))
