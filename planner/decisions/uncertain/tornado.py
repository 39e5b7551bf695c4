"""Which uncertain input changes the least cost most, each alone from end to end."""

from dataclasses import dataclass, replace
from typing import Any

from planner.answer.answers import Plan
from planner.answer.problem.vary import Varied
from planner.answer.solve import solve
from planner.decisions.uncertain.uncertain_study import UncertainStudy
from planner.model import Budget, Study
from planner.model.spread import Interval
from planner.quantities import QUANTITIES
from planner.show import Shown

TAIL = 0.05
"""The quantile used as low end, its mirror as the high end: nine draws in ten are between."""


@dataclass(frozen=True)
class End:
    """A study with one input at an end, all others at their medians.

    Attributes:
        value: of the input.
        least_cost: the infimum of the cost, without a budget; ∞ where there is no study.
        verdict: of the study with its budget.
    """

    value: float
    least_cost: float
    verdict: str


@dataclass(frozen=True)
class Bar:
    """One input with its two ends.

    Attributes:
        quantity: which input.
        easy, hard: its ends.
    """

    quantity: Varied
    easy: End
    hard: End

    @property
    def swing(self) -> float:
        """The change of the least cost [money]; ∞ where there is a study at one end only."""
        if self.easy.least_cost == self.hard.least_cost:
            return 0.0
        return abs(self.hard.least_cost - self.easy.least_cost)


@dataclass(frozen=True, repr=False)
class Tornado(Shown):
    """All inputs, the one that changes the least cost most first.

    Attributes:
        study: the study with every input at its median.
        middle: its least cost, without a budget; ∞ where there is no study.
        verdict: of the study at the medians.
        budget: its budget; None where it has none.
        bars: the inputs.
    """

    study: Study
    middle: float
    verdict: str
    budget: float | None
    bars: tuple[Bar, ...]

    def to_dict(self) -> dict[str, Any]:
        ends = {"easy": [bar.easy for bar in self.bars], "hard": [bar.hard for bar in self.bars]}
        columns: dict[str, Any] = {"quantity": [bar.quantity for bar in self.bars]}
        for side, at in ends.items():
            for name in ("value", "least_cost", "verdict"):
                columns[f"{side}_{name}"] = [getattr(end, name) for end in at]
        return columns

    def shown_title(self) -> str:
        return "Which input matters most: the least cost with each at its ends"


def tornado(uncertain: UncertainStudy) -> Tornado:
    """The inputs ranked by how much each alone changes the least cost from end to end.

    An input that bounds the study but costs nothing, such as the budget, does not change the least
    cost, but whether the study is feasible at its ends.
    """
    bars = (_bar(uncertain, name) for name in uncertain.inputs)
    middle = _end(uncertain.study, 0.0)
    budget = uncertain.study.find(Budget)
    return Tornado(
        uncertain.study,
        middle.least_cost,
        middle.verdict,
        budget.money if budget else None,
        tuple(sorted(bars, key=lambda bar: -bar.swing)),
    )


def _bar(uncertain: UncertainStudy, name: Varied) -> Bar:
    tail = 0.0 if isinstance(uncertain.inputs[name], Interval) else TAIL
    shares = (1 - tail, tail) if not QUANTITIES[name].more_is_harder else (tail, 1 - tail)
    values = [float(uncertain.quantile(name, share)) for share in shares]
    easy, hard = (_end(uncertain.at({name: value}), value) for value in values)
    return Bar(name, easy, hard)


def _end(study: Study, value: float) -> End:
    free = tuple(c for c in study.conditions if not isinstance(c, Budget))
    answer = solve(replace(study, conditions=free), prove=False)
    least = answer.least_cost if isinstance(answer, Plan) else float("inf")
    return End(value, least, solve(study).verdict)
