"""The total ε of several ε-private queries, at a slack δ.

Queries may be adaptive, and each may have a different mechanism.

The total privacy loss as a random walk (Naor "Privacy Loss as a Random Walk").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner import checks
from planner.libraries import np
from planner.numbers import Array
from planner.privacy import bounds
from planner.privacy.queries import (
    Queries,
    Rule,
    allowed_rule,
    allowed_slack,
    counted,
)
from planner.privacy.total_loss import of_equal

LEAST_SLACK = 1e-280
"""Below it `_CUT` of it nears `total_loss.UNDERFLOW`: the optimal rule gives the closed bound."""
_CUT = 2.0**-62  # of the slack, left out at one end: less than its rounding, 2^(−53)
_LEAST_CUT = 1e-304  # doubles have all their digits down to here


@dataclass(frozen=True)
class Composition:
    """The total privacy of several queries.

    Attributes:
        epsilon: the total ε, rounded up.
        slack: the δ at which it holds [0 to under 1].
        rule: the composition rule.
        exact: whether, up to rounding, it is the smallest ε for all mechanisms of these queries.
    """

    epsilon: float
    slack: float
    rule: Rule
    exact: bool


def compose(epsilons: Sequence[float], slack: float = 0.0, rule: Rule = "optimal") -> float:
    """The total ε of queries that are each ε-private, at δ = slack; at most their sum.

    Rules, from simple to tight:
        basic: Σε.
        advanced: √(2·ln(1/slack)·Σε²) + Σε·(e^ε − 1) (Dwork, Rothblum and Vadhan 2010), or Σε.
        closed: KOV15 Theorem 3.5, with tanh(ε/2) in place of e^ε − 1; see `bounds`.
        optimal: the smallest ε, where those of all queries are equal (KOV15 Theorem 3.3); else
            closed. Never above any other rule.

    Args:
        epsilons: ε of each query [≥ 0], read as its shortest decimal.
        slack: δ of the total [0 to under 1]. At 0 all rules are basic; above 0 but under 1e-280
            optimal is closed.
        rule: one of the four.

    Returns:
        The total ε, rounded up: where exact, by at most 1e-12 of it (or of √Σε², if that is more).

    Raises:
        ValueError: an argument is outside its range.
    """
    return composed(epsilons, slack, rule).epsilon


def composed(epsilons: Sequence[float], slack: float = 0.0, rule: Rule = "optimal") -> Composition:
    """`compose`, with its rule and whether it is exact.

    Raises:
        ValueError: an argument is outside its range.
    """
    return of_queries(counted(epsilons), allowed_slack(slack), allowed_rule(rule))


def of_queries(queries: Queries, slack: float, rule: Rule) -> Composition:
    """`composed` for counted queries, without checks."""
    most = bounds.basic(queries)
    exact = slack == 0 or most == 0
    if exact or rule == "basic" or most == math.inf:
        return Composition(most, slack, rule, exact)
    if rule == "advanced":
        return Composition(min(most, bounds.advanced(queries, slack)), slack, rule, exact)
    closed = min(most, bounds.closed(queries, slack))
    if rule == "closed" or slack < LEAST_SLACK:
        return Composition(closed, slack, rule, exact)
    if len(queries) > 1:
        return Composition(closed, slack, rule, False)
    law = of_equal(*queries[0], max(slack * _CUT, _LEAST_CUT))
    return Composition(min(closed, law.least_epsilon(slack)), slack, rule, True)


def loss_walk(epsilon: float, times: int, runs: int, rng: "np.random.Generator") -> Array:
    """Paths of the privacy loss of randomized response, the worst ε-private query.

    Each query adds +ε with probability 1/(1 + e^(−ε)), else −ε: after t queries the mean is
    tε·tanh(ε/2), the variance tε²/cosh²(ε/2). (Naor's figure is without the drift.)

    Args:
        epsilon: ε of each query [> 0].
        times: the queries [whole, ≥ 1].
        runs: the paths [whole, ≥ 1].
        rng: the random generator.

    Returns:
        The losses [ε] before the first query (0) and after each; shape (runs, times + 1).

    Raises:
        ValueError: an argument is outside its range.
    """
    step = checks.positive("epsilon", epsilon)
    shape = (checks.whole("runs", runs, 1), checks.whole("times", times, 1))
    up = rng.random(shape) < 1 / (1 + np.exp(-step))
    steps = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    np.cumsum(np.where(up, 1, -1), axis=1, out=steps[:, 1:])
    return step * steps
