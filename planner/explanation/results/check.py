"""The check of an answer, or of results, in words."""

from planner.answer.check import Check
from planner.publication.check_results import ResultsCheck


def title(check: Check) -> str:
    """The study, and whether its answer holds."""
    name = check.answer.study.title or "Study"
    return f"{name}: {'confirmed' if check.holds else 'not confirmed'}"


def results_title(check: ResultsCheck) -> str:
    """The study, and whether its results hold."""
    name = check.publication.title or "Study"
    return f"{name}: results {'confirmed' if check.holds else 'not confirmed'}"


def rows(check: Check | ResultsCheck) -> list[tuple[str, str]]:
    """What holds, what does not, and what was not checked."""
    return [
        *(("does not hold", words) for words in check.wrong),
        *(("holds", words) for words in check.confirmed),
        *(("not checked", words) for words in check.unchecked),
    ]
