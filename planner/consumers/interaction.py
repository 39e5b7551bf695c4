"""The minimax interaction as a linear program, and the prior that proves it optimal.

The reader who sees the output r of the geometric mechanism says the answer q with probability
T(r, q). The program of Gupte10 §2.4.3 is

    minimise d  with  Σ_rq g(i, r) T(r, q) l(i, q) ≤ d for each possible count i,
                      Σ_q T(r, q) = 1 for each r,  T ≥ 0.

As the rows of T sum to 1, one answer's loss can be subtracted from each row: the program then holds
how much worse every other answer is, which is 0 or small nearly everywhere. Its dual is a prior
over the counts. The Bayesian reader with that prior has a deterministic optimum, whose loss is a
lower bound for every interaction.
"""

from typing import NamedTuple

from planner.libraries import np, scipy
from planner.numbers import Array

TOLERANCE = 1e-9
"""The bracket is closed when its ends agree within this fraction of the loss, or of 1 if larger."""
_NEGLIGIBLE = 1e-9  # HiGHS drops coefficients below this
# HiGHS resolves about 1e-9 of these scales of the loss; if it fails, the next is tried
_SETTINGS = (("highs-ds", 1e4), ("highs-ipm", 1e4), ("highs-ds", 1e2), ("highs-ipm", 1e6))
_EXACT = {
    "presolve": False,  # which sometimes fails
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}


class Bracket(NamedTuple):
    """The worst-case loss of an interaction, and a lower bound for every interaction.

    Attributes:
        loss: the largest expected loss of `interaction` at any possible count, rounded up.
        least: the Bayesian optimum of `prior`, rounded down.
        interaction: T, rows over outputs.
        prior: p over the possible counts.
    """

    loss: float
    least: float
    interaction: Array
    prior: Array

    @property
    def met(self) -> bool:
        """Whether the two losses agree to TOLERANCE."""
        return self.loss - self.least <= TOLERANCE * max(1.0, self.loss)

    def or_better(self, other: "Bracket") -> "Bracket":
        """The smaller loss and the larger bound of two brackets."""
        above = min(self, other, key=lambda bracket: bracket.loss)
        below = max(self, other, key=lambda bracket: bracket.least)
        return Bracket(above.loss, below.least, above.interaction, below.prior)


def best_interaction(likelihood: Array, loss: Array) -> Bracket:
    """The interaction T ≥ 0 that minimises max_i Σ_r g(i, r) Σ_q T(r, q) l(i, q) (Gupte10 §2.4.3).

    Args:
        likelihood: g(i, r) ≥ 0, rows over possible counts with sum 1, columns over outputs 0..n.
        loss: l(i, q) ≥ 0, rows over the same counts, columns over answers 0..n.
    """
    counts, answers = loss.shape
    outputs = likelihood.shape[1]
    usual = (likelihood.T @ loss).argmin(axis=1)
    guess, even = (usual[:, None] == np.arange(answers)) * 1.0, np.full(counts, 1 / counts)
    mirrored = all(np.array_equal(x, x[::-1, ::-1]) for x in (likelihood, loss))
    if mirrored:  # an interaction and a prior that treat both ends alike are as good
        guess = (guess + guess[::-1, ::-1]) / 2
    best = _bracket(likelihood, loss, guess, even)
    least = (likelihood * loss[:, usual]).sum(axis=1)
    worse = likelihood[:, :, None] * (loss[:, None, :] - loss[:, usual][:, :, None])
    for method, largest in _SETTINGS:
        if best.met:
            break
        scale = largest / max(best.loss, 1e-4 * float(loss.max()))
        rows = np.where(np.abs(worse * scale) < _NEGLIGIBLE, 0.0, worse * scale)
        found = scipy.optimize.linprog(
            np.append(np.zeros(outputs * answers), 1.0),
            A_ub=scipy.sparse.csc_array(
                np.hstack([rows.reshape(counts, -1), np.full((counts, 1), -1.0)])
            ),
            b_ub=-least * scale,
            A_eq=scipy.sparse.hstack(
                [
                    scipy.sparse.kron(scipy.sparse.eye_array(outputs), np.ones((1, answers))),
                    scipy.sparse.csc_array((outputs, 1)),
                ],
                format="csc",
            ),
            b_eq=np.ones(outputs),
            method=method,
            options=_EXACT,
        )
        weights = None if found.x is None else np.maximum(-found.ineqlin.marginals, 0.0)
        if weights is None or not weights.sum() > 0:
            continue
        chosen = np.maximum(found.x[:-1].reshape(outputs, answers), 0.0)
        if mirrored:
            chosen, weights = chosen + chosen[::-1, ::-1], weights + weights[::-1]
        chosen, prior = chosen / chosen.sum(axis=1, keepdims=True), weights / weights.sum()
        best = best.or_better(_bracket(likelihood, loss, chosen, prior))
    return best


def _bracket(likelihood: Array, loss: Array, interaction: Array, prior: Array) -> Bracket:
    losses = (likelihood @ interaction * loss).sum(axis=1)
    least = ((prior[:, None] * likelihood).T @ loss).min(axis=1).sum()
    # sums of n + 1 products ≥ 0 lose n + 1 units in the last place, powers of α under 1,000
    slack = (loss.shape[1] + 1000) * np.finfo(float).eps
    above, below = losses.max() * (1 + slack), least * (1 - slack)
    return Bracket(float(above), float(below), interaction, prior)
