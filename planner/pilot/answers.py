"""The answers of a pilot: a table of what people ask to be paid, as intervals of their costs.

A payment for a stated ε is accepted by those whose base cost E is at most payment/(e^ε − 1)
(Hsu14 Definition 4, solved for E). A payment for an event whose chance rises from b to q is
accepted by those to whom the event costs at most payment/(q − b), so that E = b·cost; if b = 0 and
q = 1, it is the worst cost (Hsu14 §3).
"""

import math
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from planner.libraries import np
from planner.numbers import Array, decimal
from planner.study_file.csv_table import Table, read_table
from planner.wording import named, quoted

FEWEST = 20
"""People from whose answers a spread is estimated: of fewer, the 95 % interval of a proportion that
is near 1/2 is wider than from 0.27 to 0.73."""
COLUMNS = ("person", "offer", "accepts", "ask", "epsilon", "chance_without", "chance_with")
_YES = ("yes", "y", "true", "1")
_NO = ("no", "n", "false", "0")
_NEVER = ("never", "would not take part")
_ONE_OFFER = "{}: all people had the same offer, which shows one proportion; give at least two"


class PilotError(ValueError):
    """A pilot that cannot be read; the message names file, line, field and what to write."""


@dataclass(frozen=True)
class Answers:
    """What is known about the costs of people who would take part for some payment.

    Attributes:
        low: each person's cost is above this, or is this where `high` is the same; −∞ where no
            answer says so [money; shape (people,)].
        high: it is at most this; ∞ where no answer says so [money; shape (people,)].
        offers: the cost at which an offer is just accepted, of people with one answer, yes or no;
            NaN for the others [money; shape (people,)].
        refused: the same of those who would not take part for any payment; NaN where they were
            asked for an amount [money; shape (refusers,)].
    """

    low: Array
    high: Array
    offers: Array
    refused: Array

    @property
    def people(self) -> int:
        return int(self.low.size + self.refused.size)

    @property
    def never(self) -> float:
        """The proportion of them who would not take part for any payment."""
        return self.refused.size / self.people

    @property
    def yes_or_no(self) -> bool:
        """Whether everybody gave one answer, yes or no, to one offer."""
        return not np.isnan(np.concatenate([self.offers, self.refused])).any()

    @property
    def asked(self) -> Array:
        """The costs that answers are about, ascending and each once [money]."""
        all_costs = np.concatenate([self.low, self.high, self.refused])
        found: Array = np.unique(all_costs[np.isfinite(all_costs)])
        return found


class Pilot(NamedTuple):
    """The answers of a pilot.

    Attributes:
        base: about base costs.
        worst: about the cost of certain publication; None where nobody was asked.
        source: the file.
    """

    base: Answers
    worst: Answers | None
    source: str

    @property
    def people(self) -> int:
        """How many people answered about base costs."""
        return self.base.people


class _Answer(NamedTuple):
    """One row: whose cost, at what line, and between which ends; an offer where there was one."""

    person: str
    line: int
    worst: bool
    low: float
    high: float
    offer: float | None
    never: bool
    said: str


def read_pilot(path: str | Path) -> Pilot:
    """Read the answers of a pilot.

    Args:
        path: a CSV file with the column `person`; `offer` and `accepts`, or `ask`; and `epsilon`,
            or `chance_without` and `chance_with`. Other columns are not read.

    Raises:
        PilotError: (a ValueError) the file cannot be read, a cell is not allowed, the answers of
            one person contradict each other, or they are too few to estimate a spread.
    """
    name = str(path)
    table = _table(name)
    answers = [
        _answer(f"{name}, line {line}", line, _cells(table, row)) for line, row in table.rows
    ]
    of_base = [one for one in answers if not one.worst]
    base = _together(name, of_base)
    if base is None:
        raise PilotError(
            f"{name}: no answer is about an ε or an event, from which base costs follow; give "
            "epsilon, or chance_without above 0 and chance_with"
        )
    _enough(name, base)
    worst = _together(name, [one for one in answers if one.worst])
    if worst is not None:
        _enough(f"{name}, certain publication", worst)
    return Pilot(base, worst, name)


def _table(name: str) -> Table:
    table = read_table(name, "answer", PilotError)
    header = table.header
    for column in header:
        near = get_close_matches(column, [one for one in COLUMNS if one not in header], 1, 0.75)
        if near and column not in COLUMNS:
            raise PilotError(f"{name}: unknown column {named(column)}; did you mean {near[0]}?")
        if column in COLUMNS and header.count(column) > 1:
            raise PilotError(f"{name}: column {column} is given twice; give it once")
    if "person" not in header:
        raise PilotError(f"{name}: column person is missing; give each person a name or number")
    if not ("ask" in header or {"offer", "accepts"} <= set(header)):
        raise PilotError(
            f"{name}: there are no answers; give the columns offer and accepts (yes, no or never), "
            "or ask (an amount or never)"
        )
    if not ("epsilon" in header or {"chance_without", "chance_with"} <= set(header)):
        raise PilotError(
            f"{name}: no risk is described; give the column epsilon, or chance_without and "
            "chance_with"
        )
    for line, row in table.rows:
        if len(row) != len(header):
            raise PilotError(
                f"{name}, line {line}: {len(row)} cells under {len(header)} columns; give one each"
            )
    return table


def _cells(table: Table, row: list[str]) -> dict[str, str]:
    pairs = zip(table.header, map(table.cell, table.header, row), strict=True)
    return {key: cell for key, cell in pairs if key in COLUMNS and cell}


def _answer(where: str, line: int, cells: dict[str, str]) -> _Answer:
    if "person" not in cells:
        raise PilotError(f"{where}: person is empty; give each person a name or number")
    per_cost, worst = _payment_for_a_cost(where, cells)
    said = cells.get("accepts", "").lower()
    if ("ask" in cells) == ("offer" in cells or bool(said)):
        raise PilotError(f"{where}: give either offer and accepts, or ask")
    person = cells["person"]
    if "ask" in cells:
        if cells["ask"].lower() in _NEVER:
            return _Answer(person, line, worst, math.inf, math.inf, None, True, "would never")
        cost = _number(where, "ask", cells["ask"], least=0) / per_cost
        return _Answer(person, line, worst, cost, cost, None, False, f"asks {cells['ask']}")
    if "offer" not in cells:
        raise PilotError(f"{where}: offer is empty; give the payment that was offered")
    offer = _number(where, "offer", cells["offer"], above=0) / per_cost
    words = f"says {said} at {cells['offer']}"
    if said in _YES:
        return _Answer(person, line, worst, -math.inf, offer, offer, False, words)
    if said in _NO:
        return _Answer(person, line, worst, offer, math.inf, offer, False, words)
    if said in _NEVER:
        return _Answer(person, line, worst, math.inf, math.inf, offer, True, words)
    raise PilotError(
        f"{where}: accepts = {quoted(cells.get('accepts', ''))} is not allowed; give yes, no or "
        "never"
    )


def _payment_for_a_cost(where: str, cells: dict[str, str]) -> tuple[float, bool]:
    """The payment that covers the described risk, for each unit of cost; and whether of the worst.

    E is covered by (e^ε − 1)E, and by (q − b)/b·E; W by 1·W.
    """
    of_event = [key for key in ("chance_without", "chance_with") if key in cells]
    if "epsilon" in cells:
        if of_event:
            raise PilotError(
                f"{where}: epsilon and {of_event[0]} describe two risks; give one of them"
            )
        per_cost = _number(where, "epsilon", cells["epsilon"], above=0, most=100)
        return math.expm1(per_cost), False
    if len(of_event) < 2:
        raise PilotError(
            f"{where}: no risk is described; give epsilon, or chance_without and chance_with"
        )
    without = _number(where, "chance_without", cells["chance_without"], least=0, most=1)
    chance = _number(where, "chance_with", cells["chance_with"], least=0, most=1)
    if not without < chance:
        raise PilotError(
            f"{where}: chance_with = {cells['chance_with']} is not above chance_without = "
            f"{cells['chance_without']}; give the chance for those who take part"
        )
    if without > 0:
        return float((decimal(chance) - decimal(without)) / decimal(without)), False
    if chance < 1:
        raise PilotError(
            f"{where}: chance_without = 0 gives no base cost; give a chance above 0, or 0 and 1 "
            "for certain publication"
        )
    return 1.0, True


def _number(
    where: str,
    key: str,
    cell: str,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
) -> float:
    try:
        value = float(cell) if cell[:1].isdigit() or cell[:1] in "+-." else math.nan
    except ValueError:
        value = math.nan
    if math.isfinite(value) and least <= value <= most and value > above:
        return value
    words = "above 0" if above == 0 else "of at least 0"
    upto = f" and at most {most:g}" if most < math.inf else ""
    mark = ", with a decimal point" if "," in cell else ""
    allowed = f"give a number {words}{upto}{mark}"
    raise PilotError(f"{where}: {key} = {quoted(cell)} is not allowed; {allowed}")


def _together(name: str, answers: list[_Answer]) -> Answers | None:
    """All answers about one kind of cost, one interval a person; None where there are none."""
    if not answers:
        return None
    of_people: dict[str, list[_Answer]] = {}
    for answer in answers:
        of_people.setdefault(answer.person, []).append(answer)
    refused, found = [], []
    for person, given in of_people.items():
        low = max(given, key=lambda one: (one.low, one.low < one.high))
        high = min(given, key=lambda one: one.high)
        if low.low > high.high or high.high == low.low < low.high:
            raise PilotError(
                f"{name}, lines {low.line} and {high.line}: {named(person)} {low.said} and "
                f"{high.said} for the risks described, which is a contradiction; leave one out"
            )
        offer = given[0].offer if len(given) == 1 else None
        offer = math.nan if offer is None else offer
        if any(one.never for one in given):
            refused.append(offer)
        else:
            found.append((low.low, high.high, offer))
    ends: Array = np.array(found, dtype=float).reshape(-1, 3).T
    return Answers(ends[0], ends[1], ends[2], np.array(refused, dtype=float))


def _enough(name: str, answers: Answers) -> None:
    if answers.people < FEWEST:
        raise PilotError(
            f"{name}: {answers.people} people answered; give the answers of at least {FEWEST}"
        )
    if not answers.low.size:
        raise PilotError(f"{name}: nobody would take part; there is no payment to plan")
    if (answers.low == answers.high).any():
        return
    if answers.asked.size < 2:
        raise PilotError(_ONE_OFFER.format(name))
    if not np.isfinite(answers.high).any():
        raise PilotError(f"{name}: nobody accepted any offer; give larger offers")
    if not (answers.low > -math.inf).any():
        raise PilotError(f"{name}: everybody accepted every offer; give smaller offers")
