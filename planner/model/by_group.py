"""The proportion of people with a property in each group, where people report the group."""

from dataclasses import field, replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, model_validator

from planner.checked import dataclass
from planner.checks import GroupShare
from planner.mechanisms.several.by_group import LARGEST_ERROR
from planner.model.questions import Question
from planner.model.recorded import Column, Labels, Words, refuse_common
from planner.wording import plain, points, quoted


def _one_column(given: Any) -> Any:
    """The column of the groups; a ValueError for several, which are one grouping of their pairs."""
    if isinstance(given, list | tuple):
        raise ValueError(
            f"by = {quoted(given)} is not one column; for each pair of two groupings write a "
            'column with the pair of each person, such as "North, 18 to 24", and give the pairs as '
            "labels"
        )
    return given


_OF_GROUP = Field(max_length=200, description="the column that holds each person's group")


@dataclass(kw_only=True)
class ShareByGroup(Question):
    """The proportion of people with a property within each of several groups that people report.

    How many people are in a group is not known before, and is private too. Every group with
    `share_at_least` of all people or more is within `error`. A smaller one is published with the
    wider interval that it has.

    Attributes:
        error: T, of the proportion within each group [at most 1/2].
        by: the column of the records that holds each person's group.
        labels: the groups in the records' words; everyone is in one.
        share_at_least: r, the least proportion of all people of a group whose error holds [(0, 1]].
        yes, no: the words of the records; None where they are those of `Records`.
    """

    kind: ClassVar[str] = "share-by-group"
    instead: ClassVar[str] = "leave missing out, and ask those again who gave no answer"

    by: Annotated[Column, BeforeValidator(_one_column), _OF_GROUP]
    labels: Labels
    share_at_least: GroupShare
    yes: Words | None = field(default=None, kw_only=True)
    no: Words | None = field(default=None, kw_only=True)

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse an error that says nothing, no labels, one column twice, or a double word."""
        if self.error > LARGEST_ERROR:
            raise ValueError(
                f"error = {plain(self.error)} says nothing, as every proportion is within "
                f"{plain(LARGEST_ERROR)} of one half; give an error of at most {LARGEST_ERROR}"
            )
        if not self.labels:
            raise ValueError(
                'labels is missing; give the names of the groups, such as ["North", "South"]'
            )
        if self.by == (self.column or self.name):
            raise ValueError(
                f"by = {quoted(self.by)} is the column of the answers too; give the column that "
                "holds each person's group"
            )
        refuse_common(self.yes or (), self.no or ())
        return self

    @property
    def group_count(self) -> int:
        return len(self.labels)

    @property
    def numbers(self) -> int:
        return 2 * self.group_count

    @property
    def group_names(self) -> tuple[str, ...]:
        """What is counted: yes and no in each group."""
        return tuple(f"{label}: {word}" for label in self.labels for word in ("yes", "no"))

    def with_error(self, error: float) -> Self:
        return replace(self, error=min(error, LARGEST_ERROR))

    @property
    def as_planned(self) -> "ShareByGroup":
        return replace(
            self, name="alike", column=None, by="group", yes=None, no=None, wording=None,
            labels=tuple(f"group {g}" for g in range(self.group_count)),
        )  # fmt: skip

    @property
    def words(self) -> str:
        return self._alike(
            f"a proportion in each of {self.group_count:,} groups by {self.by}, within "
            f"{self.within} in those of at least "
            f"{points(self.share_at_least)} % of the people"
        )
