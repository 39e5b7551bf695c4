"""How far each quantity alone must be relaxed or can be tightened."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeAlias

from planner.answer.answers import Given, Infeasible, Undecided, plan_to_dict
from planner.answer.problem.vary import Varied, alike, value_of, with_value
from planner.answer.solve import answer_to, has_plan, solve, with_all
from planner.decisions.limits import questions_limited, rounded_limit
from planner.decisions.limits_of_strata import limited_of_strata
from planner.decisions.root import closest
from planner.model import Budget, Delta, EpsilonAtMost, MaxHarm, Study
from planner.quantities import LIMITED, QUANTITIES
from planner.show import Several, Shown

Quantities: TypeAlias = Sequence[tuple[Varied, float]]
Watch: TypeAlias = Callable[[Quantities], Iterable[tuple[Varied, float]]]
JUST_INSIDE = 0.01
"""The relative distance of a plan from a limit not attained: nearer ones need ever more people."""
_LARGEST_EPSILON = 1.0
"""Of what makes a study feasible, where neither money nor a condition limits ε: the last person
that a sample could do without would take any ε, at any price."""


@dataclass(frozen=True, repr=False)
class Change(Shown):
    """How far one quantity, on its own, must give way or can be tightened.

    Attributes:
        study: whose quantity it is.
        feasible: whether the study is: the quantity can then be tightened, else it must give way.
        quantity: which one.
        given: the study's own value of it.
        to: how far it goes; None where no change of it is enough.
        attained: whether a study reaches that.
        bound: whether it goes even further, see `Limit`.
        plan: of the study so changed, as plain data; None where it is feasible as it is, or never,
            or where the quantity can only just go so far.
    """

    study: Study
    feasible: bool
    quantity: Varied
    given: float
    to: float | None = None
    attained: bool = False
    plan: dict[str, Any] | None = None
    bound: bool = False

    def __getitem__(self, key: str) -> Any:
        """One entry of it as plain data."""
        return self.to_dict()[key]

    def to_dict(self) -> dict[str, Any]:
        data = {"quantity": self.quantity, "from": self.given, "to": self.to}
        data["attained"] = self.attained
        if self.bound:
            data["bound"] = True
        if others := alike(self.study, self.quantity):
            data["alike"] = list(others)
        return data if self.feasible else {**data, "plan": self.plan}

    def shown_title(self) -> str:
        return f"{self.study.title or 'Study'}: {QUANTITIES[self.quantity].words}"


@dataclass(frozen=True, repr=False, eq=False)
class Changes(Several[Change]):
    """Changes of single quantities.

    Attributes:
        study: whose quantities they are.
        feasible: whether it is: its quantities can then be tightened, else they must give way.
        members: the change of each quantity.
    """

    study: Study
    feasible: bool
    members: tuple[Change, ...] = ()

    def shown_title(self) -> str:
        """The study, and whether its quantities can be tightened or must be relaxed."""
        what = "can be tightened" if self.feasible else "would make it feasible"
        return f"{self.study.title or 'Study'}: what {what}, each quantity on its own"


def limits(given: Given, leave_out: Collection[str] = (), watch: Watch = iter) -> Changes:
    """How far each quantity, on its own, can be tightened, or must be relaxed.

    Args:
        given: what `solve` answered, or the study; of several mechanisms, the one that goes
            furthest counts.
        leave_out: quantities that are not looked at.
        watch: iterates over the quantities, to show progress.

    Returns:
        A `Change` for each quantity. Of a study without a plan, infeasible or undecided, `to` and
        `plan` are None where no change of that quantity is enough, and where the limit is not
        attained, the plan is of a study 1 % inside it. Where nothing in the study limits ε, `to` is
        what is enough at ε up to 1.
    """
    answer = answer_to(given, prove=False)
    if isinstance(answer, Infeasible | Undecided):
        study = answer.study
        relaxed = tuple(_relaxed(study, *one) for one in watch(_given(study, leave_out)))
        return Changes(study, False, relaxed)
    study, changes = with_all(answer), []
    for quantity, value in watch(_given(study, leave_out)):
        end = rounded_limit(study, quantity)
        if end is not None:  # the plan shows that there is one; only a search may miss it
            to = _number(quantity, end)
            changes.append(Change(study, True, quantity, value, to, end.attained, bound=end.bound))
    return Changes(study, True, tuple(changes))


def looked_at(study: Study) -> tuple[Varied, ...]:
    """The quantities that are looked at where the study has them."""
    if study.strata:
        return limited_of_strata(study)
    return (*LIMITED, *questions_limited(study))


def _given(study: Study, leave_out: Collection[str]) -> list[tuple[Varied, float]]:
    """The quantities of the study that its answer can depend on, with their values."""
    found: list[tuple[Varied, float]] = []
    uncapped = not study.individual.capped
    for quantity in looked_at(study):
        value = value_of(study, quantity)
        fixed = study.find(Delta)
        never_published = not study.mechanism.uses_delta and not (fixed and fixed.value)
        if value is None or quantity in leave_out or (never_published and quantity == "delta"):
            continue
        if quantity == "worst_cost" and uncapped and never_published:
            continue
        if quantity == "base_cost" and not _loses(study):
            continue
        found.append((quantity, value))
    return found


def _loses(study: Study) -> bool:
    """Whether somebody has something to lose."""
    person = study.individual
    costs = [person.base_cost, person.worst_cost]
    costs += [cost for one in study.strata for cost in (one.base_cost, one.worst_cost)]
    return any(costs)


def _relaxed(study: Study, quantity: Varied, value: float) -> Change:
    limited = _limited(study)
    end = rounded_limit(limited, quantity)
    if end is None:
        return Change(study, False, quantity, value)
    nearest, attained = _nearest(limited, quantity, value, float(end)), end.attained
    harder = (nearest > value) == QUANTITIES[quantity].more_is_harder and nearest != value
    if harder and quantity != "delta":  # a search missed the study as it is
        return Change(study, False, quantity, value)
    inside = nearest
    if not attained and isfinite(nearest):
        smaller = QUANTITIES[quantity].more_is_harder or nearest < value  # as a fixed δ
        inside = nearest * (1 - JUST_INSIDE if smaller else 1 + JUST_INSIDE)
    try:
        relaxed = with_value(limited, quantity, inside)
        proves = not (study.strata or study.survey)  # as each question takes a while
        plan = plan_to_dict(solve(relaxed, prove=proves))
    except ValueError:  # 1 % inside the limit is beyond what the quantity can be
        plan = None
    return Change(study, False, quantity, value, _number(quantity, nearest), attained, plan)


def _limited(study: Study) -> Study:
    """The study with a limit on ε, if neither it nor a card that is given has one."""
    paid = study.individual.base_cost or any(one.base_cost for one in study.strata)
    limits = (Budget, MaxHarm, EpsilonAtMost) if paid else (EpsilonAtMost,)
    given = getattr(study.mechanism, "probability", None) is not None
    if given or any(isinstance(one, limits) for one in study.conditions):
        return study
    return replace(study, conditions=(*study.conditions, EpsilonAtMost(_LARGEST_EPSILON)))


def _nearest(study: Study, quantity: Varied, value: float, end: float) -> float:
    """The limit; for a fixed δ that is too large, the largest feasible δ."""
    if quantity != "delta" or end > value:
        return end

    def works(delta: float) -> bool:
        return has_plan(with_value(study, "delta", delta), prove=False)

    return closest(works, end, value, 1e-9)[0]


def _number(quantity: Varied, value: float) -> float:
    return int(value) if QUANTITIES[quantity].whole and isfinite(value) else float(value)
