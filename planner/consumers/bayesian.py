"""The Bayesian reader of a count and its optimal release (Ghosh09 Theorem 3.1).

The geometric mechanism is an optimal ε-private release for such a reader, if the reader remaps each
answer r to the value of smallest expected loss under the posterior w_r(i) ∝ p(i)·α^|i − r|, α =
e^(−ε). The expected losses of all remaps of all answers are one product of matrices.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.consumers import geometric
from planner.consumers.loss import Loss, by_distance, table
from planner.libraries import np
from planner.numbers import Array

_LARGEST = 2000  # 2,001² doubles take 32 MB, and their product a second
_TIE = 1e-12  # thousands of roundings of 2^−53: what differs by less counts as equal


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimal remap of the answers of G(n, α).

    Attributes:
        epsilon: ε [> 0].
        loss: the expected loss [counts, or the loss's own unit] after the remap; no ε-private
            release of the count has less. Its relative rounding error is about 10^−12.
        remap: the value to which each answer 0, …, n is mapped [whole people], shape (n + 1,).
            Among equal ones the one nearest the answer, then the lowest.
    """

    epsilon: float
    loss: float
    remap: Array

    def mechanism(self) -> Array:
        """The probability of each reading (column) at each count (row), shape (n + 1, n + 1)."""
        n = len(self.remap) - 1
        chances = np.zeros((n + 1, n + 1))
        np.add.at(chances.T, self.remap, geometric.likelihood(n, self.epsilon).T)
        return chances


@dataclass(frozen=True, eq=False)
class BayesianConsumer:
    """A reader of a count with a prior and a loss (Ghosh09 §2.2).

    Attributes:
        prior: the probability of each count 0, …, n [at least 0; sums to 1 within 10^−9, and is
            then scaled to 1]; n from 1 to 2,000.
        loss: a named loss or a table, see `loss.Loss`.

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
        # above an ε of about 745 α underflows to 0
        remap, costs = _read(self.prior, min(e, 1e3), table(self.loss, self.n))
        # the factor c of `geometric.chances`: 1/(1 + α) at the ends, else (1 − α)/(1 + α)
        factors = np.full(self.n + 1, math.tanh(e / 2))
        factors[[0, -1]] = 1 / (1 + math.exp(-e))
        remap.flags.writeable = False
        return Optimum(e, float(np.sum(factors * costs)), remap)


def _read(p: Array, e: float, loss: Array) -> tuple[Array, Array]:
    """The remap of each answer r, and Σ_i p(i)·α^|i − r|·l(i, remap(r)).

    Among equally good readings the nearest to r is chosen, then the lowest.
    """
    i = np.arange(len(p))
    with np.errstate(divide="ignore"):
        logs = np.log(p) - e * np.abs(i[:, None] - i)  # answers in rows
    shift = logs.max(axis=1)
    costs = np.exp(logs - shift[:, None]) @ loss
    equal = costs <= costs.min(axis=1, keepdims=True) * (1 + _TIE)
    off = i - i[:, None]
    remap = np.where(equal, 2 * np.abs(off) + (off > 0), np.iinfo(int).max).argmin(axis=1)
    return remap, costs[i, remap] * np.exp(shift)


def _distribution(prior: Any) -> Array:
    """The prior as an array that sums to 1; else a ValueError."""
    chances = np.array(prior, dtype=float)
    if chances.ndim != 1 or len(chances) < 2:
        raise ValueError(
            f"prior has shape {chances.shape}; give the probabilities of the counts 0, …, n in a "
            "row, n ≥ 1"
        )
    if len(chances) > _LARGEST + 1:
        raise ValueError(
            f"prior has {len(chances)} probabilities; give at most {_LARGEST + 1}, of the counts "
            f"0 to {_LARGEST}"
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
