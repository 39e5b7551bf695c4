"""Hsu14 §7: bounds on ε, and the students' study."""

import math

from planner.answer.solve import solve
from planner.audit import paper, under_exact
from planner.audit.claim import Finding, claim, logical, number, shown, written
from planner.explanation.constraints import symbol
from planner.explanation.derivations import targeted_publication
from planner.libraries import sympy
from planner.model import (
    Costs,
    EpsilonAtLeastOneOverN,
    Individual,
    MaxHarm,
    MaxParticipants,
    Study,
    TargetedPublication,
)
from planner.model.paid_by_cost import PaidByCost

UNIVERSE = (4, 5, 4, 100)  # class years, grades, years declared, orders of courses
TARGET_PROBABILITY = 0.1  # §7.3, p∗ in the bounds on ε
STUDENTS = 1000  # §7.3, the largest N
LARGEST_HARM = 10.0  # §7.3, B₀


def targeted(probability: float, universe_size: int) -> tuple[float, float]:
    """The right sides of eqs 11 and 12, as derived."""
    numbers = {symbol("p∗"): probability, symbol("|X|"): universe_size}
    eq_11, eq_12 = (
        float(step.formula.args[1].subs(numbers).evalf()) for step in targeted_publication()
    )
    return eq_11, eq_12


@claim("7.1", "at ε = 20 a chance of 1/2 is bounded by (footnote 21)", "e²⁰ · 1/2 ≈ 10⁹")
def large_epsilon_above() -> Finding:
    bound = math.exp(20) / 2
    return number(bound, 1e9, 1, follows=bound > 1, why="still over 1, so useless as the text says")


@claim("7.1", "at ε = 20 its complement is at least (footnote 21)", "e⁻²⁰ · 1/2 ≈ 10⁻⁹")
def large_epsilon_below() -> Finding:
    return number(math.exp(-20) / 2, 1e-9, 1)


@claim("7.1", "each other record is rarer than a random one", "p < 1/|X|")
def other_records() -> Finding:

    size, excess = sympy.symbols("size excess", positive=True)
    target = 1 / size + excess  # p∗ > 1/|X|
    less = sympy.simplify(1 / size - (1 - target) / (size - 1)) - excess / (size - 1)
    holds = sympy.simplify(less) == 0
    return logical(holds, "1/|X| − p = (p∗ − 1/|X|)/(|X| − 1) > 0" if holds else "false")


@claim("7.1", "the target's record bounds ε (eq. 11)", "ε ≥ ln(p∗|X|)")
def eq_11() -> Finding:

    derived = targeted_publication()[0].formula.args[1]
    same = sympy.simplify(derived - sympy.log(symbol("p∗") * symbol("|X|"))) == 0
    return logical(same, f"ε ≥ {written(derived)}")


@claim("7.1", "the other records bound ε (eq. 12)", "ε ≥ ln(1/(p|X|)) ≥ ln((|X|−1)/(|X|(1−p∗)))")
def eq_12() -> Finding:

    size, target = symbol("|X|"), symbol("p∗")
    printed = sympy.log((size - 1) / (size * (1 - target)))
    derived = targeted_publication()[1].formula.args[1]
    same = sympy.simplify(derived - printed) == 0
    why = "the second ≥ is an equality, since p∗ + (|X| − 1)p = 1"
    return logical(same, f"ε ≥ {written(derived)}", why=why)


@claim("7.1", "p∗ = 0.99 among 10⁶ records is ε-private from", "ε ≥ 14")
def target_epsilon() -> Finding:
    eq_11, eq_12 = targeted(0.99, 10**6)
    why = f"eq. 11 gives {shown(eq_11)}, eq. 12 {shown(eq_12)}"
    return number(max(eq_11, eq_12), 14, 2, why=why)


@claim("7.2", "at ε ≤ 1/N any two databases differ by at most this factor", "e")
def small_epsilon() -> Finding:
    n = 1000
    factor = math.exp(1 / n) ** n  # N neighbours in a row
    return logical(
        math.isclose(factor, math.e), shown(factor), why="N steps of e^(1/N)", instances=f"N = {n}"
    )


@claim("7.3", "possible records of a student", "|X| = 4 · 5 · 4 · 100 = 8000")
def universe_size() -> Finding:
    return number(math.prod(UNIVERSE), 8000, 4)


@claim("7.3", "upper bounds on ε", "max(ln 800, ln 1.11)")
def students_epsilon() -> Finding:
    first, second = (math.exp(e) for e in targeted(TARGET_PROBABILITY, math.prod(UNIVERSE)))
    finding = number(second, 1.11, 3)
    same = math.isclose(first, 800)
    agreement = finding.agreement if same else "none"
    return finding._replace(agreement=agreement, computed=f"max(ln {first:g}, ln {second:.6g})")


@claim("7.3", "exponents of the accuracy constraint", "0.0002 N and 0.025 Nε")
def students_exponents() -> Finding:
    sample, noise = paper.ERROR**2 / 12, paper.ERROR / 2
    finding = number(sample, 0.0002, 1)
    agreement = finding.agreement if math.isclose(noise, 0.025) else "none"
    return finding._replace(agreement=agreement, computed=f"{shown(sample)} N and {noise:g} Nε")


def students() -> Study:
    """The study of §7.3."""
    return Study(
        mechanism=paper.mean_study(paper.EDUCATION.base_cost).mechanism,
        target=paper.TARGET,
        individual=Individual(paper.EDUCATION.base_cost),
        conditions=(
            MaxParticipants(STUDENTS),
            MaxHarm(LARGEST_HARM),
            EpsilonAtLeastOneOverN(),
            TargetedPublication(TARGET_PROBABILITY, math.prod(UNIVERSE)),
        ),
    )


@claim("7.3", "the students' study", "not feasible", exactly=under_exact.verdict(students))
def students_verdict() -> Finding:
    answer = solve(students())
    return logical(answer.verdict == "infeasible", answer.verdict, why=answer.proof.statement)


@claim("7.3", "the study without the side conditions", "feasible")
def students_without_side_conditions() -> Finding:
    answer = solve(paper.mean_study(paper.EDUCATION.base_cost))
    return logical(answer.verdict == "feasible", answer.verdict, why=answer.proof.statement)


@claim("7.3", "the harm to a student grows with ε as", "(e^ε − 1) · 12.5 ≤ 10")
def students_harm() -> Finding:
    person = PaidByCost(paper.EDUCATION.base_cost, None)
    ceiling = MaxHarm(LARGEST_HARM).epsilon_ceiling(1, 0.0, person, Costs())
    return logical(math.isclose(math.expm1(ceiling) * 12.5, 10), f"ε ≤ {shown(ceiling)}")
