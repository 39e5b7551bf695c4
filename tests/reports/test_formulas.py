"""Formulas in MathML say what SymPy's expressions say."""

import re
import xml.etree.ElementTree as ET

import planner
from planner import scenarios
from planner.explanation.constraints import constraints, symbol
from planner.reports.content import mathml


def read(formula, block: bool = True) -> str:
    return "".join(ET.fromstring(mathml(formula, block)).itertext())


def test_thousands_are_separated_and_factors_kept_apart() -> None:
    study = planner.read_study(scenarios.WORKED_STUDIES / "mean-education.toml")
    accuracy, budget = constraints(study)
    assert read(budget.in_symbols) == "EN(eε−1)≤B"
    assert read(budget.in_numbers) == "12.5·N·(eε−1)≤30,000"
    assert "0.05·N·ε" in read(accuracy.in_numbers)


def test_small_numbers_are_powers_of_ten() -> None:
    assert read(symbol("1e-08") * symbol("N")) == "1·10−8·N"
    assert read(symbol("2.5e+16")) == "2.5·1016"
    assert "msup" in mathml(symbol("1e-08"))


def test_names_are_kept() -> None:
    assert read(symbol("epsilon_max")) == "εmax"
    assert read(symbol("|X|"), block=False) == "|X|"
    words = "least expected loss at ε"
    assert " ".join(read(symbol(words)).split()) == words


def test_every_formula_of_the_worked_studies_is_whole() -> None:
    for path in scenarios.worked_studies():
        for constraint in constraints(planner.read_study(path)):
            for formula in (constraint.in_symbols, constraint.in_numbers):
                text = mathml(formula)
                assert not re.search(r"\\[a-z]", text)  # no LaTeX left over
                operators = [o.text for o in ET.fromstring(text).iter() if o.tag.endswith("mo")]
                assert {"≤", "<", "="} & set(operators)
                assert operators.count("(") == operators.count(")")


def test_long_formulas_are_broken_into_lines_for_paper() -> None:
    import sympy

    terms = [sympy.Symbol(f"cost_{at}") * sympy.exp(sympy.Symbol(f"x_{at}")) for at in range(12)]
    n = sympy.Symbol("N")
    long = sympy.Le(sympy.Mul(n, sympy.Add(*terms), evaluate=False), sympy.Symbol("B"))
    assert str(mathml(long)).count("<mtr>") >= 2
    assert "<mtr>" not in str(mathml(sympy.Le(n, 3)))
    assert "<mtr>" not in str(mathml(long, block=False))
