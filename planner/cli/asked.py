"""`planner init` on a terminal: a question for each number, with an example and what it means."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from planner.study_file.questionnaire import Ask

_HELP, _END = "?", ""


def asked(template: str) -> str:
    """The template filled in with the replies; Enter keeps its value, ? explains."""
    from planner.study_file import text
    from planner.study_file.keys import changed
    from planner.study_file.questionnaire import ASKS, filled, with_questions
    from planner.study_file.reader import study_of

    console = _console()
    console.print("Enter keeps the value in brackets; ? explains.\n")
    data = text.parsed(template, "the template")
    if "question" in data:
        data["question"] = _questions(console, data)
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
            study_of(changed(data, {**values, key: value}, "your reply"), "your reply")

        values[ask.key] = _reply(console, ask, keys[ask.key], refused)
    return filled(template, values)


def _questions(console: "Console", data: dict[str, Any]) -> list[dict[str, Any]]:
    """The questions of a survey, those of the template unless others are given."""
    from planner.study_file.questionnaire import KINDS, OF_KINDS, Ask
    from planner.study_file.reader import study_of

    names = ", ".join(table["name"] for table in data["question"])
    console.print(f"The questions of the survey; Enter alone keeps {names}.")
    found: list[dict[str, Any]] = []
    kinds = "; ".join(f"{kind}: {ask.question}" for kind, ask in KINDS.items())
    meanings = " ".join(f"{kind}: {ask.help}" for kind, ask in KINDS.items())
    while True:
        name = console.input(
            f"Name of question {len(found) + 1} (Enter: no more): ", markup=False
        ).strip()
        if name == _END:
            return found or data["question"]
        if name == _HELP:
            console.print("  A word that names the column of the records, such as smokes.")
            continue

        def known(kind: Any) -> None:
            if kind not in KINDS:
                raise ValueError(f"give one of {', '.join(KINDS)}")

        kind = _reply(console, Ask("kind", f"Kind ({kinds})", meanings), "share", known)
        table: dict[str, Any] = {"kind": kind, "name": name}
        examples = {"error": 0.03, "groups": 8, "low": 0, "high": 60}
        for ask in OF_KINDS[kind]:
            example = 2.0 if kind == "mean" and ask.key == "error" else examples[ask.key]
            table[ask.key] = _reply(console, ask, example, _number)
        try:
            study_of({**data, "question": [*found, table]}, "your replies")
        except ValueError as error:
            console.print(f"  {error}")
        else:
            found.append(table)


def _number(value: Any) -> None:
    """Refuse what is no number."""
    if isinstance(value, str | bool):
        raise ValueError("give a number")


def _reply(console: "Console", ask: "Ask", default: Any, check: Callable[[Any], None]) -> Any:
    """A reply that the check does not refuse."""
    from planner.study_file.keys import value_of

    while True:
        reply = console.input(f"{ask.question} [{default}]: ", markup=False).strip()
        if reply == _HELP:
            console.print(f"  {ask.help}")
            continue
        value = default if reply == "" else reply if isinstance(default, str) else value_of(reply)
        if isinstance(default, float):
            if default < 1 and reply.endswith("%"):
                value = value_of(f"{reply[:-1].strip()}e-2")
            value = float(value) if isinstance(value, int) else value
        try:
            check(value)
        except ValueError as error:
            console.print(f"  {error}")
        else:
            return value


def _console() -> "Console":
    """A console on which brackets are brackets."""
    from planner.cli.terminal import console

    return console()
