"""The plan that meets every condition with a stated probability.

A candidate is the cheapest plan, without a budget, of a study with adverse inputs: the requirements
(accuracy, caps) at one quantile, the costs of people and of the study at another. A larger first
quantile makes the plan accurate more often but costlier, so it exceeds the budget in more draws;
the second determines the prices at which the plan is cheapest. If no candidate of a grid holds
often enough, the edge is tried too: plans within the budget of studies that are only just feasible.
With one uncertain input the plan at the edge holds wherever any plan does. Of all candidates that
hold often enough the cheapest is chosen, and checked by other draws. The probability that it holds
is estimated from draws that were used neither to choose nor to check it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.answer.problem.vary import Varied
from planner.answer.solve import solve
from planner.decisions.uncertain.draws import costs, kept, solver
from planner.decisions.uncertain.share_of_draws import Share, SurePlan, interval
from planner.decisions.uncertain.uncertain_study import UncertainStudy
from planner.libraries import np
from planner.model import Budget, Choice, Study
from planner.quantities import QUANTITIES

_ASKED = tuple(k / 12 for k in range(13))  # with `_PRICES` 39 candidates, each a search
_PRICES = (0.5, 0.8, 0.95)  # few, as they only determine which plan is cheapest
_EDGE = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)  # each takes a search for every halving of the edge
_HALVINGS = 5  # to 1/384, less than the standard error of a share of 0.9 in ten thousand draws
_TRIES = 3  # plans for each margin, each safer and dearer than the one before; each takes a proof
_FIRST_CHECK, _JUDGE = 2, 1000
"""The streams of draws that check a plan, after those of the proportion (0) and the search (1), and
the one that estimates its probability, beyond all of these."""
_EDGE_HALVINGS = 12
"""The resolution of the edge, 2^−12, finer than the standard error of ten thousand draws, 0.005."""
QUANTILES = (0.05, 0.5, 0.95)  # of costs: the median, and the range of nine draws in ten


class _Adversity(NamedTuple):
    """The quantiles at which a candidate is planned: of the requirements and of the prices."""

    asked: float
    prices: float
    within: bool = False
    """Whether the plan is within the budget there."""


class _Tried(NamedTuple):
    """How often a candidate holds, and its cost."""

    share: float
    cost: float


class _Search:
    """The candidates and the draws that choose among them; each is planned once."""

    def __init__(self, uncertain: UncertainStudy, draws: int, seed: int) -> None:
        self.uncertain = uncertain
        self._values = uncertain.drawn(draws, seed, 1)
        self._solver = solver(uncertain.study, uncertain.inputs, 1)
        self._tried: dict[_Adversity, _Tried] = {}
        self._edge: list[_Adversity] = []
        priced = [
            QUANTITIES[name].money and name not in ("budget", "harm") for name in uncertain.inputs
        ]
        asked = [not money for money in priced]
        if "budget" in uncertain.inputs:  # which no candidate uses
            asked[list(uncertain.inputs).index("budget")] = False
        self._asked, self._priced = any(asked), any(priced)
        self.grid = [
            _Adversity(a, b)
            for a in (_ASKED if self._asked else (0.5,))
            for b in (_PRICES if self._priced else (0.5,))
        ]

    def at(self, adversity: _Adversity) -> _Tried:
        """How often the candidate holds, and its cost at the medians."""
        if adversity not in self._tried:
            proposal = self._solver(candidate(self.uncertain, adversity))
            tried = _Tried(0.0, float("inf"))
            if proposal.choice is not None:
                study = self.uncertain.study.by(proposal.mechanism)
                owed = study.individual.compensation(proposal.choice.epsilon, proposal.choice.delta)
                tried = _Tried(
                    float(kept(proposal.choice, study, self._values).mean()),
                    float(study.costs.total(proposal.choice.participants, owed)),
                )
            self._tried[adversity] = tried
        return self._tried[adversity]

    def cheapest(self, sufficient: float) -> _Adversity | None:
        """The cheapest candidate that holds often enough."""
        fit = self._fit(sufficient)
        if not fit and not self._edge:
            self._edge = self._at_the_edge()
            self.grid += self._edge
            fit = self._fit(sufficient)
        if not fit:
            return None
        best = min(fit, key=lambda one: self.at(one).cost)
        below = [a for a in _ASKED if a < best.asked]
        if not below or best.within or not self._asked:
            return best
        low, high = below[-1], best.asked
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self.at(best._replace(asked=middle)).share >= sufficient:
                high = middle
            else:
                low = middle
        return best._replace(asked=high)

    def _fit(self, sufficient: float) -> list[_Adversity]:
        """The adversities whose candidates hold often enough."""
        return [one for one in self.grid if self.at(one).share >= sufficient]

    def _at_the_edge(self) -> list[_Adversity]:
        """The hardest feasible studies: the prices for each hardness of the requirements."""
        if not self._priced:
            edges = [self._hardest(lambda share: _Adversity(share, share, True))]
        else:
            levels = _EDGE if self._asked else (0.5,)
            edges = [self._hardest(partial(_Adversity, a, within=True)) for a in levels]
        return [one for one in edges if one is not None]

    def _hardest(self, along: Callable[[float], _Adversity]) -> _Adversity | None:
        """The hardest adversity along a line at which a study is feasible."""

        def works(share: float) -> bool:
            return self._solver(candidate(self.uncertain, along(share))).choice is not None

        if not works(0.0):
            return None
        low, high = 0.0, 1.0
        if works(high):
            return along(high)
        for _ in range(_EDGE_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if works(middle) else (low, middle)
        return along(low)

    def most_often(self) -> _Adversity:
        """The candidate that holds most often."""
        return max(self.grid, key=lambda one: self.at(one).share)


def sure_plan(
    uncertain: UncertainStudy,
    draws: int,
    seed: int,
    confidence: float,
    probability: float,
    for_all: bool,
) -> tuple[SurePlan | None, float]:
    """The plan, or None; and the largest probability reached.

    Args:
        uncertain: the uncertain study.
        draws: the number of studies that choose the plan, and of those that check it.
        seed: of both.
        confidence: of the interval.
        probability: what the lower end of the interval must reach.
        for_all: whether the study is proved feasible at the hardest values: then its plan always
            holds.
    """
    search = _Search(uncertain, draws, seed)
    middle = interval(round(probability * draws), draws, confidence)
    margin, most = (middle.high - middle.low) / 2, 0.0
    # with a margin the independent draws will likely agree
    tries = [(spare, k) for spare in (margin, 0.0) for k in range(1, _TRIES + 1)]
    for stream, (spare, k) in enumerate(tries, _FIRST_CHECK):
        cheapest = search.cheapest(min(probability + spare + k * margin, 1.0))
        adversity = cheapest or search.most_often()
        study = candidate(uncertain, adversity)
        plan = _checked(uncertain, study, adversity, draws, seed, stream, confidence)
        if plan is None:
            break
        most = max(most, plan.kept.value)
        if plan.kept.low >= probability + spare:
            return _judged(uncertain, plan, draws, seed, _JUDGE, confidence), most
    if not for_all:
        return None, most
    hardest = _Adversity(1.0, 1.0)
    study = uncertain.at(_assumed(uncertain, hardest))
    plan = _checked(uncertain, study, hardest, draws, seed, 2, confidence)
    return plan and replace(plan, kept=Share(1.0, 1.0, 1.0)), 1.0


def candidate(uncertain: UncertainStudy, adversity: tuple[float, float] | _Adversity) -> Study:
    """The study at an adversity of requirements and of prices; at the edge with its budget."""
    given = _Adversity(*adversity)
    study = uncertain.at(_assumed(uncertain, given))
    if given.within:
        return study
    kept_to = tuple(c for c in study.conditions if not isinstance(c, Budget))
    return replace(study, conditions=kept_to)


def _assumed(uncertain: UncertainStudy, adversity: _Adversity) -> dict[Varied, float]:
    """The value that is assumed of each input: harder than in all but a proportion of the draws."""
    values: dict[Varied, float] = {}
    for name in uncertain.inputs:
        priced = QUANTITIES[name].money and name != "harm"
        share = adversity.prices if priced else adversity.asked
        values[name] = uncertain.ease(name, 1 - share, inside=True)
    return values


def _checked(
    uncertain: UncertainStudy,
    study: Study,
    adversity: _Adversity,
    draws: int,
    seed: int,
    stream: int,
    confidence: float,
) -> SurePlan | None:
    """The proved plan of a study, and how often it holds in the draws of a stream."""
    plan = solve(study)
    if not isinstance(plan, Plan):
        return None
    assumed = _assumed(uncertain, adversity)
    if not adversity.within:
        assumed.pop("budget", None)
    unjudged = SurePlan(plan, assumed, Share(0.0, 0.0, 1.0), {})
    return _judged(uncertain, unjudged, draws, seed, stream, confidence)


def _judged(
    uncertain: UncertainStudy,
    sure: SurePlan,
    draws: int,
    seed: int,
    stream: int,
    confidence: float,
) -> SurePlan:
    """The plan with its probability and costs from a stream of draws."""
    plan = sure.plan
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    drawn = uncertain.study.by(plan.study.mechanism)
    values = uncertain.drawn(draws, seed, stream)
    share = interval(int(kept(choice, drawn, values).sum()), draws, confidence)
    spent = np.quantile(costs(choice, drawn, values), QUANTILES, method="higher")
    return replace(sure, kept=share, costs=dict(zip(QUANTILES, map(float, spent), strict=True)))
