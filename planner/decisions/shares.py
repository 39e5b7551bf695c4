"""Shares of draws with their intervals, and a plan that holds for a share of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.answer.answers import Plan
from planner.answer.problem.vary import Varied


@dataclass(frozen=True)
class Share:
    """A share of all draws, known from some.

    Attributes:
        value: the share among the draws.
        low, high: its Clopper-Pearson interval; draws that are not decided may be either.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SurePlan:
    """A plan made before it is known what the inputs are.

    Attributes:
        plan: ε, δ and N, the cheapest and proved where the inputs are as `assumed`; the budget is
            asked of each draw.
        assumed: the values of the inputs that it is made for.
        kept: how likely the plan meets every condition, from draws that chose nothing.
        costs: what the plan costs, by the share of draws in which it costs no more [money].
    """

    plan: Plan
    assumed: Mapping[Varied, float]
    kept: Share
    costs: Mapping[float, float]


def interval(yes: int, draws: int, confidence: float, undecided: int = 0) -> Share:
    """The Clopper-Pearson interval of a share, of which some draws may be either."""
    from scipy.special import betaincinv

    tail, most = (1 - confidence) / 2, yes + undecided
    low = float(betaincinv(yes, draws - yes + 1, tail)) if yes else 0.0
    high = float(betaincinv(most + 1, draws - most, 1 - tail)) if most < draws else 1.0
    return Share(yes / draws, low, high)
