"""In words: what can be relaxed, tightened or left out, and what a little more of it is worth."""

from collections.abc import Sequence
from math import isfinite

from planner.answer.problem.vary import alike
from planner.decisions.changes import Change, Changes
from planner.decisions.drops import Drop, Drops
from planner.decisions.limits import Limit
from planner.decisions.prices import Price, Prices
from planner.explanation.amounts import given, in_unit, shown
from planner.model import Study
from planner.numbers import round_up
from planner.quantities import QUANTITIES
from planner.wording import at_most, money, one_less, persons, several


def end_of(quantity: str) -> str:
    """The name of a quantity's limit: "largest base cost"."""
    return f"{'largest' if _rises(quantity) else 'smallest'} {_named(quantity)}"


def _rises(quantity: str) -> bool:
    """Whether a study is harder with more of it, as sentences name it."""
    row = QUANTITIES[quantity]
    return row.more_is_harder or bool(row.complement)


def _further(quantity: str) -> str:
    return "more" if _rises(quantity) else "less"


def _named(quantity: str) -> str:
    """A quantity in a sentence, without an article: confidence for its complement."""
    return QUANTITIES[quantity].complement or QUANTITIES[quantity].words


def _now(study: Study | None, quantity: str, value: float) -> str:
    """A value that a study gives, in a sentence."""
    return one_less(value) if QUANTITIES[quantity].complement else given(study, quantity, value)


def _end(study: Study | None, quantity: str, value: float) -> str:
    """A limit in a sentence, rounded to the feasible side; of many nines one digit after them."""
    if QUANTITIES[quantity].complement:
        return one_less(round_up(value, _DIGITS if value > _SELDOM else 1))
    return shown(study, quantity, value, _DIGITS)


def words_in(study: Study | None, quantity: str) -> str:
    """The name of a quantity; of a question, that it holds for each of those alike."""
    return QUANTITIES[quantity].words + _alike(study, quantity)


def _alike(study: Study | None, quantity: str) -> str:
    others = alike(study, quantity) if study else ()
    return f" ({len(others)} more alike)" if others else ""


def _cap(study: Study, quantity: str) -> str:
    """The name of a quantity with its article: a cap where it is one."""
    asked = QUANTITIES[quantity].asked.removeprefix("a ")
    return f"the {asked if asked.startswith('cap') else _named(quantity) + _alike(study, quantity)}"


def _at_worst(study: Study | None, quantity: str, value: float | None) -> str:
    """A remark where the base cost ends at the worst cost, else nothing."""
    worst = study.individual.worst_cost if study and quantity == "base_cost" else None
    return ", the worst cost, above which no base cost is" if worst and value == worst else ""


def limit_in_words(limit: Limit | None, quantity: str, study: Study) -> str:
    """The limit of a quantity in a sentence."""
    if limit is None:
        which = "power over 0.5" if quantity == "power" else "value"
        nothing = f"There is no {end_of(quantity)}: the study is infeasible at every {which}."
        return f"{nothing} Relax something else."
    if not isfinite(limit.value):
        return f"There is no limit to the {_named(quantity)}."
    reached = _reached(limit.study or study, limit)
    if limit.exact is not None:
        coin = money(study.costs.smallest_coin, study.currency)
        return f"{_feasible_to(quantity)} {reached}, with payments rounded up to {coin}."
    return f"{_feasible_to(quantity)} {reached}{_at_worst(study, quantity, limit.value)}."


def _feasible_to(quantity: str) -> str:
    way = "up" if _rises(quantity) else "down"
    return f"Feasible {way} to {_asked(quantity)} of"


def _asked(quantity: str) -> str:
    """A quantity in a sentence, with its article."""
    row = QUANTITIES[quantity]
    return f"a {row.complement}" if row.complement else row.asked


def _reached(study: Study | None, limit: Limit) -> str:
    """The value of a limit with its unit; whether it is excluded, or goes further."""
    text = _end(study, limit.quantity, limit.value)
    if limit.bound:
        return f"{text} or {_further(limit.quantity)}"
    if limit.attained or text != _now(study, limit.quantity, limit.value):
        return text  # rounded to the feasible side, so that a study is there
    return f"{text}, not included"


def change_rows(changes: Changes) -> list[tuple[str, str]]:
    """Each change as a row: "relax" or "tighten", and words."""
    return [("tighten" if changes.feasible else "relax", words) for words in in_words(changes)]


def in_words(changes: Changes) -> list[str]:
    """What to relax, or how far each quantity can be tightened."""
    said = tightenings_in_words if changes.feasible else relaxations_in_words
    return said(changes, changes.study)


def one_change(change: Change) -> list[tuple[str, str]]:
    """A single change in words, after what is done with it."""
    return change_rows(Changes(change.study, change.feasible, (change,)))


def limit_title(limit: Limit) -> str:
    """The study, and whose limit it is."""
    study = limit.study.title if limit.study else ""
    return f"{study or 'Study'}: {end_of(limit.quantity)}"


def limit_rows(limit: Limit) -> list[tuple[str, str]]:
    """The value with its unit, and whether a study reaches it."""
    end = "is itself feasible" if limit.attained else "can be approached but not reached"
    end = "is feasible, and values beyond it are not searched" if limit.bound else end
    return [
        (
            _named(limit.quantity),
            _end(limit.study, limit.quantity, limit.value)
            + _at_worst(limit.study, limit.quantity, limit.value),
        ),
        ("attained", end),
    ]


def relaxations_in_words(changes: Sequence[Change], study: Study) -> list[str]:
    """What giving way in each quantity on its own does, and which cannot help."""
    helping = [_relaxation(change, study) for change in changes if _helps(change, study)]
    useless = [_cap(study, change["quantity"]) for change in changes if not _helps(change, study)]
    if useless and helping:
        return [*helping, "no other single change helps within reason"]
    if useless:
        return [f"nothing helps alone within reason: not {several(useless, 'or')}"]
    return helping


def _helps(change: Change, study: Study) -> bool:
    """Whether so much of a quantity is enough, and a study that somebody would want."""
    to, given = change["to"], change["from"]
    question, _, quantity = change["quantity"].rpartition(".")
    if to is None or quantity in ("failure", "significance"):
        return to is not None and to <= _UNSURE
    if quantity == "error":
        return bool(to <= _EVEN * _range(study, question))
    return not (to and given) or 1 / _FAR <= to / given <= _FAR


def _range(study: Study, question: str) -> float:
    """What no answer is off by more than: of questions and strata in their own unit."""
    if study.survey is not None and question:
        asked = next(one for one in study.survey.questions if one.name == question)
        return asked.error / asked.fraction
    return study.accuracy.in_unit(1.0) if question else 1.0


_OF_A_SPLIT = 2e-4
"""How near to its best a survey's split is found: wider by so much, a study is found again."""
_EVEN, _UNSURE, _FAR = 0.5, 0.25, 100.0
"""An answer that is off by half of its range, or one time in four, is no answer; and so many times
the money are not there."""


def _relaxation(change: Change, study: Study) -> str:
    quantity = change["quantity"]
    near = "" if change["attained"] else ", in the limit of more and more people"
    if quantity == "times_error":
        wider = at_most(100 * (change["to"] * (1 + _OF_A_SPLIT) - 1), 3)
        return f"all margins of error {wider} % wider are enough{near}{_planned(change, study)}"
    text = (
        f"{_asked(quantity)} of {_end(study, quantity, change['to'])} instead of "
        f"{_now(study, quantity, change['from'])}"
        f" is enough{near}"
    )
    return text + _planned(change, study)


def _planned(change: Change, study: Study) -> str:
    """The people and the cost of a plan with a change; empty where none is known."""
    plan = change["plan"]
    if plan is None:
        return ""
    where = "" if change["attained"] else "1 % inside this limit, "
    people = f"{persons(plan['participants'])} at ε = {at_most(plan['epsilon'], 4)}"
    if study.costs_nothing:
        return f": {where}{people}"
    return f": {where}{people} for {money(plan['cost'], study.currency)}"


def tightenings_in_words(changes: Sequence[Change], study: Study) -> list[str]:
    """How far each quantity of a feasible study, on its own, can be tightened."""
    free = [change for change in changes if change["to"] in (0, float("inf"))]
    if not (study.costs_nothing and free):
        return [_tightening(change, study) for change in changes]
    anything = several([_cap(study, change["quantity"]) for change in free])
    limited = [_tightening(change, study) for change in changes if change not in free]
    return [f"with enough more people any value is possible of {anything}", *limited]


def _tightening(change: Change, study: Study) -> str:
    quantity, end = change["quantity"], change["to"]
    if end in (0, float("inf")):
        return f"any value is possible of {_cap(study, quantity)}"
    now = _now(study, quantity, change["from"])
    if end == change["from"]:
        return f"{_cap(study, quantity)} cannot change from {now}"
    way = "rise" if _rises(quantity) else "fall"
    reached = _end(study, quantity, end)
    exactly = reached == _now(study, quantity, end)
    near = ", not included" if exactly and not change["attained"] else ""
    near = f" or {_further(quantity)}" if change.bound else near
    return (
        f"{_cap(study, quantity)} can {way} from {now} to {reached}"
        f"{_at_worst(study, quantity, end)}{near}"
    )


_DIGITS = 4
"""Significant digits of a limit."""
_SELDOM = 1e-4
"""A probability of a larger error of which nobody wants four digits."""


def drops_rows(drops: Drops) -> list[tuple[str, str]]:
    """A row for each set of questions that may be left out."""
    return [("drop", drop_in_words(drop)) for drop in drops]


def drop_rows(drop: Drop) -> list[tuple[str, str]]:
    """One set, as its own table."""
    return [("drop", drop_in_words(drop))]


def drop_in_words(drop: Drop) -> str:
    """The questions left out, and the plan of the others."""
    names = several([_which(name, *drop.of(name)) for name in drop.questions])
    others = drop.study.survey.alike(drop.questions[0]) if drop.study.survey else ()
    if others and len(drop.questions) == 1:
        names = f"{names} ({len(others)} more alike)"
    people = f"{persons(drop.participants)} at ε = {at_most(drop.epsilon, 4)}"
    if drop.study.costs_nothing:
        return f"without {names} the survey takes {people}"
    return f"without {names} the survey costs {money(drop.cost, drop.study.currency)} with {people}"


def _which(name: str, dropped: int, asked: int) -> str:
    return repr(name) if dropped == asked else f"{dropped:,} of the {asked:,} {name!r}"


def prices_rows(prices: Prices) -> list[tuple[str, str]]:
    """A row for each quantity: what one more percent of it changes."""
    return [(words_in(prices.study, price.quantity), _of_a_percent(price)) for price in prices]


def cost_per_unit(study: Study | None, price: Price) -> float | None:
    """What one more unit costs: a percentage point of errors, a percent of probabilities."""
    if price.cost is None or not price.value:
        return price.cost
    return price.cost * price.value / in_unit(study, price.quantity, price.value)


def price_rows(price: Price) -> list[tuple[str, str]]:
    """The value, and what one more unit and one more percent change."""
    return [
        (QUANTITIES[price.quantity].words, given(None, price.quantity, price.value)),
        ("cost per unit", signed(cost_per_unit(None, price))),
        ("per 1 %", _of_a_percent(price)),
    ]


def signed(change: float | None) -> str:
    """A change with its sign; a dash where there is none."""
    return "-" if change is None else f"{change:+,.4g}" if change else "0"


def _of_a_percent(price: Price) -> str:
    people, epsilon = (
        signed(None if change is None else change * price.value / 100)
        for change in (price.participants, price.epsilon)
    )
    return f"cost {signed(price.cost_of_a_percent)}, people {people}, ε {epsilon}"
