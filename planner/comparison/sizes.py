"""The number of people that a study needs without privacy: bounds, or the exact number."""

import math
from typing import Literal, NamedTuple

from planner.answer.answers import Answer, Plan
from planner.answer.problem.problem import problem_at_edge, problem_of
from planner.comparison import chernoff
from planner.comparison.fewest import Fewest, fewest
from planner.libraries import np
from planner.mechanisms import kinds
from planner.mechanisms.difference_floor import DifferenceFloor
from planner.mechanisms.noisy_floor import CountsFloor
from planner.mechanisms.several.survey import SurveyFloor
from planner.model import MinParticipants, Study
from planner.numbers import WHOLE_LIMIT, decimal, first
from planner.wording import persons, plain


class Bracket(NamedTuple):
    """A lower and an upper bound of a number."""

    least: float
    most: float


_WITH_NOISE = (
    "Without noise {} people are needed, as counts are whole; with the noise of the private study "
    "its {} are enough, so as many are compared."
)


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
        if sizes.least > private.participants:
            notes = (_WITH_NOISE.format(plain(sizes.least), plain(private.participants)),)
        sizes = Bracket(*(min(size, private.participants) for size in sizes))
    return sizes, notes


def _accurate_sizes(study: Study, private: Answer | None) -> tuple[Bracket | None, tuple[str, ...]]:
    mechanism = study.mechanism
    if not kinds.is_sampled(mechanism):
        note = (
            "The error of this mechanism is relative to the participants' own data, so without "
            "privacy every size is accurate; both studies are compared at the size of the private "
            "one."
        )
        same = private.participants if isinstance(private, Plan) else None
        return (Bracket(same, same) if same else None), (note,)
    floor = problem_of(study).goals[0].floor
    if isinstance(floor, SurveyFloor):
        size = enough_people(study, private)
        return (Bracket(size, size), (_OF_SURVEY,)) if size else (None, (_TOO_LARGE,))
    if isinstance(floor, CountsFloor):
        return _sizes_of_counts(floor)
    target, mean_range = study.accuracy, getattr(mechanism, "mean_range", (0.0, 1.0))
    simple = study.sample.simple
    if kinds.is_exact(mechanism) and (simple or kinds.is_curated(mechanism)):
        return _exact_sizes(study, mean_range, private)
    if not simple:
        size = enough_people(study, private)
        return (Bracket(1, size), (_UNKNOWN,)) if size else (None, (_TOO_LARGE,))
    sufficient = chernoff.sufficient_participants(target.error, target.failure)
    if not sufficient <= WHOLE_LIMIT:
        return None, (f"Without privacy, too, more than {WHOLE_LIMIT:,} people may be needed.",)
    sufficient = math.ceil(sufficient)
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
        return None, (f"Without privacy, too, more than {persons(WHOLE_LIMIT)} are needed.",)
    note = f"Without privacy {persons(size)} do by the textbook's formula."
    return Bracket(size, size), (note,)


def enough_people(
    study: Study, private: Answer | None, what: Literal["epsilon", "smooth"] = "epsilon"
) -> int | None:
    """So many people are enough without privacy by the study's own analysis; None of too many.

    Whoever needs no privacy may add as little noise, or as much, as makes the study accurate.

    Args:
        study: the study.
        private: its plan, if there is one; its people are always enough.
        what: whether its least ε is read, or the smooth guess of it.
    """
    problem = problem_at_edge(study)
    floor, (_, delta) = problem.goals[0].floor, problem.delta_bounds

    def accurate(n: int) -> bool:
        return bool(np.isfinite(getattr(floor, what)(float(n), delta)))

    planned, most = private.participants if isinstance(private, Plan) else math.inf, _FIRST
    while not accurate(most):
        most *= 2
        if most > _MOST:
            return int(planned) if planned < math.inf else None
    found = first(accurate, 1, most)
    if floor.regularity.saw_toothed and what == "epsilon":  # a few people fewer may do, too
        below = np.arange(max(1, found - _BELOW), found)
        fewer = below[np.isfinite(np.asarray(floor.approximate(below.astype(float), delta)))]
        found = int(fewer[0]) if fewer.size else found
    return int(min(found, planned))


def _exact_sizes(
    study: Study, mean_range: tuple[float, float], private: Answer | None
) -> tuple[Bracket | None, tuple[str, ...]]:
    """The exact smallest size without privacy, and notes; of any values bounds on it.

    With a design effect so many times that of people drawn alone, by convention; clusters need that
    where the people of each are alike.
    """
    target, sample = study.accuracy, study.sample
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
        sufficient = enough_people(study, private)
        if sufficient is None:
            return None, (_TOO_LARGE,)
        if smallest is None:
            return Bracket(1, sufficient), (
                f"Without privacy {persons(sufficient)} suffice, and perhaps fewer.",
            )
        least = min(smallest.participants, sufficient)
        where = "all at the ends of their range" + ", alike in clusters" * (not drawn_alone)
        if sample.deviation is not None:
            where = "one deviation over the middle of their range or under it"
        note = (
            f"Without privacy {persons(least)} are needed if values are {where}; "
            f"{plain(sufficient)} or more suffice for any values."
        )
        return Bracket(least, sufficient), (note,)
    if smallest is None:
        return None, (_TOO_LARGE,)
    size = smallest.participants
    if private is None:
        return Bracket(size, size), ()
    note = (
        f"A study that is not private needs at least {persons(size)}. Since counts are whole, "
        f"some larger studies are less accurate; {persons(smallest.always_from)} or more "
        "always suffice."
    )
    return Bracket(size, size), (note,) if smallest.always_from > size else ()


_FIRST, _MOST, _BELOW = 2**10, 2**40, 16
"""So many people are looked at first, no more than so many, and so many under those found."""
_UNKNOWN = "Fewer people than the larger number may suffice without privacy; it always does."
_OF_SURVEY = (
    "Without privacy the failures of all questions are added up, too, as in the private plan."
)
_TOO_LARGE = "The study that is not private is too large to compute its exact size."
