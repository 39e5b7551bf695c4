"""Sweeps as datasets: names, units, and the same by Dask."""

import sys

import numpy as np
import pytest
import xarray as xr

import planner

BUDGETS = np.geomspace(1e3, 1e5, 6)


def test_a_dataset_says_what_it_holds(mean_study) -> None:
    study = mean_study(12.5)
    found = planner.sweep(study, budget=BUDGETS, base_cost=[1.0, 250.0], max_participants=[30_000])
    assert dict(found.sizes) == {"budget": 6, "base_cost": 2, "max_participants": 1}
    assert found.verdict.dtype == np.int8
    assert list(found.verdict.flag_values) == [1, 0, -1]
    assert found.verdict.flag_meanings == "feasible infeasible undecided"
    for name in (*found.data_vars, *found.coords):
        assert found[name].attrs["long_name"]
        assert found[name].attrs["units"]
    assert (np.isnan(found.cost) == (found.verdict != 1)).all()
    capped = planner.Study(
        study.mechanism, study.target, planner.Individual(250.0),
        (planner.Budget(1e5), planner.MaxParticipants(30_000)),
    )  # fmt: skip
    point = found.sel(budget=1e5, base_cost=250.0, max_participants=30_000)
    answer = planner.solve(capped)
    assert (point.participants, point.epsilon) == (answer.participants, answer.epsilon)


def test_money_has_the_study_s_currency(mean_study) -> None:
    from dataclasses import replace

    found = planner.sweep(replace(mean_study(1.0), currency="EUR"), budget=BUDGETS)
    assert found.cost.units == found.budget.units == "EUR"


def test_dask_arrays_give_the_same_lazily(mean_study) -> None:
    da = pytest.importorskip("dask.array")
    base_costs = np.linspace(0.0, 300.0, 5)
    plain = planner.sweep(mean_study(1.0), budget=BUDGETS, base_cost=base_costs)
    lazy = planner.sweep(
        mean_study(1.0), budget=da.from_array(BUDGETS, chunks=4), base_cost=base_costs
    )
    assert lazy.cost.chunks == ((4, 2), (5,))
    xr.testing.assert_identical(lazy.compute(scheduler="synchronous"), plain)


def test_a_missing_library_is_named(mean_study, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ValueError, match=r"pip install -e '\.\[sweep\]'"):
        planner.sweep(mean_study(1.0), budget=BUDGETS)


def test_other_objectives(mean_study) -> None:
    found = planner.sweep(mean_study(12.5), "participants", budget=[30_000.0])
    assert found.participants.item() == planner.solve(mean_study(12.5), "participants").participants
    assert found.minimise == "participants"


def test_a_dimension_is_read_as_an_axis_again() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_000), planner.MaxParticipants(4000)],
    )
    found = planner.sweep(study, epsilon=[0.1, 0.2], harm=[5.0], delta=[0.0], participants=[4000])
    assert set(found.dims) == {"epsilon_at_most", "max_harm", "fixed_delta", "max_participants"}
    again = planner.sweep(study, **{str(name): found[name].values for name in found.dims})
    assert again.equals(found)
    # files of earlier versions
    assert planner.sweep(study, max_epsilon=[0.1]).sizes == {"epsilon_at_most": 1}


def test_errors_in_the_unit_of_values_are_not_swept() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy.of_values(2.0, 18.0, 65.0, 0.05),
        planner.Individual(12.5),
        [planner.Budget(30_000)],
    )
    with pytest.raises(ValueError, match="give it as a fraction of the range"):
        planner.sweep(study, error=[0.02])
