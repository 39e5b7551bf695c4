"""The explorer's state: conversions between addresses, studies and study files."""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from planner.explorer.fields import EITHER, FIELDS, MECHANISMS
from planner.wording import named, quoted

_LONGEST = 200
_TEXTS = ("title", "currency", "scenario", "mechanism")
_VIEWS = ("narrow", "lock")
_NUMBER = re.compile(r"[+-]?(?=[.\d])(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?([eE][+-]?\d{1,4})?", re.ASCII)
START = {
    "title": "My study",
    "currency": "EUR",
    "scenario": "",
    "mechanism": "laplace-mean exact",
    **{key: f"{field.start:g}" for key, field in FIELDS.items() if field.start is not None},
}
"""The texts of a new study's boxes."""


class StateError(ValueError):
    """An address, a box or a file that is not a study; the message says what to write instead.

    Attributes:
        key: the field that is wrong, else empty.
    """

    key: str

    def __init__(self, message: str, key: str = "") -> None:
        """A sentence, and the field that it concerns."""
        super().__init__(message)
        self.key = key


class State(NamedTuple):
    """The user's input.

    Attributes:
        values: text by key, as typed; empty keys are missing.
        locks: quantities that may not change.
        narrow: whether the screen is narrow.
    """

    values: tuple[tuple[str, str], ...]
    locks: tuple[str, ...] = ()
    narrow: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The values by key."""
        return dict(self.values)

    @property
    def query(self) -> str:
        """The state as part of an address."""
        return urlencode([*self.values, *(("lock", key) for key in self.locks)])


def state_of(query: str) -> State:
    """The state of an address; a new study if it is empty.

    Raises:
        StateError: a key is not known, or a text is too long.
    """
    pairs = [(key, value.strip()) for key, value in parse_qsl(query, keep_blank_values=False)]
    known = (*_TEXTS, *_VIEWS, *FIELDS)
    for key, value in pairs:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            raise StateError(f"{quoted(key)} in the address is not known; {hint}")
        if len(value) > _LONGEST:
            raise StateError(
                f"the {key} has {len(value):,} characters; give at most {_LONGEST}", key
            )
    locks = tuple(dict.fromkeys(value for key, value in pairs if key == "lock"))
    for lock in locks:
        if lock not in FIELDS:
            raise StateError(f"lock = {quoted(lock)} in the address is not a quantity")
    values = {key: value for key, value in pairs if key not in _VIEWS and value}
    if not values:
        values = {key: value for key, value in START.items() if value}
    return State(tuple(values.items()), locks, ("narrow", "1") in pairs)


def tables(state: State) -> dict[str, Any]:
    """The tables of a state's study file.

    Raises:
        StateError: a text is not a number, or the mechanism is not known.
    """
    texts = state.texts
    mechanism = texts.get("mechanism", START["mechanism"])
    if mechanism not in MECHANISMS:
        raise StateError(f"mechanism = {quoted(mechanism)} is not known", "mechanism")
    kind, _, analysis = mechanism.partition(" ")
    data: dict[str, Any] = {key: texts[key] for key in ("title", "currency") if key in texts}
    data["mechanism"] = {"kind": kind} | ({"analysis": analysis} if analysis else {})
    if "scenario" in texts:
        data["individual"] = {"scenario": texts["scenario"]}
    for key, field in FIELDS.items():
        replaced = "scenario" in texts and key in EITHER
        other_kind = field.only and kind not in field.only
        if key in texts and not replaced and not other_kind:
            data.setdefault(field.section, {})[key] = _number(texts[key], key)
    for needed in ("target", "individual", "conditions"):
        data.setdefault(needed, {})
    return data


def _number(text: str, key: str) -> float:
    """The number in a box; else a StateError."""
    field = FIELDS[key]
    if not _NUMBER.fullmatch(text):
        hint = "with a point, such as 12.5; a comma stands between thousands only, as in 30,000"
        raise StateError(
            f"{field.words} = {quoted(text)} is not a number; give digits, {hint}", key
        )
    number = float(text.replace(",", ""))
    whole = field.whole and number.is_integer() and number < 2**63
    return int(number) if whole or text.isdigit() else number


def study_of(state: State) -> Any:
    """The study of a state.

    Raises:
        StateError: it is not a valid study; as for study files.
    """
    from planner.study_file import reader
    from planner.study_file.text import StudyFileError

    try:
        return reader.study_of(tables(state), "study")
    except StudyFileError as error:
        message = str(error).removeprefix("study: ")
        named = re.match(r"(?:\w+\.)?(\w+)", message)
        key = named[1] if named and named[1] in FIELDS else ""
        if named and key:  # the label of the box
            message = FIELDS[key].words + message[named.end() :]
        raise StateError(message, key) from None


def asked(state: State) -> list[tuple[str, str]]:
    """What a state asks for, in words: each quantity that counts, with its value and unit."""
    data, texts = tables(state), state.texts
    rows = [("mechanism", MECHANISMS[texts.get("mechanism", START["mechanism"])])]
    if "scenario" in texts:
        rows.append(("what people fear", texts["scenario"]))
    for key, field in FIELDS.items():
        if key in data.get(field.section, {}):
            unit = texts.get("currency", "") if field.unit == "money" else field.unit
            rows.append((field.words, f"{texts[key]} {unit}".strip()))
    return rows


def as_toml(state: State) -> str:
    """The study file of a state."""
    data = tables(state)
    lines = [_line(key, data.pop(key)) for key in ("title", "currency") if key in data]
    for section, table in data.items():
        if table:
            lines += ["", f"[{section}]", *(_line(key, value) for key, value in table.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _line(key: str, value: Any) -> str:
    """A line of a study file."""
    if isinstance(value, str):  # JSON strings are TOML strings, except for one character
        text = json.dumps(value, ensure_ascii=False)
        return f"{key} = {text}".replace("\x7f", "\\u007f")
    return f"{key} = {value!r}"


def from_toml(content: bytes) -> State:
    """The state of a study file.

    Raises:
        StateError: it is too large, is not a study file, or contains what the explorer cannot show.
    """
    from planner.study_file.text import StudyFileError, decoded, parsed

    try:
        data = parsed(decoded(content, "this file"), "this file")
    except StudyFileError as error:
        raise StateError(str(error)) from None
    values = dict(_flat(data))
    state = State(tuple(values.items()))
    study_of(state)
    return state


def _flat(data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The keys and texts of a study file's tables; else a StateError."""
    for section, table in data.items():
        if section in ("title", "currency"):
            yield section, str(table)
            continue
        if not isinstance(table, dict):
            raise StateError(
                f"the explorer cannot show {named(section)}; use `planner solve` with this file"
            )
        if section == "mechanism":
            words = [str(table.get(key, "")) for key in ("kind", "analysis")]
            if words == ["laplace-mean", ""]:
                words[1] = "exact"
            yield "mechanism", " ".join(words).strip()
        for key, value in table.items():
            if key in ("kind", "analysis") and section in ("mechanism", "target"):
                continue
            number = isinstance(value, int | float) and not isinstance(value, bool)
            placed = key in FIELDS and FIELDS[key].section == section and number
            if not placed and not (key == "scenario" and isinstance(value, str)):
                raise StateError(
                    f"the explorer cannot show {named(section)}.{named(key)}; "
                    "use `planner solve` with this file"
                )
            yield key, str(value)
