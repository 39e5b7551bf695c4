"""The parts of a publication: each stratum with its plan and its records, or all people as one.

A column of the records names each person's stratum. The file is read once and divided, and each
part is then read, drawn and released as a study by itself.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.strata.together import ALL_PEOPLE, plans_of
from planner.libraries import np
from planner.mechanisms import NoisyCounts
from planner.model import Records
from planner.model.recorded import normal
from planner.numbers import Array
from planner.publication.items import Item, items
from planner.publication.of_groups import (
    GROUPS,
    group_plans,
    in_both,
    of_one_group,
    together,
    too_few,
)
from planner.publication.reading import MISSING, Fault, Faults, Marks, Reader, merged, ragged
from planner.publication.record_file import Block, File, RecordsError
from planner.publication.records import Reading, Sums, guarded, opened, placed, read, repeated
from planner.publication.together import of_all
from planner.publication.turnout import Turnout, looked_at, people_of
from planner.wording import plain, quoted, several

_UNKNOWN = "not the name of a stratum of the plan; correct it"
_NO_STRATUM = "the stratum is missing; fill it in"
_UNKNOWN_NAME = (
    "not first or second, the names of the groups; correct it, or give the words of each group as "
    "first and second in [records]"
)
_UNKNOWN_GROUP = "not a word for a group, {}; correct it"
_NO_GROUP = "the group is missing; fill it in"


class Part(NamedTuple):
    """What is published of one stratum, or of all people.

    Attributes:
        name: of the stratum; empty where there are none.
        plan: a study by itself.
        items: its answers.
        of_total: the plan of one answer for all people, where nothing else is published.
        compared: the plan of two groups by noisy counts, of which this is one.
    """

    name: str
    plan: Plan
    items: list[Item]
    of_total: TotalPlan | None = None
    compared: Plan | None = None

    @property
    def of_groups(self) -> bool:
        """Whether it is of two groups, or of one of them."""
        return self.compared is not None or self.plan.study.groups == 2

    def named(self, item: Item) -> str:
        """The name under which an answer is published: with its stratum, if there is one."""
        if not self.name:
            return item.name
        return self.name if self.plan.study.survey is None else f"{self.name}: {item.name}"


class Looked(NamedTuple):
    """Records as the parts of a plan read them.

    Attributes:
        readings: of each part.
        turnouts: the people of each; None where something is wrong.
        whole: all of them as one reading, with all that is wrong.
        of_all: the people of all parts, where one answer alone is published of them.
    """

    readings: list[Reading]
    turnouts: list[Turnout | None]
    whole: Reading
    of_all: Turnout | None = None


def parts_of(plan: Plan | StrataPlan | TotalPlan, column: str | None = None) -> list[Part]:
    """The parts that a plan publishes.

    Args:
        plan: the plan.
        column: the column of the records where one question is asked; None for that of the study.

    Raises:
        ValueError: a mechanism cannot be run on records.
    """
    if isinstance(plan.study.mechanism, NoisyCounts) and plan.study.groups == 2:
        assert isinstance(plan, Plan)  # groups have no strata
        return [
            Part(one.study.title, one, items(one, column), compared=plan)
            for one in group_plans(plan)
        ]
    if isinstance(plan, Plan):
        return [Part("", plan, items(plan, column))]
    total = plan if isinstance(plan, TotalPlan) else None
    return [Part(one.study.title, one, items(one, column), total) for one in plans_of(plan)]


def published_of(parts: Sequence[Part]) -> list[Item]:
    """The answers of all parts that are published, by their names."""
    if parts[0].of_total is not None:
        return [replace(parts[0].items[0], name=ALL_PEOPLE)]
    return [
        replace(item, name=part.named(item), stratum=part.name)
        for part in parts
        for item in part.items
    ]


def looked_at_parts(
    parts: Sequence[Part],
    records: Any,
    clamp: bool,
    most_error: float | str | None = None,
    everyone: bool = False,
) -> Looked:
    """Read the records of all parts; what is wrong is part of the reading, also second records.

    Args: as of `_looked_at`.

    Raises:
        RecordsError: the file cannot be read.
    """
    written = parts[0].plan.study.records
    person = written.person
    if person is None:
        return _looked_at(parts, records, clamp, most_error, everyone)
    of_parts = [written.stratum] * bool(parts[0].name or parts[0].of_groups)
    others = [*of_parts, *_columns(parts)]
    if normal(person) in map(normal, others):
        raise RecordsError(
            f"column {quoted(person)} names each person and holds what is read of them; give "
            "another column as person in [records]"
        )
    columns = [person, *others]
    file = opened(records, columns, written)
    if written.rows is not None and of_parts:
        raise RecordsError(
            "rows in [records] is for studies without strata and groups; write one row a person"
        )
    looked = _looked_at(parts, file, clamp, most_error, everyone)
    if written.rows is not None and written.of_each == 1:
        return looked
    missing = file.missing([person])
    wrong = [f"{words}; give the one that names each person" for words in missing.values()]
    faults = [] if missing else guarded(file.name, lambda: repeated(file, person, written.of_each))
    if not (wrong or faults):
        return looked
    whole = replace(
        looked.whole,
        wrong=(*wrong, *looked.whole.wrong),
        faults=tuple(merged([*faults, *looked.whole.faults])),
    )
    return looked._replace(turnouts=[None] * len(looked.turnouts), whole=whole, of_all=None)


def _looked_at(
    parts: Sequence[Part],
    records: Any,
    clamp: bool,
    most_error: float | str | None,
    everyone: bool,
) -> Looked:
    """Read the records of all parts once; what is wrong is part of the reading."""
    if parts[0].plan.study.groups == 2:
        return _looked_at_groups(parts[0], records, clamp, most_error, everyone)
    first, written = parts[0], parts[0].plan.study.records
    if not first.name:
        files, wrong, faults = [records], list[str](), list[Fault]()
    else:
        files, wrong, faults = _divided(records, parts, written)
    found, turnouts = [], []
    for part, file in zip(parts, files, strict=True):
        reading = read(file, part.items, part.plan.participants, clamp, written)
        if part.of_total is None:
            turnout, reading = looked_at(part.plan, part.items, reading, most_error, everyone)
        else:
            turnout, reading = _came(part, reading, everyone)
        found.append(reading)
        turnouts.append(turnout)
    if not first.name:
        return Looked(found, turnouts, found[0])
    whole = _whole(parts, found, wrong, faults)
    if first.of_total is None or whole.wrong:
        return Looked(found, turnouts, whole)
    people = of_all(first.of_total, [one for one in turnouts if one is not None])
    try:
        people.refuse_over(most_error)
    except ValueError as error:
        whole = replace(whole, wrong=(str(error),))
    return Looked(found, turnouts, whole, people)


def _came(part: Part, reading: Reading, everyone: bool) -> tuple[Turnout | None, Reading]:
    if reading.wrong:
        return None, reading
    try:
        return counted_in(part, reading.count, everyone), reading
    except ValueError as error:
        return None, replace(reading, wrong=(str(error),))


def counted_in(part: Part, records: int, everyone: bool = False) -> Turnout:
    """The people of a stratum, which count in the answer for all people.

    Args: as of `planner.publication.turnout.turnout`.

    Raises:
        ValueError: there are none, or so many cannot be used.
    """
    people = people_of(part.plan, part.items, records, everyone)
    asked = [replace(item, participants=people) for item in part.items]
    return Turnout(people, part.plan.participants, asked, ())


def _whole(
    parts: Sequence[Part], found: Sequence[Reading], wrong: Sequence[str], faults: Sequence[Fault]
) -> Reading:
    return replace(
        found[0],
        count=sum(reading.count for reading in found),
        sums=Sums(),
        faults=tuple(merged([*faults, *(f for reading in found for f in reading.faults)])),
        wrong=(*wrong, *_wrong(parts, found)) if not wrong else tuple(wrong),
    )


def _looked_at_groups(
    part: Part, records: Any, clamp: bool, most_error: float | str | None, everyone: bool
) -> Looked:
    """The records of two groups, of which as many are used: as planned, or of an estimate fewer."""
    asked, written, n = part.items, part.plan.study.records, part.plan.participants
    of_one = [of_one_group(item) for item in asked]
    groups = [Part(name, part.plan, of_one) for name in GROUPS]
    files, wrong, faults = _divided(records, groups, written)
    found = [read(file, of_one, n // 2, clamp, written) for file in files]
    whole = _whole(groups, found, wrong, faults)
    people = in_both(found, n // 2)
    clauses = () if people else tuple(too_few(found, n // 2))
    if everyone and whole.count > n:
        clauses = ("a comparison uses as many people as planned; leave everyone out",)
    if whole.wrong or whole.faults or clauses:
        whole = replace(whole, wrong=whole.wrong or (() if whole.faults else clauses))
        return Looked([together(asked, found, whole)], [None], whole)
    came, counted = looked_at(part.plan, asked, replace(whole, count=people), most_error)
    if counted.wrong:
        counts = [f"the {name} group has {plain(one.count)} records"
                  for name, one in zip(GROUPS, found, strict=True)]  # fmt: skip
        whole = replace(whole, wrong=(f"{several(counts)}; {counted.wrong[0]}",))
    return Looked([together(asked, found, whole)], [None if whole.wrong else came], whole)


def _wrong(parts: Sequence[Part], readings: Sequence[Reading]) -> Iterator[str]:
    """What is wrong with the records of strata; once where it is the same of all."""
    said: dict[str, list[str]] = {}
    for part, reading in zip(parts, readings, strict=True):
        for clause in reading.wrong:
            said.setdefault(clause, []).append(quoted(part.name))
    what = "group" if parts[0].of_groups else "stratum"
    for clause, names in said.items():
        yield clause if len(names) == len(parts) else f"{what} {several(names)}: {clause}"


class _Rows(File):
    """The records of one stratum.

    Args:
        file: that they are of.
        blocks: of its columns, without the records of others.
        rows: the number of each in the file.
    """

    def __init__(self, file: File, blocks: list[Block], rows: Array) -> None:
        self.name, self.words, self.header = file.name, file.words, file.header
        self.place = file.place
        self._file, self._blocks, self._rows = file, blocks, rows

    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        for block in self._blocks:
            yield {name: block[name] for name in columns}

    def places(self, rows: Collection[int]) -> Callable[[int], int]:
        of_file = self._file.places({int(self._rows[row]) for row in rows})
        return lambda row: of_file(int(self._rows[row]))


def _columns(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(name for item in parts[0].items for name in item.columns))


def _divided(
    records: Any, parts: Sequence[Part], written: Records
) -> tuple[list[_Rows], list[str], list[Fault]]:
    """The records of each stratum, what is wrong with the file, and with the column of strata."""
    named = _columns(parts)
    if normal(written.stratum) in map(normal, named):
        what = "group" if parts[0].of_groups else "stratum"
        raise RecordsError(
            f"column {quoted(written.stratum)} names each person's {what} and holds an answer; "
            "give another column as stratum in [records], or of the question"
        )
    file = opened(records, [written.stratum, *named], written)
    return guarded(file.name, lambda: _parted(file, parts, named, written))


def _parted(
    file: File, parts: Sequence[Part], named: list[str], written: Records
) -> tuple[list[_Rows], list[str], list[Fault]]:
    missing = file.missing([written.stratum, *named])
    there = [name for name in named if name not in missing]
    words: tuple[tuple[str, ...], ...] = tuple((normal(part.name),) for part in parts)
    if parts[0].of_groups:
        whole = parts[0].compared or parts[0].plan
        words = whole.study.records.first, whole.study.records.second
    item = Item(
        written.stratum, "histogram", 1.0, 1.0, "none", None, 1, groups=len(parts), words=words
    )
    if written.stratum in missing:
        what = "group, first or second" if parts[0].of_groups else "stratum"
        both = ", and the words for both groups as first and second," * parts[0].of_groups
        advice = (
            f"give the column that names each person's {what}, or write its name as stratum{both} "
            "in [records] of mapping.toml, for --mapping mapping.toml"
        )
        others = [words for name, words in missing.items() if name != written.stratum]
        return (
            [_Rows(file, [], np.array([], int))] * len(parts),
            [f"{missing[written.stratum]}; {advice}", *others],
            [],
        )
    faults, marks = Faults(), Marks(".")
    reader = Reader(item, True, False, marks, faults)
    blocks: list[list[Block]] = [[] for _ in parts]
    rows: list[list[Array]] = [[] for _ in parts]
    count = 0
    for block in file.blocks([written.stratum, *there]):
        codes, _ = reader.read(block[written.stratum], count)
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(len(parts) + 1))
        for at in np.flatnonzero(np.diff(ends)):
            chosen = order[ends[at] : ends[at + 1]]
            blocks[at].append({name: block[name].take(chosen) for name in there})
            rows[at].append(count + chosen)
        count += len(codes)
    words_of = {item.unknown: _UNKNOWN, MISSING: _NO_STRATUM}
    if parts[0].of_groups:
        listed = several([one for some in words for one in some], "or")
        own = (parts[0].compared or parts[0].plan).study.records.of_groups
        unknown = _UNKNOWN_GROUP.format(listed) if own else _UNKNOWN_NAME
        words_of = {item.unknown: unknown, MISSING: _NO_GROUP}
    found = [replace(fault, why=words_of[fault.why]) for fault in placed(file, faults, marks)]
    found += ragged(file.ragged_lines(there), len(file.header))
    numbers = [np.concatenate(some) if some else np.array([], int) for some in rows]
    return [_Rows(file, *both) for both in zip(blocks, numbers, strict=True)], [], found
