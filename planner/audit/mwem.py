"""Hsu14 §5.3: many queries by MWEM."""

import math

from planner.answer.solve import solve
from planner.audit import paper
from planner.audit.claim import Finding, claim, logical, number, shown, written
from planner.decisions.limits import limit
from planner.explanation import derivations
from planner.explanation.mechanisms import formulas
from planner.libraries import sympy
from planner.mechanisms import Mwem
from planner.model import Costs, Individual

MOVIES_POINT = (2.3, 870_000)  # §5.3, ε and N
SOCIAL_POINT = (1.5, 1_300_000)  # §5.3


def accurate(epsilon: float, participants: int) -> Finding:
    """Whether MWEM is accurate at a point."""
    failure = paper.MWEM.failure_probability(epsilon, participants, paper.MWEM_TARGET.error)
    least = paper.MWEM.epsilon_floor(
        participants, paper.MWEM_TARGET.error, paper.MWEM_TARGET.failure
    )
    holds = failure <= paper.MWEM_TARGET.failure
    return logical(holds, f"fails with {shown(failure)}", why=f"ε ≥ {shown(least)} at that N")


def affordable(base_cost: float, epsilon: float, participants: int) -> Finding:
    """Whether the budget pays for a point."""
    cost = Costs().total(participants, Individual(base_cost).compensation(epsilon))
    return logical(cost <= paper.MWEM_BUDGET, f"costs {shown(cost)}", why="(e^ε − 1)EN")


@claim("5.3", "MWEM's accuracy solved for β", "32|C|ln|X|/T²·exp(−εNT³/(128 ln|X|))")
def mwem_inversion() -> Finding:

    derived = derivations.mwem()[-1].formula.args[1]
    same = sympy.simplify(derived / formulas(Mwem)[""]) == 1
    return logical(same, "the same" if same else written(derived), why="derived from T")


@claim("5.3", "movie ratings: the constraints are satisfiable", "satisfiable")
def mwem_movies_verdict() -> Finding:
    answer = solve(paper.mwem_study(paper.MOVIES.base_cost))
    return logical(answer.verdict == "feasible", answer.verdict, why=answer.proof.statement)


@claim("5.3", "movie ratings: the point is accurate", "N = 8.7·10⁵, ε = 2.3")
def mwem_movies_accuracy() -> Finding:
    return accurate(*MOVIES_POINT)


@claim("5.3", "movie ratings: the point is within the budget", "N = 8.7·10⁵, ε = 2.3")
def mwem_movies_budget() -> Finding:
    return affordable(paper.MOVIES.base_cost, *MOVIES_POINT)


@claim("5.3", "movie ratings: each is paid", "(e^ε − 1)E = 2.2")
def mwem_movies_payment() -> Finding:
    return number(Individual(paper.MOVIES.base_cost).compensation(MOVIES_POINT[0]), 2.2, 2)


@claim("5.3", "social network: the constraints are satisfiable", "satisfiable")
def mwem_social_verdict() -> Finding:
    answer = solve(paper.mwem_study(paper.SOCIAL.base_cost))
    return logical(answer.verdict == "feasible", answer.verdict, why=answer.proof.statement)


@claim("5.3", "social network: the point is accurate", "N = 1.3·10⁶, ε = 1.5")
def mwem_social_accuracy() -> Finding:
    return accurate(*SOCIAL_POINT)


@claim("5.3", "social network: the point is within the budget", "N = 1.3·10⁶, ε = 1.5")
def mwem_social_budget() -> Finding:
    return affordable(paper.SOCIAL.base_cost, *SOCIAL_POINT)


@claim("5.3", "social network: each is paid", "(e^ε − 1)E = 3.5")
def mwem_social_payment() -> Finding:
    return number(Individual(paper.SOCIAL.base_cost).compensation(SOCIAL_POINT[0]), 3.5, 2)


@claim("5.3", "the other two scenarios need a larger budget", "higher")
def mwem_other_scenarios() -> Finding:
    others = (paper.EDUCATION, paper.SMOKING)
    budgets = [limit(paper.mwem_study(s.base_cost), "budget") or math.inf for s in others]
    return logical(
        min(budgets) > paper.MWEM_BUDGET,
        f"at least {shown(budgets[0])} (education) and {shown(budgets[1])} (smoking)",
    )
