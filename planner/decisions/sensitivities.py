"""Derivatives of the cheapest plan's N and ε, by the optimality conditions.

Let v = (N, ε), N taken as a real number, and for Hoeffding's bound also the split s. The cheapest
plan makes L = C(v, θ) + λ·ln(f(v, θ)/α) stationary with f = α; where a condition fixes N, that
replaces L_N = 0. So F(v, λ; θ) = 0, and dv/dθ solves F_v·dv = −F_θ: every entry is a
derivative of the study's own formulas, taken in symbols. The real optimum is found from the plan by
Newton's method with 30 digits.
"""

from typing import TYPE_CHECKING, Any

from planner.answer.problem.problem import Problem
from planner.answer.problem.vary import Varied
from planner.decisions.slopes import formula_of, slopes
from planner.libraries import sympy
from planner.mechanisms.hoeffding import best_split
from planner.model import Choice, MaxParticipants, MinParticipants, Study
from planner.model.paid_by_cost import PaidByCost
from planner.privacy.gaussian import LEAST_EPSILON
from planner.quantities import QUANTITIES

if TYPE_CHECKING:
    from planner.answer.search.convex import Aim

Moves = dict[Varied, tuple[float | None, float | None]]
_SYMBOLS: dict[Varied, str] = {
    name: row.symbol
    for name, row in QUANTITIES.items()
    if row.symbol in ("E", "W", "c", "T", "alpha")
}
"""The symbols of the quantities in the equations."""
_DIGITS = 30  # nearly twice those of a double, as differences of large terms lose some
_STEPS = 12
"""Three are enough for the plan's four or more digits, as each doubles them; the rest is spare."""
_NEAR = 0.1
"""A relative distance in N beyond which an optimum is not that of the plan, but another root."""


def chosen(aim: "Aim") -> Choice:
    """The cheapest plan, with ε exactly at the floor."""
    floor = float(aim.region.floor(aim.participants))
    return Choice(floor, aim.region.delta_low, aim.participants)


def accuracy_binds(problem: Problem, choice: Choice) -> bool:
    """Whether the accuracy is the highest floor on ε; not if δ alone allows the noise."""
    floor = problem.goals[0].epsilon_floor(choice.participants, choice.delta)
    return bool(floor >= choice.epsilon * (1 - 1e-12) and floor > LEAST_EPSILON)


def sensitivities(study: Study, problem: Problem, aim: "Aim") -> Moves:
    """The derivatives of N and ε by each quantity that changes them.

    Empty where they are not available: exact analyses, whose best N jumps; surveys; people paid in
    full; a free δ; a best N that a ceiling determines; people who lose to another answer too.
    """
    choice = chosen(aim)
    in_full = aim.region.person != study.individual.pieces[0]
    if problem.saw_toothed or in_full or study.survey is not None:
        return {}
    if not study.sampling.sample.simple:
        return {}
    if problem.uses_delta and len(set(problem.delta_bounds)) > 1:
        return {}
    if not accuracy_binds(problem, choice):
        return {}
    if _held(study, choice.participants):
        slope = slopes(study.mechanism, choice, study.accuracy.error)
        if slope is None or slope.error is None:
            return {}
        by_error, by_failure = -slope.error / slope.epsilon, 1 / slope.epsilon
        still: Moves = dict.fromkeys(("base_cost", "worst_cost", "per_person"), (0.0, 0.0))
        return still | {"error": (0.0, by_error), "failure": (0.0, by_failure)}
    return _interior(study, aim) if _inside(aim) else {}


def _held(study: Study, participants: int) -> bool:
    """Whether a condition fixes N."""
    bounds = (study.find(MaxParticipants), study.find(MinParticipants))
    return any(bound is not None and bound.n == participants for bound in bounds)


def _inside(aim: "Aim") -> bool:
    """Whether the cost alone determines the best N: both neighbours are allowed and cost more."""
    region, n = aim.region, aim.participants
    step = 1 + (n >> 20)  # a smaller step is lost in rounding
    beside = [n - step, n + step] if n > step else []
    return bool(beside) and all(
        region.gap(m) >= 0 and region.cost_at_floor(m) >= aim.value for m in beside
    )


def _interior(study: Study, aim: "Aim") -> Moves:
    """The derivatives of N and ε where the cost alone determines N."""
    import mpmath

    n, epsilon, split, price = sympy.symbols("N epsilon s lambda", positive=True)
    named = {name: sympy.Symbol(name, positive=True) for name in _SYMBOLS.values()}
    delta = sympy.Symbol("delta", positive=True)
    person = PaidByCost(named["E"], named["W"], study.individual.family)
    owed = person.compensation(epsilon, delta)
    cost = n * (owed + named["c"])
    formula = formula_of(study.mechanism)
    passed = sympy.log(formula) - sympy.log(named["alpha"])  # so that the multiplier has that size
    lagrangian = cost + price * passed
    variables = [n, epsilon] + [split] * (split in formula.free_symbols)
    conditions = [lagrangian.diff(v) for v in variables] + [passed]
    numbers: dict[Any, Any] = {
        named["E"]: study.individual.base_cost,
        named["W"]: study.individual.worst_cost or 0.0,
        named["c"]: study.costs.per_person,
        named["T"]: study.accuracy.error,
        named["alpha"]: study.accuracy.failure,
        delta: aim.region.delta_low,
    }
    choice = chosen(aim)
    start = [choice.participants, choice.epsilon]
    if split in variables:
        start.append(best_split(choice.epsilon, choice.participants, study.accuracy.error))
    unknown = [*variables, price]
    at = dict(zip(variables, start, strict=True)) | numbers
    by_epsilon = cost.diff(epsilon).subs(at) / passed.diff(epsilon).subs(at)
    start.append(float(-by_epsilon))
    equations = sympy.Matrix(conditions)
    given = list(numbers)
    with mpmath.workdps(_DIGITS):
        value, slope, by_quantity = (
            sympy.lambdify([*unknown, *given], matrix, "mpmath")
            for matrix in (
                equations,
                equations.jacobian(unknown),
                equations.jacobian([named[name] for name in _SYMBOLS.values()]),
            )
        )
        here, fixed = mpmath.matrix(start), [mpmath.mpf(numbers[name]) for name in given]
        try:
            for _ in range(_STEPS):
                here -= mpmath.lu_solve(slope(*here, *fixed), value(*here, *fixed))
            change = -(slope(*here, *fixed) ** -1) * by_quantity(*here, *fixed)
        except ZeroDivisionError:  # no such optimum near the plan
            return {}
        if abs(here[0] - choice.participants) > _NEAR * choice.participants:
            return {}
    return {
        quantity: (float(change[0, k]), float(change[1, k])) for k, quantity in enumerate(_SYMBOLS)
    }
