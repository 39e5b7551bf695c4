"""A look at records before anything is spent: what would be published, and what would be refused.

It counts records that are wrong. These counts are without noise: they are for those who hold the
records, and for nobody else.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from planner.answer.answers import Answer
from planner.libraries import np
from planner.publication.items import Item
from planner.publication.of_groups import GROUPS
from planner.publication.parts import Part, counted_in, looked_at_parts, parts_of
from planner.publication.publish import checked_with_strata
from planner.publication.reading import Fault
from planner.publication.record_file import File
from planner.publication.records import NOT_FOR_PUBLICATION, Reading
from planner.publication.together import of_all
from planner.publication.turnout import FEWER, Error, Turnout, fewer_by, paid, with_fewer
from planner.show import Shown
from planner.wording import plain, several

_NO = "no"
_WORDS, _STEM = re.compile(r"\w{3,}"), 5
"""Words of a header, and how many of their letters count: two that share half are similar."""
_MOST_NAMES = 8
"""Strata that are named."""


@dataclass(frozen=True)
class Matched:
    """A column that a question is read from.

    Attributes:
        question: its name.
        column: of the records.
        kind: "share", "count", "histogram", "mean" or "quantile"; "person" of whose a record is.
        words: what is read: the words of its answers, or the range of its numbers.
        refused: how many records would be refused.
        never: of its groups, or of yes and no, those that no record has.
        numbers: of numbers, how many were read, and their least, mean and largest.
        counts: of other answers, how many records have each.
    """

    question: str
    column: str
    kind: str
    words: str
    refused: int
    never: tuple[str, ...] = ()
    numbers: tuple[int, float, float, float] | None = None
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Look(Shown):
    """What a look at records has found; its counts are not for publication.

    Attributes:
        title: of the study.
        recognised: what was recognised of the file, in a line.
        records: how many there are.
        participants: N of the plan; of more records N are drawn at random, or all are used.
        questions: the columns that were found.
        faults: what is wrong with cells and lines, each kind in each column once.
        wrong: what is wrong with the file as a whole, in clauses.
        used: how many records would be used; 0 where they cannot be.
        errors: of each answer with them; empty where it is the planned error.
        paid: what the people cost beside the budget.
        header: the columns of the file, where one that is needed is missing.
        similar: of questions whose column is missing, by their names, the one of the file that may
            be meant; the only question of a study has no name.
        unlike: the other questions whose column is missing.
        note: that the counts are not for publication.
    """

    title: str
    recognised: str
    records: int
    participants: int
    questions: tuple[Matched, ...]
    faults: tuple[Fault, ...]
    wrong: tuple[str, ...]
    used: int = 0
    errors: tuple[Error, ...] = ()
    paid: str = ""
    header: tuple[str, ...] = ()
    similar: dict[str, str] = field(default_factory=dict)
    unlike: tuple[str, ...] = ()
    note: str = NOT_FOR_PUBLICATION

    @property
    def ready(self) -> bool:
        """Whether the records would be published, unless the ledger refuses."""
        return not (self.faults or self.wrong)

    def to_dict(self) -> dict[str, Any]:
        errors = [error._asdict() for error in self.errors]
        return {"ready": self.ready, **asdict(self), "errors": errors}


@dataclass(frozen=True, repr=False)
class Expected(Shown):
    """What a plan expects of records, and what fewer of them would mean.

    Attributes:
        title: of the study.
        participants: N of the plan.
        questions: the columns, and what they hold.
        fewer: the errors with 5, 10 and 20 % fewer people, computed; empty where only N will do.
        note: why it is empty.
    """

    title: str
    participants: int
    questions: tuple[Matched, ...]
    fewer: tuple[Turnout, ...]
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        fewer = [
            {"participants": one.people, "errors": [error._asdict() for error in one.errors]}
            | ({} if one.power is None else {"power": one.power})
            for one in self.fewer
        ]
        data = {"title": self.title, "participants": self.participants}
        questions = [asdict(question) for question in self.questions]
        return {**data, "questions": questions, "fewer": fewer, "note": self.note}


def expected(answer: Answer, column: str | None = None) -> Expected:
    """What a plan expects of records, and what fewer of them would mean.

    Args:
        answer: the plan.
        column: the column of the records where the study asks one question.

    Raises:
        ValueError: the plan does not hold or cannot be run.
    """
    plan = checked_with_strata(answer)
    parts = parts_of(plan, column)
    note, fewer = "", list[Turnout]()
    try:
        if parts[0].of_total is not None:
            fewer = [_with_fewer(parts, part) for part in FEWER]
        elif not parts[0].name:
            fewer = with_fewer(parts[0].plan, parts[0].items)
    except ValueError as error:
        note = str(error)
    questions = [Matched(i.name, i.column, i.kind, i.told, 0) for i in parts[0].items]
    if parts[0].name and not parts[0].of_groups:
        if parts[0].of_total is None:
            note = "of each stratum: planner records PLAN --set stratum=NAME"
        questions.insert(
            0, Matched("stratum", plan.study.records.stratum, "histogram", _names(parts), 0)
        )
    if parts[0].of_groups:
        written = plan.study.records
        names = [*written.first, *written.second] if written.of_groups else [*GROUPS]
        groups = several(names, "or")
        sizes = [one.plan.participants for one in parts]
        first, second = map(plain, sizes if len(sizes) > 1 else [plan.participants // 2] * 2)
        note = f"the first group needs {first} people, and the second {second}; of more, so many "
        note += "are drawn at random"
        questions.insert(0, Matched("group", plan.study.records.stratum, "histogram", groups, 0))
    if person := plan.study.records.person:
        most = plan.study.records.of_each
        often = "each person once" if most == 1 else f"each person at most {most} times"
        questions.insert(0, Matched("person", person, "person", often, 0))
    return Expected(plan.study.title, plan.participants, tuple(questions), tuple(fewer), note)


def _with_fewer(parts: Sequence[Part], fewer: float) -> Turnout:
    """What fewer people in every stratum would mean to the one answer for all people."""
    plan = parts[0].of_total
    assert plan is not None  # it is asked for no other
    came = [counted_in(part, fewer_by(part.plan, fewer)) for part in parts]
    return of_all(plan, came)


def _names(parts: Sequence[Part]) -> str:
    names = [part.name for part in parts[:_MOST_NAMES]]
    return several(names if len(parts) <= _MOST_NAMES else [*names, "others"], "or")


def look(
    answer: Answer,
    records: Any,
    column: str | None = None,
    clamp: bool = False,
    most_error: float | str | None = None,
    everyone: bool = False,
) -> Look:
    """Look at records as `planner.publish` would read them; nothing is spent or written.

    Args:
        answer: the plan.
        records: a file, "-", a DataFrame or a mapping of arrays, as for `planner.publish`.
        column: the column of the records where the study asks one question.
        clamp: whether numbers out of range are moved to its ends.
        most_error: the largest error allowed with fewer people, as for `planner.publish`.
        everyone: whether all records are used where there are more than planned.

    Raises:
        ValueError: the plan does not hold or cannot be run, or the records cannot be read at all.
    """
    plan = checked_with_strata(answer)
    parts = parts_of(plan, column)
    looked = looked_at_parts(parts, records, clamp, most_error, everyone)
    reading = looked.whole
    came = [turnout for turnout in looked.turnouts if turnout is not None]
    used = sum(turnout.people for turnout in came) if len(came) == len(parts) else 0
    errors = [
        error._replace(question=part.named(item))
        for part, turnout in zip(parts, looked.turnouts, strict=True)
        if used and turnout is not None and turnout.people != turnout.planned
        for item, error in zip(turnout.asked, turnout.errors, strict=bool(turnout.errors))
    ]
    if used and looked.of_all is not None and looked.of_all.people != looked.of_all.planned:
        errors = [*looked.of_all.errors]
    header, similar, unlike = _named(parts, reading.file)
    shown = reading
    read_again = not (isinstance(records, str) and records == "-")
    if similar and read_again:  # what else is wrong with columns that may be meant
        shown = looked_at_parts(
            _renamed(parts, similar), records, clamp, most_error, everyone
        ).whole
    return Look(
        plan.study.title,
        reading.recognised,
        reading.count,
        plan.participants,
        tuple(_matched(item, shown) for item in shown.asked),
        shown.faults,
        reading.wrong,
        used,
        tuple(errors),
        paid(plan, [turnout.people for turnout in came], reading.count) if used else "",
        header,
        similar,
        unlike,
    )


def _renamed(parts: Sequence[Part], similar: dict[str, str]) -> list[Part]:
    """The parts with the columns that may be meant."""

    def renamed(item: Item) -> Item:
        asked = "" if item.question is None else item.question.name
        alone = item.name in (asked, item.column)
        return replace(item, column=similar.get(asked, item.column)) if alone else item

    return [part._replace(items=[renamed(item) for item in part.items]) for part in parts]


def _named(
    parts: Sequence[Part], file: File
) -> tuple[tuple[str, ...], dict[str, str], tuple[str, ...]]:
    """The header where a column is missing, and the names that may be meant; of a sure header.

    Last the questions whose column is missing and may be any.
    """
    missing = list(file.missing([name for item in parts[0].items for name in item.columns]))
    if not missing or not file.header or not file.surely_named:
        return (), {}, ()
    words = {name: _stems(name) for name in file.header}
    similar, unlike = {}, []
    for item in parts[0].items:
        asked = "" if item.question is None else item.question.name
        if item.column not in missing or item.name not in (asked, item.column):
            continue
        wanted = _stems(f"{item.column} {asked}")
        shared = {header: _alike(wanted, some) for header, some in words.items()}
        best = max(shared, key=lambda header: shared[header])
        if 2 * shared[best] >= len(wanted) > 0:
            similar[asked] = best
        else:
            unlike.append(asked)
    return tuple(file.header), similar, tuple(unlike)


def _alike(wanted: set[str], some: set[str]) -> int:
    """How many of the words begin like one of the others."""
    return sum(any(one.startswith(other) or other.startswith(one) for other in some)
               for one in wanted)  # fmt: skip


def _stems(text: str) -> set[str]:
    """The beginnings of the words of a name."""
    return {word[:_STEM] for word in _WORDS.findall(text.casefold())}


def _matched(item: Item, reading: Reading) -> Matched:
    refused = sum(fault.count for fault in reading.faults if fault.column in item.columns)
    seen, counts = reading.seen.get(item.name), _counts(item, reading)
    numbers = None
    if seen is not None and seen.count:
        numbers = seen.count, seen.least, seen.total / seen.count, seen.largest
    never = tuple(name for name, count in counts.items() if not count and name != _NO)
    return Matched(
        item.name, item.column, item.kind, item.told, refused, never, numbers,
        {} if numbers else counts,
    )  # fmt: skip


def _counts(item: Item, reading: Reading) -> dict[str, int]:
    """How many records have each answer; nothing of numbers, or where nothing was read."""
    sums = reading.sums.get(item.name)
    if sums is None or not reading.count:
        return {}
    if item.by is not None:
        people = np.reshape(sums, (-1, 2)).sum(axis=1)
        return dict(zip(item.group_names, map(int, people), strict=False))
    if item.kind == "histogram":
        names = item.group_names or tuple(f"group {g}" for g in range(item.groups))
        return dict(zip(names, map(int, np.asarray(sums)), strict=False))
    if item.kind in ("share", "count"):
        return {"yes": int(sums), _NO: reading.answers[item.name] - int(sums)}
    return {}
