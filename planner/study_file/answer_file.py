"""Answers as files: JSON that is complete by itself, with a digest of all that it holds.

A digest shows that a file was changed, by accident or by hand; it is no signature. A file is data
alone: size, depth and keys are checked before anything is computed from it.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner import json_file
from planner.answer.answers import (
    Answer,
    Card,
    Given,
    Infeasible,
    Plan,
    StrataPlan,
    TotalPlan,
    Undecided,
    condition_words,
    to_dict,
)
from planner.answer.check import differences, same_numbers
from planner.answer.proof.certificate import sha256_if_proved
from planner.answer.proof.plan import Proof
from planner.answer.strata.share import StratumShare
from planner.gone import gone_in_plan, without_earlier
from planner.model import Study
from planner.output import check_target, write_whole
from planner.show import as_json, digest
from planner.study_file import reader, text
from planner.study_file.answer_tables import AnswerFile, TogetherTable, TotalTable
from planner.study_file.keys import NO_SETTINGS, Settings, changed
from planner.study_file.tables import tables_of
from planner.study_file.text import StudyFileError
from planner.study_file.writer import as_toml
from planner.wording import named, quoted, shortened

ENDING = ".json"
_LARGEST = 8_000_000  # bytes: 100 alternatives, each with a study of 64,000, and to spare
_WORDS = ("mechanism", "conditions")
"""What may be worded in another way by another version of the program."""
_UNREAD = {
    "version": "the version of the program that the file names",
    "certificate": "the SHA-256 of its certificate, which --certificate FILE compares",
    "relaxations": "its relaxations",
    "room": "its room",
    "drops": "which questions it would drop",
}
"""What a file states for its readers alone, as `check` lists it."""
_ANSWERS = ("alternatives", "strata")
"""What holds answers of its own."""


@dataclass(frozen=True)
class Read:
    """What a file holds.

    Attributes:
        answer: the answer.
        unchanged: whether the digest is that of the file.
        contradictions: what the file states beside the answer and does not follow from it, in
            sentences.
        unread: what else it states, which is not read, in phrases.
    """

    answer: Answer
    unchanged: bool
    contradictions: tuple[str, ...]
    unread: tuple[str, ...]


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """Plain data with its digest."""
    finite = json.loads(as_json(data))
    return {**finite, "digest": digest(finite)}


def text_of(answer: Answer) -> str:
    """What a file of an answer holds."""
    return as_json(sealed({**to_dict(answer), "certificate": sha256_if_proved(answer)})) + "\n"


def save(answer: Answer, path: str | Path, force: bool = True) -> None:
    """Write an answer as a file that `read_answer` reads.

    Raises:
        ValueError: the file cannot be written, or the study holds what no file can.
    """
    target = Path(path)
    check_target(target, (ENDING,), force=force)
    content = text_of(answer)
    write_whole(target, lambda part: part.write_text(content, "utf-8"), json_of)


def read_answer(path: str | Path) -> Answer:
    """Read an answer that was saved.

    Raises:
        StudyFileError: (a ValueError) the file cannot be read, is no answer, or was changed.
    """
    read = read_unchecked(path)
    if not read.unchanged:
        raise StudyFileError(
            f"{path} was changed after it was written: its digest does not match; write it "
            "again, or run planner check to see what does not hold"
        )
    return read.answer


def read_given(path: Path, settings: Settings = NO_SETTINGS) -> Given:
    """A study file's study, or the answer of a .json file; with other values a study."""
    if path.suffix.lower() != ENDING:
        return reader.read_study(path, settings)
    answer = read_answer(path)
    if not settings:
        return answer
    return reader.study_of(changed(tables_of(answer.study), settings, str(path)), path)


def text_of_study(path: Path, settings: Settings = NO_SETTINGS) -> str:
    """The text of a study file, or of the one that the study of a .json file could have."""
    if path.suffix.lower() == ENDING:
        data = tables_of(read_answer(path).study)
    elif settings:
        data = reader.load(path)
    else:
        return text.read(path)
    return as_toml(changed(data, settings, str(path)))


def read_unchecked(path: str | Path, certificate: str = "") -> Read:
    """Read an answer, changed or not.

    Raises:
        StudyFileError: the file cannot be read, or is no answer.
    """
    data = json_of(path)
    if not isinstance(data, dict) or "verdict" not in data:
        raise StudyFileError(f"{path}: no answer; give a file that planner solve -o wrote")
    if not data.get("digest"):
        raise StudyFileError(f"{path}: digest is missing; write the file with planner solve -o")
    try:
        unchanged = data["digest"] == digest({key: x for key, x in data.items() if key != "digest"})
        data = without_earlier(data)
        if gone := gone_in_plan(data["plan"] if isinstance(data.get("plan"), dict) else {}):
            raise StudyFileError(f"{path}: {gone}")
        file = AnswerFile.model_validate(data)
        answer = _answer(file, path)
        shown = {k: v for k, v in data.items() if (k, v) != ("certificate", certificate)}
        contradictions, unread = _beside(shown, json.loads(as_json(to_dict(answer))))
        return Read(answer, unchanged, contradictions, unread)
    except ValidationError as error:
        raise StudyFileError(f"{path}: {_sentence(error)}") from None
    except RecursionError:
        raise StudyFileError(f"{path}: not a plan file: nested too deep") from None


def _beside(stated: dict[str, Any], again: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """What a file states that its answer contradicts, and what the answer does not hold."""
    wrong: list[str] = []
    unread = [words for key, words in _UNREAD.items() if stated.get(key)]
    for key in (key for key in stated if key not in (*_UNREAD, *_ANSWERS, "digest")):
        for said in differences(stated[key], again.get(key), key):
            worded = key in _WORDS and same_numbers(repr(stated[key]), repr(again[key]))
            (unread if worded else wrong).append(f"the words of {key}" if worded else said)
    for key in _ANSWERS:
        for one, other in zip(stated.get(key, ()), again.get(key, ()), strict=True):
            for found, more in zip((wrong, unread), _beside(one, other), strict=True):
                found += more
    return tuple(wrong), tuple(dict.fromkeys(unread))


def json_of(path: str | Path) -> Any:
    """The data of a JSON file, which may be hostile.

    Raises:
        StudyFileError: it cannot be read, or is too large, too deep or not strictly JSON.
    """
    try:
        return json_file.read(path, _LARGEST, "plan file", "planner solve -o")
    except ValueError as error:
        if Path(path).suffix.lower() == ".toml" and Path(path).is_file():
            raise StudyFileError(
                f"{path} is a study, not a plan; run planner solve {path} -o plan.json"
            ) from None
        raise StudyFileError(str(error)) from None


def schema() -> dict[str, Any]:
    """The JSON Schema of answers as files."""
    json_schema = AnswerFile.model_json_schema()
    study = reader.schema()
    json_schema["$defs"] |= study.pop("$defs")
    json_schema["$defs"]["AnswerFile"]["properties"]["study"] = study
    return json_schema


def _answer(file: AnswerFile, path: str | Path) -> Answer:
    study = _study(file.study, path)
    proof, notes = Proof(**dict(file.proof)), tuple(file.notes)
    if file.verdict != "feasible":
        if file.verdict == "undecided":
            return Undecided(study, proof, notes)
        return Infeasible(study, _labels(file.conflict, study, path), proof, notes)
    if isinstance(file.plan, TogetherTable):
        plans = tuple(_answer(one, path) for one in file.strata)
        if not all(isinstance(one, Plan) for one in plans):
            raise StudyFileError(f"{path}: a plan with strata needs a plan of each")
        whole = file.plan
        return StrataPlan(
            study, plans, whole.failure, whole.participants, whole.cost, whole.total_error, proof,  # type: ignore[arg-type]
            notes,
        )  # fmt: skip
    if isinstance(file.plan, TotalTable):
        one, shares = file.plan, tuple(StratumShare(**dict(x)) for x in file.plan.shares)
        return TotalPlan(
            study, shares, one.failure, one.participants, one.cost, one.scale, proof, notes,
        )  # fmt: skip
    if file.plan is None or file.least_cost is None:
        raise StudyFileError(f"{path}: a feasible answer needs plan and least_cost")
    plan = dict(file.plan)
    card, slack = plan.pop("card"), plan.pop("slack")
    plan.pop("power")  # it is 1 less the failure
    if card is not None:
        truth, opposite = (Fraction(repr(x)) for x in (card.truth, card.opposite))
        plan["card"] = Card(truth, opposite)
    for name in ("compensation", "cost"):
        plan[name] = _amount(plan[name])
    return Plan(
        study=study,
        least_cost=_amount(file.least_cost.value),
        attained=file.least_cost.attained,
        proof=proof,
        notes=notes,
        slack=dict(zip(_labels(slack, study, path), map(_amount, slack.values()), strict=True)),
        alternatives=tuple(_answer(other, path) for other in file.alternatives),
        **plan,
    )


def _study(tables: dict[str, Any], path: str | Path) -> Study:
    """The study of a file, with its conditions in the order in which they were saved."""
    study = reader.study_of(tables, path)
    keys = list(tables.get("conditions", ()))
    in_order = sorted(study.conditions, key=lambda condition: keys.index(condition.key))
    return replace(study, conditions=tuple(in_order))


def _labels(keys: Iterable[str], study: Study, path: str | Path) -> tuple[str, ...]:
    words = condition_words(study)
    for key in keys:
        if key not in words:
            known = ", ".join(words)
            raise StudyFileError(
                f"{path}: {named(key)} is no condition of the study; give one of {known}"
            )
    return tuple(words[key] for key in keys)


def _amount(value: float | None) -> float:
    """A number, or ∞ where the file has null."""
    return math.inf if value is None else value


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(named(str(part)) for part in first["loc"])
    if first["type"] == "missing":
        return f"{where} is missing"
    if first["type"] == "extra_forbidden":
        return f"unknown key {where}"
    return f"{where} = {quoted(first['input'])} is not allowed: {shortened(first['msg'], 120)}"
