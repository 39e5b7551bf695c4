"""A reader's least expected loss between two bounds that rounding cannot pass.

What is summed here are products of numbers ≥ 0, so that rounding costs each sum no more than one
unit in the last place a term, and a thousand for the powers of α. Minimax optima carry their
bounds; a Bayesian one is computed again from the matrices, by none of the recursions.
"""

from typing import NamedTuple

import numpy as np

from planner.consumers.bayesian import BayesianConsumer
from planner.consumers.geometric import likelihood
from planner.consumers.loss import table
from planner.consumers.minimax import MinimaxConsumer


class LossBracket(NamedTuple):
    """Two ends of the least expected loss [the loss's unit].

    Attributes:
        least: what no ε-private release undercuts.
        most: what the reader loses by the remap or interaction that was found.
    """

    least: float
    most: float


def loss_bracket(consumer: BayesianConsumer | MinimaxConsumer, epsilon: float) -> LossBracket:
    """The bounds at one ε; takes memory O(n²)."""
    found = consumer.optimum(epsilon)
    if isinstance(consumer, MinimaxConsumer):
        return LossBracket(found.least, found.loss)  # type: ignore[union-attr]
    n = consumer.n
    # rows: answers; columns: what they are read as
    costs = (consumer.prior[:, None] * likelihood(n, epsilon)).T @ table(consumer.loss, n)
    slack = (n + 1001) * np.finfo(float).eps
    chosen = costs[np.arange(n + 1), found.remap].sum()  # type: ignore[union-attr]
    return LossBracket(float(costs.min(axis=1).sum() * (1 - slack)), float(chosen * (1 + slack)))
