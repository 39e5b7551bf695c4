"""Ranges are read and refused in a sentence; slabs cover the grid once."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner.sweeps.axes import read_axis, slabs, within


def test_ranges_and_lists() -> None:
    name, values = read_axis("budget=1e3:1e5:3:log")
    assert (name, list(values)) == ("budget", pytest.approx([1e3, 1e4, 1e5]))
    assert list(read_axis("base_cost=0:300:4")[1]) == [0, 100, 200, 300]
    assert list(read_axis("error=0.01,0.05")[1]) == [0.01, 0.05]
    assert list(read_axis("max_participants=1:10:4:log")[1]) == [1, 2, 5, 10]
    assert list(read_axis("budget=5:5:1")[1]) == [5]


def test_bad_ranges_are_refused() -> None:
    for text, words in [
        ("budget", "names no values"),
        ("budget=", "names no values"),
        ("budget=1:2", "not a range"),
        ("budget=1:2:3:lin", "not a range"),
        ("budget=a:2:3", "'a' is not a number"),
        ("budget=1,,2", "'' is not a number"),
        ("budget=5:2:3", "give the lower end first"),
        ("budget=5:5:3", "give the lower end first"),
        ("budget=1:2:0", "a whole number of at least 1"),
        ("budget=1:2:1.5", "a whole number of at least 1"),
        ("base_cost=0:2:5:log", "starts above 0"),
        ("bugdet=1:2:3", "did you mean budget?"),
        ("zzz=1:2:3", "give one of base_cost"),
    ]:
        with pytest.raises(ValueError, match=words.replace("?", r"\?")):
            read_axis(text)


def test_bad_axes_are_refused_in_one_sentence(mean_study) -> None:
    for axes, words in [
        ({}, "nothing is swept"),
        ({"budget": []}, "has no values"),
        ({"budget": [2.0, 1.0]}, "are not ascending"),
        ({"budget": [1.0, 1.0]}, "are not ascending"),
        ({"budget": [[1.0]]}, "a list of numbers"),
        ({"budget": "many"}, "a list of numbers"),
        ({"budget": [0.0, 1.0]}, "budget = 0.0 is not allowed; give an amount of money above 0"),
        ({"budget": [1.0, float("nan")]}, "nan is not allowed"),
        ({"error": [0.1, 2.0]}, "error = 2.0 is not allowed; give a fraction of 1"),
        ({"participants": [10, 10.5]}, "10.5 is not allowed; give a whole number"),
        ({"participants": [10], "max_participants": [10]}, "swept twice"),
        ({"bugdet": [1.0]}, "did you mean budget"),
        ({"queries": [1]}, "has no number of queries"),
        ({"base_cost": [1.0, 20_000.0]}, "worst_cost = 12500.0 is below base_cost = 20000.0"),
        ({"budget": [1.0], "minimise": "time"}, "is not an objective"),
        ({"budget": [1.0], "tolerance": 0.0}, "is not above 0"),
    ]:
        with pytest.raises(ValueError, match=words) as refused:
            planner.sweep(mean_study(12.5, worst_cost=12_500.0), **axes)
        assert "\n" not in str(refused.value)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=4), st.integers(1, 30))
def test_slabs_cover_the_grid_once_in_order(sizes: list[int], most: int) -> None:
    axes = {str(k): np.arange(size) for k, size in enumerate(sizes)}
    seen = np.arange(np.prod(sizes)).reshape(sizes)
    parts = [seen[slab.slices].reshape(-1) for slab in slabs(axes, most)]
    assert list(np.concatenate(parts)) == list(range(seen.size))
    assert max(map(len, parts)) <= most
    for slab in slabs(axes, most):
        assert tuple(map(len, within(axes, slab).values())) == slab.counts
