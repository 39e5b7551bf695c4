"""Readers of larger counts, and more of them, than the quick tests ask."""

import pytest

from tests.consumers import test_bayesian as readers


@pytest.mark.parametrize("prior", readers.PRIORS)
@pytest.mark.parametrize("loss", [*readers.LOSSES[:4], readers.LOPSIDED], ids=str)
@pytest.mark.parametrize(("n", "epsilon"), [(4, 1.0), (8, 0.8)])
def test_no_private_release_does_better(prior: str, loss, n: int, epsilon: float) -> None:
    readers.test_no_private_release_does_better(prior, loss, n, epsilon)


@pytest.mark.parametrize("prior", readers.PRIORS)
@pytest.mark.parametrize("loss", [*readers.LOSSES, readers.LOPSIDED], ids=str)
def test_the_recursions_are_the_matrices(prior: str, loss) -> None:
    readers.test_the_recursions_are_the_matrices(prior, loss, 150)
