"""The linear program of Gupte10 §2.4.3 over some of the answers, solved by HiGHS.

The reader who sees the output r of the geometric mechanism says the answer q with probability
T(r, q). Over the pairs (r, q) that may be used, the program is

    minimise d  with  Σ_rq g(i, r) T(r, q) l(i, q) ≤ d for each possible count i,
                      Σ_q T(r, q) = 1 for each r,  T ≥ 0.

As the rows of T sum to 1, one answer's loss can be subtracted from each row: the program then holds
how much worse every other answer is, which is 0 or small nearly everywhere. For losses with steps
this is a hundred times faster than the plain program, and it is always more accurate.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from planner.libraries import np, scipy
from planner.numbers import Array

NEGLIGIBLE = 1e-9
"""HiGHS drops coefficients below this at every scale; they are dropped here for consistency."""


class Solution(NamedTuple):
    """An interaction and the dual prior, both from HiGHS.

    Attributes:
        interaction: T, rows over outputs, each ≥ 0 with sum 1.
        prior: p over the possible counts, ≥ 0 with sum 1.
    """

    interaction: Array
    prior: Array


@dataclass(frozen=True, eq=False)
class Program:
    """The data of the program: the probabilities of outputs and the loss of answers.

    Attributes:
        likelihood: g(i, r), rows over the possible counts i, columns over outputs 0..n.
        loss: l(i, q), rows over the same counts, columns over answers 0..n.
    """

    likelihood: Array
    loss: Array

    @cached_property
    def mirrored(self) -> bool:
        """Whether the program is symmetric under reversal of counts, outputs and answers."""
        return all(np.array_equal(x, x[::-1, ::-1]) for x in (self.likelihood, self.loss))

    @cached_property
    def outputs(self) -> Array:
        """The outputs whose answers are variables; in a mirrored program half of all."""
        every = np.arange(self.likelihood.shape[1])
        return every[: (len(every) + 1) // 2] if self.mirrored else every

    @cached_property
    def _rows(self) -> Array:
        every = np.arange(len(self.likelihood))
        return every[: (len(every) + 1) // 2] if self.mirrored else every

    def _folded(self, outputs: Array, answers: Array, against: Array | None) -> Array:
        """g(i, r) (l(i, q) − l(i, against)), plus that of the mirror image of (r, q)."""
        g, loss = self.likelihood[self._rows], self.loss[self._rows]
        rest = 0.0 if against is None else loss[:, against]
        terms = g[:, outputs] * (loss[:, answers] - rest)
        if not self.mirrored:
            return terms
        last = self.loss.shape[1] - 1
        rest = 0.0 if against is None else loss[:, last - against]
        terms += g[:, last - outputs] * (loss[:, last - answers] - rest)
        # an output that is its own mirror image has been counted twice
        return np.where(2 * outputs == last, terms / 2, terms)

    def solve(self, support: Array, scale: float, method: str) -> Solution | None:
        """The best interaction that uses the pairs of `support` alone; None where HiGHS fails.

        Args:
            support: which (r, q) may be used, of shape (len(outputs), n + 1); some in every row.
            scale: a factor on the losses, since the tolerances of HiGHS are absolute.
            method: "highs-ds" or "highs-ipm".
        """
        r, q = np.nonzero(support)
        cells, outputs, rows = len(r), len(self.outputs), len(self._rows)
        usual = np.array([np.flatnonzero(row)[row.sum() // 2] for row in support])
        worse = self._folded(r, q, usual[r]) * scale
        worse[np.abs(worse) < NEGLIGIBLE] = 0.0
        sums = scipy.sparse.csc_array(
            (np.ones(cells), (r, np.arange(cells))), shape=(outputs, cells + 1)
        )
        solution = scipy.optimize.linprog(
            np.append(np.zeros(cells), 1.0),
            A_ub=scipy.sparse.hstack(
                [scipy.sparse.csc_array(worse), scipy.sparse.csc_array(-np.ones((rows, 1)))],
                format="csc",
            ),
            b_ub=-self._folded(self.outputs, usual, None).sum(axis=1) * scale,
            A_eq=sums,
            b_eq=np.ones(outputs),
            method=method,
            options={
                "presolve": False,  # presolve costs more than it saves, and sometimes fails
                "primal_feasibility_tolerance": 1e-10,
                "dual_feasibility_tolerance": 1e-10,
            },
        )
        weights = None if solution.x is None else np.maximum(-solution.ineqlin.marginals, 0.0)
        if weights is None or not weights.sum() > 0:
            return None
        chosen = np.zeros(support.shape)
        chosen[r, q] = np.maximum(solution.x[:-1], 0.0)
        prior = np.zeros(len(self.likelihood))
        prior[self._rows] = weights
        if self.mirrored:
            prior = prior + prior[::-1]
        return Solution(self.whole(chosen), prior / prior.sum())

    def whole(self, chosen: Array) -> Array:
        """The interaction over all outputs from `chosen`, weights over `outputs`."""
        chosen = chosen / chosen.sum(axis=1, keepdims=True)
        if not self.mirrored:
            return chosen
        image = chosen[::-1, ::-1]
        if self.loss.shape[1] % 2 == 0:
            return np.vstack([chosen, image])
        # the middle output is its own mirror image
        return np.vstack([chosen[:-1], (chosen[-1:] + image[:1]) / 2, image[1:]])
