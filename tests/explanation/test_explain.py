"""`planner.explain` from Python, of studies and of answers."""

import json

import pytest

import planner


def study(budget: float) -> planner.Study:
    return planner.Study(
        planner.LaplaceMean(analysis="hoeffding"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5),
        [planner.Budget(budget)],
        title="Clinic",
    )


def test_of_a_study_and_of_its_answer() -> None:
    given = study(30_000.0)
    explanation = planner.explain(given)
    assert explanation.to_dict() == planner.explain(planner.solve(given)).to_dict()
    assert [c.label for c in explanation.constraints] == [
        "a margin of error of 5 percentage points at 95 % confidence",
        "the budget of 30,000",
    ]
    shown = str(explanation)
    assert shown.startswith("Clinic: feasible")
    assert "participant" in shown
    assert json.loads(explanation.to_json())["opendp"]


def test_without_a_plan_it_says_with_which_budget_there_is_one() -> None:
    explanation = planner.explain(study(10.0))
    assert explanation.answer.verdict == "infeasible"
    assert explanation.condition.startswith(", if the budget were 7")
    assert explanation.participant
    assert explanation.to_dict()["opendp"] is None


@pytest.mark.parametrize("noise", ["laplace", "best"])
def test_of_a_survey(noise: str) -> None:
    questions = [planner.Share("a", error=0.1), planner.Share("b", error=0.2, times=2)]
    survey = planner.Study(
        planner.AddedNoise(noise, "hoeffding"),  # type: ignore[arg-type]
        planner.Survey(questions, failure=0.1),
        planner.Individual(1.0),
        [planner.MaxParticipants(5000)],
        planner.Costs(per_person=1.0),
    )
    rows = dict(planner.explain(survey).shown_rows())
    assert rows["f_2"] == "b, a proportion within 20 percentage points, asked 2 times"
    assert str(planner.explain(survey).constraints[0].in_symbols) == "f_1 + 2*f_2 <= alpha"
    assert "Laplace noise" in rows["a"]
