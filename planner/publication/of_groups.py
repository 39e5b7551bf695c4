"""The records of two groups that are compared, and the sums of both that noise is added to.

A column of the records names each person's group. Those are counted who have the property in the
second group and who do not have it in the first, so that one record replaced moves the sum by 1 at
most; with S of N the difference of the proportions is 2S/N − 1 (see `mechanisms.difference_floor`).
Of numbers it is their steps above the lowest value that are added up, in the first group those
below the highest.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.answer.answers import Plan
from planner.mechanisms.noisy_counts import sizes_of
from planner.model.difference import DifferenceTest, DifferenceWithin
from planner.numbers import decimal, round_down
from planner.publication.estimated import error_of_share, of_share
from planner.publication.items import Item, rounded_up
from planner.publication.records import Reading, Sums
from planner.wording import plain

GROUPS = ("first", "second")
"""What the column of groups holds."""
_DIGITS = 6
"""Of the failure probability of one group."""


@dataclass(frozen=True, repr=False)
class BothGroups(Reading):
    """The records of both groups, read once; other attributes as of `Reading`.

    Attributes:
        groups: the records of each.
        items: what is published of them together.
    """

    groups: tuple[Reading, ...] = ()
    items: tuple[Item, ...] = ()

    def chosen(self, people: int | None = None) -> Sums:
        """Those counted, of as many people drawn from each group; by default as many as planned."""
        people = self.items[0].participants if people is None else people
        asked = [replace(item, participants=people) for item in self.items]
        return counted(asked, [one.chosen(people // 2) for one in self.groups])


def of_one_group(item: Item) -> Item:
    """The answer of one group, as its records are read."""
    half = item.participants // 2
    low, high = item.values or (0.0, 1.0)
    kind = item.kind
    if kind == "difference":
        kind = "share" if item.values is None else "mean"
    return replace(item, kind=kind, low=low, high=high, values=None, participants=half)


def counted(asked: Sequence[Item], sums: Sequence[Sums]) -> Sums:
    """The sums of both groups, from those of each: of those counted, or of the steps of numbers."""
    first, second = sums
    return Sums(
        {
            one.name: second[one.name] + one.participants // 2 * one.steps - first[one.name]
            for one in asked
        }
    )


def in_both(groups: Sequence[Reading], half: int) -> int:
    """How many people are compared: as many of each group, and no more than planned."""
    return 2 * min(half, *(one.count for one in groups))


def too_few(groups: Sequence[Reading], half: int) -> Iterator[str]:
    """Which groups have fewer records than planned, in clauses."""
    both = in_both(groups, half)
    advice = f", or plan again with max_participants = {both}" if both else ""
    for name, one in zip(GROUPS, groups, strict=True):
        if one.count < half:
            yield (
                f"the {name} group has {plain(one.count)} records, and the plan is for "
                f"{plain(half)} in each group; collect that many{advice}"
            )


def together(asked: Sequence[Item], groups: Sequence[Reading], whole: Reading) -> BothGroups:
    """Both groups as one reading."""
    own = {name: getattr(whole, name) for name in Reading.__dataclass_fields__}
    return BothGroups(**own, groups=tuple(groups), items=tuple(asked))


def group_plans(plan: Plan) -> tuple[Plan, ...]:
    """The plan of each group's count, of a plan by two noisy counts; named as groups are."""
    study, target = plan.study, plan.study.target
    assert isinstance(target, DifferenceTest | DifferenceWithin)  # no other has two groups
    failure = allowed_of(target)
    # both hold together, as people are drawn independently
    failure = round_down(1 - math.sqrt(1 - failure), _DIGITS)
    alone = replace(of_share(study, failure), costs=replace(study.costs, overhead=0.0))
    found = []
    for name, people in zip(GROUPS, sizes_of(plan.participants, target.ratio), strict=True):
        error = error_of_share(alone, failure, plan.epsilon, people)
        own = replace(of_share(alone, failure, error), title=name)
        found.append(
            replace(
                plan,
                study=own,
                participants=people,
                cost=study.costs.total_of(people, plan.compensation),
                failure=failure,
                slack={},
                noise="geometric",
                scale=rounded_up(1 / (decimal(plan.epsilon) * people)),
            )
        )
    return tuple(found)


def allowed_of(target: DifferenceTest | DifferenceWithin) -> float:
    """With which probability each group's proportion may be off."""
    return target.significance if isinstance(target, DifferenceTest) else target.failure
