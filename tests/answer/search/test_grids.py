import numpy as np
import pytest

from planner.answer.search.grids import interval


@pytest.mark.parametrize(
    ("first", "last", "high"),
    [(1, 1, 1), (1, 6000, 6000), (3000, 3500, 6000), (40, 10**9, 2**53), (200, 200, 250)],
)
def test_both_ends_of_an_interval_are_found(first: int, last: int, high: int) -> None:
    assert interval(lambda n: (n >= first) & (n <= last), high) == (first, last)


def test_what_lies_between_the_sizes_of_a_grid_is_not_seen() -> None:
    assert interval(lambda n: n == 5003, 10_000) is None
    assert interval(lambda n: np.zeros(n.shape, dtype=bool), 10) is None
