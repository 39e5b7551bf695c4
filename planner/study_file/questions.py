"""The sections [[question]] of a study file, and the [target] that they have in common."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag

from planner import checks, model
from planner.model.by_group import ShareByGroup
from planner.model.questions import QUESTIONS as PLAIN_QUESTIONS, Question
from planner.model.survey import MOST
from planner.study_file.failure import FailureKeys

QUESTIONS: dict[str, type[Question]] = {**PLAIN_QUESTIONS, ShareByGroup.kind: ShareByGroup}
"""The kinds of question that study files name."""


class SurveyTarget(FailureKeys):
    """[target] of a file with [[question]] sections: α of all of them together."""

    kind: Literal["survey"] = "survey"
    times_error: checks.Positive = Field(1.0, description="factor on the error of each question")


def kind_of(table: Any) -> str:
    """The kind that a [mechanism] or a [[question]] names."""
    return str(table.get("kind", "")) if isinstance(table, dict) else "not a table"


def by_kind(kinds: Mapping[str, type]) -> Any:
    """A table that is read by the class of its kind, which does not have the kind as a field."""

    def without(table: Any) -> Any:
        return {k: v for k, v in table.items() if k != "kind"} if isinstance(table, dict) else table

    each = (Annotated[one, BeforeValidator(without), Tag(name)] for name, one in kinds.items())
    return Annotated[Union[tuple(each)], Discriminator(kind_of)]  # noqa: UP007


if TYPE_CHECKING:
    Questions = list[Question]
else:  # a union over the registry, which type checkers cannot follow
    Questions = Annotated[list[by_kind(QUESTIONS)], Field(max_length=MOST)]


def keys_of(kind: str) -> dict[str, Any]:
    """The keys of a question of this kind, with what they hold."""
    return dict(QUESTIONS[kind].__pydantic_fields__)  # type: ignore[attr-defined]


def survey(target: SurveyTarget, questions: list[Question]) -> model.Survey:
    """The survey in the model."""
    asked = model.Survey(tuple(questions), target.allowed_failure)
    return asked.with_errors_times(target.times_error) if target.times_error != 1 else asked


def question_tables(survey: model.Survey) -> list[dict[str, Any]]:
    """The questions as sections of a study file."""
    tables = []
    for question in survey.questions:
        table = {f.name: getattr(question, f.name) for f in fields(question)}
        if table.get("labels") or table.get("bins"):  # which say how many
            table.pop("groups", None)
        if table.get("missing") == "refuse":  # which is not written, as in older plans
            del table["missing"]
        given = {k: v for k, v in table.items() if v is not None and v != ()}
        if "codes" in given:
            given["codes"] = dict(given["codes"])
        tables.append({"kind": question.kind} | {k: _listed(v) for k, v in given.items()})
    return tables


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
