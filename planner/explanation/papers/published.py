"""What was published, in sentences, as Markdown for a paper, and how it is cited."""

import math
import re

from planner.explanation.results.publication import (
    TOO_SMALL,
    among_as_planned,
    digits,
    outward,
    title,
    unknown,
    within_as_planned,
)
from planner.numbers import round_up
from planner.publication.published import Published
from planner.publication.results import Publication
from planner.wording import at_most, confidence, persons, plain

_MOST_TIMES = 10.0
"""ε up to which e^ε is stated: beyond, the factor says nothing to a reader."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|~#$])")
HEADINGS = ("question", "answer", "error", "interval")
NOTE_OF_REHEARSAL = "This is a rehearsal: the records were invented, and the numbers mean nothing."


def accuracy(publication: Publication) -> str:
    """What was promised of all answers together, in sentences."""
    sure = confidence(round_up(publication.failure, 6))
    jointly = " jointly" if len(publication.answers) > 1 else ""
    ranks = any(one.kind == "quantile" for one in publication.answers)
    words = f"Each answer is off by less than its error at {sure}{jointly}."
    if ranks:
        words += " The error of a quantile is one of rank: a proportion of the people."
    if any(one.interval is not None for one in publication.answers):
        words += f" Each interval holds the true value at {sure}{jointly}, too."
    for one in publication.answers:
        if one.by_itself:
            words += (
                f" The answer for {one.name} follows from the others, and is off by less than its "
                f"error at {confidence(round_up(one.failure, 6))}, by itself."
            )
    return words


def asked(publication: Publication) -> str:
    """Who was asked, in a sentence."""
    day = publication.published[:10]
    if publication.rehearsed:
        return f"The plan is for {persons(publication.participants)}. {NOTE_OF_REHEARSAL}"
    whose = "people’s answers were used"
    if publication.of_each > 1:
        whose = f"records were used, at most {publication.of_each} of each person"
    words = f"{plain(publication.participants)} {whose}; published on {day}."
    if any(one.compared for one in publication.answers):
        words += " A difference is that of the second group less that of the first."
    if publication.planned is None:
        return words
    return (
        f"{words} {plain(publication.planned)} were planned, and the errors are computed for those "
        "who came."
    )


def privacy(publication: Publication) -> str:
    """What was promised to each person, in sentences."""
    epsilon, delta = publication.epsilon, publication.delta
    kind = "(ε, δ)-differentially" if delta else "ε-differentially"
    spent = f"ε = {at_most(epsilon)}" + (f" and δ = {at_most(delta)}" if delta else "")
    words = f"The results are {kind} private with {spent}"
    if epsilon <= _MOST_TIMES:
        up_to = f", up to a probability of {at_most(delta)}" if delta else ""
        records = "another record in" if publication.of_each == 1 else "other records in"
        words += (
            f": with {records} the place of any one person's, the probability of any result "
            f"would change by a factor of at most {at_most(math.exp(epsilon), 3)}{up_to}"
        )
    return f"{words}. {publication.privacy}"


def citation(publication: Publication) -> str:
    """How the results are cited."""
    if publication.rehearsed:
        return "A rehearsal is not cited."
    spent = f"ε = {at_most(publication.epsilon)}"
    if publication.delta:
        spent += f", δ = {at_most(publication.delta)}"
    name, plan = publication.title or "Study", publication.plan[:16]
    return (
        f"{name} ({publication.published[:4]}). Differentially private results, N = "
        f"{plain(publication.participants)}, {spent}, published {publication.published[:10]} with "
        f"the ε planner; plan {plan}."
    )


def table(answer: Published) -> list[tuple[str, str, str, str]]:
    """Each number of an answer, by `HEADINGS`: its name, itself, its error and its interval."""
    if answer.kind == "quantile":
        error = f"{at_most(answer.error)} in rank"
        return [(answer.name, answer.chosen, error, "")]
    return [
        (
            f"{answer.name}, {row.group}".removesuffix(", "),
            digits(row.number, row.error),
            f"± {at_most(row.error)}",
            " to ".join(outward(row.interval, row.error)) if row.interval else "",
        )
        if not (answer.cells and unknown(row))
        else (f"{answer.name}, {row.group}", "not known", "", "0 to 1")
        for row in answer.rows
    ]


def remarks(publication: Publication) -> list[str]:
    """What else a reader must know, in sentences."""
    moved = [
        one.name
        for one in publication.answers
        if one.numbers != one.possible and one.kind != "quantile"
    ]
    found = [
        f"{name}: noise has moved a number out of the possible range; the nearest possible value "
        "is within the same error."
        for name in moved
    ]
    among = [
        f"{one.name}: {among_as_planned(one)}."
        for one in publication.answers
        if one.answer_rate is not None
    ]
    small = [
        f"{one.name}, {row.group}: {TOO_SMALL}."
        for one in publication.answers
        for row in one.rows
        if one.cells and unknown(row)
    ]
    within = [
        f"{one.name}: {within_as_planned(one)}."
        for one in publication.answers
        if one.cells is not None
    ]
    tests = [
        f"{one.name}: the test {one.test.words}."
        for one in publication.answers
        if one.test is not None
    ]
    return [*tests, *found, *among, *within, *small, *publication.notes]


def markdown(publication: Publication) -> str:
    """The table of answers, and a paragraph that states what was promised."""
    rows = [row for one in publication.answers for row in table(one)]
    lines = ["| " + " | ".join(map(_escaped, row)) + " |" for row in (HEADINGS, *rows)]
    lines.insert(1, "|---|--:|--:|--:|")
    words = " ".join(
        (asked(publication), accuracy(publication), privacy(publication), *remarks(publication))
    )
    blocks = (f"# {_escaped(title(publication))}", "\n".join(lines), _escaped(words))
    return "\n\n".join((*blocks, _escaped(citation(publication)))) + "\n"


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
