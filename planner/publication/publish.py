"""From a proven plan and records to published answers, once."""

import json
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.answer.answers import Answer, Plan
from planner.answer.check import check
from planner.answer.problem.problem import refuse_strata
from planner.answer.proof.certificate import sha256_if_proved
from planner.output import check_target
from planner.publication import ledger as ledgers
from planner.publication.answered import among_answered
from planner.publication.earlier import Stated, refuse_again
from planner.publication.intervals import interval, noise_error, sampling_error
from planner.publication.invented import write_records
from planner.publication.items import Item, items, possible_range
from planner.publication.ledger import Entries, Entry, LedgerError
from planner.publication.measurement import (
    Promised,
    answers,
    estimate,
    fitted,
    nearest,
    promised,
)
from planner.publication.records import Sums, path_of, read, sums_of
from planner.publication.results import ENDINGS, Publication, Published, check_output
from planner.publication.turnout import Error, Turnout, looked_at, paid, turnout
from planner.show import digest
from planner.wording import not_installed


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
        most_error: where fewer people came than planned, the largest error, which is proved with
            them: of one question in the unit of the answer, or as in "10%" by how much errors may
            be larger than planned. By default by nothing.
        everyone: whether all records are used where there are more than planned.

    Raises:
        ValueError: the plan does not hold or cannot be run, the records do not fit it, the ledger
            refuses, or a file cannot be written.
    """
    stated = Stated(again, same_people, other_people)
    plan = checked(answer)
    planned = items(plan, column)
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
    reading = read(records, planned, plan.participants, clamp, plan.study.records)
    found, reading = looked_at(plan, planned, reading, most_error, everyone)
    reading.refuse()
    assert found is not None  # else the reading has what is wrong
    sums = reading.chosen(found.people)
    promise = _promised(plan, found.asked)
    with ledgers.writing(path) as book:
        notes = refuse_again(book.entries, plan, whose, stated)
        _refuse_taken(book.entries, target)
        publication = _released(plan, found, promise, sums, notes)
        book.add(_entry(plan, whose, publication, target))
    if target is not None:
        _write(target, publication, question)
    cost = paid(plan, found.people, reading.count)
    return replace(publication, records=reading.recognised, paid=cost)


def rehearse(
    answer: Answer, proportion: float = 0.5, column: str | None = None, clamp: bool = False
) -> Publication:
    """Publish invented records: everything but the ledger and a file.

    Args:
        answer: the plan.
        proportion: the share of ones, of the first group, and of the range of numbers [[0, 1]].
        column: as for `publish`.
        clamp: as for `publish`.

    Raises:
        ValueError: as for `publish`; or the proportion is outside its range.
    """
    if not 0 <= proportion <= 1:
        raise ValueError(f"proportion = {proportion!r} is not allowed; give one from 0 to 1")
    plan = checked(answer)
    # a column for each answer, also where two are computed from one
    asked = [replace(item, column=item.name) for item in items(plan, column)]
    with tempfile.TemporaryDirectory(prefix="planner-") as folder:  # which only its owner can read
        path = Path(folder) / "records.csv"
        write_records(path, asked, plan.participants, proportion)
        sums = sums_of(path, asked, plan.participants, clamp)
    found = turnout(plan, asked, plan.participants)
    promise = _promised(plan, found.asked)
    note = ("The records were invented.",)
    return _released(plan, found, promise, sums, note, rehearsed=True)


def checked(answer: Answer) -> Plan:
    """The plan, proved again.

    Raises:
        ValueError: it is not a plan, or does not hold.
    """
    refuse_strata(answer.study)
    if not isinstance(answer, Plan):
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


def _released(
    plan: Plan,
    of: Turnout,
    promise: Promised,
    sums: Sums,
    notes: tuple[str, ...] = (),
    rehearsed: bool = False,
) -> Publication:
    """The answers with their noise, and all that is computed from them."""
    found = drawn(of.asked, promise, sums)
    return Publication(
        title=plan.study.title,
        published=datetime.now(UTC).isoformat(timespec="seconds"),
        participants=of.people,
        planned=None if of.people == plan.participants else plan.participants,
        epsilon=plan.epsilon,
        delta=plan.delta,
        failure=allowed_failure(plan),
        answers=tuple(
            _published(plan, replace(item, scale=scale), value, error)
            for item, value, scale, error in zip(
                of.asked, found, promise.scales, of.errors, strict=True
            )
        ),
        privacy=promise.words,
        plan=digest(plan.to_dict()),
        certificate=sha256_if_proved(plan),
        rehearsed=rehearsed,
        notes=notes,
    )


def _published(plan: Plan, item: Item, value: float | list[float], error: Error) -> Published:
    """One answer, with all that is computed from it."""
    sample = plan.study.sampling.sample
    other_people = error.planned_failure is not None
    one = Published(
        item.name,
        item.kind,
        value,
        item.error,
        item.failure,
        item.noise,
        item.scale,
        nearest(item, value),
        item.group_names,
        interval(item, sample, value),
        noise_error(item),
        sampling_error(item, sample),
        fitted(item, value),
        error.planned if other_people else None,
        error.planned_failure,
        *possible_range(item),
        item.answer_rate,
    )
    if item.answer_rate is None:
        return one
    return replace(one, answered=among_answered(one.error, one.numbers, one.intervals))


def allowed_failure(plan: Plan) -> float:
    """The failure probability of all answers together."""
    study = plan.study
    if study.survey is None:
        return study.accuracy.failure
    if study.survey.failure is not None:
        return study.survey.failure
    return min(1.0, sum(q.times * q.failure for q in plan.questions))


def _refuse_taken(entries: Entries, target: Path | None) -> None:
    """Refuse a file of results that another publication has taken, perhaps a moment ago.

    Raises:
        LedgerError: an entry has this file.
    """
    for entry in entries:
        if target is not None and entry.output == str(target.resolve()):
            raise LedgerError(
                f"{target} belongs to publication {entry.number} of the ledger, and results are "
                "not replaced; give another file"
            )


def _stored(entries: Entries, plan: Plan, people: str, target: Path) -> Entry | None:
    """The entry of this plan with these people and this file of results, if it is there."""
    own = (digest(plan.to_dict()), people, str(target.resolve()))
    return next((e for e in entries if (e.plan, e.people, e.output) == own), None)


def _entry(plan: Plan, people: str, publication: Publication, target: Path | None) -> Entry:
    """The entry of a publication."""
    return Entry(
        0,
        people,
        publication.plan,
        publication.title,
        publication.published,
        publication.participants,
        plan.epsilon,
        plan.delta,
        plan.compensation,
        "" if target is None else str(target.resolve()),
        publication.text(".json"),
    )


def _exported(entry: Entry, target: Path, question: str | None = None) -> Publication:
    """The results of an entry, written again; nothing is spent."""
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
    """Write the results file, which must not exist."""
    try:
        publication.save(target, question)
    except ValueError as error:
        raise ValueError(
            f"{error}; the results are in the ledger: the same command writes them again"
        ) from None


def _promised(plan: Plan, asked: list[Item]) -> Promised:
    """What is promised; a sentence where OpenDP is not installed."""
    try:
        return promised(plan, asked)
    except ImportError as error:
        raise ValueError(not_installed("publishing needs", error.name, "publish")) from None
