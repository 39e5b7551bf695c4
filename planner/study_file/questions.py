"""The sections [[question]] of a study file, and the [target] that they have in common."""

from dataclasses import fields
from typing import Annotated, Any, Literal

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


def question_kind(table: Any) -> str:
    """The kind that a [[question]] names."""
    return str(table.get("kind", "")) if isinstance(table, dict) else "not a table"


def _without_kind(table: Any) -> Any:
    return {key: table[key] for key in table if key != "kind"} if isinstance(table, dict) else table


AnyQuestion: Any = None
for _name, _kind in QUESTIONS.items():
    _one = Annotated[_kind, BeforeValidator(_without_kind), Tag(_name)]  # type: ignore[valid-type]
    AnyQuestion = _one if AnyQuestion is None else AnyQuestion | _one
Questions = Annotated[
    list[Annotated[AnyQuestion, Discriminator(question_kind)]], Field(max_length=MOST)
]


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
