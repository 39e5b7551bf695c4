"""Typeset constraints, against the floats that the planner computes with."""

import math

import pytest
import sympy

import planner
from planner.answer.problem.problem import problem_of
from planner.explanation.constraints import constraints, legend, symbol, values
from planner.model import Choice

STUDIES = ("plain", "capped", "delta", "everything")


@pytest.fixture(params=STUDIES)
def study(request, mean_study, section_8_2):
    return {
        "plain": mean_study(12.5),
        "capped": mean_study(12.5, worst_cost=90.0, capped=True, costs=planner.Costs(2.0, 50.0)),
        "delta": section_8_2(planner.DeltaAtMost(1e-6), planner.DeltaTimesNAtMost(0.5)),
        "everything": mean_study(
            12.5,
            planner.MaxHarm(10.0),
            planner.MaxParticipants(1000),
            planner.EpsilonAtMost(0.7),
            planner.EpsilonAtLeastOneOverN(),
            planner.TargetedPublication(0.1, 8000),
            planner.Delta(1e-9),
            worst_cost=12_500.0,
        ),
    }[request.param]


def test_formulas_are_what_is_solved(study) -> None:
    plan = Choice(
        0.31, 1e-9 if study.find(planner.Delta) or study.mechanism.uses_delta else 0.0, 700
    )
    chosen = {symbol("epsilon"): plan.epsilon, symbol("delta"): plan.delta, symbol("N"): 700}
    for condition, constraint in zip(problem_of(study).conditions, constraints(study), strict=True):
        numbers = chosen | values(study)
        numbers |= {symbol(s): getattr(condition, f) for f, s in condition.symbols.items()}
        left, right = (float(side.subs(numbers)) for side in constraint.in_symbols.args)
        assert (left, right) == pytest.approx(
            condition.sides(plan, study.individual, study.costs), rel=1e-12
        )
        # with its numbers put in, a side evaluates to the same
        names = [s for s in constraint.in_numbers.free_symbols if s.name[0].isdigit()]
        written = {s: sympy.Float(s.name.replace(",", "")) for s in names}
        put_in = constraint.in_numbers.args[0].subs(written).subs(chosen)
        assert float(put_in) == pytest.approx(left, rel=1e-12)


def test_every_symbol_is_in_the_legend(study) -> None:
    found = constraints(study)
    used = set().union(*(c.in_symbols.free_symbols for c in found))
    assert used - set(legend(found)) <= {symbol("epsilon"), symbol("delta")}


def test_the_legend_reads_the_table_of_quantities(mean_study) -> None:
    found = legend(
        constraints(mean_study(1.0, planner.MaxHarm(10.0), planner.MaxParticipants(1000)))
    )
    assert found[symbol("B_0")] == "maximum harm per person"
    assert found[symbol("n")] == "maximum number of participants"
    assert found[symbol("E")] == "base cost"


def test_the_split_of_hoeffding_is_named(mean_study) -> None:
    found = constraints(mean_study(1.0, analysis="hoeffding"))
    assert "allotted to sampling" in legend(found)[symbol("s")]


def test_a_relation_that_holds_stays_a_relation(mean_study) -> None:
    (_, cap) = constraints(mean_study(1.0, planner.MaxParticipants(5), budget=None))
    assert isinstance(cap.in_numbers, sympy.Le)
    assert math.isclose(float(cap.in_numbers.args[1].name), 5)
