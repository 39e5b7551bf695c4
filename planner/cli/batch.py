"""`planner solve --table`: one study for each row, the plans written as they are found."""

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import planner
from planner.cli.shared import Objective, Settings, check_writable
from planner.cli.terminal import BAD_INPUT, STATUS, complain, finish, progress
from planner.output import write_whole
from planner.wording import plain, several, spreadsheet_text

if TYPE_CHECKING:
    from planner.study_file.sites import Row

_PLAN = ("epsilon", "delta", "participants", "compensation", "cost", "failure", "loss")
_ANSWER = ("verdict", *_PLAN, "least_cost", "attained", "statement", "error", "note")


def batch(
    studies: list[Path],
    table: Path,
    output: Path | None,
    minimise: Objective,
    as_json: bool,
    force: bool,
    settings: Settings,
    blank: Literal["template", "error"],
) -> int:
    """Plan every valid row; report the others by line.

    Returns:
        The highest exit status of the rows; 64 if one is invalid.

    Raises:
        ValueError: the options do not fit together, or a file cannot be read or written.
    """
    from planner.study_file.sites import read_rows

    if len(studies) > 1:
        raise ValueError(f"--table takes one study file as a template, not {len(studies)}")
    if output is not None:
        check_writable(output, (output.suffix.lower(),), [table, *studies], force)
    rows = read_rows(table, studies[0] if studies else None, blank, settings)
    if output is not None:
        planned = _written(rows, output, minimise)
        print(_summary(planned, output))  # noqa: T201
    else:
        planned = [_plan(row, minimise) for row in progress(rows, "planning")]
        if as_json:
            finish(as_json, [_typed(row) for row in planned])
        else:
            writer = csv.DictWriter(sys.stdout, _columns(rows), lineterminator="\n")
            writer.writeheader()
            writer.writerows(map(_as_texts, planned))
    for row in rows:
        if row.error:
            complain(row.error)
    return max((STATUS.get(row["verdict"], BAD_INPUT) for row in planned), default=0)


def _written(rows: "list[Row]", output: Path, minimise: Objective) -> list[dict[str, Any]]:
    planned: list[dict[str, Any]] = []
    stopped = []

    def save(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _columns(rows))
            writer.writeheader()
            try:
                for row in progress(rows, "planning"):
                    planned.append(_plan(row, minimise))
                    writer.writerow(_as_texts(planned[-1]))
                    file.flush()
            except KeyboardInterrupt:
                stopped.append(True)

    write_whole(output, save)
    if stopped:
        raise ValueError(
            f"stopped after {len(planned)} of {len(rows)} rows; their plans are in {output}"
        )
    return planned


def _columns(rows: "list[Row]") -> list[str]:
    """The columns of the output: those of the table, then those of the plan."""
    given = list(rows[0].cells) if rows else []
    return ["line", *given, *(f"plan_{name}" if name in given else name for name in _ANSWER)]


def _plan(row: "Row", minimise: Objective) -> dict[str, Any]:
    """The row of the output for one row of the table; None where there is no value."""
    from planner.answer.answers import to_dict

    answer: dict[str, Any] = dict.fromkeys(_ANSWER)
    if row.blank and row.study is not None:
        answer["note"] = f"blank, so as in the study file: {', '.join(row.blank)}"
    if row.study is None:
        answer |= {"verdict": "bad input", "error": row.error}
    else:
        solved = to_dict(planner.solve(row.study, minimise))
        plan, least = solved["plan"] or {}, solved["least_cost"] or {}
        answer |= {name: plan.get(name) for name in _PLAN}
        answer |= {
            "verdict": solved["verdict"],
            "least_cost": least.get("value"),
            "attained": least.get("attained"),
            "statement": solved["proof"]["statement"],
        }
    named = {f"plan_{name}" if name in row.cells else name: x for name, x in answer.items()}
    return {"line": row.line, **row.cells, **named}


def _typed(row: dict[str, Any]) -> dict[str, Any]:
    from planner.study_file.keys import places
    from planner.study_file.text import value_of

    keys = places().keys() - {"title", "currency"}
    cells = {name: x for name, x in row.items() if name in keys and isinstance(x, str)}
    return row | {name: value_of(x) if x else None for name, x in cells.items()}


def _as_texts(row: dict[str, Any]) -> dict[str, Any]:
    texts = {name: spreadsheet_text(x) for name, x in row.items() if isinstance(x, str)}
    truths = {name: str(x).lower() for name, x in row.items() if isinstance(x, bool)}
    return row | texts | truths


def _summary(planned: list[dict[str, Any]], output: Path) -> str:
    counts = Counter(row.get("plan_verdict", row["verdict"]) for row in planned)
    parts = [f"{plain(count)} {verdict}" for verdict, count in sorted(counts.items())]
    studies = "study" if len(planned) == 1 else "studies"
    return f"{plain(len(planned))} {studies}: {several(parts) if parts else 'none'}; see {output}."
