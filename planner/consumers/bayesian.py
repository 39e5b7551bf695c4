"""The reader of a count who has a prior, and what is best for it (Ghosh09 Theorem 3.1).

Of all ε-private releases none serves such a reader better than the geometric mechanism, if the
reader takes each answer r as what costs least in the mean under the posterior
w_r(i) ∝ p(i)·α^|i − r|, α = e^(−ε). All is done by recursions over the counts, in memory O(n):
`readings` tells what to read an answer as, `reading_costs` what that costs.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from planner.consumers import geometric, reading_costs, readings
from planner.consumers.loss import Loss, OffBy, by_distance, table
from planner.numbers import Array

_LARGEST_MATRIX = 2000


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best use of the answers of G(n, α).

    Attributes:
        epsilon: ε [> 0].
        loss: the expected loss [counts, or the loss's own unit] after the remap; no ε-private
            release of the count has less. Rounding is some 10^−14 of it. For `OffBy` and
            "zero-one" readings are told apart to about 10^−15·(1 + εn) only, so a loss as small as
            that is the loss of `remap` but perhaps not the least; one under all floats is 0.
        remap: what each answer 0, …, n is read as [whole people], shape (n + 1,). Among equals
            the one nearest the answer, then the lowest.
    """

    epsilon: float
    loss: float
    remap: Array

    def mechanism(self) -> Array:
        """The chance of each reading (column) at each count (row), shape (n + 1, n + 1).

        Raises:
            ValueError: n is over 2,000.
        """
        n = len(self.remap) - 1
        if n > _LARGEST_MATRIX:
            raise ValueError(
                f"n = {n} is too large for a matrix; give a prior of at most "
                f"{_LARGEST_MATRIX + 1} counts, or use remap"
            )
        found = np.zeros((n + 1, n + 1))
        np.add.at(found.T, self.remap, geometric.likelihood(n, self.epsilon).T)
        return found


@dataclass(frozen=True, eq=False)
class BayesianConsumer:
    """A reader of a count with a prior and a loss (Ghosh09 §2.2).

    Attributes:
        prior: the chance of each count 0, …, n [at least 0; sums to 1 within 10^−9, and is then
            scaled to 1]; n ≥ 1.
        loss: a named loss or a table, see `loss.Loss`. A table takes time O(n³): a few thousand
            counts.

    Raises:
        ValueError: the prior is no distribution, or the loss is refused by `loss.table`.
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
        """The participants."""
        return len(self.prior) - 1

    def optimum(self, epsilon: float | Fraction) -> Optimum:
        """The least expected loss at ε, and the remap that has it.

        Args:
            epsilon: ε [> 0].

        Raises:
            ValueError: ε is not above 0 and finite.
        """
        e = float(geometric.allowed_epsilon(epsilon))
        remap, costs = self._read(min(e, 1e3))  # from some 745 on α is 0 as a float
        # the factor c of `geometric.chances`: 1/(1 + α) at the ends, else (1 − α)/(1 + α)
        factors = np.full(self.n + 1, math.tanh(e / 2))
        factors[[0, -1]] = 1 / (1 + math.exp(-e))
        remap.flags.writeable = False
        return Optimum(e, float(np.sum(factors * costs)), remap)

    def _read(self, e: float) -> tuple[Array, Array]:
        """What each answer r is read as, and Σ_i p(i)·α^|i − r|·l(i, remap(r))."""
        p, loss = self.prior, self.loss
        if isinstance(loss, OffBy) or (isinstance(loss, str) and loss == "zero-one"):
            t = min(loss.at_least, self.n + 1) if isinstance(loss, OffBy) else 1
            remap = readings.best_windows(p, e, t)
            return remap, reading_costs.off_by_costs(p, e, remap, t)
        if isinstance(loss, str):
            power = 1 if loss == "absolute" else 2
            remap = readings.medians(p, e) if power == 1 else readings.means(p, e)
            return remap, reading_costs.power_costs(p, e, remap, power)
        return readings.by_table(p, e, loss)


def _distribution(prior: Any) -> Array:
    found = np.array(prior, dtype=float)
    if found.ndim != 1 or len(found) < 2:
        raise ValueError(
            f"prior has shape {found.shape}; give the probabilities of the counts 0, …, n in a "
            "row, n ≥ 1"
        )
    wrong = ~((found >= 0) & (found <= 2))  # NaN and ∞ are wrong too
    if wrong.any():
        i = int(np.argmax(wrong))
        raise ValueError(
            f"prior[{i}] = {float(found[i])!r} is not allowed; give a probability from 0 to 1"
        )
    total = float(found.sum())
    if abs(total - 1) > 1e-9:
        raise ValueError(f"prior sums to {total!r}; give probabilities that sum to 1 within 1e-9")
    found /= total
    found.flags.writeable = False
    return found
