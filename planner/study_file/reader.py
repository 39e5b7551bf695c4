"""Study files: TOML read into the model, with error messages of one sentence."""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import ValidationError

from planner import checks, decisions, model
from planner.checked import Refused
from planner.gone import gone_key
from planner.mechanisms import KINDS
from planner.model.recorded import QuestionRecords
from planner.study_file import spreads, text
from planner.study_file.costs_file import with_pilot
from planner.study_file.groups import GroupsTable
from planner.study_file.keys import NO_SETTINGS, Settings, changed, places
from planner.study_file.questions import QUESTIONS, keys_of, kind_of
from planner.study_file.sections import StudyTables, with_kind
from planner.study_file.strata import with_strata
from planner.study_file.targets import TARGETS, AccuracyTarget, target_kind
from planner.study_file.text import StudyFileError
from planner.wording import named, quoted

if TYPE_CHECKING:
    from planner.decisions.uncertain.uncertain_study import UncertainStudy

_EVENTS, _EVENT = ["individual", "events"], ["individual", "event"]
_OF_RECORDS = ["records", "question"]
_LISTED = (["question"], ["stratum"], _EVENTS, _OF_RECORDS)
"""Sections that a file may have several of."""
_OF_A_QUESTION = ("missing", "answer_rate", "labels", "bins")
"""Keys that a study of one question may seem to have."""
_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")


def read_study(path: str | Path, settings: Settings = NO_SETTINGS) -> model.Study:
    """Read a study file.

    Args:
        path: the file.
        settings: other values by the names of their keys, such as {"budget": 84000}.

    Raises:
        StudyFileError: (a ValueError) the file cannot be read, or holds an unknown key, a value
            out of range or a contradiction.
    """
    return study_of(load(path, settings), path)


def read_uncertain(path: str | Path, settings: Settings = NO_SETTINGS) -> "UncertainStudy":
    """Read a study file with uncertain numbers; `settings` as in `read_study`.

    Raises:
        StudyFileError: (a ValueError) as `read_study`; or no number is uncertain, or one that
            cannot be, or with values that are not allowed.
    """
    return uncertain_of(load(path, settings), path)


def uncertain_of(data: dict[str, Any], path: str | Path) -> "UncertainStudy":
    """The uncertain study that the tables of a file describe; `path` is its name in messages."""
    if not spreads.has_spreads(data):
        raise StudyFileError(
            f"{path}: no number is uncertain; give one as a table such as base_cost = "
            "{ log_normal = [12.5, 2.0] }, or read the file with planner.read_study"
        )
    try:
        plain, given = spreads.without_spreads(data)
        study = study_of(plain, path)
        return decisions.UncertainStudy(study, given)
    except StudyFileError:
        raise
    except ValueError as error:
        raise StudyFileError(f"{path}: {error}") from None


def is_uncertain(path: str | Path, settings: Settings = NO_SETTINGS) -> bool:
    """Whether some number of a study file is an interval or a distribution.

    Raises:
        StudyFileError: the file cannot be read as TOML.
    """
    return Path(path).suffix.lower() != ".json" and spreads.has_spreads(load(path, settings))


def load(path: str | Path, settings: Settings = NO_SETTINGS) -> dict[str, Any]:
    """The tables of a study file with other values, not yet checked.

    Raises:
        StudyFileError: the file cannot be read as TOML, or a key is not known.
    """
    data = with_strata(text.parsed(text.read(path), str(path)), Path(path))
    data = with_pilot(data, Path(path))
    return changed(data, settings, str(path)) if settings else data


def study_of(data: dict[str, Any], path: str | Path) -> model.Study:
    """The study that the tables of a file describe; `path` is its name in messages.

    Raises:
        StudyFileError: an unknown key, a value out of range or a contradiction.
    """
    if gone := gone_key(data):
        raise StudyFileError(f"{path}: {gone}")
    if spreads.has_spreads(data):
        raise StudyFileError(
            f"{path}: some numbers are intervals or distributions; give one number for each here, "
            "or use `planner solve`, `planner plot` or planner.read_uncertain"
        )
    if "question" in data:  # what several questions share, by default
        data = _of_survey(path, data)
    data = with_kind(data)
    try:
        return StudyTables.model_validate(data).build()
    except (ValidationError, Refused) as error:
        # a misspelt key is also a missing one; report the misspelling
        worst = min(error.errors(), key=lambda e: e["type"] not in _UNKNOWN_KEY)
        raise StudyFileError(f"{path}: {_sentence(worst, data)}") from None


def _of_survey(path: str | Path, data: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file with [[question]] sections, with the kinds that these imply."""
    target = data.get("target", {})
    if not isinstance(data["question"], list):
        raise StudyFileError(f"{path}: question is not a list; give sections [[question]]")
    if isinstance(target, dict):
        if target.get("kind", "survey") != "survey":
            what = "is for one question" if str(target["kind"]) in TARGETS else "is unknown"
            raise StudyFileError(
                f"{path}: target.kind = {quoted(target['kind'])} {what}; with [[question]] "
                "sections leave it out"
            )
        data = {**data, "target": {"kind": "survey", **target}}
    return data


def schema() -> dict[str, Any]:
    """The JSON Schema of study files."""
    json_schema = StudyTables.model_json_schema()
    for name, kind in KINDS.items():
        table = json_schema["$defs"][kind.__name__]
        table["properties"] = {"kind": {"const": name}, **table["properties"]}
        table["required"] = ["kind", *table.get("required", [])]
    json_schema.pop("required")  # [[question]] implies a target, and a target the rest
    target = json_schema["properties"]["target"]  # one of failure alone may be of several kinds
    target["anyOf"] = target.pop("oneOf")
    for name, question in QUESTIONS.items():
        table = json_schema["$defs"][question.__name__]
        table["properties"] = {**table["properties"], "kind": {"const": name}}
        table["required"] = ["kind", *table.get("required", [])]
    json_schema["$defs"]["Spread"] = spreads.schema()
    for key in {key for _, key in spreads.PLACES} - {"delta"}:
        for table in json_schema["$defs"].values():
            if key in table.get("properties", {}):
                one = table["properties"][key]
                table["properties"][key] = {"anyOf": [one, {"$ref": "#/$defs/Spread"}]}
    person = json_schema["$defs"]["IndividualTable"]["properties"]
    for key in ("base_cost", "worst_cost"):
        person[key]["anyOf"].append(
            {
                "type": "object",
                "properties": {
                    "pilot": {"type": "string", "description": "a file of planner costs"}
                },
                "required": ["pilot"],
                "additionalProperties": False,
            }
        )
    return json_schema


def _sentence(error: Any, data: dict[str, Any]) -> str:
    """An error as a sentence: where, what is wrong, and what to write instead."""
    place = _without_tag([str(part) for part in error["loc"]])
    where = _where(place)
    value = error["input"]
    of_events = place[:2] in (_EVENTS, _EVENT)
    listed = of_events or any(place[: len(section)] == section for section in _LISTED)
    if (
        (len(place) > 2 and not listed)
        or error["type"].startswith("tuple")
        or error["type"] == "too_long"
    ):
        return f"{'.'.join(place[:2])} is not a pair; give two numbers, the lower first"
    match error["type"]:
        case "quantity":
            return f"{where} = {error['msg']}"
        case unknown if unknown in _UNKNOWN_KEY:
            known = _keys(place[:-1], data)
            in_question = place[:1] == ["question"]
            if in_question and place[-1] == "answer_rate":
                return (
                    f'unknown key {where}; it is for those who answer, of kind = "share" or '
                    '"mean" with missing = "own"; leave it out'
                )
            if place[:2] == _OF_RECORDS and place[-1] in _OF_A_QUESTION:
                return (
                    f"unknown key {where}; it is of the question, not of its records: write it in "
                    "the section [[question]] of this name"
                )
            if place[-1] in _OF_A_QUESTION and not in_question:
                return (
                    f"unknown key {where}; it is of a question: ask it in a section [[question]], "
                    "with its error, and leave target.error out"
                )
            if place[:1] == ["stratum"] and place[-1] == "population":
                return f"unknown key {where}; did you mean people?"
            if near := get_close_matches(place[-1], known, 1):
                return f"unknown key {where}; did you mean {near[0]}?"
            section = places().get(place[-1], ("",))[0]
            if section not in ("", place[-1], *place[:-1]):
                return f"unknown key {where}; it is one of [{section}]: write it there"
            return f"unknown key {where}; known here: {', '.join(known)}"
        case "missing" | "missing_argument":
            return f"{where} is missing; give {_wanted(place, data)}"
        case "union_tag_invalid" if isinstance(value, dict) and "kind" not in value:
            names = ", ".join(_kinds_at(place))
            return f"{where}.kind is missing; give one of {names}"
        case "union_tag_invalid" if isinstance(value, dict):
            names = ", ".join(_kinds_at(place))
            return f"{where}.kind = {quoted(value['kind'])} is unknown; give one of {names}"
        case "literal_error":
            return f"{where} = {quoted(value)} is not allowed; give {error['ctx']['expected']}"
        case "value_error":
            cause = error["ctx"]["error"]
            key, missing, advice = str(cause).partition(" is missing; ")
            if missing and place[:1] == ["question"]:  # one of several keys is
                return f"{_where([*place, key])}{missing}{advice}"
            of_key = isinstance(cause, Refused) and " = " in str(cause)
            return (": ", ".")[of_key].join(filter(None, [where, str(cause)]))
        case "string_too_long":
            most = error["ctx"]["max_length"]
            return f"{where} has {len(value):,} characters; give at most {most}"
        case "string_type":
            return f"{where} = {quoted(value)} is not allowed; give text in quotes"
        case "bool_type":
            return f"{where} = {quoted(value)} is not allowed; give true or false"
        case "list_type" if of_events:
            return f"{where} = {quoted(value)} is not allowed; give tables [[individual.events]]"
        case "model_type" | "dict_type" | "union_tag_invalid":
            return f"{where} = {quoted(value)} is not a table; give a section [{where}]"
    return f"{where} = {quoted(value)} is not allowed: {error['msg']}"


def _without_tag(place: list[str]) -> list[str]:
    """The place of an error as keys of the file: pydantic names the kind of a table as well."""
    at, kinds = {
        "mechanism": (1, tuple(KINDS)),
        "target": (1, tuple(TARGETS)),
        "question": (2, QUESTIONS),
    }.get(place[0] if place else "", (0, ()))
    tagged = at and len(place) > at and place[at] in kinds
    return place[:at] + place[at + 1 :] if tagged else place


def _where(place: list[str]) -> str:
    for section in _LISTED:
        at = len(section)
        if place[:at] == section and len(place) > at:
            keys = ".".join([*section, *map(named, place[at + 1 :])])
            return f"{keys} (table {int(place[at]) + 1})"
    return ".".join(map(named, place))


def _fields(place: list[str], data: dict[str, Any]) -> dict[str, Any]:
    if not place:
        return dict(StudyTables.model_fields)
    if place == ["mechanism"]:
        kind: Any = KINDS[kind_of(data["mechanism"])]
        return dict(kind.__pydantic_fields__)
    table: Any = StudyTables.model_fields[place[0]].annotation
    if place[:1] == ["question"] and len(place) > 1:
        return keys_of(kind_of(data["question"][int(place[1])]))
    if place == ["groups"]:
        return dict(GroupsTable.model_fields)
    if place[:1] == ["stratum"]:
        return dict(model.Stratum.__pydantic_fields__)  # type: ignore[attr-defined]
    if place[:2] == _OF_RECORDS:
        return dict(QuestionRecords.__pydantic_fields__)  # type: ignore[attr-defined]
    if place[:2] in (_EVENTS, _EVENT):
        return dict(model.BadEvent.__pydantic_fields__)  # type: ignore[attr-defined]
    if place == ["target"]:
        table = TARGETS.get(target_kind(data["target"]), AccuracyTarget)
    return dict(getattr(table, "model_fields", None) or table.__pydantic_fields__)


def _keys(place: list[str], data: dict[str, Any]) -> list[str]:
    known = list(_fields(place, data))
    of_kinds = place == ["mechanism"] or place[:1] == ["question"]
    return ["kind"] * of_kinds + known


def _kinds_at(place: list[str]) -> tuple[str, ...]:
    if place[:1] == ["question"]:
        return tuple(QUESTIONS)
    return tuple(TARGETS if place == ["target"] else KINDS)


def _wanted(place: list[str], data: dict[str, Any]) -> str:
    field = _fields(place[:-1], data)[place[-1]]
    for limits in field.metadata:
        if isinstance(limits, checks.Allowed):
            return limits.words
    choices = get_args(field.annotation)
    if get_origin(field.annotation) is Literal:
        return "one of " + ", ".join(map(str, choices))
    return field.description or f"a section [{place[-1]}]"
