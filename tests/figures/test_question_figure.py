"""What the picture of a survey's questions shows, read back from the axes."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import planner
from planner.figures import questions
from planner.wording import at_most


def drawn(plan: planner.answer.Plan, panel: bool = False):
    axes = Figure().add_subplot()
    questions.draw(axes, plan, panel)
    return axes


def words(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def alike(plan: planner.answer.Plan, count: int) -> planner.answer.Plan:
    """The plan with as many questions, the later ones smaller."""
    one, whole = plan.questions[0], sum(range(1, count + 1))
    shares = [(count - at) / whole for at in range(count)]
    return replace(
        plan,
        questions=tuple(
            replace(one, name=f"question {at} " + "x" * 60, share=share)
            for at, share in enumerate(shares)
        ),
    )


def test_each_question_has_a_bar_as_long_as_its_share(survey) -> None:
    axes = drawn(survey)
    shares = sorted((question.share for question in survey.questions), reverse=True)
    assert [bar.get_width() for bar in axes.patches] == shares
    assert sum(shares) == pytest.approx(1)
    epsilons = {q.name: q.times * q.epsilon for q in survey.questions}
    largest = max(epsilons, key=epsilons.__getitem__)
    assert largest in words(axes)[0]
    assert epsilons[largest] / survey.epsilon == pytest.approx(shares[0], rel=1e-6)


def test_a_question_s_label_says_how_often_it_is_asked_its_noise_and_its_error(survey) -> None:
    said = " | ".join(words(drawn(survey)))
    assert "12 × visits: ε = " in said
    assert " each, error 10 |" in said
    assert "smokes: ε = " in said
    assert f"{100 * survey.questions[1].share:.1f} %" in said


def test_gaussian_noise_is_given_by_its_standard_deviation(survey) -> None:
    gaussian = tuple(
        replace(q, noise="gaussian", epsilon=None, scale=0.00421) for q in survey.questions
    )
    assert "smokes: σ = 0.00421, error 0.03" in words(drawn(replace(survey, questions=gaussian)))


def test_the_smallest_of_many_questions_are_one_bar(survey) -> None:
    axes = drawn(alike(survey, 100))
    assert len(axes.patches) == 16
    assert words(axes)[-2] == "and 85 more"
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(1)
    assert axes.patches[-1].get_hatch()
    assert not axes.patches[0].get_hatch()
    assert len(drawn(alike(survey, 16)).patches) == 16
    assert "more" not in " ".join(words(drawn(alike(survey, 16))))


def test_long_names_are_cut_and_sooner_in_a_panel(survey) -> None:
    wide, narrow = (words(drawn(alike(survey, 2), panel))[0] for panel in (False, True))
    assert len(narrow) < len(wide) < 90
    assert "x…: ε" in narrow


def test_the_picture_grows_with_the_questions_up_to_a_size(survey) -> None:
    heights = [questions.height(alike(survey, count)) for count in (1, 5, 16, 17, 100)]
    assert heights[0] < heights[1] < heights[2] == heights[3] == heights[4]


def test_names_and_titles_are_not_read_as_formulas(survey) -> None:
    named = replace(survey.questions[0], name="$x_1$")
    axes = drawn(replace(survey, questions=(named,)))
    assert words(axes)[0].startswith(r"\$x_1\$")


@pytest.mark.slow
def test_those_who_answer_have_the_error_of_their_answer_and_the_loss_of_both_numbers() -> None:
    mean = planner.Mean(name="m", error=9, low=0, high=60, missing="own", answer_rate=0.8)
    of = planner.Study(
        target=planner.Survey([mean, planner.Share("s", error=0.2)], failure=0.1),
        conditions=[planner.EpsilonAtMost(2.0)],
    )
    plan = planner.solve(of, prove=False)
    said = " | ".join(words(drawn(plan)))
    assert f"m: ε = {at_most(2 * plan.questions[0].epsilon, 3)}, error 9 |" in said
    assert "2 × m" not in said
