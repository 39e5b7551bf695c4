"""The check of an answer in words."""

from planner.answer.check import Check
from planner.explanation.question import labels


def title(check: Check) -> str:
    """The study, and whether its answer holds."""
    name = check.answer.study.title or "Study"
    return f"{name}: {'confirmed' if check.holds else 'not confirmed'}"


def rows(check: Check) -> list[tuple[str, str]]:
    """What holds, what does not, and what is not proved."""
    phrases = labels(check.answer.study)
    assumed = ["not proved", *[""] * len(check.unchecked)]
    return [
        *(("does not hold", words) for words in check.wrong),
        *(("holds", phrases.get(words, words)) for words in check.confirmed),
        *zip(assumed, check.unchecked, strict=False),
    ]
