"""Derivatives of a mechanism's failure probability by ε, the error and δ, in closed form."""

import math
from typing import Any, NamedTuple

from planner.libraries import scipy, sympy
from planner.mechanisms import Mechanism
from planner.mechanisms.exact.slopes import slopes as exact_slopes
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.hoeffding import best_split
from planner.model import Choice
from planner.privacy.gaussian import density, scale

_STEP = 1e-4  # the error is its square, 1e-8; shorter ones would magnify the rounding of sums


class Slopes(NamedTuple):
    """Derivatives of the failure probability at a plan; None where there is none.

    Attributes:
        epsilon: by ε, at most 0.
        error: by T.
        delta: by δ.
    """

    epsilon: float
    error: float | None
    delta: float | None


def slopes(mechanism: Mechanism, choice: Choice, error: float) -> Slopes | None:
    """The derivatives at a plan; None where the mechanism has no formula to differentiate.

    Bounds are differentiated in symbols, Hoeffding's at its best split, where the derivative by the
    split is 0; exact values at their worst mean (see `planner.mechanisms.exact.slopes`).
    """
    own = choice.epsilon
    choice = choice._replace(epsilon=own)
    kind = _exact_kind(mechanism)
    if kind is not None:
        return _exact(kind, mechanism, choice, error)

    names = ("epsilon", "T", "delta", "N", "s")
    symbols = {name: sympy.Symbol(name, positive=True) for name in names}
    formula = formula_of(mechanism)
    if symbols["epsilon"] not in formula.free_symbols or formula.has(sympy.ceiling):
        return None
    at = dict(
        zip(
            names, (choice.epsilon, error, choice.delta, choice.participants, math.nan), strict=True
        )
    )
    if symbols["s"] in formula.free_symbols:
        at["s"] = best_split(choice.epsilon, choice.participants, error)
    numbers = {symbols[name]: value for name, value in at.items()}

    def slope(name: str) -> float:
        return float(formula.diff(symbols[name]).evalf(25, subs=numbers))

    by_delta = slope("delta") if mechanism.uses_delta else None
    return Slopes(slope("epsilon"), slope("T"), by_delta)


def slopes_of_sample(floor: QuestionFloor, choice: Choice, mechanism: Mechanism) -> Slopes:
    """The same for a sample as it is, by differences: its formulas have no closed derivatives.

    Under geometric noise T counts in steps of a whole count, and there is none by it.
    """

    def slope(name: str) -> float:
        at = choice._asdict() | {"error": floor.error}
        ends = []
        for factor in (1 + _STEP, 1 - _STEP):
            moved = at | {name: at[name] * factor}
            of = floor.with_error(moved.pop("error"))
            ends.append(float(of.achieved(**moved)))
        return float((ends[0] - ends[1]) / (2 * _STEP * at[name]))

    by_error = None if _exact_kind(mechanism) == "geometric" else slope("error")
    return Slopes(slope("epsilon"), by_error, slope("delta") if mechanism.uses_delta else None)


def formula_of(mechanism: Mechanism) -> "sympy.Expr":
    """The failure probability in ε, δ, N, T (and s), with the mechanism's own numbers put in."""
    formula = mechanism.formulas()[mechanism.variant]
    own = {
        sympy.Symbol(name, positive=True): getattr(mechanism, field)
        for field, name in mechanism.symbols.items()
        if getattr(mechanism, field) is not None
    }
    return formula.subs(own)


def _exact_kind(mechanism: Mechanism) -> "str | None":
    """The kind of noise of an exact analysis; else None."""
    return mechanism.adds or None if mechanism.saw_toothed else None


def _exact(kind: str, mechanism: Any, choice: Choice, error: float) -> Slopes:
    """The derivatives of an exact failure probability at its worst mean."""
    n, mean_range = int(choice.participants), mechanism.mean_range
    if kind != "gaussian":
        exact = exact_slopes(kind, choice.epsilon, n, error, mean_range)
        return Slopes(exact.rate, exact.error, None)

    sigma = float(scale(choice.epsilon, choice.delta))
    a, b = choice.epsilon * sigma - 0.5 / sigma, choice.epsilon * sigma + 0.5 / sigma
    exact = exact_slopes("gaussian", 1 / sigma, n, error, mean_range)
    # the rate r = 1/σ has δ = Q(a) − e^ε·Q(b), so ∂δ/∂r = φ(a) and ∂δ/∂ε = −e^ε·Q(b)
    by_epsilon = math.exp(scipy.special.log_ndtr(-b) + b**2 / 2) * math.sqrt(2 * math.pi)
    return Slopes(exact.rate * by_epsilon, exact.error, float(exact.rate / density(a)))
