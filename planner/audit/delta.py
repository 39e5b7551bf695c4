"""Hsu14 §8: (ε, δ)-privacy."""

import math
import random
from fractions import Fraction

from planner.answer.solve import solve
from planner.audit import paper
from planner.audit.basics import TRIALS, expected, random_pair
from planner.audit.claim import Finding, claim, logical, number, shown, written
from planner.explanation import derivations
from planner.explanation.constraints import symbol
from planner.explanation.mechanisms import formulas
from planner.libraries import sympy
from planner.mechanisms import MwemApproximate
from planner.model import Costs, Individual
from planner.model.paid_by_cost import PaidByCost

POINT = (0.9, 910_000)  # §8.2, ε and N
WORST_COST = 1e6  # §8.2, W
PAYMENT, TOTAL = 1.46, 1.9e6  # §8.2


@claim("8.1", "publishing one record at random is (0, δ)-private at", "δ = 1/N")
def random_record() -> Finding:
    n = 8
    here = {record: Fraction(1, n) for record in range(n)}
    there = {**here, 0: Fraction(0), n: Fraction(1, n)}  # one record is another
    delta = sum(max(here.get(r, Fraction(0)) - there[r], Fraction(0)) for r in there)
    return logical(
        delta == Fraction(1, n), f"δ = {delta}", why="total variation", instances=f"N = {n}"
    )


@claim("8.1", "the expected cost of taking part is at most (Proposition 11)", "e^ε·E + δW")
def proposition_11() -> Finding:
    rng, worst = random.Random(11), -math.inf
    for _ in range(TRIALS):
        with_me, without_me = random_pair(rng)
        epsilon = rng.random()
        excess = [p - math.exp(epsilon) * q for p, q in zip(with_me, without_me, strict=True)]
        delta = sum(max(e, 0.0) for e in excess)
        costs = [rng.random() + (e > 0) for e in excess]  # dear where taking part shows
        bound = math.exp(epsilon) * expected(without_me, costs) + delta * max(costs)
        worst = max(worst, expected(with_me, costs) - bound)
    return logical(
        worst <= 1e-12,
        "within it" if worst <= 1e-12 else "more",
        why="the proof is in the paper",
        instances=f"{TRIALS} random mechanisms and costs",
    )


@claim("8.1", "each participant is owed this (Definition 13)", "(e^ε − 1)E + δW")
def compensation_with_delta() -> Finding:

    epsilon, delta, base_cost, worst = (symbol(s) for s in ("epsilon", "delta", "E", "W"))
    owed = PaidByCost(base_cost, worst).compensation(epsilon, delta)
    rise = sympy.exp(epsilon) * base_cost + delta * worst - base_cost
    same = sympy.simplify(owed - rise) == 0
    return logical(same, "(e^ε − 1)E + δW" if same else written(owed), why="Proposition 11 less E")


@claim("8.2", "MWEM's accuracy solved for β", "…·exp(−εNT²/(8√(ln|X| ln(1/δ))))")
def mwem_approximate_inversion() -> Finding:

    derived = derivations.mwem_approximate()[-1].formula.args[1]
    same = sympy.powsimp(derived / formulas(MwemApproximate)["printed"]) == 1
    constant = {symbol("N"): 1, symbol("T"): 1, symbol("epsilon"): 1, symbol("delta"): 1 / sympy.E}
    (power,) = (a.args[0] for a in derived.atoms(sympy.exp))
    factor = -1 / (power.subs(constant).subs(symbol("|X|"), sympy.E))
    return logical(
        same,
        f"{factor} in place of 8",
        why="squaring T's 8 gives 64; the feasibility and the comparison rest on the 8",
    )


def fails_at_point(mechanism: MwemApproximate, delta: float = paper.DELTA) -> tuple[float, float]:
    """The failure probability at the printed point, and the ε that would suffice."""
    epsilon, participants = POINT
    target = paper.TARGET
    return (
        mechanism.failure_probability(epsilon, participants, target.error, delta),
        mechanism.epsilon_floor(participants, target.error, target.failure, delta),
    )


@claim("8.2", "the point is accurate", "ε = 0.9, δ = 10⁻⁸, N = 9.1·10⁵")
def mwem_approximate_accuracy() -> Finding:
    failure, least = fails_at_point(paper.MWEM_APPROXIMATE)
    _, least_as_printed = fails_at_point(paper.AS_PRINTED)
    _, least_with_log_10 = fails_at_point(paper.AS_PRINTED, math.exp(math.log10(paper.DELTA)))
    return logical(
        failure <= paper.FAILURE,
        f"needs ε ≥ {shown(least)}",
        why=f"with the printed 8 it still needs ε ≥ {shown(least_as_printed)}; with that 8 and "
        f"log₁₀(1/δ) in place of ln(1/δ), {shown(least_with_log_10)} would do",
    )


@claim("8.2", "accuracy and budget can both be satisfied", "feasible")
def mwem_approximate_verdict() -> Finding:
    answer = solve(paper.mwem_approximate_study(WORST_COST))
    as_printed = solve(paper.mwem_approximate_study(WORST_COST, paper.AS_PRINTED)).verdict
    return logical(
        answer.verdict == "feasible",
        answer.verdict,
        why=f"{answer.proof.statement} With the printed 8 it is {as_printed}.",
    )


def total(worst_cost: float) -> tuple[float, float]:
    """The payment and the total cost at the printed point."""
    epsilon, participants = POINT
    owed = Individual(paper.SOCIAL.base_cost, worst_cost).compensation(epsilon, paper.DELTA)
    return owed, Costs().total(participants, owed)


@claim("8.2", "each is paid", "(e^ε − 1)E + δW = 1.46")
def mwem_approximate_payment() -> Finding:
    owed, cost = total(WORST_COST)
    with_other_worst, _ = total(paper.SOCIAL.worst_cost)
    why = f"1.46 is the payment at the W = 100,000 of §5.2 ({shown(with_other_worst)})"
    return number(owed, PAYMENT, 3, follows=cost <= paper.MWEM_BUDGET, why=why)


@claim("8.2", "total cost of the point", "1.9·10⁶ ≤ B")
def mwem_approximate_total() -> Finding:
    owed, cost = total(WORST_COST)
    within = cost <= paper.MWEM_BUDGET
    why = f"{POINT[1]:,} people at {shown(owed)}; " + ("within B too" if within else "over B")
    return number(cost, TOTAL, 2, follows=within, why=why)


@claim("8.2", "worst cost in social networks", "W = 10⁶")
def social_worst_cost() -> Finding:
    worsts = (WORST_COST, paper.SOCIAL.worst_cost)
    verdicts = {solve(paper.mwem_approximate_study(w)).verdict for w in worsts}
    within = all(total(w)[1] <= paper.MWEM_BUDGET for w in worsts)
    return number(
        paper.SOCIAL.worst_cost,
        WORST_COST,
        1,
        follows=len(verdicts) == 1 and within,
        why="§5.2 and §6 take W = 100,000; the study's verdict and the point's cost within B are "
        "the same with either",
    )


@claim("8.2", "with δ, MWEM answers more queries to better accuracy on the same budget", "yes")
def more_queries_with_delta() -> Finding:
    before, after = paper.MWEM, paper.MWEM_APPROXIMATE
    more = after.queries > before.queries and paper.TARGET.error < paper.MWEM_TARGET.error
    answer = solve(paper.mwem_approximate_study(WORST_COST))
    return logical(
        more and answer.verdict == "feasible",
        f"the larger study is {answer.verdict} at B = {paper.MWEM_BUDGET:,.0f}",
        why="with the 64 that follows from T's bound",
    )
