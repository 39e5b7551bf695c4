"""Plans among published ε: each counted once."""

import re

import planner
from planner.audit.literature import table_1
from planner.reports.literature import names, placed


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


def test_every_publication_is_counted_once() -> None:
    for epsilon in (1e-4, 0.1, 0.6931471805599453, 5.0, 100.0):
        words = placed("this plan", epsilon)
        larger, smaller, around = map(int, re.findall(r"(\d+) (?:used|a)\b", words))
        assert larger + smaller + around == len(table_1())
    assert f"{len(table_1())} a smaller one" in placed("study 2", 100.0)
    assert placed("study 2", 100.0).startswith("Study 2, ε = 100:")
