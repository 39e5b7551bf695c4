"""Fewer people for more money, where only compensation is paid."""

import math

import pytest

import planner
from planner.decisions.fewer_people import trades
from planner.explanation.results.rows import answer_rows

FREE = planner.Study(
    planner.LaplaceMean("hoeffding"),
    planner.Accuracy(0.05, 0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(30_000.0)],
)


def test_each_is_the_smallest_study_within_its_part_of_the_infimum() -> None:
    plan = planner.solve(FREE)
    found = trades(plan)
    assert [trade.over for trade in found] == [None, 0.2, 0.05, 0.01]
    for trade in found:
        most = 30_000.0 if trade.over is None else (1 + trade.over) * plan.least_cost

        def cost(n: int) -> float:
            epsilon = float(FREE.mechanism.epsilon_floor(n, 0.05, 0.05))
            return n * 12.5 * math.expm1(epsilon)

        assert trade.cost == pytest.approx(cost(trade.participants))
        assert trade.cost <= most * (1 + 1e-9)
        assert cost(trade.participants - 1) > most * (1 - 1e-9)
    assert found[-1].participants == plan.participants


def test_it_is_said_where_the_plan_is_and_asked_for_the_cost_of_a_person() -> None:
    plan = planner.solve(FREE)
    rows = [words for name, words in answer_rows(plan) if name == "choice"]
    assert len(rows) == 4
    assert rows[0].endswith("the fewest people")
    assert any("give per_person" in note for note in plan.notes)


@pytest.mark.parametrize("costs", [planner.Costs(5.0), planner.Costs(incentive=1.0)])
def test_there_is_nothing_to_choose_where_people_cost_money(costs: planner.Costs) -> None:
    from dataclasses import replace

    assert not trades(planner.solve(replace(FREE, costs=costs)))
