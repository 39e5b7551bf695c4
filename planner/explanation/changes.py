"""What can be relaxed or tightened, in words."""

from typing import Any

from planner.answer.problem.vary import MONEY
from planner.decisions.limits import LARGEST
from planner.model import AtRisk, Study
from planner.wording import at_least, at_most, money, plain, several

NAMES = {
    "base_cost": "base cost",
    "worst_cost": "worst cost",
    "budget": "budget",
    "harm": "harm per person",
    "error": "error",
    "failure": "failure probability",
    "loss": "expected loss",
    "participants": "number of participants",
    "epsilon": "ε",
    "delta": "δ",
    "queries": "number of queries",
    "min_participants": "least number of participants",
    "per_person": "cost of recruiting a person",
    "overhead": "overhead",
}
_A = {
    "base_cost": "a base cost",
    "worst_cost": "a worst cost",
    "budget": "a budget",
    "harm": "a harm per person",
    "error": "an error",
    "failure": "a failure probability",
    "loss": "an expected loss",
    "participants": "a cap on participants",
    "epsilon": "a cap on ε",
    "delta": "a δ",
    "queries": "a number of queries",
}
_CAPS = ("participants", "epsilon")


def end_of(quantity: str) -> str:
    """The limit of a quantity as a name: "largest base cost"."""
    return f"{'largest' if quantity in LARGEST else 'least'} {NAMES[quantity]}"


def shown(quantity: str, value: float, currency: str = "", digits: int = 6) -> str:
    """A limit, rounded so that it still works, with its unit."""
    text = at_least(value, digits) if quantity in LARGEST else at_most(value, digits)
    unit = f" {currency}" if quantity in MONEY and currency else ""
    return f"{text}{unit}"


def scaled(study: Study) -> str:
    """What moves with the base cost: nothing, or the costs of all the events a person lists."""
    return ", all events' costs together" if isinstance(study.individual, AtRisk) else ""


def _cap(quantity: str) -> str:
    """A quantity as what the study sets to it: a cap, where it is one."""
    return "the " + (_A[quantity].removeprefix("a ") if quantity in _CAPS else NAMES[quantity])


def relaxations_in_words(changes: list[dict[str, Any]], study: Study) -> list[str]:
    """What giving way in each quantity on its own does, and which cannot help."""
    helping = [_relaxation(change, study) for change in changes if change["to"] is not None]
    vain = [_cap(change["quantity"]) for change in changes if change["to"] is None]
    if vain:
        helping.append(f"no change of {several(vain, 'or')} alone is enough")
    return helping


def _relaxation(change: dict[str, Any], study: Study) -> str:
    quantity, given, currency = change["quantity"], change["from"], study.currency
    unit = f" {currency}" if quantity in MONEY and currency else ""
    largest = quantity in LARGEST or change["to"] < given
    bound = "at most" if largest else "at least"
    near = "" if change["attained"] else ", reached only in the limit of ever more people"
    text = (
        f"it takes {_A[quantity]} of {bound} {shown(quantity, change['to'], currency)} instead of "
        f"{plain(given)}{unit}{scaled(study) if quantity == 'base_cost' else ''}{near}"
    )
    plan = change["plan"]
    if plan is None:
        return text
    where = "" if change["attained"] else "1 % inside it, "
    return (
        f"{text}; {where}{plain(plan['participants'])} people at ε = {at_most(plan['epsilon'], 4)} "
        f"for {money(plan['cost'], currency)}"
    )


def room_in_words(changes: list[dict[str, Any]], study: Study) -> list[str]:
    """How far each quantity of a feasible study, on its own, can be tightened."""
    return [_tightening(change, study) for change in changes]


def _tightening(change: dict[str, Any], study: Study) -> str:
    quantity, end, currency = change["quantity"], change["to"], study.currency
    if end in (0, float("inf")):
        return f"{_cap(quantity)} can be anything"
    if end == change["from"]:
        return f"{_cap(quantity)} cannot move from {plain(end)}"
    way = "go up" if quantity in LARGEST else "come down"
    near = "" if change["attained"] else ", though not quite"
    unit = f" {currency}" if quantity in MONEY and currency else ""
    return (
        f"{_cap(quantity)} can {way} from {plain(change['from'])}{unit} to "
        f"{shown(quantity, end, currency)}{scaled(study) if quantity == 'base_cost' else ''}{near}"
    )
