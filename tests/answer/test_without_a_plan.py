"""Answers without a plan can be put into one table with plans."""

import planner
from planner import scenarios

FIELDS = ("epsilon", "delta", "participants", "compensation", "cost", "failure", "least_cost")


def test_the_numbers_of_a_plan_are_none_where_there_is_none() -> None:
    study = planner.read_study(scenarios.WORKED_STUDIES / "mean-education.toml", {"budget": 10})
    answer = planner.solve(study)
    assert answer.verdict == "infeasible"
    assert [getattr(answer, field) for field in FIELDS] == [None] * len(FIELDS)
    undecided = planner.answer.Undecided(study, answer.proof)
    assert [getattr(undecided, field) for field in FIELDS] == [None] * len(FIELDS)
    assert "epsilon" not in answer.to_dict()
