"""Runs of studies with one answer: a noisy mean or count, reports, and one answer of strata."""

import math
from typing import TYPE_CHECKING, Any

from planner.answer.answers import Plan, TotalPlan
from planner.libraries import np
from planner.mechanisms import kinds
from planner.model.strata import deviations, study_of_stratum
from planner.numbers import Array, decimal
from planner.privacy.gaussian import scale
from planner.simulation.runs import Runs, drawn, noise, reaches, records, spread
from planner.wording import persons, plain

if TYPE_CHECKING:
    from numpy.random import Generator

_NOISES = {
    "laplace": "Laplace noise",
    "geometric": "geometric noise on the count",
    "gaussian": "Gaussian noise",
}


def mean_of_runs(mechanism: Any, mean: float | None, people: int | None) -> float:
    """The mean of the population; where none is given the one nearest 1/2, usually the worst.

    Of a finite population it is that of a whole number of its people.

    Raises:
        ValueError: it is outside the mechanism's `mean_range`.
    """
    low, high = mechanism.mean_range
    if mean is None:
        mean = float(min(max(0.5, low), high))
    if not low <= mean <= high:
        raise ValueError(
            f"mean = {mean!r} is outside the study's mean_range; "
            f"give a population mean from {plain(low)} to {plain(high)}"
        )
    if people is None:
        return mean
    least, most = math.ceil(decimal(low) * people), math.floor(decimal(high) * people)
    return min(max(round(mean * people), least), most) / people


def of_mean(plan: Plan, mean: float | None) -> Runs:
    """Runs of a mean or proportion with noise.

    That of the difference of two groups counts those with the property in the second and those
    without it in the first, of which as many have it.
    """
    study, people = plan.study, plan.study.sampling.sample.population
    share, error = mean_of_runs(study.mechanism, mean, people), study.accuracy.error
    kind, n = kinds.adds(study.mechanism), plan.participants - plan.participants % study.groups
    deviation, wide = study.sample.deviation, 1 / plan.epsilon
    if kind == "gaussian":
        wide = scale(plan.epsilon, plan.delta)
    if study.groups == 2:
        drawn_words = f"{plain(n // 2)} and {records(n // 2, share, people, deviation)}"
        answer, off = "the difference of the two means", 2 * error
    else:
        drawn_words, answer, off = records(n, share, people, deviation), "their mean", error
    words = (
        f"Each run draws {drawn_words} and publishes {answer} with {_NOISES[kind]}; it fails where "
        f"that is off by {plain(off)} or more."
    )

    def failed(rng: "Generator", runs: int) -> Array:
        counts, (true, _) = drawn(rng, n, (share, 1 - share), people, runs)
        off = (counts[:, 0] - n * true) * spread(deviation, true) + noise(rng, kind, wide, runs)
        return reaches(off, n * error)[None]

    return Runs(words, failed)


def of_reports(plan: Plan, mean: float | None) -> Runs:
    """Runs of a proportion that is estimated from randomised reports."""
    assert plan.card is not None  # as nobody holds the records
    study, people = plan.study, plan.study.sampling.sample.population
    share, error = mean_of_runs(study.mechanism, mean, people), study.accuracy.error
    truth, n = float(plan.card.truth), plan.participants
    who = f"each with the property with probability {plain(share)}"
    if people is not None:
        having = plain(round(share * people))
        who = f"out of {plain(people)} of whom {having} have the property"
    words = (
        f"Each run draws {persons(n)}, {who}, who report the truth with probability "
        f"{truth!r} and else the opposite; it fails where the estimated proportion is off by "
        f"{plain(error)} or more."
    )

    def failed(rng: "Generator", runs: int) -> Array:
        counts, (true, _) = drawn(rng, n, (share, 1 - share), people, runs)
        reported = rng.binomial(counts[:, 0], truth) + rng.binomial(counts[:, 1], 1 - truth)
        expected = n * (1 - truth + true * (2 * truth - 1))
        return reaches(reported - expected, n * error * (2 * truth - 1))[None]

    return Runs(words, failed)


def of_count(plan: Plan) -> Runs:
    """Runs of a count of the participants with geometric noise."""
    least = math.ceil(plan.participants * decimal(plan.study.accuracy.error))
    words = (
        f"Each run publishes a count of {persons(plan.participants)} with geometric noise; it "
        f"fails where that is off by {persons(least)} or more."
    )
    return Runs(
        words,
        lambda rng, runs: reaches(noise(rng, "geometric", 1 / plan.epsilon, runs), least)[None],
    )


def of_strata(plan: TotalPlan) -> Runs:
    """Runs of one answer for all people: the weighted sum of strata's means, with one noise."""
    study, error = plan.study, plan.study.accuracy.error
    low, high = study.target.values or (0.0, 1.0)
    words = (
        "Each stratum is drawn by itself, half of its records at either end of the range, or as "
        "far from the middle as they are known to deviate. The answer for all people is the "
        "weighted sum of their means, with one noise more. It fails where that is off by "
        f"{plain(error)} or more."
    )
    of_all, drawn_from = study.target.deviation, []
    for stratum, own in zip(study.strata, deviations(study), strict=True):
        one = study_of_stratum(study, stratum, study.accuracy.failure)
        deviation = min((s for s in (own, of_all) if s is not None), default=None)
        drawn_from.append((one.sampling.sample.population, deviation))

    def failed(rng: "Generator", runs: int) -> Array:
        off = noise(rng, "laplace", plan.scale / (high - low), runs)
        for share, (people, deviation) in zip(plan.strata, drawn_from, strict=True):
            n, half = share.participants, mean_of_runs(study.mechanism, None, people)
            counts, (true, _) = drawn(rng, n, (half, 1 - half), people, runs)
            away = spread(deviation, true) * (counts[:, 0] / n - true)
            off = off + share.weight * away
        return np.asarray(reaches(off, error)[None])

    return Runs(words, failed)
