"""Hsu14 §5.1: the mean study and its closed plan."""

import math
from fractions import Fraction
from math import comb

from planner.answer.closed_form import closed_form_plan, least_participants
from planner.answer.solve import solve
from planner.audit import under_exact
from planner.audit.claim import Finding, claim, logical, number, shown, written
from planner.audit.paper import BUDGET, EPSILON, ERROR, FAILURE, PARTICIPANTS, mean_study
from planner.comparison import chernoff
from planner.decisions.limits import limit
from planner.explanation.constraints import symbol
from planner.explanation.derivations import mean_study as derivation
from planner.explanation.mechanisms import formulas
from planner.libraries import sympy
from planner.mechanisms import LaplaceMean
from planner.numbers import decimal


def off_by(participants: int, error: float, mean: float) -> float:
    """Pr[|Y − μ| ≥ T], summed term by term; which counts are off is decided in fractions."""
    m, t = decimal(mean), decimal(error)
    return math.fsum(
        comb(participants, k) * mean**k * (1 - mean) ** (participants - k)
        for k in range(participants + 1)
        if abs(Fraction(k, participants) - m) >= t
    )


@claim("5.1", "Chernoff bound for every T in [0, 1] (Theorem 6)", "2·exp(−NT²/(3μ))")
def theorem_6() -> Finding:
    case = (1, 0.5, 0.01)
    truth, bound = off_by(*case), chernoff.upper_bound(*case)
    return logical(
        truth <= bound,
        f"{shown(truth)} {'≤' if truth <= bound else '>'} {shown(bound)}",
        why="at N = 1, μ = 0.01, T = 0.5; it holds for T ≤ μ, and eq. 5 survives by Hoeffding",
    )


@claim("5.1", "tail of the Laplace distribution of scale ρ (Theorem 7)", "exp(−T/ρ)")
def theorem_7() -> Finding:

    t, scale = symbol("T"), symbol("rho")
    density, tail = sympy.exp(-t / scale) / (2 * scale), sympy.exp(-t / scale)
    same = sympy.simplify(sympy.diff(tail, t) + 2 * density) == 0 and tail.limit(t, sympy.oo) == 0
    return logical(same, written(tail), why="it falls by twice the density, to 0")


@claim(
    "5.1",
    "the failure probability is at most this (eq. 5)",
    "2·exp(−NT²/12) + exp(−TNε/2)",
    exactly=under_exact.cost_of_a_mean,
)
def eq_5() -> Finding:

    n, t, epsilon = symbol("N"), symbol("T"), symbol("epsilon")
    hoeffding = 2 * sympy.exp(-2 * n * (t / 2) ** 2)  # the sample is off by T/2
    laplace = sympy.exp(-(t / 2) * n * epsilon)  # the noise is (Theorem 7)
    sample = formulas(LaplaceMean)["paper"] - laplace
    weaker = sympy.expand_log(sympy.log(sample / hoeffding), force=True)
    holds = sympy.simplify(weaker).is_nonnegative
    why = f"its first term is e^({written(weaker)}) times Hoeffding's, its second Theorem 7's"
    return logical(bool(holds), "holds" if holds else "does not follow", why=why)


@claim("5.1", "from this ε on the sampling error dominates", "ε ≥ T/6")
def dominating_epsilon() -> Finding:
    least = derivation()[0].formula.args[1]
    return logical(
        least == symbol("T") / 6, f"ε ≥ {written(least)}", why="where the exponents of eq. 5 meet"
    )


@claim("5.1", "there it suffices that (eq. 6)", "3·exp(−NT²/12) ≤ α")
def eq_6() -> Finding:

    printed = 3 * sympy.exp(-symbol("N") * symbol("T") ** 2 / 12)
    derived = derivation()[1].formula.args[0]
    return logical(derived == printed, f"{written(derived)} ≤ α", why="eq. 5 at ε = T/6")


@claim("5.1", "this many people suffice (eq. 7)", "N ≥ 12/T²·ln(3/α)")
def eq_7() -> Finding:

    printed = 12 / symbol("T") ** 2 * sympy.log(3 / symbol("alpha"))
    derived = derivation()[2].formula.args[1]
    same = sympy.simplify(derived - printed) == 0
    return logical(same, f"N ≥ {written(derived)}", why="eq. 6 solved for N")


@claim("5.1", "ε may lie in this range (eq. 8)", "T/6 ≤ ε ≤ ln(1 + BT²/(12E·ln(3/α)))")
def eq_8() -> Finding:

    t, alpha, money, base_cost = (symbol(name) for name in ("T", "alpha", "B", "E"))
    printed = sympy.log(1 + money * t**2 / (12 * base_cost * sympy.log(3 / alpha)))
    least, most = derivation()[3].formula.args
    same = sympy.simplify(most - printed) == 0 and least == t / 6
    return logical(same, f"{written(least)} ≤ ε ≤ {written(most)}", why="eqs 4 and 7")


@claim("5.1", "eq. 8 is sufficient, not necessary", "not necessary")
def eq_8_is_not_necessary() -> Finding:
    base_cost = 200.0
    study = mean_study(base_cost)
    by_hand = closed_form_plan(study)
    feasible = solve(study).verdict == "feasible"
    return logical(
        by_hand is not None and not by_hand.holds and feasible,
        f"E = {shown(base_cost)} is feasible, where eq. 8 fails",
        why=f"the largest E is {shown(limit(study, 'base_cost') or 0.0)}",
    )


@claim("5.1", "ε of the closed plan", "T/6 = 0.0083")
def closed_epsilon() -> Finding:
    return number(ERROR / 6, EPSILON, 2)


@claim("5.1", "people in the closed plan", "N ≈ 20000", exactly=under_exact.fewest_participants)
def closed_participants() -> Finding:
    size = least_participants(ERROR, FAILURE)
    return number(size, PARTICIPANTS, 2, why=f"eq. 7 gives {math.ceil(size):,} whole people")


@claim(
    "5.1",
    "the printed plan, ε = 0.0083 and N = 20000, is accurate",
    "A(ε, N) ≤ 0.05",
    exactly=under_exact.closed_failure,
)
def closed_plan_is_accurate() -> Finding:
    failure = LaplaceMean(analysis="paper").failure_probability(EPSILON, PARTICIPANTS, ERROR)
    return logical(failure <= FAILURE, shown(failure), why="eq. 5, though 0.0083 is under T/6")


@claim(
    "5.1", "largest base cost at which eq. 8 holds", "E_feas ≈ 182", exactly=under_exact.base_cost
)
def feasible_base_cost() -> Finding:
    paid_for = BUDGET / (math.expm1(ERROR / 6) * least_participants(ERROR, FAILURE))
    return number(paid_for, 182, 3, why="eq. 8 as an equality, solved for E")
