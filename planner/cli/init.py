"""`planner init`: a study file to begin with; on a terminal by a question for each number."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from planner.cli.shared import Force, check_writable, write_text
from planner.cli.terminal import console, finish
from planner.wording import plain

if TYPE_CHECKING:
    from rich.console import Console

    from planner.study_file.questionnaire import Ask

_HELP, _END = "?", ""
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""A reply such as 20.000, with which some mean 20,000."""
_EXAMPLES: dict[tuple[str, str], Any] = {
    ("", "error"): 0.03,
    ("", "groups"): 8,
    ("", "low"): 0,
    ("", "high"): 60,
    ("mean", "error"): 2.0,
    ("share-by-group", "by"): "age group",
    ("share-by-group", "labels"): "18-39, 40-64, 65 or more",
    ("share-by-group", "share_at_least"): 0.2,
    ("share-by-group", "error"): 0.1,
}
"""Of replies, by the kind of question or for any; the first are those of the template."""


def init(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The study file to write.")] = Path(
        "study.toml"
    ),
    survey: Annotated[bool, typer.Option("--survey", help="Several questions.")] = False,
    no_curator: Annotated[
        bool, typer.Option("--no-curator", help="Nobody holds the true answers.")
    ] = False,
    test: Annotated[
        bool, typer.Option("--test", help="A test with a power; of two groups with --compare.")
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Two groups; a test of them with --test.")
    ] = False,
    plan: Annotated[
        Path | None,
        typer.Option("--from", metavar="PLAN", help="The study of a plan file, to change it."),
    ] = None,
    force: Force = False,
) -> int:
    """Write a commented study file that can be planned, from your replies to a few questions.

    Where input or output is not a terminal nothing is asked, and the file holds an example.
    Exit status: 0 written, 64 bad input.
    """
    from planner.study_file.answer_file import text_of_study
    from planner.study_file.templates import TEMPLATES

    compared = compare and test
    if survey + no_curator + test + compare + (plan is not None) > 1 + compared:
        raise ValueError(
            "--survey, --no-curator, --test, --compare and --from each give a study; give one of "
            "them, or --compare with --test"
        )
    check_writable(output, (".toml",), [plan] if plan else [], force)
    if plan is not None:
        text = text_of_study(plan)
    else:
        given = {"compare-test": compare and test, "survey": survey, "no-curator": no_curator,
                 "compare": compare, "test": test}  # fmt: skip
        name = next((name for name, chosen in given.items() if chosen), "")
        terminal = console() if sys.stdin.isatty() and sys.stdout.isatty() else None
        if terminal is not None:
            terminal.print("Enter keeps the value in brackets; ? explains.\n")
            name = name or _template(terminal)
        text = (TEMPLATES / f"{name or 'study'}.toml").read_text("utf-8")
        if terminal is not None:
            text = _asked(terminal, text, output)
    write_text(output, text)
    return finish(False, f"{output}: plan it with planner solve {output}")


def _template(terminal: "Console") -> str:
    from planner.study_file.questionnaire import STUDIES, Ask

    def known(kind: Any) -> None:
        if kind not in STUDIES:
            raise ValueError(f"give one of {', '.join(STUDIES)}")

    kinds = "; ".join(f"{kind}: {ask.question}" for kind, ask in STUDIES.items())
    meanings = " ".join(f"{kind}: {ask.help}" for kind, ask in STUDIES.items())
    ask = Ask("study", f"What the study is to find out ({kinds})", meanings)
    return STUDIES[_reply(terminal, ask, next(iter(STUDIES)), known)].key


def _asked(terminal: "Console", template: str, output: Path) -> str:
    from planner.study_file import text
    from planner.study_file.costs_file import with_pilot
    from planner.study_file.keys import changed
    from planner.study_file.questionnaire import (
        ASKS,
        NO_PILOT,
        PILOT,
        filled,
        of_pilot,
        suggested,
        with_questions,
    )
    from planner.study_file.reader import study_of

    data = text.parsed(template, "the template")
    if "question" in data:
        data["question"] = _questions(terminal, data)
        template = with_questions(template, data["question"])
    keys = {
        key: value
        for table in data.values()
        if isinstance(table, dict)
        for key, value in table.items()
    }
    keys |= {key: data[key] for key in ("title", "currency")}
    values: dict[str, Any] = {}
    for ask in ASKS:
        if ask.key not in keys:
            continue

        def refused(value: Any, key: str = ask.key) -> None:
            replies = {**values, key: value, **suggested(key, value)}
            study_of(changed(data, replies, "your reply"), "your reply")

        values[ask.key] = _reply(terminal, ask, keys[ask.key], refused)
        if values[ask.key] != keys[ask.key]:
            keys |= suggested(ask.key, values[ask.key])
    study = filled(template, values)

    def readable(name: Any) -> None:
        if name != NO_PILOT:
            of = with_pilot(text.parsed(of_pilot(study, name), "your reply"), output)
            study_of(of, "your reply")

    pilot = _reply(terminal, PILOT, NO_PILOT, readable)
    return study if pilot == NO_PILOT else of_pilot(study, pilot)


def _questions(terminal: "Console", data: dict[str, Any]) -> list[dict[str, Any]]:
    from planner.study_file.questionnaire import KINDS, OF_KINDS, Ask
    from planner.study_file.reader import study_of

    names = ", ".join(table["name"] for table in data["question"])
    terminal.print(f"The questions of the survey; Enter alone keeps {names}.")
    found: list[dict[str, Any]] = []
    kinds = "; ".join(f"{kind}: {ask.question}" for kind, ask in KINDS.items())
    meanings = " ".join(f"{kind}: {ask.help}" for kind, ask in KINDS.items())
    while True:
        name = terminal.input(
            f"Name of question {len(found) + 1} (Enter: no more): ", markup=False
        ).strip()
        if name == _END:
            return found or data["question"]
        if name == _HELP:
            terminal.print("  A word that names the column of the records, such as smokes.")
            continue

        def known(kind: Any) -> None:
            if kind not in KINDS:
                raise ValueError(f"give one of {', '.join(KINDS)}")

        kind = _reply(terminal, Ask("kind", f"Kind ({kinds})", meanings), "share", known)
        table: dict[str, Any] = {"kind": kind, "name": name}
        for ask in OF_KINDS[kind]:
            example = _EXAMPLES.get((kind, ask.key), _EXAMPLES.get(("", ask.key)))
            table[ask.key] = _reply(terminal, ask, example, _CHECKS.get(ask.key, _number))
        if isinstance(table.get("groups"), str):
            table["labels"] = table.pop("groups")
        if "labels" in table:
            table["labels"] = [label.strip() for label in table["labels"].split(",")]
        try:
            study_of({**data, "question": [*found, table]}, "your replies")
        except ValueError as error:
            terminal.print(f"  {error}")
        else:
            found.append(table)


def _groups(value: Any) -> None:
    if not isinstance(value, str) or "," not in value:
        _number(value)


def _labels(value: Any) -> None:
    if "," not in value:
        raise ValueError("give two names or more, with commas between")


def _number(value: Any) -> None:
    if isinstance(value, str | bool):
        raise ValueError("give a number")


def _word(value: Any) -> None:
    """Refuse nothing: any text names a column."""


_CHECKS = {"groups": _groups, "labels": _labels, "by": _word}
"""What is refused of a reply that is not a number."""


def _reply(terminal: "Console", ask: "Ask", default: Any, check: Callable[[Any], None]) -> Any:
    """A reply that the check does not refuse; one that may mean thousands is asked for twice."""
    from planner.study_file.keys import value_of

    doubtful = ""
    while True:
        reply = terminal.input(f"{ask.question} [{default}]: ", markup=False).strip()
        if reply == _HELP:
            terminal.print(f"  {ask.help}")
            continue
        value = default if reply == "" else reply if isinstance(default, str) else value_of(reply)
        if isinstance(default, float):
            if default < 1 and reply.endswith("%"):
                value = value_of(f"{reply[:-1].strip()}e-2")
            value = float(value) if isinstance(value, int) else value
        try:
            check(value)
        except ValueError as error:
            terminal.print(f"  {error}")
            continue
        if isinstance(default, str) or reply == doubtful or not _THOUSANDS.fullmatch(reply):
            return value
        doubtful = reply
        terminal.print(
            f"  {reply} has a decimal point and means {plain(float(reply))}; if it separates "
            f"thousands, write {reply.replace('.', '')}, else give the same reply again"
        )
