"""Plans among published ε: each counted once."""

import re

import planner
from planner.audit.literature import deployments, names, placed


def test_plans_of_one_epsilon_share_a_name(mean_study) -> None:
    same, other = planner.solve(mean_study(12.5)), planner.solve(mean_study(200.0))
    no = planner.solve(mean_study(254.8))
    assert names([same]) == {"this plan": same.epsilon}
    assert names([no]) == {}
    other_name = names(
        [no, same, same, planner.solve(mean_study(12.5, planner.MaxParticipants(20_000)))]
    )
    assert other_name["studies 2 and 3"] == same.epsilon
    assert set(other_name) == {"studies 2 and 3", "study 4"}
    assert names([same, other]) == {"studies 1 and 2": same.epsilon}


def test_the_deployments_with_a_larger_epsilon_are_counted() -> None:
    table = deployments()
    assert len(table) > 3
    for epsilon in (1e-4, 4.0, 5.0, 100.0):
        larger, among = map(int, re.findall(r"(\d+) (?:of|dep)", placed("this plan", epsilon)))
        assert larger == sum(one.epsilon > epsilon for one in table)
        assert among == len(table)
    assert placed("study 2", 100.0).startswith("Study 2, ε = 100: 0 of")
