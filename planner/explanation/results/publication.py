"""What was published, and what a ledger holds, in words."""

from planner.publication.ledger import Entries, Entry
from planner.publication.publish import Publication, Published
from planner.wording import at_most, plain


def title(publication: Publication) -> str:
    """The study, and that it was published or rehearsed."""
    done = "rehearsed with invented records" if publication.rehearsed else "published"
    return f"{publication.title or 'Study'}: {done}"


def rows(publication: Publication) -> list[tuple[str, str]]:
    """Each answer with its error, and what was promised."""
    spent = f"ε = {at_most(publication.epsilon)}"
    if publication.delta:
        spent += f", δ = {at_most(publication.delta)}"
    chance = at_most(publication.failure)
    found = [row for answer in publication.answers for row in _answer(answer)]
    return [
        *found,
        ("accuracy", f"within these errors, except with probability {chance} for any of them"),
        ("participants", plain(publication.participants)),
        ("privacy", f"{spent} for each person. {publication.privacy}"),
        *(("note", note) for note in publication.notes),
    ]


def _answer(answer: Published) -> list[tuple[str, str]]:
    """The rows of one answer."""
    error = at_most(answer.error)
    if answer.kind == "quantile":
        return [(answer.name, f"candidate {answer.answer:g}, within {error} in rank")]
    if isinstance(answer.answer, list):
        groups = enumerate(answer.answer)
        return [(f"{answer.name}, {g}", f"{_digits(x, answer)} ± {error}") for g, x in groups]
    return [(answer.name, f"{_digits(answer.answer, answer)} ± {error}")]


def _digits(value: float, answer: Published) -> str:
    """A number to a thousandth of its error: its noise leaves no more."""
    from math import floor, log10

    places = max(0, 3 - floor(log10(answer.error)))
    return f"{value:.{places}f}"


def entry_title(entry: Entry) -> str:
    """The study and the time."""
    return f"{entry.title or 'Study'}, {entry.published}"


def entry_rows(entry: Entry) -> list[tuple[str, str]]:
    """What an entry spent of whom."""
    spent = f"ε = {at_most(entry.epsilon)}"
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
    return found or [("empty", "nothing has been published")]
