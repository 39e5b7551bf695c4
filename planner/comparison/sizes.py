"""The number of people that a study needs without privacy: bounds, or the exact number."""

import math
from typing import NamedTuple

from planner.answer.answers import Answer, Plan
from planner.answer.problem.problem import problem_of
from planner.comparison import chernoff
from planner.comparison.fewest import Fewest, fewest, sufficient_size
from planner.comparison.survey import (
    people_for_groups,
    sizes_of_questions,
    sufficient_people,
)
from planner.mechanisms import kinds
from planner.mechanisms.difference_floor import DifferenceFloor
from planner.mechanisms.noisy_counts import CountsFloor
from planner.mechanisms.sample import Sample
from planner.model import Accuracy, MinParticipants, Study
from planner.numbers import WHOLE_LIMIT, decimal, first
from planner.wording import plain


class Bracket(NamedTuple):
    """A lower and an upper bound of a number."""

    least: float
    most: float


def without_privacy(study: Study, private: Answer | None) -> tuple[Bracket | None, tuple[str, ...]]:
    """The size of the study that is not private, at least its required minimum, and notes."""
    sizes, notes = _accurate_sizes(study, private)
    fewest = study.find(MinParticipants)
    floor = problem_of(study).goals[0].floor
    if sizes is not None and isinstance(floor, DifferenceFloor):  # as many in either group
        sizes = Bracket(sizes.least + sizes.least % 2, sizes.most + sizes.most % 2)
    if sizes is not None and fewest is not None:
        sizes = Bracket(max(sizes.least, fewest.n), max(sizes.most, fewest.n))
    if sizes is not None and isinstance(private, Plan):  # whoever needs no noise may add as much
        sizes = Bracket(*(min(size, private.participants) for size in sizes))
    return sizes, notes


def _accurate_sizes(study: Study, private: Answer | None) -> tuple[Bracket | None, tuple[str, ...]]:
    mechanism = study.mechanism
    if study.survey is not None:
        sample = study.sampling.sample
        if not sample.simple:
            bracket, notes = _sizes_of_sample(sample, sufficient_people(study.survey))
            if bracket is not None:
                divided = min(people_for_groups(study.survey), sample.population or WHOLE_LIMIT)
                bracket = bracket._replace(most=max(bracket.most, divided))
            return bracket, notes
        least, most, notes = sizes_of_questions(study.survey)
        return Bracket(least, most), notes
    if not kinds.is_sampled(mechanism):
        note = (
            "The error of this mechanism is relative to the participants' own data, so without "
            "privacy every size is accurate; both studies are compared at the size of the private "
            "one."
        )
        same = private.participants if isinstance(private, Plan) else None
        return (Bracket(same, same) if same else None), (note,)
    floor = problem_of(study).goals[0].floor
    if isinstance(floor, CountsFloor):
        return _sizes_of_counts(floor)
    target, mean_range = study.accuracy, getattr(mechanism, "mean_range", (0.0, 1.0))
    simple = study.sample.simple
    if kinds.is_exact(mechanism) and (simple or kinds.is_curated(mechanism)):
        return _exact_sizes(mean_range, target, study.sample, private is not None)
    sufficient = chernoff.sufficient_participants(target.error, target.failure)
    if not sufficient <= WHOLE_LIMIT:
        return None, (f"Without privacy, too, more than {WHOLE_LIMIT:,} people may be needed.",)
    sufficient = math.ceil(sufficient)
    if not simple:
        return _sizes_of_sample(study.sampling.sample, sufficient)
    if chernoff.applies(target.error, target.failure, mean_range):
        least = math.ceil(chernoff.least_participants(target.error, target.failure))
        return Bracket(max(1, least), sufficient), ()
    note = (
        "Hsu14's lower bound on the size without privacy (eq. 10) is proven where the error is at "
        "most 0.25, the failure at most 1/3 and a mean of 0.25 or 0.75 is possible; here it is not."
    )
    return Bracket(1, sufficient), (note,)


def _sizes_of_counts(floor: CountsFloor) -> tuple[Bracket | None, tuple[str, ...]]:
    """The size of the usual study without noise, by the textbook's formula."""
    size = floor.without_noise
    if not size <= WHOLE_LIMIT:
        return None, (f"Without privacy, too, more than {plain(WHOLE_LIMIT)} people are needed.",)
    note = f"Without privacy {plain(size)} people do by the textbook's formula."
    return Bracket(size, size), (note,)


def _sizes_of_sample(sample: Sample, sufficient: int) -> tuple[Bracket | None, tuple[str, ...]]:
    most = sample.population or WHOLE_LIMIT
    size = first(lambda n: bool(sample.people(n) >= sufficient), 1, most)
    note = "How few people such a sample could do with is not known; the larger size always does."
    return Bracket(1, size), (note,)


def _exact_sizes(
    mean_range: tuple[float, float], target: Accuracy, sample: Sample, noted: bool
) -> tuple[Bracket | None, tuple[str, ...]]:
    """The exact smallest size without privacy, and notes; of any values bounds on it.

    With a design effect so many times that of people drawn alone, by convention; clusters need that
    where the people of each are alike.
    """
    drawn_alone = sample.clusters_of == 1 and sample.design_effect == 1
    smallest = None
    of_half = mean_range[0] <= 0.5 <= mean_range[1]
    known = drawn_alone or sample.population is None
    if known and (sample.deviation is None or of_half):
        width, means = 1.0, mean_range
        if sample.deviation is not None:
            width, means = 2 * sample.deviation, (0.5, 0.5)  # values s over 1/2 and under it
        error = min(target.error / width, 1.0)
        smallest = fewest(error, target.failure, means, sample.population)
        each = sample.clusters_of * decimal(sample.design_effect)  # as many count as one
        smallest = smallest and Fewest(*(math.ceil(n * each) for n in smallest))
    any_values = target.values is not None or not known or sample.clusters_of > 1
    if any_values:
        sufficient = sufficient_size(target.error, target.failure, mean_range, sample)
        if sufficient is None:
            return None, (_TOO_LARGE,)
        if smallest is None:
            return Bracket(1, sufficient), (
                "How few people such a sample could do with without privacy is not known; "
                f"{plain(sufficient)} suffice.",
            )
        least = min(smallest.participants, sufficient)
        where = "all at the ends of their range" + ", alike in clusters" * (not drawn_alone)
        if sample.deviation is not None:
            where = "one deviation over the middle of their range or under it"
        note = (
            f"Without privacy {plain(least)} people are needed if values are {where}; "
            f"{plain(sufficient)} or more suffice for any values."
        )
        return Bracket(least, sufficient), (note,)
    if smallest is None:
        return None, (_TOO_LARGE,)
    size = smallest.participants
    if not noted:
        return Bracket(size, size), ()
    note = (
        f"A study that is not private needs at least {plain(size)} people. Since counts are whole, "
        f"some larger studies are less accurate; {plain(smallest.always_from)} people or more "
        "always suffice."
    )
    return Bracket(size, size), (note,) if smallest.always_from > size else ()


_TOO_LARGE = "The study that is not private is too large to compute its exact size."
