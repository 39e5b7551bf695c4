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
    names = several([repr(name) for name in drop.questions])
    return (
        f"without {names} the survey costs {money(drop.cost, drop.study.currency)} with "
        f"{plain(drop.participants)} people at ε = {at_most(drop.epsilon, 4)}"
    )
