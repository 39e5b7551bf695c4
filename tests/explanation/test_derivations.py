"""What SymPy derives is what the planner computes."""

import pytest
import sympy

import planner
from planner.answer import closed_form
from planner.comparison import by_hand, chernoff
from planner.explanation import derivations
from planner.explanation.constraints import symbol
from planner.explanation.mechanisms import formulas
from planner.mechanisms import Mwem, MwemApproximate

T, ALPHA, E, W, B, PHI = map(symbol, ("T", "alpha", "E", "W", "B", "phi"))


def formula(steps: list[derivations.Step], equation: str) -> sympy.Expr:
    (found,) = [step.formula for step in steps if step.equation == f"Hsu14 {equation}"]
    return found


def same(left: sympy.Expr, right: sympy.Expr) -> bool:
    return sympy.simplify(sympy.expand_log(left - right, force=True)) == 0


def test_eqs_6_to_8_are_the_closed_plan() -> None:
    steps = derivations.mean_study()
    n = symbol("N")
    assert formula(steps, "§5.1").args == (symbol("epsilon"), T / 6)
    assert formula(steps, "eq. 6") == sympy.Le(3 * sympy.exp(-n * T**2 / 12), ALPHA)
    assert same(formula(steps, "eq. 7").args[1], closed_form.least_participants(T, ALPHA))
    assert same(formula(steps, "eq. 8").args[1], closed_form.epsilon_ceiling(B, E, T, ALPHA))
    assert formula(steps, "eq. 8").args[0] == T / 6


def test_eqs_9_and_10_are_the_comparison() -> None:
    steps = derivations.non_private_study()
    assert same(formula(steps, "eq. 10").args[1], chernoff.least_participants(T, ALPHA))
    eq_9 = formula(steps, "eq. 9").args[1]
    assert same(eq_9, by_hand.private_epsilon_ceiling(PHI, W, E, T, ALPHA))
    printed = sympy.log(1 + PHI * W * sympy.log(1 / (2 * ALPHA)) / (96 * E * sympy.log(3 / ALPHA)))
    assert same(eq_9, printed)


def test_eqs_11_and_12_are_the_condition() -> None:
    steps = derivations.targeted_publication()
    target = planner.TargetedPublication(0.1, 8000)
    numbers = {symbol("p∗"): sympy.Rational(1, 10), symbol("|X|"): 8000}
    ends = [formula(steps, name).args[1].subs(numbers) for name in ("eq. 11", "eq. 12")]
    ceiling = target.epsilon_ceiling(1, 0.0, None, None)
    assert ceiling == pytest.approx(float(max(ends)))
    assert float(min(ends)) == pytest.approx(0.104, abs=2e-3)  # §7.3 prints ln 1.11


@pytest.mark.parametrize(
    ("steps", "mechanism", "analysis"),
    [
        (derivations.mwem, Mwem, ""),
        (derivations.mwem_approximate, MwemApproximate, "derived"),
    ],
)
def test_mwem_is_inverted_as_the_mechanism_computes(steps, mechanism, analysis) -> None:
    failure = steps()[-1].formula.args[1]
    assert sympy.simplify(failure / formulas(mechanism)[analysis]) == 1


def test_the_printed_inversion_of_section_8_2_is_another() -> None:
    failure = derivations.mwem_approximate()[-1].formula.args[1]
    assert sympy.simplify(failure / formulas(MwemApproximate)["printed"]) != 1


@pytest.mark.slow
def test_each_study_gets_its_own_derivations(mean_study, section_8_2) -> None:
    def equations(study: planner.Study) -> str:
        return " ".join(step.equation for step in derivations.for_study(study))

    assert "eq. 8" in equations(mean_study(1.0))
    assert "eq. 9" not in equations(mean_study(1.0))
    assert "eq. 9" in equations(mean_study(1.0, worst_cost=2.0))
    loose = planner.Accuracy(error=0.5, failure=0.05)
    assert "eq. 9" not in equations(mean_study(1.0, worst_cost=2.0, target=loose))
    assert "§8.2" in equations(section_8_2(planner.Delta(1e-8)))
    assert equations(mean_study(1.0, analysis="hoeffding")) == ""


def test_worked_out_numbers_say_where_they_fail(mean_study) -> None:
    study = mean_study(254.8, worst_cost=1274.0)
    here = [derivations.worked_out(step, study) for step in derivations.mean_study()]
    assert here == [
        "ε ≥ 0.00833333",
        "",
        "N ≥ 19,652.9",
        "0.00833333 ≤ 0.00597308, which does not hold",
    ]
