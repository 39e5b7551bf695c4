"""Many studies in one table: each row of a CSV file fills in a template study file."""

import csv
from collections.abc import Iterator
from copy import deepcopy
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from planner.model import Study
from planner.study_file.reader import load, study_of
from planner.study_file.sections import AccuracyTarget, LossTarget, StudyTables
from planner.study_file.text import StudyFileError

_INSTEAD = {
    "scenario": ("base_cost", "worst_cost"),
    "base_cost": ("scenario",),
    "worst_cost": ("scenario",),
}
"""Other keys of [individual] that a cell replaces."""


class Row(NamedTuple):
    """One row of a table.

    Attributes:
        line: its line in the file, counted from 1.
        cells: its cells, by column.
        study: the study, or None where the row is bad.
        error: the error message, else empty.
    """

    line: int
    cells: dict[str, str]
    study: Study | None
    error: str


def read_rows(table: str | Path, template: str | Path | None = None) -> list[Row]:
    """One study for each row: the template with the row's cells in place of its values.

    A column is named like a key of study files (`budget`), with its section where two sections have
    it (`mechanism.universe_size`). An empty cell keeps the template's value.

    Raises:
        StudyFileError: the table or the template cannot be read, or a column is not known.
    """
    base = load(template) if template is not None else {}
    try:
        with Path(table).open(encoding="utf-8-sig", newline="") as file:
            lines = list(_lines(file))
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise StudyFileError(f"{table}: {reason}; give the path of a CSV file") from None
    except UnicodeDecodeError:
        raise StudyFileError(f"{table}: not a text file in UTF-8; give a CSV file") from None
    except csv.Error as error:
        raise StudyFileError(f"{table}: not valid CSV: {error}") from None
    if len(lines) < 2:
        raise StudyFileError(
            f"{table}: no rows; give a header of column names, and a row for each site"
        )
    header = [name.strip() for name in lines[0][1]]
    places = [_place(name, table) for name in header]
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise StudyFileError(f"{table}: column {twice[0]} is given twice; give it once")
    _complete(header, base, table)
    return [_row(base, header, places, line, cells, table) for line, cells in lines[1:]]


def _lines(file: Any) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, with their line numbers."""
    reader = csv.reader(file, delimiter=_delimiter(file.readline()))
    file.seek(0)
    for cells in reader:
        if cells:
            yield reader.line_num, cells


def _delimiter(header: str) -> str:
    """The delimiter of the columns: a comma, semicolon or tab."""
    return max(",;\t", key=header.count)


_HOW_SURE = {("target", "failure"), ("target", "confidence")}


@cache
def columns() -> dict[str, tuple[str, ...]]:
    """The section and key of each column."""
    places: dict[str, tuple[str, ...]] = {"title": ("title",), "currency": ("currency",)}
    sections: dict[str, list[str]] = {"mechanism": ["kind", "analysis", "times", "composition"]}
    sections["mechanism"] += ["universe_size", "queries"]
    for section in ("individual", "conditions", "costs", "sampling"):
        table: Any = StudyTables.model_fields[section].annotation
        sections[section] = list(table.model_fields)
    sections["target"] = [*AccuracyTarget.model_fields, *LossTarget.model_fields]
    keys = [key for names in sections.values() for key in dict.fromkeys(names)]
    for section, names in sections.items():
        for key in names:
            places[f"{section}.{key}"] = (section, key)
            if keys.count(key) == 1:
                places[key] = (section, key)
    return places


def _place(name: str, table: str | Path) -> tuple[str, ...]:
    """The section and key of a column; else a StudyFileError."""
    known = columns()
    if name in known:
        return known[name]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "give keys of study files, such as budget"
    raise StudyFileError(f"{table}: unknown column {name or '(empty)'}; {hint}")


def _complete(header: list[str], base: dict[str, Any], table: str | Path) -> None:
    """Refuse a table without columns for what the template lacks."""
    given = {columns()[name] for name in header}
    needed = {("mechanism", "kind"): "mechanism.kind"}
    if base.get("target", {}).get("kind", "accuracy") == "accuracy":
        needed |= {("target", "error"): "error"}
        if not (given & _HOW_SURE or "confidence" in base.get("target", {})):
            needed |= {("target", "failure"): "failure"}
    person = base.get("individual", {})
    if not given & {("individual", "scenario"), ("individual", "base_cost")} and not person:
        needed["individual", "base_cost"] = "base_cost (or scenario)"
    missing = [
        name
        for (section, key), name in needed.items()
        if (section, key) not in given
        and isinstance(base.get(section, {}), dict)
        and key not in base.get(section, {})
    ]
    if missing:
        raise StudyFileError(
            f"{table}: missing columns: {', '.join(missing)}; add them, or give a study file that "
            "holds what all rows share"
        )


def _row(
    base: dict[str, Any],
    header: list[str],
    places: list[tuple[str, ...]],
    line: int,
    cells: list[str],
    table: str | Path,
) -> Row:
    """The study of one row, or its error."""
    named = dict(zip(header, (cell.strip() for cell in cells), strict=False))
    where = f"{table}, line {line}"
    if len(cells) != len(header):
        counts = [
            f"{len(parts)} {word}{'s' if len(parts) > 1 else ''}"
            for parts, word in ((cells, "cell"), (header, "column"))
        ]
        error = f"{where}: {' under '.join(counts)}; give one for each"
        return Row(line, named, None, error)
    data = deepcopy(base)
    given = [
        (place, _value(cell)) for place, cell in zip(places, named.values(), strict=True) if cell
    ]
    try:
        for place, _ in given:
            _make_room(data, place, where)
        for place, value in given:
            _table(data, place)[place[-1]] = value
        return Row(line, named, study_of(data, where), "")
    except StudyFileError as error:
        return Row(line, named, None, str(error))


def _make_room(data: dict[str, Any], place: tuple[str, ...], where: str) -> None:
    """Remove the template's keys that the cell replaces."""
    section = data.setdefault(place[0], {}) if place[1:] else {}
    if not isinstance(section, dict):
        raise StudyFileError(
            f"{where}: {'.'.join(place)} cannot be put into several sections [[{place[0]}]]; "
            "give a study file with one"
        )
    for other in _INSTEAD.get(place[-1], ()):
        section.pop(other, None)


def _table(data: dict[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    """The section that holds a key."""
    section: dict[str, Any] = data[place[0]] if place[1:] else data
    return section


def _value(text: str) -> Any:
    """The value of a cell: a number, true or false, else text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
