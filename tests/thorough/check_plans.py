"""Verdicts and plans: the same by every objective, right, kept to, and the best."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import planner
from tests.thorough import oracle, oracle_money as money
from tests.thorough.case import Case
from tests.thorough.check_floors import FAR
from tests.thorough.differences import ROUNDED, Difference, guarded, near, study

OBJECTIVES = ("cost", "participants", "epsilon")
_ALL_ASKED = 0.2
_PRINTED = 3e-6
"""By what fraction a plan's ε, and so its cost, may lie above the least to have few digits."""


def answers(case: Case, rng: np.random.Generator, found: list[Difference]) -> dict[str, Any]:
    """The program's answer by objective; those after one that broke are left out.

    Of exact studies that one objective finds infeasible, which is slow, only a share is asked by
    the others.
    """
    by: dict[str, Any] = {}
    all_asked = not case.exact or rng.random() < _ALL_ASKED
    for objective in rng.permutation(OBJECTIVES):

        def solved(objective: str = str(objective)) -> Any:
            return planner.solve(study(case), minimise=objective)

        answer = guarded("solve", case, solved, found)
        if answer is None:
            break
        by[str(objective)] = answer
        if answer.verdict == "infeasible" and not all_asked:
            break
    return by


def verdicts(case: Case, rng: np.random.Generator) -> list[Difference]:
    """The verdict does not depend on the objective and is the oracle's; plans are the best."""
    found: list[Difference] = []
    true = oracle.truth(case)
    by = answers(case, rng, found)
    said = {objective: answer.verdict for objective, answer in by.items()}
    if len(set(said.values())) > 1:
        found.append(Difference("verdict depends on the objective", case, f"{said}; {true}"))
    if true.verdict == "unpayable":
        return [d for d in found if d.property != "verdict depends on the objective"]
    # where the best plan needs an ε beyond the oracle's search, it does not know the best
    unseen = case.exact and any((getattr(a, "epsilon", None) or 0.0) >= FAR for a in by.values())
    opposite = {"feasible": "infeasible", "infeasible": "feasible"}
    for objective, answer in by.items():
        if answer.verdict == opposite.get(true.verdict):
            words = f"{objective}: {answer.verdict}, but {true}"
            found.append(Difference(f"false {answer.verdict}", case, words))
        if true.verdict != "edge" and answer.verdict == "undecided":
            found.append(Difference("undecided", case, f"{objective}: undecided, but {true}"))
        if answer.verdict == "feasible":
            found.extend(_plan(case, objective, answer, true, unseen))
    return found


def _plan(
    case: Case, objective: str, plan: Any, true: oracle.Truth, unseen: bool
) -> Iterator[Difference]:
    n, epsilon, delta = plan.participants, plan.epsilon, plan.delta
    here = f"{objective}: N={n} ε={epsilon!r} δ={delta!r} cost={plan.cost!r}"
    for name, words in _broken(case, plan):
        yield Difference(f"plan breaks {name}", case, f"{here}: {words}")
    owed = float(money.compensation(case, np.float64(epsilon), delta))
    cost = float(money.cost(case, np.float64(epsilon), np.float64(n), delta))
    if not near(plan.compensation, max(owed, case.incentive)):
        yield Difference("compensation", case, f"{here} pays {plan.compensation!r}, owed {owed!r}")
    if not near(plan.cost, cost):
        yield Difference("cost of the plan", case, f"{here}, by the oracle {cost!r}")
    if true.verdict != "feasible" or unseen:
        return
    low, high = true.cost
    if not low * (1 - ROUNDED) <= plan.least_cost <= high * (1 + ROUNDED):
        way = "over" if plan.least_cost > high else "under"
        words = f"{here}, least_cost {plan.least_cost!r}, true {true.cost}"
        yield Difference(f"least_cost {way} the least", case, words)
    if not plan.attained and math.isfinite(plan.least_cost):
        yield Difference("not attained though N is bounded", case, here)
    low, high = {"cost": true.cost, "participants": true.participants, "epsilon": true.epsilon}[
        objective
    ]
    reached = {"cost": plan.cost, "participants": n, "epsilon": epsilon}[objective]
    if reached < low * (1 - ROUNDED):
        yield Difference(f"{objective} under the least", case, f"{here}, true {low!r}")
    # ε may lie 1e-6 of e^ε − 1 above its floor, and g members pay for it g times
    if reached > high * (1 + _PRINTED * max(1, case.family)):
        yield Difference(f"{objective} over the least", case, f"{here}, true {high!r}")


def _broken(case: Case, plan: Any) -> Iterator[tuple[str, str]]:
    """The conditions that a plan does not keep, by the oracle's formulas."""
    n, epsilon, delta = plan.participants, plan.epsilon, plan.delta
    tiny = 1 + 1e-12
    failure = oracle.failure_probability(case, epsilon, n)
    proved = plan.proof.checked or not case.exact
    rounded = (1e-9 if proved else oracle.SUMS_CLOSE) + oracle.blurred(epsilon, n)
    if failure > case.failure * (1 + rounded):
        yield "the failure", f"{failure!r} > {case.failure!r}"
    rounded = max(rounded, oracle.SUMS_CLOSE * case.exact)  # it is a sum in floats
    if not failure * (1 - rounded) <= plan.failure <= case.failure * (1 + 1e-12):
        yield "its own failure", f"{plan.failure!r}, true {failure!r}, allowed {case.failure!r}"
    if n > case.people or n < (case.at_least or 1):
        yield "the bounds of N", f"{case.at_least} … {case.people}"
    if case.epsilon_at_most is not None and epsilon > case.epsilon_at_most:
        yield "epsilon_at_most", f"{case.epsilon_at_most!r}"
    if case.one_over_n and epsilon * tiny < 1 / n:
        yield "one_over_n", f"{1 / n!r}"
    if epsilon > money.targeted_bound(case) * tiny:
        yield "targeted", f"{money.targeted_bound(case)!r}"
    owed = float(money.compensation(case, np.float64(epsilon), delta))
    if case.harm is not None and owed > case.harm * (1 + 1e-11):
        yield "harm", f"{owed!r} > {case.harm!r}"
    cost = float(money.cost(case, np.float64(epsilon), np.float64(n), delta))
    if case.budget is not None and cost > case.budget * (1 + 1e-11):
        yield "budget", f"{cost!r} > {case.budget!r}"
    if delta != case.fixed_delta:
        yield "delta", f"{case.fixed_delta!r}"
