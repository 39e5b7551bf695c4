"""What commands have in common: options, and the studies, answers and files that these name."""

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import planner
from planner.cli.terminal import complain, working
from planner.output import check_target, write_whole
from planner.wording import spreadsheet_text

if TYPE_CHECKING:
    from planner.answer.answers import Answer, Given

STRATUM = "stratum"
"""Of settings, the one that chooses a stratum."""
_MOST_TOGETHER = 20
"""Studies side by side: seven tables of three; for more, a sweep writes a file."""
Force = Annotated[bool, typer.Option("--force", help="Replace existing files without asking.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ledger = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="The ledger; your own by default."),
]
Objective = Literal["cost", "participants", "epsilon"]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A file of planner solve -o.")]
Settings = dict[str, Any]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Another value for a key, such as budget=84000; repeatable.",
    ),
]
StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")]
StudyFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="STUDY", help="Study files; by default the scenarios of Hsu et al. (2014)."
    ),
]


def settings_of(given: list[str] | None) -> Settings:
    """The one value of each key.

    Raises:
        ValueError: a text is not KEY=VALUE, or a key has several values.
    """
    several = every_setting(given)
    if len(several) > 1:
        raise ValueError(
            "--set takes one value for each key here; planner solve takes several and shows the "
            "plans side by side"
        )
    return several[0]


def of_all_strata(settings: Settings) -> Settings:
    """The settings without that of a stratum."""
    return {key: value for key, value in settings.items() if key != STRATUM}


def every_setting(given: list[str] | None) -> list[Settings]:
    """The values of all keys, once for each way to choose among several.

    Raises:
        ValueError: a text is not KEY=VALUE, a key is given twice, or there are too many ways.
    """
    if not given:
        return [{}]
    from planner.study_file.keys import looks_like_one, setting

    chosen = [setting(each) for each in given]
    keys = [key for key, _ in chosen]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise ValueError(
            f"--set {twice[0]} is given twice; give its values together, such as "
            f"--set {twice[0]}=1,2"
        )
    ways = 1
    for _, values in chosen:
        ways *= len(values)
    if ways > _MOST_TOGETHER:
        raise ValueError(
            f"--set gives {ways:,} studies; give at most {_MOST_TOGETHER}, or use planner sweep"
        )
    for text in filter(looks_like_one, given):
        complain(
            f"--set {text} gives several values; for one number write a decimal point and no "
            "thousands separator"
        )
    return [dict(zip(keys, way, strict=True)) for way in product(*(v for _, v in chosen))]


def read(path: Path, settings: list[str] | None) -> "Given":
    """The study of a study file with other values, or the answer of a plan file.

    With --set stratum=NAME it is the plan of one stratum, which is a study by itself.

    Raises:
        ValueError: a setting or the file is not as it must be.
    """
    from planner.study_file.answer_file import read_given

    chosen = settings_of(settings)
    given = read_given(path, of_all_strata(chosen))
    if STRATUM not in chosen:
        return given
    answer = planned(given)
    if not isinstance(answer, planner.answer.StrataPlan):
        raise ValueError(
            f"{path}: there is no plan of strata with answers of their own; leave --set stratum out"
        )
    return answer.stratum(str(chosen[STRATUM]))


def planned(given: "Given", minimise: Objective = "cost") -> "Answer":
    """The answer to a study; an answer that was saved, as it is.

    Raises:
        ValueError: the study cannot be planned so.
    """
    from planner.answer.answers import AnyAnswer

    return given if isinstance(given, AnyAnswer) else planner.solve(given, minimise)


def computed(given: "Given") -> "Answer":
    """The answer, of which only that there is no plan is proved: some studies are undecided.

    Raises:
        ValueError: as `planned`.
    """
    from planner.answer.solve import answer_to

    answer = answer_to(given, prove=False)
    return answer if answer.verdict == "feasible" else planned(given)


def planned_from(path: Path, settings: list[str] | None) -> "Answer":
    """The answer to the study of a file, while the terminal says that it is planned.

    Raises:
        ValueError: as `read` and `planned`.
    """
    with working("planning"):
        return planned(read(path, settings))


def check_writable(
    path: Path, endings: Iterable[str], inputs: Iterable[Path], force: bool = False
) -> None:
    """Refuse a file that cannot or must not be written; on a terminal, ask before replacing one."""
    asked = sys.stdin.isatty() and sys.stderr.isatty()
    check_target(path, endings, inputs, force or asked)
    if asked and not force and path.exists():
        typer.confirm(f"{path} exists; replace it?", abort=True, err=True)


def write_table(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of values to a CSV file, completely or not at all.

    Raises:
        ValueError: it cannot be written.
    """

    def save(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, dict.fromkeys(name for line in lines for name in line))
            writer.writeheader()
            for line in lines:
                texts = {k: spreadsheet_text(x) for k, x in line.items() if isinstance(x, str)}
                writer.writerow({**line, **texts})

    write_whole(path, save)


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, completely or not at all.

    Raises:
        ValueError: it cannot be written.
    """
    write_whole(path, lambda part: part.write_text(text, "utf-8"))
