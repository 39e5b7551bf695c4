"""What leaving out questions of a survey does, in words."""

from planner.decisions.drops import Drop, Drops
from planner.wording import at_most, money, plain, several


def drops_rows(drops: Drops) -> list[tuple[str, str]]:
    """A row for each set of questions that may be left out."""
    return [("drop", in_words(drop)) for drop in drops]


def drop_rows(drop: Drop) -> list[tuple[str, str]]:
    """One set, as its own table."""
    return [("drop", in_words(drop))]


def in_words(drop: Drop) -> str:
    """The questions left out, and the plan of the others."""
    names = several([_which(name, *drop.of(name)) for name in drop.questions])
    others = drop.study.survey.alike(drop.questions[0]) if drop.study.survey else ()
    if others and len(drop.questions) == 1:
        names = f"{names} ({len(others)} more alike)"
    return (
        f"without {names} the survey costs {money(drop.cost, drop.study.currency)} with "
        f"{plain(drop.participants)} people at ε = {at_most(drop.epsilon, 4)}"
    )


def _which(name: str, dropped: int, asked: int) -> str:
    """A question, or so many of those alike."""
    return repr(name) if dropped == asked else f"{dropped:,} of the {asked:,} {name!r}"
