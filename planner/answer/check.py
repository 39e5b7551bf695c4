"""An answer checked again from what it states: conditions in balls, and all that follows."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from typing import Any

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.described import LeastCost, described
from planner.answer.problem.problem import problem_of
from planner.answer.proof.plan import holds
from planner.answer.solve import solve
from planner.model import Choice
from planner.show import Shown
from planner.wording import plain

_CLAIMED = ("study", "minimise", "least_cost", "attained", "proof", "notes", "alternatives")
"""What does not follow from ε, δ and N."""
_ROUNDING = 1e-9


@dataclass(frozen=True, repr=False)
class Check(Shown):
    """What a check of an answer found.

    Attributes:
        answer: what was checked.
        confirmed: what was proved again, in phrases.
        wrong: what does not hold, in sentences; empty where everything does.
    """

    answer: Answer
    confirmed: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything does."""
        return not self.wrong

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"holds": self.holds, "confirmed": list(self.confirmed), "wrong": list(self.wrong)}


def check(answer: Answer) -> Check:
    """Prove an answer again from what it states alone.

    Of a plan, every condition is evaluated in ball arithmetic at its ε, δ and N, and payments,
    costs, noise and scales are computed again. That no study exists is proved again from the study.
    That a plan is the cheapest one is the solver's claim, and is not checked.
    """
    if isinstance(answer, Plan):
        return _plan(answer)
    if not isinstance(answer, Infeasible):
        reason = "The answer is undecided: it claims nothing that could be checked."
        return Check(answer, (), (reason,))
    again = solve(answer.study)
    if not isinstance(again, Infeasible):
        return Check(answer, (), (f"That no study exists is not proved: {again.proof.statement}",))
    if set(again.conflict) != set(answer.conflict):
        said = f"The conditions in conflict are not those stated, but: {'; '.join(again.conflict)}."
        return Check(answer, (), (said,))
    return Check(answer, ("no study meets all conditions",), ())


def _plan(plan: Plan) -> Check:
    """The check of a plan, and of the plans by other mechanisms that it lists."""
    study, choice = plan.study, Choice(plan.epsilon, plan.delta, plan.participants)
    problem = problem_of(study)
    confirmed, wrong = [], []
    for condition in problem.conditions:
        if holds(replace(problem, conditions=(condition,), costs=study.costs), choice):
            confirmed.append(condition.label)
        else:
            wrong.append(f"At this ε, δ and N, {condition.label} is not met.")
    if not math.isinf(plan.cost) and plan.least_cost > plan.cost:
        wrong.append(f"The least cost, {plan.least_cost!r}, is above the cost.")
    if not wrong:
        least = LeastCost(plan.least_cost, plan.attained)
        again = described(study, plan.minimise, choice, least, proved=True)
        differences = list(_differences(_following(plan), _following(again)))
        wrong += differences
        if not differences:
            confirmed.append("payments, costs, noise and scales")
    for other in plan.alternatives:
        if isinstance(other, Plan):
            wrong += [f"By {other.study.mechanism.words}: {words}" for words in _plan(other).wrong]
    return Check(plan, tuple(confirmed), tuple(wrong))


def _following(plan: Plan) -> dict[str, Any]:
    """What follows from a plan's study, ε, δ and N."""
    return {f.name: getattr(plan, f.name) for f in fields(plan) if f.name not in _CLAIMED}


def _differences(stated: Any, computed: Any, name: str = "") -> Iterator[str]:
    """Where two values are not the same up to rounding, in sentences."""
    if is_dataclass(stated) and type(stated) is type(computed):
        stated, computed = asdict(stated), asdict(computed)  # type: ignore[arg-type]
    elif hasattr(stated, "_asdict") and hasattr(computed, "_asdict"):
        stated, computed = stated._asdict(), computed._asdict()
    if isinstance(stated, Mapping) and isinstance(computed, Mapping):
        for key in dict.fromkeys((*stated, *computed)):
            place = f"{name}.{key}".strip(".")
            yield from _differences(stated.get(key), computed.get(key), place)
    elif _listed(stated) and _listed(computed) and len(stated) == len(computed):
        for at, pair in enumerate(zip(stated, computed, strict=True), 1):
            yield from _differences(*pair, name=f"{name} {at}")
    elif not _same(stated, computed):
        yield f"{name} = {_shown(stated)}, but {_shown(computed)} follows from ε, δ and N."


def _listed(value: Any) -> bool:
    return isinstance(value, tuple | list)


def _same(stated: Any, computed: Any) -> bool:
    numbers = [isinstance(x, int | float) and not isinstance(x, bool) for x in (stated, computed)]
    if all(numbers):
        return math.isclose(stated, computed, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    return bool(stated == computed)


def _shown(value: Any) -> str:
    return plain(value) if isinstance(value, int | float) else repr(value)
