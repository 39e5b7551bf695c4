"""Strata from a table: a CSV file with a row for each, named in [strata] of a study file."""

from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from planner import model
from planner.study_file.csv_table import Table, read_table
from planner.study_file.text import StudyFileError, value_of
from planner.wording import named, quoted

_KEYS = tuple(field.name for field in fields(model.Stratum))


def with_strata(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """The tables of a study file with the strata of the file that [strata] names.

    Raises:
        StudyFileError: [strata] is not as it must be, or its file cannot be read.
    """
    table = data.get("strata")
    if not isinstance(table, dict) or "file" not in table:
        return data
    if not isinstance(table["file"], str):
        raise StudyFileError(f'{path}: strata.file is no text; give file = "districts.csv"')
    if "stratum" in data:
        raise StudyFileError(f"{path}: give sections [[stratum]], or a file in [strata], not both")
    unknown = next((key for key in table if key != "file"), None)
    if unknown is not None:
        raise StudyFileError(f"{path}: unknown key strata.{named(unknown)}; known here: file")
    rest = {key: value for key, value in data.items() if key != "strata"}
    return {**rest, "stratum": _rows(path.parent / table["file"])}


def _rows(path: Path) -> list[dict[str, Any]]:
    table = read_table(path, "stratum", StudyFileError)
    header = table.header
    for name in header:
        near = get_close_matches(name, _KEYS, 1, 0.75)
        if near and name not in _KEYS:
            raise StudyFileError(f"{path}: unknown column {named(name)}; did you mean {near[0]}?")
        if header.count(name) > 1:
            raise StudyFileError(f"{path}: column {named(name)} is given twice; give it once")
    if "name" not in header:
        raise StudyFileError(f"{path}: column name is missing; give the name of each stratum")
    return [_row(path, table, line, cells) for line, cells in table.rows]


def _row(path: Path, table: Table, line: int, cells: list[str]) -> dict[str, Any]:
    header = table.header
    if len(cells) != len(header):
        raise StudyFileError(
            f"{path}, line {line}: {len(cells)} cells under {len(header)} columns; give one each"
        )
    row = {key: cell.strip() for key, cell in zip(header, cells, strict=True)}
    found = {
        key: value_of(table.cell(key, cell)) for key, cell in row.items() if key in _KEYS and cell
    }
    found["name"] = row["name"]
    for key, value in found.items():
        if key != "name" and not isinstance(value, int | float):
            raise StudyFileError(f"{path}, line {line}: {key} = {quoted(value)} is not a number")
    return found
