"""Surveys that nobody can plan: proofs for every split of α, and none against a plan."""

import pytest

import planner
from tests.answer.surveys import ORDINARY, study


@pytest.mark.slow
@pytest.mark.parametrize(("analysis", "questions"), [("hoeffding", ORDINARY)])
def test_none_exists_for_any_split(analysis: str, questions: tuple[object, ...]) -> None:
    answer = planner.solve(study(planner.Budget(6_000.0), questions=questions, analysis=analysis))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


def test_none_exists_where_a_sample_alone_is_too_far_off_for_gaussian_noise() -> None:
    questions = (planner.Share("a", error=0.1), planner.Share("b", error=0.22))
    for people, verdict in ((162, "infeasible"), (175, "feasible")):
        conditions = planner.MaxParticipants(people), planner.Delta(1e-4)
        asked = study(
            *conditions, questions=questions, failure=0.078, noise="gaussian", worst_cost=9.0
        )
        assert planner.solve(asked).verdict == verdict


@pytest.mark.slow
def test_none_exists_where_one_bound_alone_is_too_far_off_among_exact_questions() -> None:
    questions = (planner.Share("a", error=0.18), planner.Mean("b", low=0, high=1, error=0.073))
    for people, verdict in ((90, "infeasible"), (400, "feasible")):
        conditions = planner.MaxParticipants(people), planner.MinParticipants(88)
        asked = study(*conditions, questions=questions, failure=0.055, analysis="exact")
        assert planner.solve(asked).verdict == verdict


@pytest.mark.slow
def test_none_exists_at_any_rate_where_samples_alone_are_too_far_off() -> None:
    asked = study(
        planner.MaxParticipants(14),
        questions=(planner.Share("a", error=0.3, times=2),),
        failure=0.034,
        analysis="exact",
    )
    assert planner.solve(asked).verdict == "infeasible"


@pytest.mark.slow
@pytest.mark.parametrize("money", [3_300, 2_900, 2_500, 2_000, 1_000])
def test_with_less_money_none_exists_either(money: float) -> None:
    """3,651 would do. The multiplier that shows it is far from that of a plan, where one begins."""
    questions = planner.Share("a", error=0.05, times=2), planner.Share("b", error=0.08)
    conditions = [planner.Budget(money), planner.MaxParticipants(2_000)]
    asked = planner.Study(
        planner.AddedNoise(), planner.Survey(questions, failure=0.05), planner.Individual(1.0),
        conditions, planner.Costs(per_person=5.0),
    )  # fmt: skip
    assert planner.solve(asked).verdict == "infeasible"
