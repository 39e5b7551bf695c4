"""From a proven plan and records to published answers, once.

Records that nobody gave, to rehearse a publication.
"""

import csv
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from planner.answer.answers import Answer, Plan, StrataPlan, TotalPlan
from planner.answer.check import check
from planner.answer.proof.certificate import sha256_if_proved
from planner.answer.sample_plan import about_respondents
from planner.answer.strata.together import plans_of
from planner.model.recorded import RANGE
from planner.output import check_target
from planner.publication import ledger as ledgers
from planner.publication.accuracy import allowed_failure
from planner.publication.answer import published
from planner.publication.compared import comparison
from planner.publication.earlier import Stated, refuse_again, spent_of_each
from planner.publication.identity import identity
from planner.publication.items import Item
from planner.publication.ledger import Entries, Entry, LedgerError
from planner.publication.measurement import (
    BY_MAP,
    Promised,
    answers,
    estimate,
    promised,
)
from planner.publication.of_groups import GROUPS, counted, of_one_group
from planner.publication.parts import (
    Part,
    counted_in,
    looked_at_parts,
    parts_of,
    published_of,
)
from planner.publication.published import OfStratum, Published
from planner.publication.records import Sums, path_of, sums_of
from planner.publication.results import ENDINGS, Publication, check_output
from planner.publication.together import added_up, for_all_people, with_one_noise
from planner.publication.turnout import Turnout, paid, turnout
from planner.wording import at_most, not_installed, several


def publish(
    answer: Answer,
    records: Any,
    output: str | Path | None = None,
    *,
    people: str = "",
    ledger: str | Path | None = None,
    column: str | None = None,
    question: str | None = None,
    clamp: bool = False,
    again: bool = False,
    same_people: bool = False,
    other_people: bool = False,
    most_error: float | str | None = None,
    everyone: bool = False,
) -> Publication:
    """Publish the answers of a plan, from records, with noise; once.

    The plan is checked first. Noise is drawn and entered in the ledger in one transaction, and the
    results file is written after it; where that file is missing, the same call writes it again from
    the ledger and spends nothing, also with `again`.

    Args:
        answer: the plan, from `planner.solve` or `planner.read_answer`.
        records: a CSV, .xlsx or Parquet file with a column for each question, "-" for standard
            input, a DataFrame, or a mapping of names to arrays; one record a line. Of more records
            than planned, N are drawn at random, unless `everyone`.
        output: the file of results, which must not exist: .json, .csv, .xlsx, .md, .html, or a
            picture, .png or .svg. The ledger keeps the JSON in any case.
        people: a name for those whose records these are; by default the path of the records,
            needed where there is none.
        ledger: the ledger; by default the user's own.
        column: the column of the records where the study asks one question; by default the study's.
        question: of a picture, whose answers it shows; needed where the study asks several.
        clamp: whether numbers out of range are moved to its ends.
        again: whether to publish although the ledger has an entry of this plan or these people.
        same_people: states that people whose names look alike are the same, and published again.
        other_people: states that they are not, nor people of lost entries.
        most_error: where fewer people came than planned, the largest error, which is computed with
            them: of one question in the unit of the answer, or as in "10%" by how much errors may
            be larger than planned. By default by nothing.
        everyone: whether all records are used where there are more than planned.

    Raises:
        ValueError: the plan does not hold or cannot be run, the records do not fit it, the ledger
            refuses, or a file cannot be written.
    """
    stated = Stated(again, same_people, other_people)
    plan = checked_with_strata(answer)
    parts = parts_of(plan, column)
    planned = published_of(parts)
    path = Path(ledger) if ledger is not None else ledgers.default_path()
    source = path_of(records)
    target = None if output is None else Path(output)
    if target is not None:
        check_target(target, ENDINGS, inputs=(path,) if source is None else (source, path))
        check_output(target, planned, question)
    if not people and source is None:
        raise ValueError(
            "these records have no path, so people is needed: give a name for those whose they are"
        )
    whose = people or str(source.resolve() if source else "")
    entered = ledgers.entries(path)
    if (
        target is not None
        and not target.exists()
        and (stored := _stored(entered, plan, whose, target))
    ):
        return _exported(stored, target, question)
    refuse_again(entered, plan, whose, stated)
    if target is not None and target.exists():
        raise ValueError(f"{target} exists, and results are not replaced; give another file")
    looked = looked_at_parts(parts, records, clamp, most_error, everyone)
    looked.whole.refuse()
    came = [turnout for turnout in looked.turnouts if turnout is not None]  # all, as none is wrong
    sums = [one.chosen(of.people) for one, of in zip(looked.readings, came, strict=True)]
    ready = [_ready(*each) for each in zip(parts, came, sums, strict=True)]
    with ledgers.writing(path) as book:
        spent = refuse_again(book.entries, plan, whose, stated)
        _refuse_taken(book.entries, target)
        publication = _released(plan, ready, spent.notes)
        book.add(_entry(plan, whose, publication, target, spent.owed))
    if target is not None:
        _write(target, publication, question)
    cost = paid(plan, [one.people for one in came], looked.whole.count, spent.owed)
    return replace(publication, records=looked.whole.recognised, paid=cost)


def rehearse(
    answer: Answer, proportion: float = 0.5, column: str | None = None, clamp: bool = False
) -> Publication:
    """Publish invented records: everything but the ledger and a file.

    Args:
        answer: the plan.
        proportion: the proportion of ones, of the first group, and of the range of numbers [[0,
            1]].
        column: as for `publish`.
        clamp: as for `publish`.

    Raises:
        ValueError: as for `publish`; or the proportion is outside its range.
    """
    if not 0 <= proportion <= 1:
        raise ValueError(f"proportion = {proportion!r} is not allowed; give one from 0 to 1")
    plan = checked_with_strata(answer)
    ready = []
    for part in parts_of(plan, column):
        # a column for each answer, also where two are computed from one
        asked, n = [_apart(item) for item in part.items], part.plan.participants
        if part.plan.study.groups == 2:
            one = [of_one_group(item) for item in asked]
            groups = [invented_sums(one, n // 2, proportion, clamp) for _ in GROUPS]
            sums = counted(asked, groups)
        else:
            sums = invented_sums(asked, n, proportion, clamp)
        invented = part._replace(items=asked)
        came = turnout(part.plan, asked, n) if part.of_total is None else counted_in(invented, n)
        ready.append(_ready(part, came, sums))
    return _released(plan, ready, ("The records were invented.",), rehearsed=True)


def _apart(item: Item) -> Item:
    by = item.by and replace(item.by, column=f"{item.name}, group")
    return replace(item, column=item.name, by=by)


def checked_with_strata(answer: Answer) -> Plan | StrataPlan | TotalPlan:
    """The plan, with strata or without, proved again.

    Raises:
        ValueError: it is not a plan, or does not hold.
    """
    if not isinstance(answer, Plan | StrataPlan | TotalPlan):
        raise ValueError(f"an answer that is {answer.verdict} has no plan to publish")
    found = check(answer)
    if not found.holds:
        raise ValueError(f"the plan does not hold, so nothing is published: {found.wrong[0]}")
    return answer


def drawn(asked: list[Item], promise: Promised, sums: Sums) -> list[float | list[float]]:
    """The answers with their noise, drawn here."""
    if promise.measurement is None:
        return [estimate(item, sums[item.name]) for item in asked]
    released = promise.measurement(sums)
    return [answers(item, one) for item, one in zip(asked, released, strict=True)]


class _Ready(NamedTuple):
    """A part whose noise is about to be drawn.

    Attributes:
        part: the part.
        turnout: its people.
        promise: the measurement, which has been proved.
        sums: of its records.
    """

    part: Part
    turnout: Turnout
    promise: Promised
    sums: Sums


def _ready(part: Part, of: Turnout, sums: Sums) -> _Ready:
    """The part with its measurement."""
    if part.of_total is not None and part.of_total.scale is not None:  # one noise, on the sum
        return _Ready(part, of, Promised(None, (None,), BY_MAP), sums)
    return _Ready(part, of, _promised(part, of.asked), sums)


def _released(
    plan: Plan | StrataPlan | TotalPlan,
    ready: Sequence[_Ready],
    notes: tuple[str, ...] = (),
    rehearsed: bool = False,
) -> Publication:
    people = sum(one.turnout.people for one in ready)
    alone = isinstance(plan, TotalPlan)
    answers = [] if alone else [answer for one in ready for answer in _answers(one)]
    words, strata = ready[0].promise.words, tuple[OfStratum, ...]()
    if ready[0].part.compared is not None:
        words += " Each person is in one group, whose count has noise of its own."
        answers += comparison(plan.study, plan.epsilon, answers)
    if not isinstance(plan, Plan):
        strata = tuple(
            OfStratum(one.part.name, one.turnout.people, one.part.plan.epsilon) for one in ready
        )
        least = min(one.epsilon for one in strata)
        words += (
            " Each person is in one stratum, and ε is that of its people, from "
            f"{at_most(least, 4)} to {at_most(plan.epsilon, 4)}."
        )
        asked = [replace(one.turnout.asked[0], scale=one.promise.scales[0]) for one in ready]
        noisy = with_one_noise(plan, asked, [one.sums for one in ready])
        if noisy is None:
            noisy = added_up(plan, [one.numbers[0] for one in answers[: len(ready)]])
        answers += for_all_people(plan, asked, noisy)
    epsilon, delta = spent_of_each(plan)
    return Publication(
        title=plan.study.title,
        published=datetime.now(UTC).isoformat(timespec="seconds"),
        participants=people,
        planned=None if people == plan.participants else plan.participants,
        epsilon=epsilon,
        delta=delta,
        failure=allowed_failure(plan),
        answers=tuple(answers),
        privacy=words,
        plan=identity(plan),
        certificate=sha256_if_proved(plan),
        rehearsed=rehearsed,
        notes=(*notes, *_caveats(plan)),
        strata=strata,
        of_each=plan.study.records.of_each,
    )


def _caveats(plan: Plan | StrataPlan | TotalPlan) -> tuple[str, ...]:
    about = about_respondents([one.study for one in plans_of(plan)])
    questions = plan.study.survey.questions if plan.study.survey else ()
    written = plan.study.records
    groups = [f"The first group is {several([*written.first], 'or')}, and the second "
              f"{several([*written.second], 'or')}."] * written.of_groups  # fmt: skip
    counted = [(one.name, one.counted.removeprefix(", where ")) for one in questions]
    return (*about, *groups, *(f"In {name!r} {words}." for name, words in counted if words))


def _answers(of: _Ready) -> list[Published]:
    asked = of.turnout.asked
    values = drawn(asked, of.promise, of.sums)
    return [
        published(of.part, replace(item, scale=scale), value, error)
        for item, value, scale, error in zip(
            asked, values, of.promise.scales, of.turnout.errors, strict=True
        )
    ]


def _refuse_taken(entries: Entries, target: Path | None) -> None:
    """Refuse a file of results that another publication has taken, perhaps a moment ago."""
    for entry in entries:
        if target is not None and entry.output == str(target.resolve()):
            raise LedgerError(
                f"{target} belongs to publication {entry.number} of the ledger, and results are "
                "not replaced; give another file"
            )


def _stored(
    entries: Entries, plan: Plan | StrataPlan | TotalPlan, people: str, target: Path
) -> Entry | None:
    """The entry of this plan with these people and this file of results, if it is there."""
    own = (identity(plan), people, str(target.resolve()))
    return next((e for e in entries if (e.plan, e.people, e.output) == own), None)


def _entry(
    plan: Plan | StrataPlan | TotalPlan,
    people: str,
    publication: Publication,
    target: Path | None,
    owed: Sequence[float],
) -> Entry:
    """The entry of a publication, for which people are paid as planned, or what they are owed."""
    return Entry(
        0,
        people,
        publication.plan,
        publication.title,
        publication.published,
        publication.participants,
        publication.epsilon,
        publication.delta,
        min(owed, default=plan.compensation),
        "" if target is None else str(target.resolve()),
        publication.text(".json"),
    )


def _exported(entry: Entry, target: Path, question: str | None = None) -> Publication:
    try:
        publication = Publication.from_dict(json.loads(entry.results))
    except (ValueError, TypeError, KeyError):
        raise LedgerError(
            f"the results of publication {entry.number} in the ledger cannot be read by this "
            "version of the program"
        ) from None
    _write(target, publication, question)
    again = "Written again from the ledger; nothing was spent."
    return replace(publication, notes=(*publication.notes, again))


def _write(target: Path, publication: Publication, question: str | None) -> None:
    try:
        publication.save(target, question)
    except ValueError as error:
        raise ValueError(
            f"{error}; the results are in the ledger: the same command writes them again"
        ) from None


def _promised(part: Part, asked: list[Item]) -> Promised:
    try:
        return promised(part.plan, asked, part.of_total is not None)
    except ImportError as error:
        raise ValueError(not_installed("publishing needs", error.name, "publish")) from None


def write_records(path: Path, asked: Sequence[Item], participants: int, proportion: float) -> None:
    """Write invented records."""
    start, columns = 0, []
    for item in asked:
        answered = item.participants
        lots = answered < participants
        before = start if lots else 0
        start += answered if lots else 0
        blank = [""] * (participants - answered)
        values = [_written(item, x) for x in _values(item, answered, proportion)]
        columns.append([*blank[:before], *values, *blank[before:]])
        if item.by is not None:  # as many in each group
            names = [item.by.words[k % item.by.groups][0] for k in range(answered)]
            columns.append([*blank[:before], *names, *blank[before:]])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(name for item in asked for name in item.columns)
        writer.writerows(zip(*columns, strict=True))


def invented_sums(asked: list[Item], people: int, proportion: float, clamp: bool) -> Sums:
    """The sums of invented records."""
    with tempfile.TemporaryDirectory(prefix="planner-") as folder:  # for its owner alone
        path = Path(folder) / "records.csv"
        write_records(path, asked, people, proportion)
        return sums_of(path, asked, people, clamp)


def _values(item: Item, count: int, proportion: float) -> list[Any]:
    if item.kind == "mean":
        low, high = item.values or (item.low, item.high)
        numbers = list[Any](repeat(low + proportion * (high - low), count))
        if item.counts_as:  # answers that count most and least
            ordered = sorted(item.counts_as, key=lambda pair: pair[1])
            most, least = (_of_word(ordered[end][0]) for end in (-1, 0))
            first = round(proportion * count)
            numbers = [most] * first + [least] * (count - first)
        if item.answered_mean:  # one in ten does not answer
            numbers[9 * count // 10 :] = [""] * (count - 9 * count // 10)
        return numbers
    if item.kind == "quantile":
        places = (k * item.groups // count for k in range(count))
        return [item.edges[place] if item.edges else place for place in places]
    first = round(proportion * count)
    if item.by is not None:
        return [0] * first + [1] * (count - first)
    if item.answer_rate is not None:  # as many of those who answer, and one in ten empty
        return [2 if 10 * k // count == 9 else int(k >= 0.9 * first) for k in range(count)]
    if item.kind == "histogram":
        return [0] * first + [1 + k % (item.groups - 1) for k in range(count - first)]
    return [1] * first + [0] * (count - first)


def _of_word(word: str) -> str:
    """A cell that means an answer with a code: of a range such as 9-10 its first number."""
    ends = RANGE.fullmatch(word)
    return ends[1] if ends else word


def _written(item: Item, value: Any) -> Any:
    """A value as records have it: a code in words, a group of numbers as its lower edge."""
    if item.kind == "histogram" and value == item.if_missing:
        return ""
    if item.contains:  # yes is the first group where it is one
        yes = value == (1 if item.answer_rate is None else 0)
        return item.contains if yes else f"not {item.contains}"
    if item.words:
        return item.words[value][0]
    return item.edges[value] if item.edges and item.kind == "histogram" else value
