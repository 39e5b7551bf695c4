"""The explorer's state: what an address and the boxes hold, and the study that it is."""

import re
from difflib import get_close_matches
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from planner.explorer import questions, strata
from planner.explorer.fields import (
    EITHER,
    FIELDS,
    KINDS_IN_FILES,
    MECHANISMS,
    TARGETS_IN_FILES,
    Field,
)
from planner.explorer.questions import QUESTIONS, SURVEY
from planner.explorer.rows import Row
from planner.explorer.strata import STRATA
from planner.gone import gone_in_address
from planner.study_file import reader, text as text_file
from planner.study_file.spreads import PLACES, has_spreads
from planner.study_file.text import StudyFileError
from planner.wording import quoted

_LONGEST = 200  # letters, twice those of a title that are shown: addresses stay short
_LONGEST_TABLE = 12_000
"""Letters of base costs: five hundred observed points, and intervals."""
_TEXTS = ("title", "currency", "scenario", "mechanism")
_VIEWS = ("narrow", "lock")
_EDITS = ("add", "remove", "add_stratum", "remove_stratum")
_NUMBER = re.compile(r"[+-]?(?=[.\d])(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?([eE][+-]?\d{1,4})?", re.ASCII)
_RANGE = re.compile(r"(\S+) to (\S+)")
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
        return dict(self.values)

    @property
    def differ(self) -> bool:
        return "base_costs" in self.texts

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
        if gone := gone_in_address(key, value):
            raise StateError(gone, key)
        if key not in known and not (QUESTIONS.known(key) or STRATA.known(key)):
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else "give keys such as error and budget"
            raise StateError(f"{quoted(key)} in the address is not known; {hint}")
        most = _LONGEST_TABLE if key in FIELDS and FIELDS[key].table else _LONGEST
        if len(value) > most:
            raise StateError(f"the {key} has {len(value):,} characters; give at most {most:,}", key)
    locks = tuple(dict.fromkeys(value for key, value in pairs if key == "lock"))
    for lock in locks:
        if lock not in FIELDS:
            raise StateError(f"lock = {quoted(lock)} in the address is not a quantity")
    values = {key: value for key, value in pairs if key not in _VIEWS and value}
    if not values:
        values = {key: value for key, value in START.items() if value}
    return State(tuple(values.items()), locks, ("narrow", "1") in pairs)


def edited(query: str) -> tuple[State, str] | None:
    """The state after a question or a stratum is added or removed, and the box to go on with.

    None where the address asks for neither.

    Raises:
        StateError: as `state_of`; or there are too many of them.
    """
    pairs = parse_qsl(query)
    edits = dict(pair for pair in pairs if pair[0] in _EDITS)
    if not edits:
        return None
    state = state_of(urlencode([pair for pair in pairs if pair[0] not in _EDITS]))
    texts, edit = state.texts, next(iter(edits))
    section = STRATA if edit.endswith("_stratum") else QUESTIONS
    if edit.startswith("remove"):
        number = int(edits[edit]) if re.fullmatch("[0-9]{1,3}", edits[edit]) else 0
        left, place = section.removed(texts, number), edit.replace("remove", "add")
        if section is STRATA and len(left) == 1:  # which would be everybody
            texts, left = _without_strata(texts, left[0]), []
    else:
        if section is STRATA:
            left, texts = strata.added(texts)
        else:
            left = questions.added(texts)
        if len(left) > section.most:
            words = "questions" if section is QUESTIONS else "strata"
            raise StateError(f"this page holds at most {section.most} {words}")
        place = left[-1].key("name")
    others = {key: text for key, text in texts.items() if not section.known(key)}
    if section is QUESTIONS and others.get("mechanism", "").partition(" ")[0] != SURVEY:
        others["mechanism"] = f"{SURVEY} exact"
    values = (*others.items(), *(pair for row in left for pair in row.values))
    return state._replace(values=values), place


def _without_strata(texts: dict[str, str], last: Row) -> dict[str, str]:
    """The texts of a study whose last two strata become one, which is everybody."""
    error = {"error": last.texts["error"]} if "error" in last.texts else {}
    return error | texts


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
    in_files = KINDS_IN_FILES.get(kind, kind)
    data["mechanism"] = {"kind": in_files} | ({"analysis": analysis} if analysis else {})
    if kind in TARGETS_IN_FILES:
        data["target"] = {"kind": TARGETS_IN_FILES[kind]}
    if "scenario" in texts:
        data["individual"] = {"scenario": texts["scenario"]}
    for key, field in FIELDS.items():
        replaced = "scenario" in texts and key in EITHER
        replaced |= "base_costs" in texts and key == "base_cost"
        other_kind = field.only and kind not in field.only
        if key in texts and not replaced and not other_kind:
            data.setdefault(field.section, {})[key] = _read(texts[key], field)
    if kind == SURVEY:
        data["question"] = [_question(question) for question in QUESTIONS.asked(texts)]
        if not data["question"]:
            raise StateError("a survey has at least one question; add one", "add")
    if groups := STRATA.asked(texts):
        data["stratum"] = [_stratum(stratum, kind) for stratum in groups]
    for needed in ("target", "individual", "conditions"):
        data.setdefault(needed, {})
    return data


def _question(question: Row) -> dict[str, Any]:
    kind = questions.kind_of(question)
    if kind not in questions.KINDS:
        raise StateError(
            f"kind of question {question.number} = {quoted(kind)} is not known; give one "
            f"of {', '.join(questions.KINDS)}",
            question.key("kind"),
        )
    table: dict[str, Any] = {"kind": kind}
    if "name" in question.texts:
        table["name"] = question.texts["name"]
    for box in questions.numbers_of(question):
        words = f"{box.words} of question {question.number}"
        table[box.key] = _number(question.texts[box.key], question.key(box.key), words, whole=False)
    return table


def _stratum(stratum: Row, mechanism: str) -> dict[str, Any]:
    table: dict[str, Any] = {"name": stratum.texts.get("name", "")}
    for box in strata.BOXES:
        if box.key in stratum.texts and strata.shown(box, mechanism):
            words = f"{box.words} of stratum {stratum.number}"
            text, whole = stratum.texts[box.key], box.key in ("people", "max_participants")
            table[box.key] = _number(text, stratum.key(box.key), words, whole)
    return table


def _read(text: str, field: Field) -> Any:
    """What a box holds: a number, a range of an uncertain one, or whether; else a StateError."""
    if field.table:
        return _table(text, field)
    ends = _RANGE.fullmatch(text)
    if ends and (field.section, field.key) in PLACES:
        numbers = [_number(end, field.key, field.words, field.whole) for end in ends.groups()]
        if not numbers[0] < numbers[1]:
            raise StateError(f"{field.words} = {quoted(text)}; give the lower end first", field.key)
        return {"uniform": numbers}
    if not field.flag:
        return _number(text, field.key, field.words, field.whole)
    if text != "yes":
        raise StateError(f"{field.words} = {quoted(text)}; give yes, or leave it out", field.key)
    return True


def _table(text: str, field: Field) -> dict[str, Any]:
    """The table in a box; else a StateError."""
    try:
        return text_file.parsed(f"{field.key} = {{ {text} }}", "")[field.key]
    except StudyFileError:
        raise StateError(
            f"{field.words}: {quoted(text)} is not understood; give what stands between the braces "
            "in study files",
            field.key,
        ) from None


def _number(text: str, key: str, words: str, whole: bool) -> float:
    """The number in a box; else a StateError."""
    if not _NUMBER.fullmatch(text):
        hint = "with a point, such as 12.5; a comma stands between thousands only, as in 30,000"
        raise StateError(f"{words} = {quoted(text)} is not a number; give digits, {hint}", key)
    number = float(text.replace(",", ""))
    whole = whole and number.is_integer() and number < 2**63
    return int(number) if whole or text.replace(",", "").isdigit() else number


def is_uncertain(state: State) -> bool:
    """Whether a box holds a range, such as 8 to 20."""
    return has_spreads(tables(state))


def study_of(state: State) -> Any:
    """The study of a state; an uncertain one where a box holds a range.

    Raises:
        StateError: it is not a valid study; as for study files.
    """
    read: Any = reader.uncertain_of if is_uncertain(state) else reader.study_of
    try:
        return read(tables(state), "study")
    except StudyFileError as error:
        message = str(error).removeprefix("study: ")
        of_row = re.match(r"(question|stratum)(?:\.(\w+))? \(table (\d+)\)", message)
        if of_row:
            raise _of_row(message, of_row) from None
        named = re.match(r"(?:\w+\.)?(\w+)", message)
        key = named[1] if named and named[1] in FIELDS else ""
        if named and key:  # the label of the box
            message = FIELDS[key].words + message[named.end() :]
        raise StateError(message, key) from None


def _of_row(message: str, place: re.Match[str]) -> StateError:
    """The error in a question or a stratum, by the label of its box."""
    section = STRATA if place[1] == STRATA.name else QUESTIONS
    one = f"{section.name} {place[3]}"
    if place[2] not in section.labels:
        return StateError(message.replace(place[0], one, 1))
    words = f"{section.labels[place[2]]} of {one}"
    key = Row(section.name, int(place[3]), {}).key(place[2])
    return StateError(message.replace(place[0], words, 1), key)


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
    for stratum in STRATA.asked(texts):
        own = [f"{STRATA.labels[key]} {text}" for key, text in stratum.texts.items()
               if key != "name"]  # fmt: skip
        rows.append((stratum.texts.get("name", ""), ", ".join(own)))
    survey = study_of(state).survey if "question" in data and not is_uncertain(state) else None
    if survey is None:
        return rows
    return rows + [(one.name, survey.words_of(one)) for one in survey.questions]
