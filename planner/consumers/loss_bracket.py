"""Rigorous bounds on a reader's smallest expected loss.

All sums have nonnegative terms, so that rounding changes each sum by at most one unit in the last
place for each term, and a thousand for the powers of α. Minimax optima carry their bounds; a
Bayesian one is computed again from the matrices, without the recursions.
"""

from typing import NamedTuple

from planner.consumers.bayesian import BayesianConsumer
from planner.consumers.geometric import likelihood
from planner.consumers.loss import table
from planner.consumers.minimax import MinimaxConsumer
from planner.libraries import np


class LossBracket(NamedTuple):
    """A lower and an upper bound of the smallest expected loss [the loss's unit].

    Attributes:
        least: a lower bound for every ε-private release.
        most: the loss with the computed remap or interaction.
    """

    least: float
    most: float


def loss_bracket(consumer: BayesianConsumer | MinimaxConsumer, epsilon: float) -> LossBracket:
    """The bounds at one ε; takes memory O(n²)."""
    optimum = consumer.optimum(epsilon)
    if isinstance(consumer, MinimaxConsumer):
        return LossBracket(optimum.least, optimum.loss)  # type: ignore[union-attr]
    n = consumer.n
    # rows: answers; columns: what they are read as
    costs = (consumer.prior[:, None] * likelihood(n, epsilon)).T @ table(consumer.loss, n)
    slack = (n + 1001) * np.finfo(float).eps
    chosen = costs[np.arange(n + 1), optimum.remap].sum()  # type: ignore[union-attr]
    return LossBracket(float(costs.min(axis=1).sum() * (1 - slack)), float(chosen * (1 + slack)))
