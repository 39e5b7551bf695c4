"""A study's constraints in symbols and with its numbers.

Each condition computes its two sides with symbols in place of its numbers, so that the typeset
formulas are those that are solved and proved.
"""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from planner.answer.answers import Given, study_of
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import condition_of
from planner.explanation.mechanisms import formula_of, symbols_of as known_symbols
from planner.libraries import sympy
from planner.model import Choice, Condition, Study
from planner.quantities import QUANTITIES, Quantity, symbols_of
from planner.wording import plain

_INDIVIDUAL = symbols_of("individual")
_COSTS = symbols_of("costs")
_TARGET = symbols_of("target")


def _symbol(row: Quantity) -> str:
    """The symbol of a quantity: its own, or that of the condition that it is."""
    kind, field = condition_of(row.name) or (None, "")
    return kind.symbols[field] if kind else row.symbol


_WORDS = {
    "N": "participants",
    **{_symbol(row): row.input for row in QUANTITIES.values() if row.symbol or row.condition},
    "delta_0": "required δ",
    "delta_max": "maximum δ",
    "p": "probability of the event",
    "w": "cost of the event",
    "mu": "one over the standard deviation of the noise on the count, given by ε and δ",
    "p∗": "target probability",
    "|X|": "universe size",
    "|C|": "queries",
    "t": "questions",
    "y_0": "N times the ε that people lose to the answer for all people",
    "m": "candidates",
    "K": "listed candidates",
    "h": "maximum number of candidates for which one person counts",
    "k": "maximum δ·N",
    "lambda": "the number, chosen freely, at which the bound is evaluated",
    "G": "strata",
    "W_g": "proportion of all people who belong to stratum g",
    "N_g": "participants of stratum or group g",
    "n_g": "people as whom these count, with how they are drawn",
    "epsilon_g": "ε of the people of stratum or group g",
    "b": "scale of the one noise on the answer, as a part of the range",
    "b_g": "scale of the noise on the mean of stratum g, as a part of the range",
    "r_g": "what each person of stratum g is paid",
    "c_g": "other cost of each person of stratum g",
    "I": "people invited, so that N take part",
    "s": "part of the error that is allotted to sampling, chosen optimally",
}
"""The meaning of each symbol, besides ε and δ."""
_IN_PHRASES = {
    "K": "the number of people who are counted, of N",
    "w": "N times the most that one person moves the answer",
    "D": "the proportion of the second group less that of the first",
    "t": "the noisy difference from which on the test rejects",
    "Y": "the number of reported yes among N people",
    "Z": "the noise",
    "μ": "the true proportion of yes",
    "λ": "the proportion of reported yes",
    "T": "margin of error",
    "κ": "the largest count at which the test does not always reject",
    "γ": "with which probability it rejects at κ",
    "β": "the probability to miss the alternative, 1 less the power",
}
"""The meaning of the letters in formulas that are phrases, such as "max over μ of Pr[...]"."""


class Constraint(NamedTuple):
    """One condition of a study.

    Attributes:
        label: the condition as a phrase.
        in_symbols: the condition as a formula.
        in_numbers: the same with the study's numbers put in; ε, N (and a free δ) stay.
    """

    label: str
    in_symbols: "sympy.Expr"
    in_numbers: "sympy.Expr"


def constraints(study: Given) -> list[Constraint]:
    """Every condition of a study, or of an answer's, accuracy first."""
    study = study_of(study)
    written = []
    for condition in problem_of(study).conditions:
        in_symbols = _in_symbols(condition, study)
        own = values(study) | _values(condition, condition.symbols)
        written.append(Constraint(condition.label, in_symbols, put_in(in_symbols, own)))
    return written


def values(study: Study) -> dict["sympy.Symbol", float]:
    """The numbers of a study by their symbols."""
    numbers = _values(study.target, _TARGET) | _values(study.costs, _COSTS)
    numbers |= _values(study.individual, _INDIVIDUAL)
    for condition in study.conditions:
        numbers |= _values(condition, condition.symbols)
    return numbers | _values(study.mechanism, known_symbols(study.mechanism))


def legend(written: Sequence[Constraint]) -> dict["sympy.Symbol", str]:
    """The meaning of the symbols in some constraints, in a fixed order."""
    used = set().union(*(c.in_symbols.free_symbols for c in written))
    found_words = {symbol(name): words for name, words in _WORDS.items() if symbol(name) in used}
    letters = {letter for name in used for letter in _letters(name)} - {n.name for n in used}
    return found_words | {
        symbol(letter): words for letter, words in _IN_PHRASES.items() if letter in letters
    }


def _letters(name: "sympy.Symbol") -> list[str]:
    """The words and letters of a formula that is a phrase; none of another."""
    return re.findall(r"\w+", name.name) if " " in name.name else []


def put_in(formula: "sympy.Expr", numbers: dict["sympy.Symbol", float]) -> "sympy.Expr":
    """A formula with numbers in place of symbols, neither evaluated nor rounded."""
    # a number becomes a symbol named by its decimal, since SymPy would evaluate a true number
    written = {name: symbol(plain(value)) for name, value in numbers.items()}
    error = written.get(symbol("T"))
    if error is not None:
        phrases = [name for name in formula.free_symbols if "T" in _letters(name)]
        written |= {name: symbol(re.sub(r"\bT\b", error.name, name.name)) for name in phrases}
    return formula.func(*(side.subs(written) for side in formula.args), evaluate=False)


def symbol(name: str) -> "sympy.Symbol":
    """The positive symbol of this name, which all formulas use."""
    return sympy.Symbol(name, positive=True)


def _in_symbols(condition: Condition, study: Study) -> "sympy.Expr":
    choice = Choice(symbol("epsilon"), _delta(study), symbol("N"))
    if isinstance(condition, Goal):
        left, right = formula_of(condition.floor), symbol(condition.target.symbol)
    else:
        person = _with_symbols(study.individual, _INDIVIDUAL)
        costs = _with_symbols(study.costs, _COSTS)
        stand_in = _with_symbols(condition, condition.symbols)
        left, right = stand_in.sides(choice, person, costs)
    relation = {"≤": sympy.Le, "<": sympy.Lt, "=": sympy.Eq}[condition.relation]
    return relation(left, right, evaluate=False)


def _delta(study: Study) -> Any:
    """δ where the study can have one, else 0."""
    has_delta = problem_of(study).delta_bounds[0] or study.mechanism.uses_delta
    return symbol("delta") if has_delta else 0


def _with_symbols(given: Any, names: dict[str, str]) -> Any:
    """A copy of a condition, an individual or costs with symbols where it has numbers above 0."""
    stand_in = object.__new__(type(given))
    for field in fields(given):
        value = getattr(given, field.name)
        as_symbol = field.name in names and value
        object.__setattr__(stand_in, field.name, symbol(names[field.name]) if as_symbol else value)
    return stand_in


def _values(given: Any, names: dict[str, str]) -> dict["sympy.Symbol", float]:
    return {
        symbol(name): getattr(given, field)
        for field, name in names.items()
        if getattr(given, field, None) is not None
    }
