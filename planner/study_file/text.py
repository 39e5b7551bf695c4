"""The text of a study file, checked before it is parsed, so that no file breaks the parser.

TOML parsers need time quadratic in the length of a dotted key, and memory proportional to the depth
of brackets. So size, depth, and the lengths of keys and numbers are checked first, in one pass over
the text.
"""

import re
import tomllib
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from planner.wording import shortened

LARGEST: ContextVar[int] = ContextVar("LARGEST", default=64_000)
"""The largest size of a study file [bytes]: a thousand short questions take 36,000."""
_DEEPEST, _MOST_PARTS, _MOST_TABLES = 16, 8, 2_100
"""Four times the depth of a study file, and more parts than its keys have; [[stratum]] counts as
two tables, so a thousand strata or questions fit."""
_LONGEST_WORD = 200  # more than twice the longest name of a question
# strings and comments have no structure; the rest is brackets, dots, ends of keys, and words
_TOKENS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*'
    r"|[\[{]|[\]}]|\.|[=,\n]|[A-Za-z0-9_+\-:]+",
    re.DOTALL,
)


_KEY = r"([\w.\"'-]+)\s*="
_CURRENCY = r"(?:[^\W\d_]{2,10}\.?|[^\w\s.,#\"'\[{+-])?"  # a word or a sign, also of percent
_AS_PEOPLE_WRITE = re.compile(
    rf"({_KEY}\s*{_CURRENCY}\s*[+-]?[.,]?\d[\d.,'’\s]*{_CURRENCY})\s*(?:\#.*)?"
)
"""A statement that gives a number which is none of TOML."""
_KEY_OR_SECTION = re.compile(rf"{_KEY}|(\[[\w.\"'\s-]+\])")
_GROUPED = re.compile(r"[+-]?\d{1,3}([,'’ \u00a0\u202f]\d{3})+(\.\d+)?")
_SHORT_DECIMALS = re.compile(r"[+-]?(\d+,\d{1,2}|0,\d+)")
_NUMBER = re.compile(r"[+-]?\d[\d,.'’ \u00a0\u202f]*(?<=\d)")
_IN_POINTS = re.compile(r"^([\d.,]+) *(?:percentage points?|points?|pp|per ?cent)$")
PLAIN_NUMBER = (
    "write a decimal point, no thousands separator and no currency or percent sign, such as 0.04 "
    "or 20000"
)
_TABLES = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet")
"""Endings of files of records."""


class StudyFileError(ValueError):
    """A study file that cannot be read; the message names file, field, value and what to write."""


def read(path: str | Path) -> str:
    """The text of a study file, with uniform line ends.

    Raises:
        StudyFileError: it cannot be read, is too large, or is not UTF-8 text.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST.get() + 1)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise StudyFileError(f"{path}: {reason}; give the path of a study file") from None
    if Path(path).suffix.lower() in _TABLES:
        raise StudyFileError(f"{path} is a table of records; give a study file (.toml)")
    return decoded(data, str(path))


def decoded(data: bytes, name: str) -> str:
    """The text of bytes; see `read`."""
    if len(data) > LARGEST.get():
        raise StudyFileError(
            f"{name}: more than {LARGEST.get():,} bytes, too large for a study file; give another, "
            "or allow more with planner --max-size"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyFileError(f"{name}: not a text file in UTF-8; give a TOML file") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parsed(text: str, name: str) -> dict[str, Any]:
    """The tables of a study file, not yet checked.

    Raises:
        StudyFileError: it is not TOML, or too deep or long for a study file.
    """
    _check(text, name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyFileError(f"{name}: {_not_toml(text, str(error))}") from None
    except (ValueError, RecursionError) as error:  # a whole number too long, or too deep
        raise StudyFileError(f"{name}: not a study file: {shortened(str(error), 120)}") from None


def _not_toml(text: str, reason: str) -> str:
    """What is wrong with a text, in words of study files where it is a mistake of beginners."""
    lines = text.rstrip().split("\n")
    at = re.search(r"at line (\d+)", reason)
    number = min(int(at[1]), len(lines)) if at else len(lines)
    line = lines[number - 1].strip()
    twice = reason.startswith(("Cannot overwrite", "Cannot declare"))
    match = _KEY_OR_SECTION.match if twice else _AS_PEOPLE_WRITE.fullmatch
    given = match(line) if len(line) <= _LONGEST_WORD else None
    if given is None:
        return f"not valid TOML: {shortened(reason, 120)}"
    words = shortened((given[1] or given[2]).strip(), 60)
    return f"line {number}: {words}{' is given twice' if twice else f': {PLAIN_NUMBER}'}"


def _check(text: str, name: str) -> None:
    depth = tables = parts = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token in "[{":
            depth, tables = depth + 1, tables + 1
        elif token in "]}":
            depth = max(0, depth - 1)
        elif token == ".":
            parts += 1
        if wrong := _wrong(token, depth, tables, parts):
            line = text.count("\n", 0, match.start()) + 1
            raise StudyFileError(f"{name}: line {line} has {wrong}")
        if token in "=,\n[]{}":
            parts = 0


def _wrong(token: str, depth: int, tables: int, parts: int) -> str:
    """What is wrong with the text, in words; "" if nothing."""
    if depth > _DEEPEST:
        return f"brackets nested more than {_DEEPEST} deep; a study file needs no more than 4"
    if tables > _MOST_TABLES:
        return f"more than {_MOST_TABLES:,} tables and lists; give fewer"
    if parts >= _MOST_PARTS:
        return f"a key of more than {_MOST_PARTS} parts; give keys such as target.error"
    if len(token) > _LONGEST_WORD and token[0] not in "\"'#":
        return f"a key or number of {len(token):,} characters; give at most {_LONGEST_WORD}"
    return ""


def reply_of(reply: str) -> Any:
    """The value of a reply, in which one number stands: 8,000 is whole, and 0,03 is 0.03."""
    number = _NUMBER.match(reply)
    if number and _GROUPED.fullmatch(number[0]):
        return value_of(reply.replace(",", ""))
    if number and _SHORT_DECIMALS.fullmatch(number[0]):
        return value_of(reply.replace(",", "."))
    return value_of(reply)


def value_of(cell: str) -> Any:
    """The value of a text: true or false, a number as people write it, else the text itself.

    3 % and 3 points are 0.03, and 30'000 is a whole number. A comma may be a mark of two kinds.
    """
    if cell in ("true", "false"):
        return cell == "true"
    digits = _IN_POINTS.sub(r"\1%", cell)
    part, digits = digits.endswith("%"), digits.removesuffix("%").strip()
    if _GROUPED.fullmatch(digits):
        digits = re.sub(r"['’ \u00a0\u202f]", "", digits)
    for kind in (int, float):
        try:
            return whole(kind(f"{digits}e-2" if part else digits))
        except ValueError:
            continue
    return cell


def whole(value: Any) -> Any:
    """A whole number as an integer, else the value itself."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
