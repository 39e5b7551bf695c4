"""Many studies in one table: each row of a CSV file fills in a template study file."""

from pathlib import Path
from typing import Any, Literal, NamedTuple

from planner.model import Study
from planner.study_file.csv_table import Table, read_table
from planner.study_file.keys import (
    NO_SETTINGS,
    Settings,
    changed,
    is_key,
    meant,
    places,
)
from planner.study_file.reader import load, study_of
from planner.study_file.text import StudyFileError, value_of

Blank = Literal["error", "template"]


class Row(NamedTuple):
    """One row of a table.

    Attributes:
        line: its line in the file, counted from 1.
        cells: its cells, by column.
        study: the study, or None where the row is bad.
        error: the error message, else empty.
        blank: the keys whose cells are empty.
    """

    line: int
    cells: dict[str, str]
    study: Study | None
    error: str
    blank: tuple[str, ...] = ()


def read_rows(
    table: str | Path,
    template: str | Path | None = None,
    blank: Blank = "template",
    settings: Settings = NO_SETTINGS,
) -> list[Row]:
    """One study for each row: the template with the row's cells in place of its values.

    A column is named like a key of study files (`budget`), with its section where two sections have
    it (`mechanism.universe_size`). Columns with other names, such as `site`, are notes.

    Args:
        table: the CSV file.
        template: a study file with what the rows have in common.
        blank: what an empty cell of a key stands for: the "template"'s value, or an "error".
        settings: values that the template is to have.

    Raises:
        StudyFileError: the table or the template cannot be read, or a column is nearly a key.
    """
    base = load(template, settings) if template is not None else changed({}, settings, str(table))
    content = read_table(table, "site", StudyFileError)
    header = content.header
    keys = [name for name in header if _is_key(name, base, table)]
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise StudyFileError(f"{table}: column {twice[0]} is given twice; give it once")
    _complete(keys, base, table)
    return [_row(base, content, keys, line, cells, table, blank) for line, cells in content.rows]


_HOW_SURE = {("target", "failure"), ("target", "confidence")}


def _is_key(name: str, base: dict[str, Any], table: str | Path) -> bool:
    """Whether a column is a key of study files; others are notes, such as a site's name."""
    if is_key(base, name):
        return True
    known = " or ".join(meant(name))
    if known or not name:
        hint = f"did you mean {known}?" if known else "give it a name, or leave it out"
        raise StudyFileError(f"{table}: unknown column {name or '(empty)'}; {hint}")
    return False


def _complete(keys: list[str], base: dict[str, Any], table: str | Path) -> None:
    """Refuse a table without columns for what the template lacks."""
    given = {places()[name] for name in keys if name in places()}
    of_survey = "question" in base  # whose questions have errors of their own
    needed: dict[tuple[str, str], str] = {}
    if not of_survey and base.get("target", {}).get("kind", "accuracy") == "accuracy":
        if "stratum" not in base:  # whose strata have errors of their own
            needed |= {("target", "error"): "error"}
        if not (given & _HOW_SURE or "confidence" in base.get("target", {})):
            needed |= {("target", "failure"): "failure"}
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
            "holds what all rows have in common"
        )


def _row(
    base: dict[str, Any],
    content: Table,
    keys: list[str],
    line: int,
    cells: list[str],
    table: str | Path,
    blank: Blank,
) -> Row:
    header = content.header
    named = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
    named |= {key: content.cell(key, named[key]) for key in keys if key in named}
    where = f"{table}, line {line}"
    if len(cells) != len(header):
        counts = [
            f"{len(parts)} {word}{'s' if len(parts) > 1 else ''}"
            for parts, word in ((cells, "cell"), (header, "column"))
        ]
        error = f"{where}: {' under '.join(counts)}; give one for each"
        return Row(line, named, None, error)
    empty = tuple(key for key in keys if not named[key])
    if blank == "error" and empty:
        error = f"{where}: {', '.join(empty)} blank; give a value, or --blank template"
        return Row(line, named, None, error, empty)
    given = {key: value_of(named[key]) for key in keys if named[key]}
    try:
        return Row(line, named, study_of(changed(base, given, where), where), "", empty)
    except StudyFileError as error:
        return Row(line, named, None, str(error), empty)
