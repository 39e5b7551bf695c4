"""Hsu14 §6: the private study against the one without privacy."""

import math
from dataclasses import replace

from planner.audit import paper, under_exact
from planner.audit.claim import Finding, claim, logical, number, shown, written
from planner.audit.harms import product
from planner.audit.mean import off_by
from planner.comparison import chernoff
from planner.comparison.by_hand import by_hand
from planner.decisions.limits import limit
from planner.explanation.constraints import symbol
from planner.explanation.derivations import non_private_study
from planner.libraries import sympy
from planner.model import Individual

NON_PRIVATE_PARTICIPANTS = 115  # §6, N′ of the example, from eq. 10


@claim("6", "Chernoff lower bound for μ ≤ 1/4, T in [0, 1] (Theorem 8)", "½·exp(−2NT²/μ)")
def theorem_8() -> Finding:
    beyond, within = (2, 0.3, 0.25), (6, 0.084, 0.25)
    fails = [off_by(*case) < chernoff.lower_bound(*case) for case in (beyond, within)]
    shown_cases = " and ".join(
        f"{shown(off_by(*case))} {'<' if fail else '≥'} {shown(chernoff.lower_bound(*case))}"
        for case, fail in zip((beyond, within), fails, strict=True)
    )
    return logical(
        not any(fails),
        shown_cases,
        why="at N = 2, μ = 1/4, T = 0.3 and at N = 6, μ = 1/4, T = 0.084; at μ = 1/4 it holds for "
        "T ≤ 1/4 at every N but 6, which is enough for eq. 10 where α ≤ 1/3",
    )


@claim("6", "smallest study that is not private (eq. 10)", "N′ ≥ 1/(8T²)·ln(1/(2α))")
def eq_10() -> Finding:

    printed = sympy.log(1 / (2 * symbol("alpha"))) / (8 * symbol("T") ** 2)
    derived = non_private_study()[0].formula.args[1]
    same = sympy.simplify(derived - printed) == 0
    return logical(same, f"N′ ≥ {written(derived)}", why="Theorem 8 at μ = 1/4")


@claim("6", "the private study is cheaper where this holds (eq. 9)", "eq. 8 with B′ = φWN′")
def eq_9() -> Finding:

    t, alpha, phi, worst, base = (symbol(s) for s in ("T", "alpha", "phi", "W", "E"))
    ratio = sympy.log(1 / (2 * alpha)) / (96 * sympy.log(3 / alpha))
    printed = sympy.log(1 + phi * worst * ratio / base)
    least, most = non_private_study()[1].formula.args
    same = least == t / 6 and sympy.simplify(most - printed) == 0
    return logical(same, f"{written(least)} ≤ {written(most)}", why="derived from eqs 8 and 10")


@claim("6", "eq. 10 holds for every target error and accuracy (Theorem 9)", "T ≥ 0, α > 0")
def theorem_9() -> Finding:
    error, failure = 1.0, 1e-10
    asked = chernoff.least_participants(error, failure)
    chance = max(off_by(1, error, mean / 100) for mean in range(1, 100))
    return logical(
        chance > failure or asked <= 1,
        f"one person is off with probability {shown(chance)}, eq. 10 requires {shown(asked)}",
        why="at T = 1, α = 1e-10; it holds for T ≤ 1/4 and α ≤ 1/3, as in the example",
    )


@claim("6", "exposure in the example", "φ = 1/500 = 0.002")
def exposure() -> Finding:
    return number(1 / 500, paper.EXPOSURE, 1)


@claim(
    "6",
    "people without privacy in the example",
    "N′ ≥ 115",
    exactly=lambda: f"{under_exact.size_without_privacy()}",
)
def non_private_participants() -> Finding:
    size = chernoff.least_participants(paper.ERROR, paper.FAILURE)
    why = f"so {math.ceil(size)} whole people at least"
    return number(size, NON_PRIVATE_PARTICIPANTS, 3, why=why)


@claim("6", "fewer than that are not enough, though Theorem 8 fails", "N′ ≥ 115")
def too_few_without_privacy() -> Finding:
    best = min(off_by(n, paper.ERROR, 0.25) for n in range(1, NON_PRIVATE_PARTICIPANTS))
    return logical(
        best > paper.FAILURE,
        f"smaller samples are off with probability {shown(best)} or more",
        why="binomial sums at μ = 1/4 for every smaller N",
    )


def eq_9_verdict(scenario: paper.Scenario, expected: bool) -> Finding:
    """The finding whether eq. 9 gives the paper's verdict on a scenario."""
    study = paper.mean_study(scenario.base_cost, worst_cost=scenario.worst_cost)
    plan = by_hand(study, paper.EXPOSURE)
    if plan is None:
        return logical(False, "eq. 9 does not apply")
    sign = "≤" if plan.cheaper else ">"
    computed = f"{shown(plan.epsilon)} {sign} {shown(plan.epsilon_ceiling)}"
    why = f"it holds from φ = {shown(plan.break_even_exposure)} on"
    return logical(plan.cheaper == expected, computed, why=why)


@claim("6", "smoking: eq. 9", "does not hold", exactly=under_exact.comparison(paper.SMOKING))
def eq_9_smoking() -> Finding:
    return eq_9_verdict(paper.SMOKING, False)


@claim(
    "6",
    "education: eq. 9",
    "holds, the private study is cheaper",
    exactly=under_exact.comparison(paper.EDUCATION),
)
def eq_9_education() -> Finding:
    return eq_9_verdict(paper.EDUCATION, True)


@claim(
    "6",
    "movie ratings: eq. 9",
    "holds, the private study is cheaper",
    exactly=under_exact.comparison(paper.MOVIES),
)
def eq_9_movies() -> Finding:
    return eq_9_verdict(paper.MOVIES, True)


@claim(
    "6",
    "social network: eq. 9",
    "holds, the private study is cheaper",
    exactly=under_exact.comparison(paper.SOCIAL),
)
def eq_9_social() -> Finding:
    return eq_9_verdict(paper.SOCIAL, True)


@claim(
    "6",
    "movie ratings: cost without privacy",
    "0.002 · 2500 · 115 ≈ 575",
    exactly=lambda: shown(
        product(paper.EXPOSURE, paper.MOVIES.worst_cost) * under_exact.size_without_privacy()
    ),
)
def non_private_cost() -> Finding:
    paid = product(paper.EXPOSURE, paper.MOVIES.worst_cost)
    whole = math.ceil(chernoff.least_participants(paper.ERROR, paper.FAILURE))
    why = f"for the printed 115 people; the least whole study, of {whole}, costs {paid * whole:g}"
    return number(product(paid, float(NON_PRIVATE_PARTICIPANTS)), 575, 3, why=why)


@claim(
    "6",
    "movie ratings: cost of the private study",
    "(e^ε − 1)·EN ≈ 40",
    exactly=under_exact.private_cost,
)
def private_cost() -> Finding:
    owed = Individual(paper.MOVIES.base_cost).compensation(paper.EPSILON)
    return number(owed * paper.PARTICIPANTS, 40, 1, why="at the printed ε = 0.0083 and N = 20000")


@claim("6", "movie ratings: with the same budget the private study is more accurate", "575")
def more_accurate() -> Finding:
    study = paper.mean_study(paper.MOVIES.base_cost, budget=575.0)
    error = limit(study, "error") or math.inf
    without = math.sqrt(chernoff.least_participants(1.0, paper.FAILURE) / NON_PRIVATE_PARTICIPANTS)
    return logical(
        error < without,
        f"errors of {shown(error)} with privacy, {shown(without)} or more without",
        why="eqs 5 and 4 for the first, eq. 10 solved for T for the second",
    )


@claim("6", "movie ratings: the private study is cheaper and larger", "40 < 575, 20000 > 115")
def cheaper_and_larger() -> Finding:
    study = replace(
        paper.mean_study(paper.MOVIES.base_cost, worst_cost=paper.MOVIES.worst_cost), conditions=()
    )
    plan = by_hand(study, paper.EXPOSURE)
    holds = plan is not None and plan.private_cost < plan.cost
    computed = f"{shown(plan.private_cost)} < {shown(plan.cost)}" if plan and holds else "false"
    return logical(holds, computed)
