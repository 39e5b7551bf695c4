"""Finite populations as in the quick tests, larger and more often."""

import pytest

from tests.mechanisms.exact import test_population as quick


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_what_is_said_of_ranges_of_sizes_holds_for_each(kind: str) -> None:
    assert quick.holds_for_each_size(kind, [60, 150], 40) > 8


@pytest.mark.parametrize("people", [80, 151])
def test_the_best_size_by_trying_all(people: int) -> None:
    quick.best_size_by_trying_all(people)
