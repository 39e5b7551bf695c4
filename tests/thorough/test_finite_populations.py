"""Finite populations as in the quick tests, larger."""

import pytest

from tests.mechanisms import test_population as quick


@pytest.mark.parametrize("people", [80, 151])
def test_the_best_size_by_trying_all(people: int) -> None:
    quick.best_size_by_trying_all(people)
