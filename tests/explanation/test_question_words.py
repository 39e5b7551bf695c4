"""What each question of a survey gets, in words."""

import re
from dataclasses import replace

import pytest

import planner
from planner.explanation.participant import meaning
from planner.explanation.question import question
from planner.explanation.questions import caption, columns, description, question_rows, table


def asked(
    plan: planner.answer.Plan, *questions: planner.Share, failure: float | None = 0.05
) -> str:
    """The first sentences of the study with other questions."""
    return question(replace(plan.study, target=planner.Survey(questions, failure)))[0]


def test_the_questions_are_listed_with_their_accuracy(survey) -> None:
    said = question(survey.study)[0]
    assert said.startswith("A survey is to publish the answers to 14 questions: smokes (a prop")
    assert "age group (8 proportions, each within 5 percentage points) and visits (the mean" in said
    assert said.endswith("at 95 % confidence for all of them jointly.")


def test_a_failure_of_its_own_stands_with_each_question(survey) -> None:
    said = asked(
        survey,
        planner.Share("smokes", error=0.03, failure=0.01),
        planner.Share("drinks", error=0.03, failure=0.02),
        failure=None,
    )
    assert "3 percentage points at 99 % confidence)" in said
    assert "jointly" not in said


def test_a_single_question_is_not_several(survey) -> None:
    said = asked(survey, planner.Share("smokes", error=0.03))
    assert said == (
        "A survey is to publish the answer to a question: smokes (a proportion within 3 "
        "percentage points). This accuracy must hold at 95 % confidence."
    )


def test_a_long_list_is_cut(survey) -> None:
    many = [planner.Share(f"question {at}", error=0.03, times=2) for at in range(100)]
    said = asked(survey, *many)
    assert "answers to 200 questions" in said
    assert (
        "question 14 (a proportion within 3 percentage points, asked 2 times) and 170 more." in said
    )
    assert "question 15" not in said
    assert "more" not in asked(survey, *many[:16])


def test_a_row_has_a_cell_for_each_column(survey) -> None:
    rows = [dict(zip(columns(survey), cells, strict=True)) for cells in table(survey)]
    smokes, _, visits = rows
    assert smokes["question"] == "smokes"
    assert (smokes["asked"], visits["asked"]) == ("once", "12 times")
    assert (smokes["error"], visits["error"]) == ("± 3 percentage points", "± 10")
    assert smokes["confidence"].endswith(" %")
    assert smokes["noise"].startswith("Laplace noise of scale 0.00")
    assert float(smokes["ε"]) == survey.questions[0].epsilon
    assert (
        sum(float(row["proportion of the privacy loss"].removesuffix(" %")) for row in rows) > 99.7
    )


@pytest.mark.slow
def test_those_who_answer_have_the_margin_and_the_confidence_of_their_answer() -> None:
    """A mean is two numbers that fail apart: its confidence is that of both together."""
    own = {"missing": "own", "answer_rate": 0.8}
    of = planner.Study(
        target=planner.Survey(
            [
                planner.Share("s", error=0.2, **own),
                planner.Mean(name="m", error=9, low=0, high=60, **own),
            ],
            failure=0.1,
        ),
        conditions=[planner.EpsilonAtMost(2.0)],
    )
    plan = planner.solve(of, prove=False)
    words = dict(question_rows(plan))
    assert "± 20 percentage points of those who answer, if 80 % do, at" in words["s"]
    assert "± 9 of those who answer, if 80 % do, at" in words["m"]
    missed = [1 - float(row[3].removesuffix(" %")) / 100 for row in table(plan)]
    share, mean = plan.questions
    assert missed[0] == pytest.approx(share.failure, rel=1e-2)
    assert missed[1] == pytest.approx(2 * mean.failure, rel=1e-2)
    assert sum(missed) == pytest.approx(0.1, rel=1e-2)


def test_the_caption_speaks_of_repeated_questions_only_where_there_are_some(survey) -> None:
    assert "asked several times" in " ".join(caption(survey))
    once = replace(survey, questions=survey.questions[:2])
    assert "asked several times" not in " ".join(caption(once))
    assert "visits" in description(survey)
    assert "visits" not in description(once)


def test_a_participant_is_told_that_the_answers_count_together(survey, mean_study) -> None:
    assert "published answers together, whoever reads them" in " ".join(meaning(survey))
    plan = planner.solve(mean_study(12.5))
    assert "published answer, whoever reads it" in " ".join(meaning(plan))


@pytest.mark.slow
def test_a_mean_of_those_who_answer_has_an_epsilon_for_each_of_two_numbers() -> None:
    """So that what is printed adds up to the ε of all."""
    share = planner.Share("smokes", error=0.06)
    own = planner.Mean(name="score", low=0, high=10, error=0.8, missing="own", answer_rate=0.8)
    plan = planner.solve(
        planner.Study(
            target=planner.Survey([share, own], failure=0.05),
            conditions=[planner.EpsilonAtMost(2.0)],
        ),
        prove=False,
    )
    first, second = (words for name, words in question_rows(plan) if name in ("smokes", "score"))
    of_each = float(re.findall(r"ε = ([\d.]+)", second)[0])
    assert "two numbers of all people, for each: ε = " in second
    assert float(re.findall(r"ε = ([\d.]+)", first)[0]) + 2 * of_each <= plan.epsilon
    assert f"{100 * 2 * of_each / plan.epsilon:.1f} %" in second
