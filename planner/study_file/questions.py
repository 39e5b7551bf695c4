"""The sections [[question]] of a study file, and the [target] that they have in common."""

import json
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from planner import checks, model
from planner.mechanisms import KINDS, AddedNoise, Mechanism
from planner.model.by_group import ShareByGroup
from planner.model.questions import QUESTIONS as PLAIN_QUESTIONS, ByMechanism, Question, Share
from planner.model.survey import MOST
from planner.study_file.failure import FailureKeys

QUESTIONS: dict[str, type[Question]] = {**PLAIN_QUESTIONS, ShareByGroup.kind: ShareByGroup}
"""The kinds of question that study files name."""
_OWN = ("name", "error", "times", "failure")
_BY_MECHANISM = {
    name: kind
    for name, kind in KINDS.items()
    if kind is not AddedNoise and not kind.uses_delta and kind.trusted and name not in QUESTIONS
}
"""Mechanisms that may answer one question, by the kind of the question."""
QUESTION_KINDS = (*QUESTIONS, *_BY_MECHANISM)


TIMES_ERROR: Any = Field(1.0, description="factor on the error of each question")


class SurveyTarget(FailureKeys):
    """[target] of a file with [[question]] sections: α of all of them together."""

    kind: Literal["survey"] = "survey"
    times_error: checks.Positive = TIMES_ERROR


def question_kind(table: Any) -> str:
    """The kind that a [[question]] names."""
    return str(table.get("kind", "")) if isinstance(table, dict) else "not a table"


def _without_kind(table: Any) -> Any:
    return {key: table[key] for key in table if key != "kind"} if isinstance(table, dict) else table


def _by(kind: type[Mechanism]) -> Any:
    """Reads a question that a mechanism answers: its own keys, and the mechanism's."""

    def read(table: Any) -> Any:
        if not isinstance(table, dict):
            return table
        own = {key: table[key] for key in _OWN if key in table}
        rest = {key: table[key] for key in table if key not in (*_OWN, "kind")}
        return ByMechanism(**own, mechanism=kind(**rest))

    return read


def _asked(name: str) -> str:
    """The name of the definition of a question that a kind of mechanism answers."""
    return f"Asked-{name}"


AnyQuestion: Any = None
for _name, _kind in QUESTIONS.items():
    _one = Annotated[_kind, BeforeValidator(_without_kind), Tag(_name)]  # type: ignore[valid-type]
    AnyQuestion = _one if AnyQuestion is None else AnyQuestion | _one
for _name, _mechanism in _BY_MECHANISM.items():
    _place = WithJsonSchema({"const": _asked(_name)})
    _asks = Annotated[ByMechanism, BeforeValidator(_by(_mechanism)), Tag(_name), _place]
    AnyQuestion = AnyQuestion | _asks
Questions = Annotated[
    list[Annotated[AnyQuestion, Discriminator(question_kind)]], Field(max_length=MOST)
]


def keys_of(kind: str) -> dict[str, Any]:
    """The keys of a question of this kind, with what they hold."""
    if kind in QUESTIONS:
        return dict(QUESTIONS[kind].__pydantic_fields__)  # type: ignore[attr-defined]
    known = dict(KINDS[kind].__pydantic_fields__)  # type: ignore[attr-defined]
    own = {name: ByMechanism.__pydantic_fields__[name] for name in _OWN}  # type: ignore[attr-defined]
    return {**own, **known}


def with_schemas(schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of study files with that of each kind of question."""
    text = json.dumps(schema)
    for name in _BY_MECHANISM:
        place = json.dumps({"const": _asked(name)})
        text = text.replace(place, json.dumps({"$ref": f"#/$defs/{_asked(name)}"}))
    complete: dict[str, Any] = json.loads(text)
    complete["$defs"] |= _schemas(complete["$defs"])
    return complete


def _schemas(definitions: dict[str, Any]) -> dict[str, Any]:
    own = definitions[Share.__name__]["properties"]
    found = {}
    for name, kind in QUESTIONS.items():
        table = definitions[kind.__name__]
        found[kind.__name__] = _of_kind(name, table, table["properties"])
    for name, mechanism in _BY_MECHANISM.items():
        table = definitions[mechanism.__name__]
        keys = {key: own[key] for key in _OWN} | table["properties"]
        required = ["name", "error", *table.get("required", [])]
        found[_asked(name)] = _of_kind(name, {**table, "required": required}, keys)
    return found


def _of_kind(name: str, table: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    required = ["kind", *(key for key in table.get("required", []) if key != "kind")]
    return {**table, "properties": {**keys, "kind": {"const": name}}, "required": required}


def survey(target: SurveyTarget, questions: list[Question]) -> model.Survey:
    """The survey in the model."""
    asked = model.Survey(tuple(questions), target.allowed_failure)
    return asked.with_errors_times(target.times_error) if target.times_error != 1 else asked


def question_tables(survey: model.Survey) -> list[dict[str, Any]]:
    """The questions as sections of a study file."""
    tables = []
    for question in survey.questions:
        table = {f.name: getattr(question, f.name) for f in fields(question)}
        mechanism = table.pop("mechanism", None)
        kind = question.kind if mechanism is None else mechanism.kind
        if mechanism is not None:
            table |= {f.name: getattr(mechanism, f.name) for f in fields(mechanism)}
        if table.get("labels") or table.get("bins"):  # which say how many
            table.pop("groups", None)
        if table.get("missing") == "refuse":  # which is not written, as in older plans
            del table["missing"]
        given = {k: v for k, v in table.items() if v is not None and v != ()}
        tables.append({"kind": kind} | {k: _listed(v) for k, v in given.items()})
    return tables


def _listed(value: Any) -> Any:
    """A tuple as the list that files have."""
    return list(value) if isinstance(value, tuple) else value
