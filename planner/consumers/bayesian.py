"""The Bayesian reader of a count and its optimal release (Ghosh09 Theorem 3.1).

The geometric mechanism is an optimal ε-private release for such a reader, if the reader remaps each
answer r to the value of smallest expected loss under the posterior w_r(i) ∝ p(i)·α^|i − r|, α =
e^(−ε). Everything is computed by recursions over the counts, in memory O(n): `readings` computes
the remap, `reading_costs` its loss.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.consumers import geometric, reading_costs, readings
from planner.consumers.loss import Loss, OffBy, by_distance, table
from planner.libraries import np
from planner.numbers import Array

_LARGEST_MATRIX = 2000  # 2,001² doubles take 32 MB


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimal remap of the answers of G(n, α).

    Attributes:
        epsilon: ε [> 0].
        loss: the expected loss [counts, or the loss's own unit] after the remap; no ε-private
            release of the count has less. Its relative rounding error is about 10^−14. For `OffBy`
            and "zero-one" readings are compared to about 10^−15·(1 + εn) only, so a loss as small
            as that is the loss of `remap` but perhaps not the smallest; one that underflows is 0.
        remap: the value to which each answer 0, …, n is mapped [whole people], shape (n + 1,).
            Among equal ones the one nearest the answer, then the lowest.
    """

    epsilon: float
    loss: float
    remap: Array

    def mechanism(self) -> Array:
        """The probability of each reading (column) at each count (row), shape (n + 1, n + 1).

        Raises:
            ValueError: n is over 2,000.
        """
        n = len(self.remap) - 1
        if n > _LARGEST_MATRIX:
            raise ValueError(
                f"n = {n} is too large for a matrix; give a prior of at most "
                f"{_LARGEST_MATRIX + 1} counts, or use remap"
            )
        chances = np.zeros((n + 1, n + 1))
        np.add.at(chances.T, self.remap, geometric.likelihood(n, self.epsilon).T)
        return chances


@dataclass(frozen=True, eq=False)
class BayesianConsumer:
    """A reader of a count with a prior and a loss (Ghosh09 §2.2).

    Attributes:
        prior: the probability of each count 0, …, n [at least 0; sums to 1 within 10^−9, and is
            then scaled to 1]; n ≥ 1.
        loss: a named loss or a table, see `loss.Loss`. A table takes time O(n³): a few thousand
            counts.

    Raises:
        ValueError: the prior is not a distribution, or the loss is not allowed by `loss.table`.
    """

    prior: Any
    loss: Loss = "absolute"

    def __post_init__(self) -> None:
        prior = _distribution(self.prior)
        object.__setattr__(self, "prior", prior)
        if by_distance(self.loss, 1) is None:
            object.__setattr__(self, "loss", table(self.loss, self.n))

    @property
    def n(self) -> int:
        return len(self.prior) - 1

    def optimum(self, epsilon: float | Fraction) -> Optimum:
        """The smallest expected loss at ε, and its remap.

        Args:
            epsilon: ε [> 0].

        Raises:
            ValueError: ε is not above 0 and finite.
        """
        e = float(geometric.allowed_epsilon(epsilon))
        remap, costs = self._read(min(e, 1e3))  # for ε above about 745 α underflows to 0
        # the factor c of `geometric.chances`: 1/(1 + α) at the ends, else (1 − α)/(1 + α)
        factors = np.full(self.n + 1, math.tanh(e / 2))
        factors[[0, -1]] = 1 / (1 + math.exp(-e))
        remap.flags.writeable = False
        return Optimum(e, float(np.sum(factors * costs)), remap)

    def _read(self, e: float) -> tuple[Array, Array]:
        """The remap of each answer r, and Σ_i p(i)·α^|i − r|·l(i, remap(r))."""
        p, loss = self.prior, self.loss
        if isinstance(loss, OffBy) or (isinstance(loss, str) and loss == "zero-one"):
            t = min(loss.at_least, self.n + 1) if isinstance(loss, OffBy) else 1
            remap = readings.best_windows(p, e, t)
            return remap, reading_costs.off_by_costs(p, e, remap, t)
        if isinstance(loss, str):
            power = 1 if loss == "absolute" else 2
            remap = readings.medians(p, e) if power == 1 else readings.means(p, e)
            return remap, reading_costs.power_costs(p, e, remap, power)
        return readings.by_table(p, e, np.asarray(loss))


def _distribution(prior: Any) -> Array:
    """The prior as an array that sums to 1; else a ValueError."""
    chances = np.array(prior, dtype=float)
    if chances.ndim != 1 or len(chances) < 2:
        raise ValueError(
            f"prior has shape {chances.shape}; give the probabilities of the counts 0, …, n in a "
            "row, n ≥ 1"
        )
    wrong = ~((chances >= 0) & (chances <= 2))  # NaN and ∞ are wrong too
    if wrong.any():
        i = int(np.argmax(wrong))
        raise ValueError(
            f"prior[{i}] = {float(chances[i])!r} is not allowed; give a probability from 0 to 1"
        )
    total = float(chances.sum())
    if abs(total - 1) > 1e-9:
        raise ValueError(f"prior sums to {total!r}; give probabilities that sum to 1 within 1e-9")
    chances /= total
    chances.flags.writeable = False
    return chances
