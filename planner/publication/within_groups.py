"""The proportion of yes within each group that people report, from the noisy counts of all groups.

With A the noisy count of yes and S that of all in a group, its proportion p lies within λ/8 +
L/(λS) of A/S, whatever the size of the group: see `mechanisms.several.by_group`. λ and L follow
from the plan, so all groups' intervals and the planned error hold together, except with the
probability of the answer. A group without a positive S, or with an interval of all possible
proportions, is too small
for any statement: its proportion is stated as 1/2, from which every proportion is 1/2 away at most.
"""

from fractions import Fraction

from planner.mechanisms.several.by_group import ByGroupFloor, reach
from planner.numbers import decimal, not_above
from planner.publication.items import Item, rounded_up

NOTHING = [0.5, 0.0, 1.0]
"""A proportion and its interval of which nothing is known."""


def within_groups(item: Item, share_at_least: float, cells: list[float]) -> list[list[float]]:
    """The proportion of yes in each group, and the two ends of its interval, rounded outward.

    Args:
        item: what was published; its error and failure with those who came.
        share_at_least: r.
        cells: the published proportions of all people: yes and no of the first group, and so on.
    """
    floor = ByGroupFloor(
        item.groups // 2, share_at_least, item.error, item.failure, item.noise == "gaussian"
    )
    rate = not_above(Fraction(item.sensitivity) / Fraction(item.scale or 1.0))
    of = reach(floor, rate, item.participants)
    found = []
    for yes, no in zip(map(decimal, cells[::2]), map(decimal, cells[1::2]), strict=True):
        size = yes + no
        half = of.of(float(size * item.participants))
        share = min(max(yes / size, Fraction(0)), Fraction(1)) if size > 0 else Fraction(1, 2)
        low, high = max(share - decimal(half), Fraction(0)), min(share + decimal(half), Fraction(1))
        ends = [-rounded_up(-low) + 0.0, rounded_up(high)]
        found.append([float(share), *ends] if ends != NOTHING[1:] else NOTHING)
    return found
