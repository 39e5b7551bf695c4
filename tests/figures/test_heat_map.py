"""What a heat map draws, read back from the axes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import planner
from planner.figures import heat_map


def words(axes) -> str:
    return " ".join(text.get_text() for text in axes.texts)


def test_colours_are_costs_and_the_edge_is_where_the_verdict_turns(mean_study) -> None:
    costs = np.geomspace(1.0, 1000.0, 40)
    found = planner.sweep(mean_study(1.0), base_cost=costs, budget=[30_000.0, 60_000.0])
    axes = Figure().add_subplot()
    heat_map.draw(axes, found)
    mesh, levels, edge = axes.collections
    shown = np.ma.masked_invalid(mesh.get_array())
    assert shown.filled(np.nan) == pytest.approx(found.cost.transpose().values, nan_ok=True)
    last = [costs[found.verdict.sel(budget=b) == 1].max() for b in (30_000.0, 60_000.0)]
    crossed = edge.get_paths()[0].vertices[:, 0]
    assert last[0] < crossed.min() < crossed.max() < costs[-1]
    assert "no study" in words(axes)
    assert set(levels.levels) == {1_000, 10_000}
    for level in ("1,000", "10,000"):  # its value stands on a line where it is the cost
        (note,) = [text for text in axes.texts if text.get_text() == level]
        at, budget = note.xy
        column = np.interp(at, costs, found.cost.sel(budget=30_000.0).values)
        assert column == pytest.approx(float(level.replace(",", "")), rel=0.05), budget


def test_other_quantities_stand_in_the_title(mean_study) -> None:
    found = planner.sweep(
        mean_study(1.0), base_cost=[1.0, 2.0], budget=[3e4, 6e4], failure=[0.01, 0.05]
    )
    axes = Figure().add_subplot()
    heat_map.draw(axes, found, "base_cost", "failure", colour="epsilon")
    assert "at budget = 30,000" in axes.get_title(loc="left")
    assert "no study" not in words(axes)


def test_a_sweep_without_any_study_and_one_of_a_line(mean_study) -> None:
    none = planner.sweep(mean_study(1.0), base_cost=[1.0, 2.0], budget=[1e-3, 1e-2])
    axes = Figure().add_subplot()
    heat_map.draw(axes, none)
    assert "no study" in words(axes)
    line = planner.sweep(mean_study(1.0), base_cost=[1.0, 2.0], budget=[1e4])
    with pytest.raises(ValueError, match="two quantities"):
        heat_map.draw(axes, line)


@pytest.mark.slow
def test_people_are_coloured_where_nothing_costs_money() -> None:
    study = planner.Study(
        target=planner.Accuracy(error=0.05, failure=0.05), conditions=[planner.EpsilonAtMost(1.0)]
    )
    swept = planner.sweep(study, epsilon_at_most=[0.1, 0.3, 1.0], error=[0.03, 0.04, 0.06])
    axes = Figure().add_subplot()
    heat_map.draw(axes, swept)
    assert axes.get_title("left").endswith("participants of the plan")
    assert "500 people" in words(axes)
