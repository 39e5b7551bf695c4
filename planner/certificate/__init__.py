"""What checks certificates of answers; it imports nothing of the planner."""

import re
from collections.abc import Iterable

from planner.certificate import check, check_comparisons, check_people, check_surveys

_OF_COMPARISONS = re.compile("target.kind = ")
_OF_PEOPLE = re.compile("sampling.population = |mechanism.kind = (randomized-response|geometric)")


def reader_of(lines: Iterable[str]) -> type[check.Study]:
    """What reads a study, from the file that has its rules.

    That is `check_surveys.py` where it has several questions, `check_comparisons.py` for tests and
    two groups, `check_people.py` for samples of a finite population, reports and geometric noise,
    else `check.py`.
    """
    lines = list(lines)
    if any(line.startswith("question.1 = ") for line in lines):
        return check_surveys.Survey
    if any(map(_OF_COMPARISONS.match, lines)):
        return check_comparisons.Comparison
    return check_people.People if any(map(_OF_PEOPLE.match, lines)) else check.Study


def verify(text: str) -> tuple[list[str], list[str]]:
    """What a certificate proves, and what is unproved in it, by the file that has its rules."""
    return check.verify(text, reader_of(text.split("\n")))
