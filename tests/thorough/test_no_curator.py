"""Studies without a curator: conflicts and proofs that take seconds, least cards by trying all."""

import pytest

import planner
from tests.comparison import test_curator as curator
from tests.mechanisms import test_randomized_response as randomized
from tests.mechanisms.reports import test_worst as worst
from tests.mechanisms.several.test_split_sample import QUESTIONS, study


def test_conflicts_and_edges_exactly() -> None:
    randomized.test_conflicts_and_edges("exact")


@pytest.mark.parametrize(
    ("n", "error", "failure", "mean_range"), worst.CASES[1::3] + worst.CASES[2::3]
)
def test_the_least_card_by_trying_all(n, error, failure, mean_range) -> None:
    worst.test_the_least_card_by_trying_all(n, error, failure, mean_range)


def test_no_survey_exists_with_too_little() -> None:
    least = planner.solve(study(QUESTIONS)).cost
    for conditions in ([planner.Budget(0.9 * least)], [planner.MaxParticipants(700)]):
        answer = planner.solve(study(QUESTIONS, *conditions))
        assert answer.verdict == "infeasible"
        assert answer.proof.checked


def test_trust_of_a_survey() -> None:
    trust = planner.compare(study(QUESTIONS, per_person=1.0)).trust
    assert trust.no_curator.least_cost > trust.curator.least_cost
    assert 0 < trust.breach < 1


def test_no_breach_makes_up_for_a_dearer_curator() -> None:
    # few people and a high price for each: the study without a curator can be no cheaper
    trust = planner.compare(curator.study(planner.LaplaceMean(), per_person=500.0)).trust
    assert trust.money > 0
    assert trust.breach is None or 0 < trust.breach < 1
