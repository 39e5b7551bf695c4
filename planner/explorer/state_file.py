"""The explorer's state as a study file, and back."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from planner.explorer import questions
from planner.explorer.fields import FIELDS, KINDS_IN_FILES, MECHANISMS, TARGETS_IN_FILES
from planner.explorer.questions import QUESTIONS, SURVEY
from planner.explorer.rows import Section
from planner.explorer.state import State, StateError, study_of, tables
from planner.explorer.strata import STRATA
from planner.numbers import decimal
from planner.study_file import writer
from planner.study_file.costs_file import costs_of, with_pilot
from planner.study_file.sections import with_kind
from planner.study_file.targets import target_kind
from planner.study_file.text import StudyFileError, decoded, parsed
from planner.wording import named, quoted


def as_toml(state: State) -> str:
    """The study file of a state."""
    return writer.as_toml(tables(state))


def from_toml(content: bytes) -> State:
    """The state of a study file.

    Args:
        content: of the file; also, in any order, of the file of costs that it names, and a zero
            byte between them, which is in no text.

    Raises:
        StateError: it is too large, is not a study file, or contains what the explorer cannot show.
    """
    try:
        files = [parsed(decoded(part, "this file"), "this file") for part in content.split(b"\0")]
        data = _with_costs(files)
    except StudyFileError as error:
        raise StateError(str(error)) from None
    values = dict(_flat(data))
    state = State(tuple(values.items()))
    kind = values.get("mechanism", "").partition(" ")[0]
    for key in values.keys() & FIELDS.keys() if kind in TARGETS_IN_FILES else ():
        if FIELDS[key].only and kind not in FIELDS[key].only:
            raise StateError(
                f"the explorer cannot show {FIELDS[key].section}.{key} of this study; use `planner "
                "solve` with this file"
            )
    study_of(state)
    return state


def _with_costs(files: list[dict[str, Any]]) -> dict[str, Any]:
    """The tables of the one study file, with what the other file says of base costs."""
    costs = [data for data in files if "median" in data]
    studies = [data for data in files if "median" not in data]
    if len(studies) != 1 or len(costs) > 1:
        raise StateError("give one study file, and with it at most the file of costs that it names")
    data, person = studies[0], studies[0].get("individual")
    named_file = isinstance(person, dict) and any(
        isinstance(value, dict) and "pilot" in value for value in person.values()
    )
    if named_file and not costs:
        raise StateError(
            "this study names a file of planner costs, which a browser does not send along; choose "
            "both files together"
        )
    given = costs_of(costs[0], "the file of costs") if costs else None
    return with_pilot(data, Path("this file"), given)


def _flat(data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The keys and texts of a study file's tables; else a StateError."""
    target, compared = target_kind(data.get("target")), set(TARGETS_IN_FILES.values())
    nobody_is_paid = {"base_cost": 0.0, "worst_cost": 0.0}
    data = {"individual": nobody_is_paid, **with_kind(dict(data))}
    for section, table in data.items():
        if section in ("question", "stratum"):
            yield from _flat_rows(table, QUESTIONS if section == "question" else STRATA)
            continue
        if section in ("title", "currency"):
            yield section, str(table)
            continue
        if not isinstance(table, dict):
            raise StateError(
                f"the explorer cannot show {named(section)}; use `planner solve` with this file"
            )
        if section == "target" and target not in ("accuracy", "survey", *compared):
            raise StateError(
                f"the explorer cannot show target.kind = {quoted(target)}; use "
                "`planner solve` with this file"
            )
        if section == "mechanism":
            words = [str(table.get(key, "")) for key in ("kind", "analysis")]
            if words[1:] == [""] and f"{words[0]} exact" in MECHANISMS:
                words[1] = "exact"
            if "question" in data and words[0] != SURVEY:
                raise StateError(
                    f"the explorer cannot show a survey by {quoted(words[0])}; use `planner solve` "
                    "with this file"
                )
            if target in compared:
                own = [kind for kind, one in TARGETS_IN_FILES.items()
                       if one == target and KINDS_IN_FILES.get(kind, kind) == words[0]]  # fmt: skip
                if not own:
                    raise StateError(
                        f"the explorer cannot show target.kind = {quoted(target)} by "
                        f"{quoted(words[0])}; use `planner solve` with this file"
                    )
                # of two kinds for two groups the one without a test has an error
                words[0] = own[0 if "baseline" in data["target"] else -1]
            yield "mechanism", " ".join(words).strip()
        for key, value in table.items():
            if key in ("kind", "analysis") and section in ("mechanism", "target"):
                continue
            sure = (section, key) == ("target", "confidence") and isinstance(value, float)
            if sure and 0 < value < 1:
                yield "failure", repr(float(1 - decimal(value)))
                continue
            placed = key in FIELDS and FIELDS[key].section == section
            if placed and FIELDS[key].flag and isinstance(value, bool):
                if value:
                    yield key, "yes"
                continue
            if placed and FIELDS[key].table and isinstance(value, dict):
                lines = (f"{name} = {writer.value_text(one)}" for name, one in value.items())
                yield key, ", ".join(lines)
                continue
            ends = value.get("uniform") if isinstance(value, dict) and len(value) == 1 else None
            if placed and isinstance(ends, list) and len(ends) == 2:
                yield key, f"{ends[0]} to {ends[1]}"
                continue
            placed &= not (placed and FIELDS[key].table)
            placed &= isinstance(value, int | float) and not isinstance(value, bool)
            if not placed and not (key == "scenario" and isinstance(value, str)):
                raise StateError(
                    f"the explorer cannot show {named(section)}.{named(key)}; "
                    "use `planner solve` with this file"
                )
            yield key, str(value)


def _flat_rows(tables: Any, of: Section) -> Iterable[tuple[str, str]]:
    """The keys and texts of a study file's questions or strata; else a StateError."""
    listed = tables if isinstance(tables, list) else []
    if len(listed) > of.most:
        words = "questions" if of is QUESTIONS else "strata"
        raise StateError(
            f"the explorer shows at most {of.most} {words}; use `planner solve` with this file"
        )
    for table in listed:
        one = table if isinstance(table, dict) else {}
        unknown = [key for key in one if key not in of.labels]
        wrong = of is QUESTIONS and one.get("kind") not in questions.KINDS
        if unknown or wrong:
            what = named(unknown[0]) if unknown else f"kind = {quoted(one.get('kind'))}"
            raise StateError(
                f"the explorer cannot show {of.name}.{what}; use `planner solve` with this file"
            )
    for row in of.from_tables(listed):
        yield from row.values
