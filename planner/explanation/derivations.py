"""Hsu14's equations 6 to 12 and both inversions of MWEM, derived from the constraints in SymPy.

Each starts from a formula of the planner, or from a statement of the paper, and is solved
by SymPy; tests compare the results with what the planner computes.

When a planned test rejects, in words.
"""

from typing import NamedTuple

from planner.answer.answers import Given, Plan, study_of
from planner.comparison import chernoff
from planner.comparison.by_hand import by_hand
from planner.comparison.compare import PAPER_EXPOSURE
from planner.explanation.constraints import symbol, values
from planner.explanation.mechanisms import formulas
from planner.libraries import sympy
from planner.mechanisms import LaplaceMean, Mwem, MwemApproximate, kinds
from planner.mechanisms.noisy_counts import PowerOfGroups, PowerOfOne, critical_of
from planner.model import Budget, Costs, Study, TargetedPublication
from planner.model.paid_by_cost import PaidByCost
from planner.numbers import decimal
from planner.wording import plain, points


class Step(NamedTuple):
    """One equation of a derivation.

    Attributes:
        equation: its place in the paper, such as "Hsu14 eq. 7".
        says: how it follows, as a sentence.
        formula: the equation or inequality.
    """

    equation: str
    says: str
    formula: "sympy.Expr"


def for_study(study: Given) -> list[Step]:
    """The derivations that belong to a study, or to an answer's."""
    study = study_of(study)
    steps = []
    if kinds.is_of_paper(study.mechanism):
        person = study.individual
        papers = person.base_cost and person.family == 1
        if study.find(Budget) and papers and study.costs == Costs():
            steps += mean_study()
        if by_hand(study, PAPER_EXPOSURE):
            steps += non_private_study()
    if isinstance(study.mechanism, Mwem):
        steps += mwem()
    if isinstance(study.mechanism, MwemApproximate):
        steps += mwem_approximate()
    if study.find(TargetedPublication):
        steps += targeted_publication()
    return steps


def worked_out(step: Step, study: Study) -> str:
    """A step with the study's numbers, evaluated to six digits; empty if symbols remain."""
    numbers = values(study) | {symbol("phi"): PAPER_EXPOSURE}
    exact = {name: decimal(value) for name, value in numbers.items()}
    sides = []
    for side in step.formula.args:
        value = side.subs(exact)
        if not value.is_number and not value.is_Symbol:
            return ""
        sides.append(f"{float(value):,.6g}" if value.is_number else value.name)
    sign = {"GreaterThan": "≥", "LessThan": "≤"}[type(step.formula).__name__]
    shown = f" {sign} ".join(sides).replace("epsilon", "ε")
    fails = step.formula.subs(exact) is sympy.false
    return f"{shown}, which does not hold" if fails else shown


def mean_study() -> list[Step]:
    """Eqs 6 to 8: a closed plan from eq. 5 and the budget."""
    n, alpha, epsilon = map(symbol, ("N", "alpha", "epsilon"))
    base_cost, budget = symbol("E"), symbol("B")
    failure = formulas(LaplaceMean)["paper"]  # eq. 5
    noise = next(term for term in failure.args if term.has(epsilon))
    sample = failure - noise
    cost = Costs().total(n, PaidByCost(base_cost, None).compensation(epsilon, 0))  # eq. 4
    least = _only(sympy.solve(sympy.Eq(_exponent(noise), _exponent(sample)), epsilon))
    simpler = sympy.powsimp(failure.subs(epsilon, least))
    people = _where(simpler, alpha, n)
    ceiling = _only(sympy.solve(sympy.Eq(cost, budget), epsilon)).subs(n, people)
    return [
        Step(
            "Hsu14 §5.1",
            "The noise fails no more often than the sample once the exponents of eq. 5 agree:",
            sympy.Ge(epsilon, least),
        ),
        Step("Hsu14 eq. 6", "For such ε it suffices that", sympy.Le(simpler, alpha)),
        Step("Hsu14 eq. 7", "and therefore that", sympy.Ge(n, people)),
        Step(
            "Hsu14 eq. 8",
            "At equality the budget allows the plan ε = T/6 if",
            sympy.Le(least, ceiling),
        ),
    ]


def non_private_study() -> list[Step]:
    """Eqs 9 and 10: from Theorem 8 at its largest mean, and eq. 8."""
    n, t, alpha = symbol("N'"), symbol("T"), symbol("alpha")
    bound = chernoff.lower_bound(n, t, sympy.Rational(1, 4))
    size = _where(bound, alpha, n)
    budget = symbol("phi") * symbol("W") * size
    eq_8 = mean_study()[-1].formula
    return [
        Step(
            "Hsu14 eq. 10",
            "Without privacy, Theorem 8 at a mean of 1/4 requires",
            sympy.Ge(n, size),
        ),
        Step(
            "Hsu14 eq. 9",
            "Paid φW each, they cost B' = φWN'. With that eq. 8 becomes",
            sympy.Le(eq_8.args[0], eq_8.args[1].subs(symbol("B"), budget)),
        ),
    ]


def targeted_publication() -> list[Step]:
    """Eqs 11 and 12: where a mechanism that publishes one person's record is ε-private."""
    epsilon, target, size = symbol("epsilon"), symbol("p∗"), symbol("|X|")
    other = symbol("p")
    # the target's record: p∗ if they take part, 1/|X| if not; any other record: p and 1/|X|
    eq_11 = _only(sympy.solve(sympy.Eq(target, sympy.exp(epsilon) / size), epsilon))
    probability = _only(sympy.solve(sympy.Eq(target + (size - 1) * other, 1), other))
    eq_12 = _only(sympy.solve(sympy.Eq(other, sympy.exp(-epsilon) / size), epsilon))
    return [
        Step(
            "Hsu14 eq. 11",
            "Publishing the target's record with probability p∗, not 1/|X|, is ε-private if",
            sympy.Ge(epsilon, eq_11),
        ),
        Step(
            "Hsu14 eq. 12",
            "and publishing every other record with the remaining probability, if",
            sympy.Ge(epsilon, eq_12.subs(other, probability)),
        ),
    ]


def mwem() -> list[Step]:
    """§5.3: MWEM's accuracy, stated for T, solved for the failure probability."""
    t, beta, n_epsilon = symbol("T"), symbol("beta"), symbol("epsilon") * symbol("N")
    size = sympy.log(symbol("|X|"))
    bits = sympy.log(32 * symbol("|C|") * size / (beta * t**2))
    accuracy = sympy.cbrt(128 * size * bits / n_epsilon)
    failure = _only(sympy.solve(sympy.Eq(t**3, accuracy**3), beta))
    return [
        Step("Hsu14 §5.3", "The error of MWEM is", sympy.Eq(t, accuracy, evaluate=False)),
        Step(
            "Hsu14 §5.3",
            "Cubed and solved for β, the failure probability is",
            sympy.Eq(beta, failure),
        ),
    ]


def mwem_approximate() -> list[Step]:
    """§8.2: the accuracy of (ε, δ)-MWEM, stated for T, solved for the failure probability."""
    t, beta, n_epsilon = symbol("T"), symbol("beta"), symbol("epsilon") * symbol("N")
    size = sympy.log(symbol("|X|"))
    bits = sympy.log(32 * symbol("|C|") * size / (beta * t**2))
    quarter = sympy.root(-size * sympy.log(symbol("delta")), 4)
    accuracy = 8 * quarter * sympy.sqrt(bits) / sympy.sqrt(n_epsilon)
    failure = _only(sympy.solve(sympy.Eq(t**2, accuracy**2), beta))
    return [
        Step("Hsu14 §8.2", "The error of MWEM with δ is", sympy.Eq(t, accuracy, evaluate=False)),
        Step(
            "Hsu14 §8.2",
            "Squared and solved for β (the paper prints 8, not 64), the failure probability is",
            sympy.Eq(beta, failure),
        ),
    ]


def _only(solutions: list["sympy.Expr"]) -> "sympy.Expr":
    (solution,) = solutions
    return solution


def _exponent(term: "sympy.Expr") -> "sympy.Expr":
    return _only(list(term.atoms(sympy.exp))).args[0]


def _where(bound: "sympy.Expr", level: "sympy.Expr", unknown: "sympy.Expr") -> "sympy.Expr":
    decay = symbol("decay")  # a symbol for the logarithm, so that SymPy does not split it
    factor = bound / sympy.exp(_exponent(bound))
    solution = _only(sympy.solve(sympy.Eq(_exponent(bound), -decay), unknown))
    return solution.subs(decay, sympy.log(factor / level))


def rejection(plan: Plan) -> str:
    """What the test of a plan does with what is published, as a clause after "the test"."""
    power = plan.study.power
    assert power is not None  # it is a test
    floor, n = plan.study.test, plan.participants
    if isinstance(floor, PowerOfOne):
        edges = [f"{plain(at)} or {side}" for side, at in floor.edges(plan.epsilon, n).items()]
        return f"rejects {power.rejected} if the noisy count is {' or '.join(edges)}"
    assert isinstance(floor, PowerOfGroups)  # no other test is planned
    test = floor.test(plan.epsilon, n)
    critical = plain(critical_of(test))
    low, high = (points(share) for share in test.shares)
    ends = f"{critical} or more"
    if power.sides == 2:
        ends += f", or −{critical} or less"
    elif test.equivalence:
        ends += ", towards either margin"
    return (
        f"rejects {power.rejected} if z, the difference of the two noisy proportions over its "
        f"standard deviation with noise, is {ends}; where that is true, with probability at most "
        f"{plain(power.significance)}, computed at proportions from {low} % to {high} %"
    )
