"""Numbers as people read them: thousands separated, no noise digits, rounded toward the promise."""

import math
import unicodedata
from datetime import date, time

from planner.numbers import decimal, round_down, round_up

_MANY = 1e16
"""Amounts from here on have no cents in a double, and are shown in four digits."""

_CONFIDENCE_DIGITS = 12
"""Characters of a confidence that is read in percent: 99.999999999."""

EXACT_PAYMENTS = (
    "Costs are those of exact payments here: these are not rounded up to the study's smallest coin."
)
_LETTERS = {
    "ε": "epsilon", "δ": "delta", "α": "alpha", "μ": "mu", "σ": "sigma", "φ": "phi", "≤": "<=",
    "≥": ">=", "×": "x", "⋅": "*", "−": "-", "–": "-", "—": "-", "…": "...", "→": "->", "∞":
    "infinity", "√": "sqrt", "Σ": "sum", "²": "^2", "³": "^3", "·": "*", "€": "EUR", "£": "GBP",
}  # fmt: skip
"""The replacement of a letter that cannot be printed."""


def in_ascii(text: str) -> str:
    """The text in words that every terminal can print."""
    return "".join(letter if letter.isascii() else _LETTERS.get(letter, "?") for letter in text)


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey."""
    return "".join(
        "?" if unicodedata.category(letter) == "Cc" and letter not in "\n\t" else letter
        for letter in text
    )


def not_installed(what: str, name: str | None, extra: str) -> str:
    """The message where a library is missing: the program is installed from its own folder."""
    return (
        f"{what} {name or 'a library'}, which is not installed; run pip install -e '.[{extra}]' in "
        "the folder of the program"
    )


def quoted(value: object) -> str:
    """A given value as messages quote it: in at most 60 letters, dates as they are written."""
    return shortened(str(value) if isinstance(value, date | time) else repr(value), 60)


def named(key: str) -> str:
    """A key of a file as messages quote it: in at most 40 letters, an empty one in quotes."""
    return shortened(printable(key), 40) or '""'


def shortened(text: str, most: int) -> str:
    """The beginning of a text that has more than `most` letters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def spreadsheet_text(cell: str) -> str:
    """A cell as it was given; text that a spreadsheet would compute is marked as text."""
    if not cell.startswith(("=", "+", "-", "@", "\t")):
        return cell
    try:
        float(cell.replace(",", ""))
    except ValueError:
        return f"'{cell}"
    return cell


def plain(x: float | int) -> str:
    """The number itself, as a user would type it, thousands separated: 30000.0 is "30,000"."""
    if isinstance(x, int) or (x.is_integer() and abs(x) < 1e16):
        return f"{int(x):,}"
    text = repr(x)
    if "e" in text:
        return text
    whole, _, rest = text.partition(".")
    return f"{int(whole):,}.{rest}" if abs(x) >= 1 else text


def persons(count: float | int) -> str:
    """So many people: 1 is "1 person"."""
    return f"{plain(count)} {'person' if count == 1 else 'people'}"


def quantile(at: float) -> str:
    """The quantile of a rank, in words."""
    return "the median" if at == 0.5 else f"the {plain(at)} quantile"


def at_least(x: float, digits: int = 6) -> str:
    """A lower bound of `x` in few digits: `x` rounded down."""
    return _number(round_down(x, digits))


def at_most(x: float, digits: int = 6) -> str:
    """An upper bound of `x` in few digits: `x` rounded up."""
    return _number(round_up(x, digits))


def percent_at_most(chance: float, digits: int = 4) -> str:
    """A probability in percent, rounded up to a few digits."""
    return f"{at_most(float(100 * decimal(chance)), digits)} %"


def _number(x: float) -> str:
    """A number in words; infinities as "no limit" and "none"."""
    if not math.isfinite(x):
        return "no limit" if x > 0 else "none"
    return plain(x)


def money(x: float, currency: str = "") -> str:
    """An amount of money, rounded up to cents, with its currency."""
    if not math.isfinite(x):
        return _number(x)
    if abs(x) >= _MANY:
        return f"{at_most(x, 4)} {currency}".rstrip()
    cents = math.ceil(decimal(x) * 100)
    small = 0 < x < 0.1
    text = at_most(x, 3) if small else f"{cents // 100:,}.{cents % 100:02d}"
    return f"{text} {currency}".rstrip()


def money_between(high: float, low: float, currency: str = "") -> str:
    """By how much two amounts differ, as `money` prints them both."""
    if not max(abs(high), abs(low)) < _MANY:
        return money(high - low, currency)
    cents = [math.ceil(decimal(x) * 100) for x in (high, low)]
    return money((cents[0] - cents[1]) / 100, currency)


def confidence(failure: float) -> str:
    """The probability that an answer is right, in percent: 0.05 is "95 % confidence"."""
    right = one_less(failure)
    return f"{right} confidence" if right.endswith("%") else f"confidence {right}"


def one_less(failure: float) -> str:
    """One less a probability: 0.05 is "95 %", and what has many digits "1 − 1.2e-11"."""
    right = 100 - 100 * decimal(failure)
    shown = plain(float(right))
    if len(shown) > _CONFIDENCE_DIGITS or decimal(float(right)) != right:
        return f"1 − {plain(failure)}"
    return f"{shown} %"


def points(share: float) -> str:
    """A proportion of 1 in percentage points, exactly: 0.05 is "5"."""
    return plain(float(100 * decimal(share)))


def payment(x: float, currency: str = "") -> str:
    """What one person is paid, rounded up to whole cents: toward the participant."""
    if not 0 < x < _MANY:
        return money(x, currency)
    cents = math.ceil(decimal(x) * 100)
    return f"{cents // 100:,}.{cents % 100:02d} {currency}".rstrip()


def capital(phrase: str) -> str:
    """A phrase as it starts a line: with a capital, unless a symbol comes first."""
    return phrase[:1].upper() + phrase[1:] if phrase[:1].isascii() else phrase


def several(phrases: list[str], last: str = "and") -> str:
    """Phrases as a list in a sentence: "a", "a and b", "a, b and c"."""
    return f" {last} ".join([", ".join(phrases[:-1]), phrases[-1]]) if phrases[1:] else phrases[0]
