"""Inputs ranked by swing, against solve; and what the figure's axes hold."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import planner
from planner.answer.problem.vary import with_value
from planner.figures import tornado as picture

STUDY = planner.Study(
    mechanism=planner.LaplaceMean("hoeffding"),
    target=planner.Accuracy(0.05, 0.05),
    individual=planner.Individual(12.5, 1274.0),
    conditions=[planner.Budget(17_000.0), planner.MaxParticipants(4000)],
    costs=planner.Costs(5.0, 2000.0),
)
INPUTS = {
    "budget": planner.model.Uniform(13_000.0, 21_000.0),
    "base_cost": planner.model.LogNormal(12.5, 2.0),
    "error": planner.model.Interval(0.04, 0.06),
}


@pytest.mark.slow
def test_ends_are_what_solve_finds() -> None:
    found = planner.decisions.tornado(planner.UncertainStudy(STUDY, INPUTS))
    swings = [bar.swing for bar in found.bars]
    assert swings == sorted(swings, reverse=True)
    assert found.bars[-1].quantity == "budget"
    assert swings[-1] == 0
    for bar in found.bars:
        for end, share in ((bar.easy, 0.05), (bar.hard, 0.95)):
            spread = INPUTS[bar.quantity]
            if bar.quantity == "base_cost":
                assert end.value == pytest.approx(spread.quantile(share))
            one = with_value(STUDY, bar.quantity, end.value)
            assert end.verdict == planner.solve(one).verdict
            rich = with_value(one, "budget", 1e9)
            assert end.least_cost == pytest.approx(planner.solve(rich).least_cost)
    error = next(bar for bar in found.bars if bar.quantity == "error")
    assert (error.easy.value, error.hard.value) == (0.06, 0.04)


def drawn(uncertain):
    axes = Figure().add_subplot()
    picture.draw(axes, planner.decisions.tornado(uncertain))
    return axes, " ".join(text.get_text() for text in axes.texts)


@pytest.mark.slow
def test_bars_run_from_the_median_to_the_ends() -> None:
    uncertain = planner.UncertainStudy(STUDY, INPUTS)
    found = planner.decisions.tornado(uncertain)
    axes, words = drawn(uncertain)
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["base cost", "margin of error", "budget"]
    for row, bar in enumerate(found.bars):
        parts = [p for p in axes.patches if round(p.get_y() + p.get_height() / 2) == row]
        ends = [edge for p in parts for edge in (p.get_x(), p.get_x() + p.get_width())]
        if not bar.swing:
            assert not parts
            continue
        assert min(ends) == pytest.approx(bar.easy.least_cost)
        assert max(ends) == pytest.approx(bar.hard.least_cost)
        over = [p for p in parts if p.get_hatch()]
        assert bar.hard.verdict == "infeasible"
        assert [p.get_x() for p in over] == pytest.approx([17_000])
    assert "budget 17,000" in words
    assert "all inputs at their medians" in words
    assert "0.04\nnot feasible" in words
    lines = [line.get_xdata()[0] for line in axes.lines]
    assert lines == pytest.approx([found.middle, 17_000])


def test_an_end_without_any_study_is_drawn() -> None:
    study = replace(STUDY, conditions=(planner.MaxParticipants(1000),))
    uncertain = planner.UncertainStudy(study, {"error": planner.model.Interval(0.03, 0.06)})
    found = planner.decisions.tornado(uncertain)
    assert found.bars[0].swing == float("inf")
    axes, words = drawn(uncertain)
    assert "0.03\nnot feasible" in words
    assert "budget" not in words
    assert any(p.get_hatch() for p in axes.patches)
