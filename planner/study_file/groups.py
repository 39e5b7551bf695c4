"""[groups] of a study file: proportions of a survey are asked for each group that people report."""

from typing import Annotated, Literal

from pydantic import Field

from planner import checks
from planner.model.by_group import ShareByGroup
from planner.model.questions import Question, Share
from planner.model.recorded import Column, Labels
from planner.study_file.individual import Table
from planner.wording import quoted


class GroupsTable(Table):
    """[groups]: the group is part of each person's record, and is private too."""

    by: Literal["reported"] = "reported"
    column: Annotated[
        Column, Field(max_length=200, description="the column that holds each person's group")
    ]
    labels: Labels
    share_at_least: checks.GroupShare = Field(
        description="the least proportion of all people of a group whose error holds"
    )

    def of(self, question: Question) -> ShareByGroup:
        """The question for each group.

        Raises:
            ValueError: it is not a proportion of all people.
        """
        if not isinstance(question, Share) or question.missing != "refuse":
            raise ValueError(
                f"[groups] cannot divide {quoted(question.name)}, {question.words}; it is for "
                'proportions without missing: leave [groups] out, and give kind = "share-by-group" '
                "to the proportions that are for each group"
            )
        return ShareByGroup(
            question.name, question.error, question.times, question.failure,
            column=question.column, by=self.column, labels=self.labels,
            share_at_least=self.share_at_least, yes=question.yes, no=question.no,
            wording=question.wording,
        )  # fmt: skip
