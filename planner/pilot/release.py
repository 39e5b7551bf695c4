"""The pilot as a private study of its own: noisy counts of who accepts what.

Who was offered which payment is public: the planner chose it. What a person answered is private.
People who were asked alike are counted together, and neighbouring pilots differ in the answer of
one person. It is counted in one cell: "no" is what is left of the people asked, a cell of a payment
or of a bracket is one count, and "never" is a count of all people. So a changed answer moves all
counts together by 2 at most, and geometric noise of scale 2/ε makes them ε-private (Dwork et al.
2006; Ghosh, Roughgarden and Sundararajan 2009). All else is computed from the noisy counts (see
`planner.pilot.noisy`).
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from planner.libraries import np
from planner.pilot.answers import FEWEST, Answers, Pilot
from planner.publication.measurement import noisy_counts
from planner.study_file.costs_file import CONFIDENCE

MOVED = 2
"""By how much one changed answer moves all counts together at most."""
MOST_EPSILON = 100.0
"""Beyond it nothing is private, and payments have more digits than a double."""
_MOST_NEVER = 0.99


class Group(NamedTuple):
    """People who were asked alike.

    Attributes:
        people: how many [≥ 1].
        costs: the base costs at which their offers are just accepted, or the ends of the brackets
            of what they ask; ascending, each once [money].
        weights: how many had each offer; empty where they were asked for an amount.
    """

    people: int
    costs: tuple[float, ...]
    weights: tuple[int, ...]

    @property
    def counts(self) -> int:
        """How many counts are published: one of those who accept, or one for each bracket."""
        return 1 if self.weights else len(self.costs)


class Point(NamedTuple):
    """A published number of people who have at most some base cost.

    Attributes:
        low: each of them has a base cost of at most an offer, all of which are at least this.
        high: and at most this [money].
        people: of how many.
        accepting: how many, with noise.
        draws: how often noise was added.
    """

    low: float
    high: float
    people: int
    accepting: int
    draws: int


@dataclass(frozen=True)
class Release:
    """What a pilot publishes.

    Attributes:
        source: the file of the answers.
        groups: the people who were asked alike.
        noisy: their counts, group by group, and at last those who would never take part.
        epsilon: ε, which each answer is exposed to.
        scale: of the noise on each count.
        left_out: people who were asked about certain publication, of whom nothing is published.
    """

    source: str
    groups: tuple[Group, ...]
    noisy: tuple[int, ...]
    epsilon: float
    scale: float
    left_out: int

    @property
    def people(self) -> int:
        """How many people answered."""
        return sum(group.people for group in self.groups)

    @property
    def never(self) -> float:
        """The proportion who would not take part for any payment."""
        return min(max(self.noisy[-1] / self.people, 0.0), _MOST_NEVER)

    @property
    def off(self) -> int:
        """By how many people each count is off at most, with 95 % probability."""
        return _off(self.epsilon)

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the noisy counts and how they were drawn."""
        return {
            "epsilon": self.epsilon,
            "scale": self.scale,
            "counts": [point._asdict() for point in self.points],
            "never": self.noisy[-1],
        }

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The numbers of people with at most each base cost, by ascending cost."""
        found, at = [], 0
        for people, costs, weights in self.groups:
            if weights:
                found.append(Point(costs[0], costs[-1], people, self.noisy[at], 1))
                at += 1
                continue
            sums = np.cumsum(self.noisy[at : at + len(costs)])
            found += [
                Point(cost, cost, people, int(one), k)
                for k, (cost, one) in enumerate(zip(costs, sums, strict=True), 1)
            ]
            at += len(costs)
        return tuple(sorted(found))


def release(pilot: Pilot, epsilon: float, brackets: tuple[float, ...] = ()) -> Release:
    """Draw the noise and count: what is published spends ε of each person's privacy.

    Args:
        pilot: one answer of each person, as `read_pilot` reads it with `private`.
        epsilon: ε [(0, 100]].
        brackets: base costs at which amounts that people ask are counted; not chosen by the
            answers [money, > 0, ascending].

    Raises:
        ValueError: an argument is outside its range, or noise would hide all counts.
    """
    if not (isinstance(epsilon, int | float) and 0 < epsilon <= MOST_EPSILON):
        raise ValueError(
            f"private_epsilon = {epsilon!r} is not allowed; give a number above 0 and at most "
            f"{MOST_EPSILON:g}"
        )
    groups = groups_of(pilot.base, brackets)
    most = max(group.people for group in groups)
    if 2 * _off(epsilon) >= most:
        raise ValueError(
            f"private_epsilon = {epsilon!r} is too small: noise can hide more than half of the "
            f"{most} people who were asked alike, and nothing was published; give at least "
            f"{_least_epsilon(most)}, or ask more people alike"
        )
    add_noise, scale = noisy_counts(MOVED, epsilon)
    noisy = tuple(add_noise(counts_of(pilot.base, groups)))
    left_out = 0 if pilot.worst is None else pilot.worst.people
    return Release(pilot.source, groups, noisy, epsilon, scale, left_out)


def groups_of(answers: Answers, brackets: tuple[float, ...]) -> tuple[Group, ...]:
    """Who is counted together: decided by what was asked alone.

    Twenty people and more with one offer are a group; others are joined to neighbours until there
    are as many as n^(2/3), so that their offers come closer and their noise shrinks with n.

    Raises:
        ValueError: brackets are missing, not needed, or not in order; or people gave several
            answers.
    """
    if (np.isnan(answers.offers) & (answers.low < answers.high)).any():
        raise ValueError("some people gave several answers; give one answer of each person")
    offers = np.concatenate([answers.offers, answers.refused])
    asks = int(np.isnan(offers).sum())
    if any(not 0 < one < math.inf for one in brackets) or list(brackets) != sorted(set(brackets)):
        raise ValueError(
            f"brackets = {', '.join(f'{one:g}' for one in brackets)} is not allowed; give base "
            "costs above 0 that ascend"
        )
    if asks and not brackets:
        raise ValueError(
            "people were asked for an amount, and amounts are counted in brackets; give "
            "--brackets, base costs such as 2,5,10,20,50 that are not chosen by the answers"
        )
    if brackets and not asks:
        raise ValueError("everybody had an offer, so no amounts are counted; leave --brackets out")
    costs, people = np.unique(offers[np.isfinite(offers)], return_counts=True)
    enough = max(FEWEST, math.ceil(float(people.sum()) ** (2 / 3)))
    joined: list[list[int]] = []
    open_group = False
    for at, some in enumerate(people):
        if open_group and some < FEWEST:
            joined[-1].append(at)
        else:
            joined.append([at])
        open_group = some < FEWEST and sum(people[i] for i in joined[-1]) < enough
    groups = [
        Group(
            int(people[one].sum()),
            tuple(float(cost) for cost in costs[one]),
            tuple(int(weight) for weight in people[one]),
        )
        for one in joined
    ]
    return (*groups, Group(asks, brackets, ())) if asks else tuple(groups)


def counts_of(answers: Answers, groups: tuple[Group, ...]) -> list[int]:
    """The true counts, group by group, and at last those who would never take part."""
    counts: list[int] = []
    accepted = answers.offers[np.isfinite(answers.high) & np.isfinite(answers.offers)]
    asks = answers.high[np.isnan(answers.offers)]
    for group in groups:
        if group.weights:
            counts.append(int(np.isin(accepted, group.costs).sum()))
            continue
        upto = np.array([np.sum(asks <= cost) for cost in group.costs])
        counts += [int(count) for count in np.diff(upto, prepend=0)]
    return [*counts, int(answers.refused.size)]


def _off(epsilon: float) -> int:
    """By how much a count is off at most, with 95 % probability.

    With q = e^(−ε/2) the noise is off by t + 1 and more with probability 2q^(t + 1)/(1 + q).
    """
    rate = epsilon / MOVED
    tail = (1 - CONFIDENCE) * (1 + math.exp(-rate)) / 2
    return max(math.ceil(-math.log(tail) / rate) - 1, 0)


def _least_epsilon(people: int) -> float:
    """An ε in two digits at which half of these people are more than the noise is off."""
    epsilon = next(e for e in (2.0**k for k in range(-40, 8)) if 2 * _off(e) < people)
    while 2 * _off(smaller := float(f"{0.95 * epsilon:.2g}")) < people and smaller < epsilon:
        epsilon = smaller
    return epsilon
