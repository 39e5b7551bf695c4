"""The records of two groups that are compared, and the sums of both that noise is added to.

A column of the records names each person's group. Those are counted who have the property in the
first group and who do not have it in the second, so that one record replaced moves the sum by 1 at
most; with S of N the difference of the proportions is 2S/N − 1 (see `mechanisms.difference_floor`).
Of numbers it is their steps above the lowest value that are added up, in the second group those
below the highest; of a histogram the people of each of its groups are counted so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.publication.items import Item
from planner.publication.records import Reading, Sums
from planner.wording import plain

GROUPS = ("first", "second")
"""What the column of groups holds."""


@dataclass(frozen=True, repr=False)
class BothGroups(Reading):
    """The records of both groups, read once; other attributes as of `Reading`.

    Attributes:
        groups: the records of each.
        items: what is published of them together.
    """

    groups: tuple[Reading, ...]
    items: tuple[Item, ...]

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
            one.name: first[one.name] + one.participants // 2 * one.steps - second[one.name]
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
