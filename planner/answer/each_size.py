"""Proof in ball arithmetic that no study of any size is accurate, under an exact analysis.

Ranges of N are excluded by what noise alone asks, or by a bound in the signal N·ε that holds for
every size in the range; sizes that are left are excluded one by one, at every ε between the least
that noise alone allows and the lowest ceiling.
"""

from dataclasses import replace

from planner.answer.problem import Accurate, Problem
from planner.answer.region import Region
from planner.numbers import WHOLE_LIMIT, Number

_MOST_STEPS = 20_000


def each_size_excluded(problem: Problem) -> str | None:
    """The argument that excludes every size, or None where it does not succeed."""
    accurate = [c for c in problem.conditions if isinstance(c, Accurate)]
    low, high = problem.delta_bounds
    if len(accurate) != 1 or (problem.approximate and low < high):
        return None
    regions = problem.regions(low)
    return "each size" if all(_excluded(region, accurate[0]) for region in regions) else None


def _excluded(region: Region, accurate: Accurate) -> bool:
    others = replace(region, conditions=tuple(c for c in region.conditions if c is not accurate))
    balls = others.in_balls()
    last = _last(region, balls, accurate)
    if last is None:
        return False
    n, step = 1, 1
    for _ in range(_MOST_STEPS):
        if n > last:
            return True
        end = min(last, n + step - 1)
        if _range_excluded(n, end, balls, accurate):
            n, step = end + 1, 2 * step
        elif step > 1:
            step //= 2
        elif _size_excluded(n, balls, accurate):
            n += 1
        else:
            return False
    return False


def _last(region: Region, balls: Region, accurate: Accurate) -> int | None:
    """The size beyond which the noise alone asks for more signal than any study can have."""
    if region.participants_ceiling <= WHOLE_LIMIT:
        return int(region.participants_ceiling)
    room = balls.signal_room()
    last = 1
    while last < WHOLE_LIMIT and not _signal_from(last, balls, accurate) > room:
        last *= 2
    return last if last < WHOLE_LIMIT else None


def _signal_from(n: int, balls: Region, accurate: Accurate) -> Number:
    number, target = balls.system.number, accurate.target
    return accurate.mechanism.signal_floor_from(
        n, number(target.error), number(target.failure), number(balls.delta_high)
    )


def _noise_floor(n: int, balls: Region, accurate: Accurate) -> Number:
    """What the noise alone asks of n people."""
    number, target = balls.system.number, accurate.target
    spread = _signal_from(n, balls, accurate) / number(n)
    alone = accurate.mechanism.noise_floor(
        number(n), number(target.error), number(target.failure), number(balls.delta_high)
    )
    return balls.system.maximum(spread, alone)


def _range_excluded(least: int, most: int, others: Region, accurate: Accurate) -> bool:
    number = others.system.number
    ceiling, target = others.ceiling(number(least)), accurate.target  # ceilings never rise with N
    if ceiling < _noise_floor(most, others, accurate):
        return True
    signal = most * ceiling
    return signal.is_finite() and accurate.mechanism.surely_inaccurate_sizes(
        signal, least, most, number(target.error), number(target.failure)
    )


def _size_excluded(n: int, others: Region, accurate: Accurate) -> bool:
    number, target = others.system.number, accurate.target
    size = number(n)
    least = others.system.maximum(_noise_floor(n, others, accurate), others.floor(size))
    most, delta = others.ceiling(size), number(others.delta_high)
    return bool(most < least) or accurate.mechanism.surely_inaccurate(
        least, most, n, number(target.error), number(target.failure), delta
    )
