"""Every figure can be drawn; what it shows is read back from its axes."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import planner
from planner.audit.literature import table_1
from planner.cli import run
from planner.figures import (
    constraints,
    exposure,
    gallery,
    laplace,
    literature,
    save,
    slices,
    studies,
)
from planner.figures.curves import Box


def words(axes) -> str:
    return " ".join(" ".join(text.get_text().split()) for text in axes.texts)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> tuple[set[str], dict[str, Figure], str]:
    """All figures, drawn once: the files' names, the figures, and what is said."""
    folder, drawn, said = tmp_path_factory.mktemp("figures") / "new" / "folder", {}, io.StringIO()
    real = save._write

    def remembered(figure: Figure, path: Path, replace: bool) -> None:
        drawn[path.stem] = figure
        if path.suffix == ".svg" or len(drawn) == 1:  # each PNG is laid out again, which is slow
            real(figure, path, replace)
        else:
            path.touch()

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
        patch.setattr(save, "_write", remembered)
        assert run(["figures", str(folder)]) == 0
    return {path.name for path in folder.iterdir()}, drawn, said.getvalue()


def test_all_are_written_as_svg_and_png(written) -> None:
    names, _, said = written
    assert names == {f"{e.name}{suffix}" for e in gallery.GALLERY for suffix in (".svg", ".png")}
    assert "in" in said


@pytest.mark.parametrize("arguments", [["a", "b"], ["--colour"], [__file__]])
def test_a_bad_folder_is_refused(arguments, capsys) -> None:
    assert run(["figures", *arguments]) == 64
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_four_scenarios_share_their_axes(written) -> None:
    figure = written[1]["four-scenarios"]
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    verdicts = [title.rpartition(" ")[2] for title in titles]
    assert verdicts == ["infeasible", "feasible", "feasible", "feasible"]
    assert len({axes.get_xlim() + axes.get_ylim() for axes in figure.axes}) == 1
    assert "accuracy needs at least 1.7 % more ε than is allowed" in words(figure.axes[0])
    for axes in figure.axes[1:]:
        assert "plan: N = 35,509" in words(axes)
        assert "budget" in words(axes)


def test_the_exact_regions_lie_over_the_paper_s(written) -> None:
    figure = written[1]["exact-over-paper"]
    (axes,) = figure.axes
    assert axes.get_title(loc="left").endswith(", exactly: feasible")
    exact, _, bound = (line.get_ydata() for line in axes.lines if len(line.get_xdata()) > 9)
    n = axes.lines[0].get_xdata()
    assert (exact <= bound * (1 + 1e-9)).all()
    assert exact[n > 391][0] < 5 <= exact[n < 387][-1]
    assert "accuracy by the paper's bound" in words(axes)


def test_an_ordinary_survey_s_questions_share_all_of_epsilon(written) -> None:
    (axes,) = written[1]["questions-of-a-survey"].axes
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(1)
    assert "12 × yes/no questions: ε = " in words(axes)


def test_figure_1_shows_densities_within_e_to_the_epsilon() -> None:
    axes = Figure().add_subplot()
    laplace.draw(axes, epsilon=1.0)
    here, there = (line.get_ydata() for line in axes.lines)
    assert np.exp(np.abs(np.log(here / there)).max()) == pytest.approx(np.e)
    x = axes.lines[0].get_xdata()
    assert np.trapezoid(here, x) == pytest.approx(1, abs=0.05)  # the tails are cut


def test_figure_3_orders_its_levels(mean_study) -> None:
    axes = Figure().add_subplot()
    loose = planner.Accuracy(error=0.05, failure=0.1)
    studies = [mean_study(1.0, budget=100.0), mean_study(1.0, budget=200.0, target=loose)]
    constraints.draw_levels(axes, studies, Box(1e4, 1e6, 1e-5, 5.0))
    accuracy, budget, loose_accuracy, larger_budget = (line.get_ydata() for line in axes.lines)
    assert (accuracy >= loose_accuracy).all()
    assert (budget <= larger_budget).all()
    assert "α = 0.1" in words(axes)
    assert "B = 200" in words(axes)


def test_slices_are_floors_and_ceilings_at_each_delta(section_8_2) -> None:
    axes = Figure().add_subplot()
    study = section_8_2(planner.Delta(1e-9))
    slices.draw(axes, study, [1e-8, 1e-6], Box(1e5, 1e9, 1e-3, 50.0))
    floor, ceiling, floor_2, ceiling_2 = (line.get_ydata() for line in axes.lines)
    n = axes.lines[0].get_xdata()
    assert floor[300] == pytest.approx(study.mechanism.epsilon_floor(n[300], 0.05, 0.05, 1e-8))
    assert (floor >= floor_2).all()
    assert (ceiling >= ceiling_2).all()
    assert "δ = 1e-06" in words(axes)


def test_costs_cross_at_the_break_even(mean_study) -> None:
    found = planner.compare(mean_study(12.5, worst_cost=12_500.0))
    axes = Figure().add_subplot()
    exposure.draw(axes, found)
    low, high, private, marked, _ = axes.lines
    least, most = marked.get_xdata()
    assert (least, most) == found.break_even_exposure
    for curve, phi in ((low, most), (high, least)):
        x, y = np.log(curve.get_xdata()), np.log(curve.get_ydata())
        assert np.exp(np.interp(np.log(phi), x, y)) == pytest.approx(
            private.get_ydata()[0], rel=0.02
        )
    assert "break-even 0.016 to 0.11 %" in words(axes)


def test_a_comparison_without_a_private_study_can_be_drawn(mean_study) -> None:
    study = mean_study(12.5, planner.MaxParticipants(10), worst_cost=12_500.0)
    axes = Figure().add_subplot()
    exposure.draw(axes, planner.compare(study))
    assert "private" not in words(axes).replace("not private", "")


def test_table_1_is_drawn_whole() -> None:
    axes = Figure().add_subplot()
    literature.draw(axes, table_1(), {"a plan": 0.0034})
    assert len(axes.get_yticklabels()) == 19
    ends = [line.get_xdata() for line in axes.lines if line.get_marker() == "o"]
    assert sorted(max(x) for x in ends) == sorted(p.highest for p in table_1())
    assert "a plan: 0.0034" in words(axes)


def test_sharper_harms_stay_under_the_paper_and_the_harm(written) -> None:
    figure = written[1]["sharper-harms"]
    assert len(figure.axes) == 4
    for axes, study in zip(figure.axes, studies.four_studies(), strict=True):
        event = study.individual.event
        harm, paper, events, laplace_noise, gaussian = (line.get_ydata() for line in axes.lines)
        epsilon = axes.lines[1].get_xdata()
        assert harm[0] == pytest.approx(event.cost * (1 - event.probability))
        assert paper == pytest.approx(np.expm1(epsilon) * study.individual.base_cost)
        assert (events <= np.minimum(paper, harm[0]) * (1 + 1e-9)).all()
        assert (laplace_noise <= events * (1 + 1e-9)).all()
        assert (gaussian <= events + 1e-6 * event.cost * (1 + 1e-6)).all()
        assert events[-1] == pytest.approx(harm[0])
        assert paper[-1] > 10 * harm[0]
        assert "the harm itself" in words(axes)
