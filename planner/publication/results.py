"""Results: what was published, and the files that hold it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from planner.output import check_target
from planner.publication.decision import Decision
from planner.publication.published import (
    Named,
    OfStratum,
    One,
    Published,
    by_question,
    together,
)
from planner.show import Shown, as_json, new_axes, view
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


@dataclass(frozen=True, repr=False)
class Publication(Shown):
    """What was published.

    Attributes:
        title: of the study.
        published: the time, in UTC.
        participants: N, how many people's records were used; of several of each, how many records.
        epsilon, delta: what each person's privacy has been promised.
        failure: the probability that any of the answers is off by its error or more.
        answers: each answer.
        privacy: by what the privacy is shown, in sentences.
        plan: the digest of the plan.
        certificate: SHA-256 of the plan's certificate, or empty.
        rehearsed: whether the records were invented.
        notes: further remarks, in sentences.
        planned: how many people were planned; None where as many came.
        strata: the people of each stratum, in order; empty where there are none.
        of_each: how many records are of one person at most.
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
    strata: tuple[OfStratum, ...] = ()
    of_each: int = 1
    records: str = field(default="", compare=False)
    paid: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        data = asdict(self)
        del data["records"], data["paid"]  # of records beyond those used, and of money
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The publication of plain data, as a results file holds it."""
        answers = tuple(
            Published(
                **{
                    **one,
                    "groups": tuple(one.get("groups", ())),
                    "test": one.get("test") and Decision(**one["test"]),
                }
            )
            for one in data["answers"]
        )
        strata = tuple(OfStratum(**one) for one in data.get("strata", ()))
        notes = tuple(data["notes"])
        return cls(**{**data, "answers": answers, "notes": notes, "strata": strata})

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
        return axes

    def _as_csv(self) -> str:
        file = io.StringIO()
        writer = csv.DictWriter(file, self.columns, lineterminator="\n")
        writer.writeheader()
        for line in self.lines():
            texts = {name: spreadsheet_text(x) for name, x in line.items() if isinstance(x, str)}
            writer.writerow(line | texts)
        return file.getvalue()


def _lines(one: Published) -> list[dict[str, Any]]:
    rows = one.rows
    of_all = len(rows) - len(one.numbers) if one.values is None else len(rows)
    shares: list[Any] = [*one.fitted] if one.fitted else [None] * (len(rows) - of_all)
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
