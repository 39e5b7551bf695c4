"""The keys of study files by name: a value put in place of another, from a table or `--set`."""

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from planner.gone import gone_name
from planner.mechanisms import KINDS
from planner.numbers import decimal
from planner.study_file import text
from planner.study_file.groups import GroupsTable
from planner.study_file.sections import StudyTables
from planner.study_file.targets import TARGETS
from planner.study_file.text import StudyFileError
from planner.wording import named, quoted

_INSTEAD = {
    "scenario": ("base_cost", "worst_cost"),
    "base_cost": ("scenario", "exchange_rate"),
    "worst_cost": ("scenario", "exchange_rate"),
    "failure": ("confidence",),
    "confidence": ("failure",),
}
"""Other keys of the section that a value replaces."""
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,0\d+")
"""Of which the second part is no number of its own; 0,5 may be two."""
_ONE_NUMBER = re.compile(rf"{_THOUSANDS.pattern}|0,\d+")
Place = tuple[str, ...]
Settings = Mapping[str, Any]
"""Values by the names of their keys."""


NO_SETTINGS: Settings = MappingProxyType({})


class Setting(NamedTuple):
    """A key with the values that it is to have, one after the other."""

    key: str
    values: tuple[Any, ...]


@cache
def places() -> dict[str, Place]:
    """The section and key of each name: `budget`, or `conditions.budget`."""
    known: dict[str, Place] = {"title": ("title",), "currency": ("currency",)}
    sections: dict[str, list[str]] = {}
    for section in ("individual", "conditions", "costs", "sampling", "records"):
        sections[section] = list(_fields(StudyTables.model_fields[section].annotation))
    sections["mechanism"] = ["kind", "analysis", "universe_size", "queries"]
    targets = [key for kind in TARGETS.values() for key in kind.model_fields]
    sections["target"] = list(dict.fromkeys(targets))
    keys = [key for names in sections.values() for key in names]
    sections["groups"] = list(GroupsTable.model_fields)
    own = {key: None for kind in KINDS.values() for key in _fields(kind)}
    sections["mechanism"] += [key for key in own if key not in sections["mechanism"]]
    for section, names in sections.items():
        for key in names:
            known[f"{section}.{key}"] = (section, key)
            if keys.count(key) == 1 or key not in keys:
                known[key] = known.get(key, (section, key))
    return known


def _fields(kind: Any) -> Iterable[str]:
    fields: dict[str, Any] = getattr(kind, "model_fields", None) or kind.__pydantic_fields__
    return fields


def meant(name: str) -> list[str]:
    """The keys that a name may stand for which is none: the same in a section, or spelled so."""
    own = [key for key in places() if key.endswith(f".{name}")]
    return own or get_close_matches(name, places(), 1, 0.75)


def setting(given: str) -> Setting:
    """The key and the values of a text such as "budget=84000,100000"."""
    key, equals, values = (part.strip() for part in given.partition("="))
    if not (key and equals and values):
        raise ValueError(f"--set {quoted(given)} is not KEY=VALUE; give --set budget=84000")
    try:
        parsed: list[Any] = text.parsed(f"values = [{values}]", "--set")["values"]
        listed = list(map(text.whole, parsed))
    except StudyFileError:  # words without quotes, or a number such as 20,000
        if _THOUSANDS.fullmatch(values):
            raise ValueError(
                f"--set {quoted(given)}: a comma separates values; give {key}="
                f"{values.replace(',', '')}"
            ) from None
        if _DECIMAL_COMMA.fullmatch(values):
            raise ValueError(f"--set {quoted(given)}: {text.PLAIN_NUMBER}") from None
        listed = [text.value_of(each.strip()) for each in values.split(",")]
    return Setting(key, tuple(listed))


def looks_like_one(given: str) -> bool:
    """Whether "budget=20,500" or "error=0,5" may have been meant as one number; it is two."""
    return bool(_ONE_NUMBER.fullmatch(given.partition("=")[2].strip()))


def changed(data: Mapping[str, Any], settings: Settings, where: str) -> dict[str, Any]:
    """The tables of a study file with other values; an empty name is no key.

    Raises:
        StudyFileError: a name is not known, or its place is not one.
    """
    own = deepcopy(dict(data))
    found = [(*_found(own, name, where), value) for name, value in settings.items()]
    for section, key, _ in found:
        for other in _INSTEAD.get(key, ()):
            section.pop(other, None)
    for section, key, value in found:
        section[key] = value
    return own


def value_in(data: Mapping[str, Any], name: str) -> Any:
    """The value of a key in the tables of a study file; None where they do not have it."""
    section, key = _found(deepcopy(dict(data)), name, "")
    if key == "confidence" and "failure" in section:
        return float(1 - decimal(section["failure"]))
    return section.get(key)


def is_key(data: Mapping[str, Any], name: str) -> bool:
    """Whether a name is a key of study files, or of a question or a stratum of this one."""
    return name in places() or _table_of(data, name) is not None


def _table_of(data: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """The table of the question or the stratum that a name such as "smokes.error" belongs to."""
    owner, dot, _ = name.rpartition(".")
    tables = [data[kind] for kind in ("question", "stratum") if isinstance(data.get(kind), list)]
    for table in (table for some in tables for table in some if dot):
        if isinstance(table, dict) and table.get("name") == owner:
            return table
    return None


def _found(data: dict[str, Any], name: str, where: str) -> tuple[dict[str, Any], str]:
    asked = data.get("question")
    if (table := _table_of(data, name)) is not None:
        return table, name.rpartition(".")[2]
    if isinstance(asked, list) and name in ("error", "target.error"):
        names = [str(table.get("name", "")) for table in asked if isinstance(table, dict)]
        raise StudyFileError(
            f"{where}: each question of a survey has its own error; give times_error, a factor on "
            f"all errors, or that of one question, such as {named((names or [''])[0])}.error"
        )
    if name not in places():
        if gone := gone_name(name):
            raise StudyFileError(f"{where}: {gone}")
        known = " or ".join(meant(name))
        hint = f"did you mean {known}?" if known else "give keys of study files, such as budget"
        if isinstance(asked, list) and name.startswith("question"):
            first = next((str(one.get("name")) for one in asked if isinstance(one, dict)), "")
            hint = f"give the name of a question, such as {named(first)}.error"
        raise StudyFileError(f"{where}: unknown key {named(name)}; {hint}")
    place = places()[name]
    section = data.setdefault(place[0], {}) if place[1:] else data
    if not isinstance(section, dict):
        raise StudyFileError(
            f"{where}: {'.'.join(place)} cannot be put into several sections [[{place[0]}]]; "
            "give a study file with one"
        )
    return section, place[-1]
