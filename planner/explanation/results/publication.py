"""What was published, and what a ledger holds, in words."""

import json
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import floor, log10
from typing import Any

from planner.numbers import decimal, round_up
from planner.publication.earlier import by_stratum
from planner.publication.ledger import Entries, Entry
from planner.publication.look import Expected, Look, Matched
from planner.publication.published import Published, Row
from planner.publication.results import Publication
from planner.publication.turnout import Error, Turnout
from planner.wording import (
    at_least,
    at_most,
    confidence,
    percent_at_most,
    persons,
    plain,
    quoted,
    several,
)

_EXACT = Context(prec=2000)
"""Holds every digit of a double."""


def _proposed(look: Look) -> str:
    """The section of a study file that names the columns which may be those that are missing."""
    lines = ["in the study file, or in mapping.toml with --mapping mapping.toml:", "[records]"]
    for name, column in look.similar.items():
        if name:
            lines += ["[[records.question]]", f"name = {_in_toml(name)}"]
        lines.append(f"column = {_in_toml(column)}")
    for name in look.unlike:
        lines += ["# no column has a similar name: give its header, without the #"]
        lines += ["# [[records.question]]", f"# name = {_in_toml(name)}", '# column = ""']
    return "\n".join(lines)


def _in_toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


PROPOSE = "propose"
"""The name of the row with a section of a study file, whose lines are copied."""
_MOST_COUNTS = 20
"""Groups whose counts are listed."""


def look_title(look: Look) -> str:
    """The study, and whether the records would be published."""
    ready = "the records can be published" if look.ready else "the records would be refused"
    return f"{look.title or 'Study'}: {ready}"


def look_rows(look: Look) -> list[tuple[str, str]]:
    """What was recognised, column by column, and all that is wrong."""
    people = f"{plain(look.records)}; the plan is for {plain(look.participants)}"
    if look.records > look.used == look.participants:
        people += ", which are drawn from them at random"
    return [
        ("recognised", look.recognised),
        ("records", people),
        *((one.question, _matched(one)) for one in look.questions),
        *((f"error of {one.question}", _error(one)) for one in look.errors),
        *([("paid", look.paid)] if look.paid else []),
        *(("refused", clause) for clause in (*look.wrong, *(fault.words for fault in look.faults))),
        *(
            [("in the file", several([quoted(name) for name in look.header]))]
            if look.header
            else []
        ),
        *([(PROPOSE, _proposed(look))] if look.similar else []),
        ("note", look.note),
    ]


def expected_title(expected: Expected) -> str:
    """The study, and how many records it needs."""
    return f"{expected.title or 'Study'}: records of {persons(expected.participants)}"


def expected_rows(expected: Expected) -> list[tuple[str, str]]:
    """The columns, what they hold, and the errors with fewer people."""
    columns = [
        (one.question, f"{f'column {one.column}: ' * (one.column != one.question)}{one.words}")
        for one in expected.questions
    ]
    note = [("fewer people", expected.note)] if expected.note else []
    return [*columns, *fewer_rows(expected.fewer), *note]


def fewer_rows(fewer: Sequence[Turnout]) -> list[tuple[str, str]]:
    """The errors with fewer people than planned, and the power of a test."""
    rows = []
    for one in fewer:
        part = f"{100 * (1 - one.people / one.planned):.0f} % fewer"
        names = [f"{error.question} " * (len(one.errors) > 1) for error in one.errors]
        errors = [
            f"{name}{_in_points(error)}" for name, error in zip(names, one.errors, strict=True)
        ]
        if one.power is not None:
            errors.insert(0, f"power {at_least(100 * one.power, 3)} %")
        rows.append((f"{persons(one.people)} ({part})", "; ".join(dict.fromkeys(errors))))
    return rows


def _in_points(one: Error) -> str:
    if not one.proportion:
        return _of_error(one, one.error)
    of_answered = one.of_answered(one.error)
    words = f"± {_points(one.error)} percentage points"
    if of_answered is None:
        return words
    return f"{words} of all, ± {_points(of_answered)} of those who answer"


def _points(error: float) -> str:
    """An error in percentage points, rounded up."""
    return percent_at_most(error).removesuffix(" %")


def _of_error(one: Error, error: float) -> str:
    of_answered = one.of_answered(error)
    if of_answered is None:
        return f"± {at_most(error)}"
    of_all = "" if one.width != 1 else f"± {at_most(error)} of all, "
    return f"{of_all}± {at_most(of_answered, 4)} of those who answer"


def _error(one: Error) -> str:
    return f"{_of_error(one, one.error)} instead of {_of_error(one, one.planned)}"


def _matched(one: Matched) -> str:
    """What a column is read as, how many cells are refused, and which answers nobody gave."""
    column = f"column {one.column}: " if one.column != one.question else ""
    refused = f"; {plain(one.refused)} refused" if one.refused else "; nothing refused"
    never = f"; nobody has {several(list(one.never), 'or')}" if one.never else ""
    return f"{column}{one.words}{refused}{never}{_read(one)}"


def _read(one: Matched) -> str:
    """What was read of a column, for whoever holds the records: a wrong reading shows here."""
    if one.numbers is not None:
        count, least, mean, largest = one.numbers
        ends = f"least {least:.6g}, mean {mean:.6g}, largest {largest:.6g}"
        return f"; read: {plain(count)} numbers, {ends}"
    counts = [f"{name} {plain(count)}" for name, count in one.counts.items()]
    if not counts:
        return ""
    shown, more = counts[:_MOST_COUNTS], len(counts) - _MOST_COUNTS
    return f"; read: {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


TOO_SMALL = "too few people for any statement: every proportion is possible"
"""Of a group whose interval is that of all proportions."""


def title(publication: Publication) -> str:
    """The study, and that it was published or rehearsed."""
    done = "rehearsed with invented records" if publication.rehearsed else "published"
    return f"{publication.title or 'Study'}: {done}"


def rows(publication: Publication) -> list[tuple[str, str]]:
    """Each answer with its error, and what was promised."""
    spent = f"ε = {at_most(publication.epsilon)}"
    if publication.delta:
        spent += f", δ = {at_most(publication.delta)}"
    sure = confidence(round_up(publication.failure, 6))
    found = [row for answer in publication.answers for row in _answer(answer)]
    compared = any(one.compared for one in publication.answers)
    each = [("answers", "a difference is the second group less the first")]
    several_answers = len(publication.answers) > 1
    of_groups = "the proportions of both groups " if compared and several_answers else ""
    jointly = " jointly" if several_answers else ""
    return [
        *found,
        *(each if compared else []),
        *(("test", one.test.words) for one in publication.answers if one.test is not None),
        ("accuracy", f"{of_groups}within these errors at {sure}{jointly}"),
        *((one.name, by_itself(one)) for one in publication.answers if one.by_itself),
        *([("records", publication.records)] if publication.records else []),
        ("participants", _people(publication)),
        *_as_planned(publication),
        *([("paid", publication.paid)] if publication.paid else []),
        ("privacy", f"{spent} for each person. {publication.privacy}"),
        *(
            [("certificate", f"SHA-256 {publication.certificate}")]
            if publication.certificate
            else []
        ),
        *_of_intervals(publication),
        *parts(publication),
        *(("note", note) for note in publication.notes),
    ]


def by_itself(one: Published) -> str:
    """How often an answer that follows from the others fails, in a phrase."""
    fails = f"by itself it fails with probability {at_most(one.failure)}"
    return f"from both counts; {fails}" if one.compared else f"follows from the others; {fails}"


def _people(publication: Publication) -> str:
    words = f"{plain(publication.participants)}; their number is public"
    if publication.planned is None:
        return words
    return (
        f"{words}. Planned were {plain(publication.planned)}; the errors are computed for those "
        "who came"
    )


def _as_planned(publication: Publication) -> list[tuple[str, str]]:
    """With what probability the planned errors are missed, where other people came than planned."""
    several = len(publication.answers) > 1
    missed = [
        f"{f'{one.name} ' * several}± {_planned_error(one)}"
        f"{_of_whom(one)}{_in_large(one)} is missed with probability "
        f"{at_most(one.planned_failure)} at most"
        for one in publication.answers
        if one.planned_error is not None and one.planned_failure is not None
    ]
    return [("planned error", "; ".join(missed))] if missed else []


def _planned_error(answer: Published) -> str:
    if answer.answer_rate is None or answer.values is None:
        return plain(answer.planned_error or 0.0)
    return f"{at_most(100 * (answer.planned_error or 0.0), 4)} %"


def _of_whom(answer: Published) -> str:
    if answer.answer_rate is None:
        return ""
    return " of all" if answer.values is None else " of the range, of all"


def _in_large(answer: Published) -> str:
    if answer.share_at_least is None:
        return ""
    return f" in a group of at least {plain(float(100 * decimal(answer.share_at_least)))} %"


def parts(publication: Publication) -> list[tuple[str, str]]:
    """Shares that add up to one, and the parts of the errors, where they are known."""
    among = [row for answer in publication.answers for row in _among(answer)]
    fitted = [row for answer in publication.answers for row in _fitted(answer)]
    return [*among, *fitted, *_alone(publication)]


def lines(publication: Publication) -> list[dict[str, Any]]:
    """The lines of a table of results."""
    return publication.lines()


def _answer(answer: Published) -> list[tuple[str, str]]:
    if answer.kind == "quantile":
        return [(answer.name, f"{answer.chosen}, within {at_most(answer.error)} in rank")]
    rows = [(f"{answer.name}, {row.group}".removesuffix(", "), row) for row in answer.rows]
    found = [(name, _within(row)) for name, row in rows]
    if answer.cells is not None:
        found = [
            (name, TOO_SMALL if unknown(row) else words + _smaller(answer, people))
            for (name, words), (_, row), people in zip(found, rows, answer.people, strict=True)
        ]
        found.append((f"{answer.name}, as planned", within_as_planned(answer)))
    if answer.answer_rate is not None:
        found.append((f"{answer.name}, as planned", among_as_planned(answer)))
    return found


def unknown(row: Row) -> bool:
    """Whether nothing is known of a proportion: its interval is that of all proportions."""
    return row.interval == [0.0, 1.0]


def _smaller(answer: Published, people: float) -> str:
    if people >= (answer.share_at_least or 0.0):
        return ""
    return (
        f"; about {plain(round_up(100 * max(people, 0.0), 2))} % of the people, fewer than planned"
    )


def within_as_planned(answer: Published) -> str:
    """For which groups the planned error holds, and what holds for the others."""
    part = plain(float(100 * decimal(answer.share_at_least or 1.0)))
    return (
        f"± {at_most(answer.error)} in every group of at least {part} % of the people; in any "
        "group, however small, the error printed beside its proportion"
    )


def among_as_planned(answer: Published) -> str:
    """The error among those who answer where as many do as planned, and where fewer do."""
    rate, (low, high) = decimal(answer.answer_rate or 1.0), answer.values or (0.0, 1.0)
    error = at_most(float(decimal(answer.error) / rate * (decimal(high) - decimal(low))), 4)
    what = "proportion" if answer.values is None else "mean"
    return (
        f"of those who answer ± {error} if at least {plain(float(100 * rate))} % of all do; the "
        f"error printed beside the {what} holds however many do"
    )


def _within(row: Row) -> str:
    """A number with its error and interval, and the nearest possible value where it is another."""
    words = f"{digits(row.number, row.error)} ± {at_most(row.error)}"
    if row.interval is not None:
        low, high = outward(row.interval, row.error)
        words += f", from {low} to {high}"
    if row.number == row.possible:
        return words
    return (
        f"{words}; noise has moved the answer beyond what is possible: the nearest possible value "
        f"is {row.possible:g}, which is within the same error"
    )


_NO_LESS = "(no less is known than the whole)"


def _alone(publication: Publication) -> list[tuple[str, str]]:
    """The errors of noise and of sampling, each by itself, where some are known."""
    of_one_unit = [one for one in publication.answers if one.values is None]
    found = {
        "noise alone": [(one.name, one.noise_error, one.error) for one in of_one_unit],
        "sample alone": [(one.name, one.sampling_error, one.error) for one in of_one_unit],
    }
    several = len(publication.answers) > 1
    rows = []
    for title, errors in found.items():
        known = [(name, f"± {at_most(x)}" if x < whole else _NO_LESS)
                 for name, x, whole in errors if x]  # fmt: skip
        if any(words != _NO_LESS for _, words in known):
            words = [f"{name} {error}" if several else error for name, error in known]
            rows.append((title, "; ".join(words)))
    return rows


def _among(answer: Published) -> list[tuple[str, str]]:
    """The proportions among those who answered, where it is planned that some do not."""
    shares = zip(answer.group_names, answer.among_answered, strict=False)
    words = "; ".join(f"{name} {digits(q, e)} ± {at_most(e, 3)}" for name, (q, e) in shares)
    return [(f"{answer.name}, of those who answered", words)] if words else []


def _fitted(answer: Published) -> list[tuple[str, str]]:
    if answer.fitted is None or answer.fitted == answer.answer:
        return []
    shares = zip(answer.group_names, answer.fitted, strict=True)
    words = "; ".join(f"{name} {digits(x, answer.error)}" for name, x in shares)
    twice = at_most(float(2 * decimal(answer.error)))
    return [(f"{answer.name}, adding up to one", f"{words}; each within {twice}, twice the error")]


def _of_intervals(publication: Publication) -> list[tuple[str, str]]:
    kinds = {one.kind for one in publication.answers if one.interval is not None}
    if not kinds:
        return []
    words = "from … to …: computed from the answers alone, at the same confidence"
    if kinds & {"mean", "count"}:
        words += "; of means and counts the error within the range"
    if any(one.test is not None and one.compared for one in publication.answers):
        words += "; of the difference those that a test on both sides does not reject"
    elif any(one.compared for one in publication.answers):
        words += "; of differences between groups the error within the range"
    if any(one.kind == "quantile" for one in publication.answers):
        words += "; quantiles have errors in rank alone"
    return [("intervals", words)]


def digits(value: float, error: float, fewer: int = 0) -> str:
    """A number to a thousandth of its error, as its noise leaves no more; or to fewer digits."""
    return f"{value:.{_places(error, fewer)}f}"


def outward(interval: list[float], error: float, fewer: int = 0) -> tuple[str, str]:
    """The ends of an interval to the same digits, down and up."""
    step = Decimal(1).scaleb(-_places(error, fewer))
    low, high = (Decimal(repr(end)) for end in interval)
    ends = low.quantize(step, ROUND_FLOOR, _EXACT), high.quantize(step, ROUND_CEILING, _EXACT)
    return f"{ends[0]:f}", f"{ends[1]:f}"


def _places(error: float, fewer: int) -> int:
    return max(0, 3 - fewer - floor(log10(error)))


def entry_title(entry: Entry) -> str:
    """The study and the time."""
    return f"{entry.title or 'Study'}, {entry.published}"


def entry_rows(entry: Entry) -> list[tuple[str, str]]:
    """What an entry spent of whom."""
    spent, strata = f"ε = {at_most(entry.epsilon)}", by_stratum(entry).values()
    if strata:
        spent = f"ε = {at_most(min(strata))} to {at_most(max(strata))}, by stratum"
    if entry.delta:
        spent += f", δ = {at_most(entry.delta)}"
    return [
        ("people", f"{entry.people} ({plain(entry.participants)})"),
        ("published", f"{entry.title or 'Study'}, {entry.published}"),
        ("spent", spent),
        ("plan", entry.plan[:16]),
    ]


def ledger_title(entries: Entries) -> str:
    """How many publications there are."""
    count = len(entries)
    return f"Ledger: {plain(count)} publication{'' if count == 1 else 's'}"


def ledger_rows(entries: Entries) -> list[tuple[str, str]]:
    """What was spent of whom, publication by publication."""
    found = []
    for entry in entries:
        words = dict(entry_rows(entry))
        found.append((words["published"], f"{words['spent']} of {words['people']}"))
    if entries.lost:
        found.append(("lost", _lost(entries.lost)))
    return found or [("empty", "nothing has been published")]


def _lost(count: int) -> str:
    return (
        f"{plain(count)} or more entries; each publication needs --other-people, by which you "
        "state that none of these people's records were published with this ledger"
    )
