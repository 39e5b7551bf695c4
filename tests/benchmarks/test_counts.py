"""Speed of the best releases of counts against the linear programs that define them.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array

import planner
from planner.consumers.geometric import likelihood
from planner.consumers.loss import table

N, EPSILON = 200, 0.5


def uniform(n: int) -> planner.consumers.BayesianConsumer:
    return planner.consumers.BayesianConsumer(np.full(n + 1, 1 / (n + 1)))


def bayesian_program(n: int) -> None:
    """All (n + 1)² chances of a mechanism, under the inequalities of privacy."""
    size = n + 1
    cell = np.arange(size * size).reshape(size, size)
    first, second = cell[:-1].ravel(), cell[1:].ravel()
    alpha, rows = np.exp(-EPSILON), np.arange(len(first))
    private = [
        coo_array(
            (np.r_[np.full(len(rows), alpha), -np.ones(len(rows))], (np.r_[rows, rows], cells)),
            shape=(len(rows), size * size),
        )
        for cells in (np.r_[first, second], np.r_[second, first])
    ]
    sums = coo_array((np.ones(size * size), (np.repeat(np.arange(size), size), cell.ravel())))
    from scipy.sparse import vstack

    cost = table("absolute", n).ravel() / size
    assert linprog(
        cost, A_ub=vstack(private), b_ub=np.zeros(2 * len(rows)), A_eq=sums, b_eq=np.ones(size)
    ).success


def minimax_program(n: int) -> None:
    """All (n + 1)² chances of an interaction (Gupte10 §2.4.3)."""
    size = n + 1
    g, loss = likelihood(n, EPSILON), table("absolute", n)
    rows = np.einsum("ir,iq->irq", g, loss).reshape(size, -1)
    sums = coo_array((
        np.ones(size * size), (np.repeat(np.arange(size), size), np.arange(size * size))
    ), shape=(size, size * size + 1))  # fmt: skip
    assert linprog(
        np.append(np.zeros(size * size), 1.0),
        A_ub=np.hstack([rows, -np.ones((size, 1))]),
        b_ub=np.zeros(size),
        A_eq=sums,
        b_eq=np.ones(size),
    ).success


@pytest.mark.benchmark(group="Bayesian optimum, n = 200: at most 1/1000 of the full program")
@pytest.mark.parametrize("what", ["the full program", "one product"])
def test_bayesian(benchmark, what: str) -> None:
    if what == "one product":
        consumer = uniform(N)
        benchmark(consumer.optimum, EPSILON)
    else:
        benchmark.pedantic(bayesian_program, (N,), rounds=1)
