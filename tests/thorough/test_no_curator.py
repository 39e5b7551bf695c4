"""Studies without a curator: conflicts by the exact analysis, least cards by trying all."""

import pytest

from tests.mechanisms import test_randomized_response as randomized
from tests.mechanisms.reports import test_worst as worst


def test_conflicts_and_edges_exactly() -> None:
    randomized.test_conflicts_and_edges("exact")


@pytest.mark.parametrize(
    ("n", "error", "failure", "mean_range"), worst.CASES[1::3] + worst.CASES[2::3]
)
def test_the_least_card_by_trying_all(n, error, failure, mean_range) -> None:
    worst.test_the_least_card_by_trying_all(n, error, failure, mean_range)
