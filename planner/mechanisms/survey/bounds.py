"""What a survey asks at least, for every split of its α: proofs that no study exists rest on it.

What noise alone asks of all questions together is least where αᵢ is in proportion to what one more
nat costs question i. A question given all of α needs no more than with its share.
"""

import math
from functools import lru_cache

from planner import numbers
from planner.mechanisms.survey.any_split import at_any_split
from planner.mechanisms.survey.part import Part
from planner.mechanisms.survey.questions import Questions
from planner.mechanisms.survey.refuted import refuted
from planner.mechanisms.survey.together import Added
from planner.numbers import Number

_NEAR = 1e-6
_NEAR_NATS = 1e-3


def noise_n_epsilon(of: Questions, participants: int, delta: Number) -> Number:
    """What the noises of N people or more ask of N·ε together, at any split."""
    if numbers.of(delta) is numbers.balls():
        return _n_epsilon(of, participants, delta)
    return _known_n_epsilon(of, participants)


@lru_cache(maxsize=2**10)
def _known_n_epsilon(of: Questions, participants: int) -> float:
    """The same in floats, remembered: sweeps of money ask it of every study; no δ changes it."""
    return float(_n_epsilon(of, participants, 0.0))


def _n_epsilon(of: Questions, participants: int, delta: Number) -> Number:
    system = numbers.of(delta)

    def n_epsilon(part: Part, failure: Number) -> Number:
        return part.at(failure).n_epsilon(participants, delta)

    if of.alone is not None:
        total: Number = system.number(0.0)
        for part, floor in zip(of.parts, of.alone, strict=True):
            total = part.times * floor.n_epsilon(participants, delta) + total
        return total
    assert of.failure is not None
    costs = []  # what one more nat of 1/α costs each
    for part in of.parts:
        a = of.failure / sum(of.times)
        more, less = (
            float(part.at(a * math.exp(by)).n_epsilon(participants, 0.0))
            for by in (-_NEAR_NATS, _NEAR_NATS)
        )
        costs.append((more - less) / (2 * _NEAR_NATS))
    whole = sum(n * cost for n, cost in zip(of.times, costs, strict=True))
    shares = [of.failure * cost / whole for cost in costs]
    return at_any_split(of.parts, of.failure, shares, n_epsilon, system)


def enclosed(of: Questions, participants: Number, delta: Number) -> Number:
    """The floor in balls: between what the shares need and what every split is certain to need."""
    number = numbers.balls().number
    if of.alone is not None:
        rates = [floor.epsilon(participants, number(0.0)) for floor in of.alone]
        return of.together.epsilon(rates, of.times, delta)
    assert of.failure is not None
    failures = of.splits[0].stated(float(participants.mid()))
    rates = [
        part.at(number(a)).epsilon(participants, number(0.0))
        for part, a in zip(of.parts, failures, strict=True)
    ]
    whole = [floor.epsilon(participants, number(0.0)) for floor in of.whole]
    if _beyond_samples(of, participants):
        return numbers.balls().infinity
    if not all(rate.is_finite() for rate in rates):
        return of.together.at_least(whole, of.times, delta).union(numbers.balls().infinity)
    sufficient = of.together.epsilon(rates, of.times, delta)
    if not isinstance(of.together, Added):
        return sufficient.union(of.together.at_least(whole, of.times, delta))

    def floor(part: Part, failure: Number) -> Number:
        return part.at(failure).epsilon(participants, number(0.0))

    least = at_any_split(of.parts, of.failure, failures, floor, numbers.balls())
    return sufficient.union(least)


def certify_missed(
    of: Questions, least: Number, most: Number, participants: int, delta: Number
) -> bool:
    """Whether every ε up to `most` is certain to miss: floors that are refuted add up to it."""
    number, infinity = numbers.balls().number, numbers.balls().infinity
    n = number(participants)
    rates = []
    for part, floor in zip(of.parts, of.whole, strict=True):
        lowest = floor.noise_alone(n, number(0.0))
        if not floor.regularity.saw_toothed:
            rates.append(floor.epsilon(n, number(0.0)))
            continue
        quick = float(part.at(floor.failure).approximate(float(participants), 0.0))
        near = number(quick * (1 - _NEAR)) if quick < math.inf else most
        refuted = near > lowest and floor.certify_missed(lowest, near, participants, number(0.0))
        rates.append(near if refuted else lowest)
    if any(rate == infinity for rate in rates):
        return True
    return bool(of.together.at_least(rates, of.times, delta) > most)


def certify_missed_sizes(
    of: Questions, epsilon: Number, least: int, most: int, delta: Number
) -> bool:
    """Whether every N in [least, most] surely misses at every ε up to a ball, at any split."""
    number = numbers.balls().number
    bounds = [floor for floor in of.whole if not floor.regularity.saw_toothed]
    # a bound that no ε reaches with the most people is not reached with fewer
    if any(
        floor.epsilon(number(most), number(0.0)) == numbers.balls().infinity for floor in bounds
    ):
        return True
    if of.alone is None and _beyond_samples(of, number(most)):
        return True
    n_epsilon = epsilon * most
    if of.together.uses_delta or not n_epsilon.is_finite():
        return False
    if any(floor.certify_missed_sizes(epsilon, least, most, delta) for floor in of.whole):
        return True
    return refuted(of.parts, of.failure, n_epsilon, least, most)


def _beyond_samples(of: Questions, participants: Number) -> bool:
    """Whether the samples alone are certain to be off with more than α together; balls."""
    assert of.failure is not None
    off = sum(part.times * part.floor.sample_alone(participants) for part in of.parts)
    return bool(off > numbers.balls().number(of.failure))
