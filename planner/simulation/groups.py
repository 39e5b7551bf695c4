"""Runs of studies by noisy counts: tests, and the difference of two groups."""

from typing import TYPE_CHECKING

from planner.answer.answers import Plan
from planner.mechanisms.noisy_counts import PowerOfGroups, PowerOfOne, critical_of, sizes_of
from planner.model.difference import DifferenceWithin
from planner.numbers import Array
from planner.simulation.runs import Runs, drawn, noise, reaches
from planner.wording import plain

if TYPE_CHECKING:
    from numpy.random import Generator


def by_counts(plan: Plan) -> Runs:
    """Runs of a plan by noisy counts."""
    return _of_difference(plan) if plan.study.power is None else _of_test(plan)


def _of_test(plan: Plan) -> Runs:
    """Runs of a test at the alternative, which fail where it does not reject."""
    power, asked, n = plan.study.power, plan.study.test, plan.participants
    assert power is not None  # a test has both
    assert asked is not None
    counted, of = plain(n), "their count"
    if isinstance(asked, PowerOfGroups):
        test = asked.test(plan.epsilon, n)
        sizes = (test.second, test.first)[:: 1 if power.upwards else -1]
        counted, of = " and ".join(map(plain, sizes)), "the count of each of two groups"
    if asked.population is not None:
        counted += f" of {plain(asked.population)}"
    words = (
        f"Each run draws {counted} records, 1 with probability {power.at}, adds geometric noise to "
        f"{of} and tests it; it fails where the test does not reject."
    )

    def failed(rng: "Generator", runs: int) -> Array:
        def noisy(size: int, share: float) -> Array:
            return _noisy(rng, plan, size, share, asked.population, runs)

        if isinstance(asked, PowerOfOne):
            rejects = noisy(n, asked.counted[1]) >= asked.threshold(plan.epsilon, n)
        else:
            assert isinstance(asked, PowerOfGroups)  # no other test is planned
            test = asked.test(plan.epsilon, n)
            first, second = map(noisy, (test.first, test.second), asked.alternative)
            critical = critical_of(test)
            rejects = test.statistic(first, second) >= critical
            if test.equivalence:
                rejects &= test.statistic(test.first - first, test.second - second) >= critical
        return ~rejects[None]

    return Runs(words, failed)


def _of_difference(plan: Plan) -> Runs:
    """Runs of the difference of two groups' proportions, of a half each."""
    target, people = plan.study.target, plan.study.sampling.sample.population
    assert isinstance(target, DifferenceWithin)  # no other is planned by counts
    sizes = sizes_of(plan.participants, target.ratio)
    drawn_from = "" if people is None else f" of {plain(people)}"
    words = (
        f"Each run draws {plain(sizes[0])} and {plain(sizes[1])}{drawn_from} records, each 1 with "
        "probability 0.5, adds geometric noise to the count of each group, and fails where the "
        f"difference of the proportions is off by {plain(target.error)} or more."
    )

    def failed(rng: "Generator", runs: int) -> Array:
        first, second = (_noisy(rng, plan, size, 0.5, people, runs) / size for size in sizes)
        return reaches(first - second, target.error)[None]

    return Runs(words, failed)


def _noisy(
    rng: "Generator", plan: Plan, size: int, share: float, people: int | None, runs: int
) -> Array:
    """Noisy counts of a group."""
    counts, _ = drawn(rng, size, (share, 1 - share), people, runs)
    return counts[:, 0] + noise(rng, "geometric", 1 / plan.epsilon, runs)
