"""What the region figure draws, read back from the axes."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import planner
from planner.answer.problem import curves
from planner.answer.problem.problem import problem_of
from planner.figures import region, save


def drawn(study):
    answer = planner.solve(study)
    axes = Figure(layout="constrained").add_subplot()
    region.draw(axes, answer)
    return answer, axes


def texts(axes) -> str:
    return " ".join(" ".join(text.get_text().split()) for text in axes.texts)


def test_a_feasible_study_shows_region_plan_and_labels(mean_study) -> None:
    answer, axes = drawn(mean_study(12.5, planner.EpsilonAtMost(0.5)))
    (marker,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert (marker.get_xdata()[0], marker.get_ydata()[0]) == (answer.participants, answer.epsilon)
    words = texts(axes)
    for label in ("the budget of 30,000", "ε of at most 0.5", "a margin of error of 5", "plan: ε"):
        assert label in words
    assert "feasible" in axes.get_title(loc="left")


def test_an_infeasible_study_shows_that_areas_do_not_meet(mean_study) -> None:
    _, axes = drawn(mean_study(12.5, planner.MaxHarm(0.02), planner.MaxParticipants(30_000)))
    assert "no study: " in texts(axes)
    assert "a margin of error of 5" in texts(axes)
    assert "at most 30,000 people" in texts(axes)


def test_curves_are_the_floors_and_ceilings(mean_study) -> None:
    study = mean_study(12.5, planner.MaxHarm(0.5))
    regions = problem_of(study).regions(0.0)
    n = np.geomspace(18_000, 1e6, 50)
    (floor,) = curves.floor_curves(regions, n)
    assert floor.epsilon == pytest.approx([regions[0].floor(float(x)) for x in n], rel=1e-12)
    lowest = np.min([curve.epsilon for curve in curves.ceiling_curves(regions, n)], axis=0)
    assert lowest == pytest.approx([regions[0].ceiling(float(x)) for x in n], rel=1e-12)


def test_a_cap_on_compensation_lifts_the_ceiling_only_where_it_can_be_paid(mean_study) -> None:
    study = mean_study(12.5, worst_cost=1274.0, capped=True)
    n = np.array([10.0, 23.0, 24.0, 1000.0])  # 30,000 pays 1,274 to 23 people
    (budget,) = curves.ceiling_curves(problem_of(study).regions(0.0), n)
    assert list(budget.epsilon[:2]) == [np.inf, np.inf]
    assert budget.epsilon[2:] == pytest.approx(np.log1p(30_000 / n[2:] / 12.5))


@pytest.mark.slow
def test_every_kind_of_study_can_be_drawn(mean_study, section_8_2) -> None:
    for study in (
        mean_study(0.0),
        mean_study(1.0, budget=None),
        mean_study(1.0, planner.MaxParticipants(1)),
        mean_study(1.0, budget=1e-6),
        mean_study(500.0, worst_cost=600.0, capped=True),
        mean_study(12.5, analysis="hoeffding", costs=planner.Costs(5.0, 50.0)),
        mean_study(1.0, costs=planner.Costs(overhead=40_000.0)),
        section_8_2(planner.Delta(1e-8), constant="printed"),
        section_8_2(),
    ):
        figure = Figure()
        region.draw(figure.add_subplot(), planner.solve(study))
        figure.draw_without_rendering()


@pytest.mark.slow
@pytest.mark.parametrize("harm", [None, 10.0])
@pytest.mark.parametrize("budget", [25_000.0, 30_000.0])
@pytest.mark.parametrize("most", [1500, 4000])
def test_names_in_a_small_picture_touch_nothing_else(mean_study, harm, budget, most) -> None:
    conditions = (planner.MaxParticipants(most), *((planner.MaxHarm(harm),) if harm else ()))
    costs = planner.Costs(per_person=5.0, overhead=2000.0)
    study = mean_study(12.5, *conditions, analysis="hoeffding", costs=costs, budget=budget)
    figure = Figure(figsize=(4.2, 3.9))
    axes = figure.add_axes((0.19, 0.13, 0.78, 0.82))
    region.draw(axes, planner.solve(study), panel=True)
    figure.draw_without_rendering()
    boxes = {
        words.get_text().split(":")[0]: Text.get_window_extent(words, figure._get_renderer())
        for words in axes.texts
    }
    names = {"accuracy", "budget", *(["harm per person"] if harm else [])}
    assert {*boxes} == {"plan", f"at most\n{most:,} people", *names}
    for name in names:
        assert not any(boxes[name].overlaps(box) for other, box in boxes.items() if other != name)
        for line in axes.lines:
            path = line.get_path().transformed(line.get_transform())
            assert not path.intersects_bbox(boxes[name], filled=False), (name, line)


def test_a_failed_drawing_leaves_no_file(tmp_path) -> None:
    def fail(figure) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        save.save(fail, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_infeasible_survey_by_the_best_noise_is_drawn_by_the_first(survey) -> None:
    study = replace(
        survey.study,
        mechanism=planner.AddedNoise("best", "hoeffding"),
        conditions=(planner.MaxParticipants(100),),
    )
    answer, axes = drawn(study)
    assert answer.verdict == "infeasible"
    assert "no study: " in texts(axes)
