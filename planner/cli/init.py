"""`planner init`: a study file to begin with; on a terminal by a question for each number."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from planner.cli.shared import Force, check_writable, write_text
from planner.cli.terminal import console, finish
from planner.study_file.text import reply_of
from planner.wording import plain

if TYPE_CHECKING:
    from rich.console import Console

    from planner.study_file.questionnaire import Ask, Kind

_HELP = "?"
_DOUBTFUL = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""A reply such as 20.000, with which some mean 20,000."""
_NUMERALS = ("dozen", "hundred", "thousand", "million", "billion", "k", "m")
"""Words after a number that are part of it."""
_EXAMPLE = {"kind": "share", "name": "smokes", "error": 0.03}
"""The question of a survey for which no other is given."""
_ACCEPT = 0.9  # the part of the people of a pilot for whom the payment is enough
_OF_A_PILOT = {
    "individual.base_costs": "what people of a pilot ask to be paid",
    "individual.accept": "the payment is enough for so many; see planner payment",
}


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
            text = Questionnaire(terminal, output).study(name)
        else:
            text = (TEMPLATES / f"{name or 'study'}.toml").read_text("utf-8")
    write_text(output, text)
    return finish(False, f"{output}: plan it with planner solve {output}")


@dataclass
class Questionnaire:
    """The questions to a person at a terminal, and the study file that the replies give.

    Attributes:
        terminal: where they are asked.
        output: the file that will be written, from which other files are named.
        values: the values so far, by keys with sections; each has one from the start.
        questions: those of a survey.
        remarks: what the file says of keys.
    """

    terminal: "Console"
    output: Path
    values: dict[str, Any] = field(default_factory=dict)
    questions: list[dict[str, Any]] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=lambda: dict(_OF_A_PILOT))

    def study(self, name: str) -> str:
        """The text of the study file; a name of the menu, or none, in which case it is shown."""
        from planner.study_file import questionnaire as words

        self.terminal.print("Enter keeps the value in brackets; ? explains.\n")
        kinds = {kind.name: kind for kind in words.STUDIES}
        kind = kinds[name] if name else self._chosen("What is the study to find out?", kinds)
        self.values = {"title": "", **{f"target.{key}": x for key, x in kind.given.items()}}
        self.questions = [_EXAMPLE] * (kind.name == "survey")
        self._begin([words.TITLE, *kind.asks, *words.UNPAID])
        self._ask([words.TITLE, *kind.asks])
        if kind.name == "survey":
            self._ask_questions()
        self._ask(words.WHO)
        if self._reply(words.PAID, "no", _yes_or_no) == "yes":
            for ask in words.UNPAID:
                del self.values[ask.key]
            invited = "sampling.response_rate" in self.values
            asks = [
                words.PER_INVITATION if invited and ask.key == "costs.per_person" else ask
                for ask in words.MONEY
            ]
            self._begin(asks)
            self._ask(asks)
            for key, (value, remark) in words.COIN.items():
                self.values[key], self.remarks[key] = value, remark
        else:
            self._ask(words.UNPAID)
        return words.file_of(self.values, self.questions, self.remarks)

    def _begin(self, asks: "Sequence[Ask]") -> None:
        self.values |= {ask.key: ask.default for ask in asks}

    def _ask(self, asks: "Sequence[Ask]") -> None:
        """Ask for keys of the study; each reply must make one that can be read."""
        from planner.study_file.questionnaire import NONE, suggested

        for ask in asks:

            def check(value: Any, ask: "Ask" = ask) -> None:
                kept = {key: x for key, x in self.values.items() if key != ask.key}
                suggests = suggested(self.values, ask.key, value)
                self._refuse({**kept, **suggests, **_given(ask.key, value)})

            default = self.values.get(ask.key, NONE)
            value = self._reply(ask, default, check)
            if value != default:
                self.values |= suggested(self.values, ask.key, value)
            self.values.pop(ask.key, None)
            self.values |= _given(ask.key, value)
            self.remarks[ask.key] = ask.remark

    def _refuse(
        self, values: Mapping[str, Any], questions: Sequence[Mapping[str, Any]] | None = None
    ) -> None:
        """Refuse what makes no study.

        Raises:
            ValueError: as for a study file.
        """
        from planner.study_file.costs_file import with_pilot
        from planner.study_file.reader import study_of

        data: dict[str, Any] = {}
        for key, value in values.items():
            section, _, name = key.rpartition(".")
            (data.setdefault(section, {}) if section else data)[name] = value
        if asked := self.questions if questions is None else questions:
            data["question"] = list(asked)
        study_of(with_pilot(data, self.output), "your reply")

    def _ask_questions(self) -> None:
        """Ask for the questions of a survey; with none of them the example stays."""
        from planner.study_file import questionnaire as words

        kinds = {kind.name: kind for kind in words.QUESTIONS}
        found: list[dict[str, Any]] = []
        while True:
            name = self.terminal.input(
                f"Name of question {len(found) + 1} (Enter: no more): ", markup=False
            ).strip()
            if not name:
                break
            if name == _HELP:
                self.terminal.print("  A short name for tables and columns, such as smokes.")
                continue
            kind = kinds[self._chosen(f"What is the answer to {name}?", kinds).name]
            table: dict[str, Any] = {"kind": kind.name, "name": name}
            table |= {ask.key: ask.default for ask in kind.asks if ask.default != words.NONE}
            for key in words.LISTS:
                if key in table:
                    table[key] = _words(table[key])
            try:
                self._refuse(self.values, [*found, table])
            except ValueError as error:
                self.terminal.print(f"  {error}")
                continue
            for ask in kind.asks:
                table = self._asked_of(ask, table, found)
            found.append(table)
        self.questions = found or self.questions

    def _asked_of(
        self, ask: "Ask", table: dict[str, Any], found: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """The table of a question with one more reply."""
        from planner.study_file.questionnaire import LISTS, NONE, RATE, suggested

        def with_reply(value: Any) -> dict[str, Any]:
            if ask.key in LISTS or (ask.key == "groups" and isinstance(value, str)):
                value = value if value == NONE else _words(value)
            kept = {key: one for key, one in table.items() if key != ask.key}
            if ask.key == "groups" and isinstance(value, list):
                return {**kept, "labels": value}
            own = value == "own" and kept["kind"] in ("share", "mean")
            kept |= suggested(kept, ask.key, value) if value != table.get(ask.key) else {}
            if value == NONE or (ask.key == "missing" and value == "refuse"):
                return kept
            return {**kept, ask.key: value, **({RATE.key: RATE.default} if own else {})}

        default = ", ".join(x) if isinstance(x := table.get(ask.key, ask.default), list) else x
        reply = self._reply(
            ask, default, lambda value: self._refuse(self.values, [*found, with_reply(value)])
        )
        table = with_reply(reply)
        self.remarks[f"{table['kind']}.{ask.key}"] = ask.remark
        return self._asked_of(RATE, table, found) if ask.key != RATE.key in table else table

    def _chosen(self, question: str, kinds: "Mapping[str, Kind]") -> "Kind":
        """One of a numbered menu."""
        names = list(kinds)
        lines = [f"  {number}  {kinds[name].words}" for number, name in enumerate(names, 1)]
        self.terminal.print("\n".join([question, *lines]))
        while True:
            reply = self.terminal.input("Number [1]: ", markup=False).strip() or "1"
            if reply == _HELP:
                self.terminal.print("  Type the number before your choice; Enter takes the first.")
                continue
            if reply in names:
                return kinds[reply]
            if reply.isdecimal() and 1 <= int(reply) <= len(names):
                return kinds[names[int(reply) - 1]]
            self.terminal.print(f"  give a number from 1 to {len(names)}")

    def _reply(self, ask: "Ask", default: Any, check: Callable[[Any], None]) -> Any:
        """A reply that is not refused; one that may mean thousands is asked for twice."""
        doubtful = ""
        while True:
            reply = self.terminal.input(f"{ask.question} [{default}]: ", markup=False).strip()
            if reply == _HELP:
                self.terminal.print(f"  {ask.help or ask.remark}")
                continue
            value = _value(reply, not isinstance(default, str)) if reply else default
            if isinstance(default, str) and not _may_be_number(ask.key):
                value = reply or default
            try:
                check(value)
            except ValueError as error:
                self.terminal.print(f"  {error}")
                continue
            if isinstance(value, str) or reply == doubtful or not _DOUBTFUL.fullmatch(reply):
                return value
            doubtful = reply
            self.terminal.print(
                f"  {reply} has a decimal point and means {plain(float(reply))}; if it separates "
                f"thousands, write {reply.replace('.', '')}, else give the same reply again"
            )


def _may_be_number(key: str) -> bool:
    """Whether a key whose value is a word at first may have a number."""
    return "." in key or key == "missing"


def _given(key: str, value: Any) -> dict[str, Any]:
    """The keys of a reply: none for none, and those of a pilot for the name of its file."""
    from planner.study_file.questionnaire import NONE

    if value == NONE:
        return {}
    if key == "individual.base_cost" and isinstance(value, str):
        return {"individual.base_costs": {"pilot": value}, "individual.accept": _ACCEPT}
    return {key: value}


def _value(reply: str, alone: bool) -> Any:
    """The value of a reply; of a number alone without its unit: 30 days are 30."""
    value = reply_of(reply)
    number, _, unit = reply.partition(" ")
    if alone and isinstance(value, str) and unit.isalpha() and unit.lower() not in _NUMERALS:
        return reply_of(number)
    return value


def _words(reply: Any) -> list[str]:
    """Words with commas between."""
    return [word.strip() for word in reply.split(",")] if isinstance(reply, str) else reply


def _yes_or_no(reply: Any) -> None:
    if reply not in ("yes", "no"):
        raise ValueError("give yes or no")
