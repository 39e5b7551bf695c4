"""How far each quantity alone must be relaxed or can be tightened."""

from collections.abc import Collection, Iterable, Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

from planner.answer.answers import Answer, Infeasible, Plan, to_dict
from planner.answer.problem.vary import Varied, value_of, with_value
from planner.answer.solve import solve
from planner.decisions.limit_search import closest
from planner.decisions.limits import limit
from planner.model import Delta, Study
from planner.quantities import LIMITED, QUANTITIES
from planner.show import Shown, frame_of

if TYPE_CHECKING:
    import pandas

JUST_INSIDE = 0.01
"""The relative distance of a plan from a limit that is not attained."""


class Changes(Shown, list[dict[str, Any]]):
    """Changes of single quantities, a list of plain data that is shown as a table.

    Attributes:
        study: the study whose quantities change.
        feasible: whether it is feasible: its quantities can then be tightened, else they must be
            relaxed.
    """

    def __init__(self, study: Study, feasible: bool, found: Iterable[dict[str, Any]] = ()) -> None:
        super().__init__(found)
        self.study, self.feasible = study, feasible

    def shown_title(self) -> str:
        """The study, and whether its quantities can be tightened or must be relaxed."""
        what = "can be tightened" if self.feasible else "would make it feasible"
        return f"{self.study.title or 'Study'}: what {what}, each quantity on its own"

    def to_dict(self) -> dict[str, Any]:
        """Under "changes", as `planner solve --json` lists them."""
        return {"changes": list(self)}

    def to_frame(self) -> "pandas.DataFrame":
        """One row for each change.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame_of({"changes": list(self)}, "changes")


def relaxations(answer: Answer, leave_out: Collection[str] = ()) -> Changes:
    """For each quantity alone, how far it must change to make an infeasible study feasible.

    Args:
        answer: the answer of `solve`.
        leave_out: quantities that are left out.

    Returns:
        A list of {"quantity", "from", "to", "attained", "plan"}, empty unless the answer is
        infeasible. "to" and "plan" are None where no change of that quantity is enough.
        Where the limit is not attained, the plan is of a study 1 % inside it.
    """
    given = _given(answer.study, leave_out) if isinstance(answer, Infeasible) else ()
    found = (_change(answer.study, *one) for one in given)
    return Changes(answer.study, isinstance(answer, Plan), found)


def tightenings(answer: Answer, leave_out: Collection[str] = ()) -> Changes:
    """For each quantity alone, how far it can be tightened in a feasible study.

    Args:
        answer: the answer of `solve`.
        leave_out: quantities that are left out.

    Returns:
        A list of {"quantity", "from", "to", "attained"}, empty unless the answer is
        feasible.
    """
    found = Changes(answer.study, isinstance(answer, Plan))
    for quantity, value in _given(answer.study, leave_out) if found.feasible else ():
        end = limit(answer.study, quantity)
        if end is not None:  # the plan proves that a limit exists; only the search may miss it
            change = {"quantity": quantity, "from": value, "to": _number(quantity, end)}
            found.append({**change, "attained": end.attained})
    return found


def _given(study: Study, leave_out: Collection[str]) -> Iterator[tuple[Varied, float]]:
    """The quantities of the study that its answer can depend on, with their values."""
    uncapped = not study.individual.capped
    for quantity in LIMITED:
        value = value_of(study, quantity)
        fixed = study.find(Delta)
        never_published = not study.mechanism.approximate and not (fixed and fixed.value)
        if value is None or quantity in leave_out or (never_published and quantity == "delta"):
            continue
        if quantity == "worst_cost" and uncapped and never_published:
            continue
        yield quantity, value


def _change(study: Study, quantity: Varied, value: float) -> dict[str, Any]:
    """The relaxation of one quantity, with the plan there."""
    change: dict[str, Any] = {"quantity": quantity, "from": value}
    end = limit(study, quantity)
    if end is None:
        return {**change, "to": None, "attained": False, "plan": None}
    nearest, attained = _nearest(study, quantity, value, float(end)), end.attained
    inside = nearest
    if not attained and isfinite(nearest):
        inside = nearest * (
            1 - JUST_INSIDE if QUANTITIES[quantity].more_is_harder else 1 + JUST_INSIDE
        )
    plan = to_dict(solve(with_value(study, quantity, inside)))["plan"]
    return {**change, "to": _number(quantity, nearest), "attained": attained, "plan": plan}


def _nearest(study: Study, quantity: Varied, value: float, end: float) -> float:
    """The limit; for a fixed δ that is too large, the largest feasible δ."""
    if quantity != "delta" or end > value:
        return end

    def works(delta: float) -> bool:
        return solve(with_value(study, "delta", delta), prove=False).verdict == "feasible"

    return closest(works, end, value, 1e-9)[0]


def _number(quantity: Varied, value: float) -> float:
    """The value as a whole number where the quantity is a count."""
    return int(value) if QUANTITIES[quantity].whole and isfinite(value) else float(value)


room = tightenings
"""The old name, kept until version 0.2."""
