"""A survey beside other ways to ask: without privacy, and each question in a study of its own."""

import math
from dataclasses import replace

from planner.comparison.fewest import fewest, sufficient_size
from planner.libraries import np, scipy
from planner.mechanisms.several.by_group import ByGroupFloor
from planner.model import Histogram, Mean, Quantile, Share, Survey
from planner.model.by_group import ShareByGroup
from planner.model.questions import Question
from planner.wording import plain, several

_MOST_MEMBERS = 10**5
"""Of a group, whose failures are counted: leaving out those of more only lowers a lower bound."""


def sizes_of_questions(survey: Survey) -> tuple[int, int, tuple[str, ...]]:
    """Bounds on the size of the study that is not private, its questions' largest, and notes.

    Each question fails at most α, so the least size is that of the hardest at all of α; with the
    same failure probability for every published number all together fail at most α.
    """
    numbers = sum(q.times * q.numbers for q in survey.published)
    least, most, sizes = 1, 1, []
    for question in survey.published:
        whole = question.failure if survey.failure is None else survey.failure
        assert whole is not None  # the survey gives one or the other
        share = whole / question.numbers if survey.failure is None else whole / numbers
        few, many = _size(question, whole, False), _size(question, share, True)
        least, most = max(least, few), max(most, many)
        sizes.append(f"{question.name}: {plain(few)} to {plain(many)}")
    notes = (f"Without privacy the questions by themselves need, in people: {several(sizes)}.",)
    return least, most, notes


def sufficient_people(survey: Survey) -> int:
    """So many independent people are enough for every question, by Hoeffding's bound.

    Those in groups that people report are left out: see `people_for_groups`.
    """
    others = (q for q in survey.published if not isinstance(q, ShareByGroup))
    return max((_by_bound(q, _of_each_number(survey, q)) for q in others), default=1)


def people_for_groups(survey: Survey) -> int:
    """So many people are enough for the proportions in reported groups, also of a population."""
    divided = (q for q in survey.published if isinstance(q, ShareByGroup))
    return max((_of_groups(q, _of_each_number(survey, q), True) for q in divided), default=1)


def _of_each_number(survey: Survey, question: Question) -> float:
    """The failure probability of each number that a question publishes, all of the same."""
    if survey.failure is None:
        return (question.failure or 0.0) / question.numbers
    return survey.failure / sum(q.times * q.numbers for q in survey.published)


def _by_bound(question: Question, failure: float) -> int:
    return math.ceil(math.log(2 / failure) / (2 * question.fraction**2))


def _size(question: Question, failure: float, sufficient: bool) -> int:
    """The people that one number of a question needs without privacy, or a number that suffices.

    A mean needs no fewer than if all its values were at the ends of their range. A quantile has
    Hoeffding's bound alone.
    """
    if isinstance(question, ShareByGroup):
        return _of_groups(question, failure, sufficient)
    if isinstance(question, Mean) and sufficient:
        people = sufficient_size(question.fraction, failure, (0.0, 1.0))
        return _by_bound(question, failure) if people is None else people
    if isinstance(question, Share | Histogram | Mean):
        smallest = fewest(question.fraction, failure, (0.0, 1.0))
        if smallest is not None:
            return smallest.always_from if sufficient else smallest.participants
    if not sufficient and isinstance(question, Mean | Quantile):
        return 1
    return _by_bound(question, failure)


def _of_groups(question: ShareByGroup, failure: float, sufficient: bool) -> int:
    """People that proportions in reported groups need without privacy, or a number that suffices.

    One group with the least proportion and one half of yes in it needs the former: N people have n
    members with n binomial, who are off with at least the least of what up to n members are off
    with. That falls with n, so its mean falls with N.
    """
    floor = ByGroupFloor(
        question.group_count, question.share_at_least, question.error, failure * question.numbers
    )
    if sufficient:
        return floor.people_without_noise
    whole, share = failure, question.share_at_least
    most = replace(floor, failure=failure).people_without_noise
    members = np.arange(min(most, _MOST_MEMBERS) + 1)
    far = scipy.stats.binom.sf(np.ceil(members * (0.5 + question.error)) - 1, members, 0.5)
    off = np.minimum.accumulate(np.minimum(2 * far, 1.0))

    def fails(n: int) -> bool:
        return bool(scipy.stats.binom.pmf(members, n, share) @ off > whole)

    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    return high
