"""The minimax interaction, by column generation, and the prior that proves it optimal.

The full program has (n + 1)² unknowns, but only about 2n + 1 of them are nonzero (Gupte10, Lemma 5:
from one count to the next at most one column is free, so the answers used climb a staircase). So it
is solved with a few answers for each output. Its dual is a prior over the counts. The Bayesian
reader with that prior has a deterministic optimum, whose loss is a lower bound for every
interaction. Answers that this reader prefers to those in use are added until the two losses agree.
"""

from typing import NamedTuple

from planner.consumers.interaction_program import Program
from planner.libraries import np
from planner.numbers import Array

TOLERANCE = 1e-9
"""The bracket is closed when its ends agree within this fraction of the loss, or of 1 if larger:
more digits than a loss is known to, and fewer than rounding disturbs."""
_BAND = 4
"""Answers this close to the output are in the support from the start; fewer need more rounds,
and more make every program larger."""
_ENTERING = 8
"""The largest number of new answers for each output and round, the best first; likewise."""
_ROUNDS = 100  # a guard: at n = 200 it took six or fewer, at ε from 0.05 to 2
# HiGHS resolves about 1e-9 of these scales; if it fails or stalls, the next is tried
_SETTINGS = (("highs-ds", 1e4), ("highs-ipm", 1e4), ("highs-ds", 1e2), ("highs-ipm", 1e6))


class Bracket(NamedTuple):
    """The worst-case loss of an interaction, and a lower bound for every interaction.

    Attributes:
        loss: the largest expected loss at any possible count, rounded up.
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
    program = Program(likelihood, loss)
    counts, even = np.arange(loss.shape[1]), np.full(len(loss), 1 / len(loss))
    answers = _costs(program, even)[program.outputs].argmin(axis=1)
    guess = answers[:, None] == counts
    best = _bracket(program, program.whole(guess * 1.0), even)
    near = np.abs(program.outputs[:, None] - counts) <= max(_BAND, _flat(loss))
    support = guess | near
    unit = max(best.loss, 1e-4 * loss.max())
    rounds = 0
    for method, target in _SETTINGS:
        stalled = False
        while not (best.met or stalled or rounds == _ROUNDS):
            rounds += 1
            solution = program.solve(support, target / unit, method)
            if solution is None:
                break
            best = best.or_better(_bracket(program, *solution))
            costs = _costs(program, solution.prior)[program.outputs]
            wider = _wider(support, costs, solution.interaction[program.outputs] > 0)
            stalled = np.array_equal(wider, support)
            support = wider
    return best


def _costs(program: Program, prior: Array) -> Array:
    """Σ_i p_i g(i, r) l(i, q): the expected cost of answer q to output r under the prior."""
    costs: Array = (prior[:, None] * program.likelihood).T @ program.loss
    return costs


def _bracket(program: Program, interaction: Array, prior: Array) -> Bracket:
    losses = (program.likelihood @ interaction * program.loss).sum(axis=1)
    least = _costs(program, prior).min(axis=1).sum()
    # sums of n + 1 products ≥ 0 lose n + 1 units in the last place, powers of α under 1,000
    slack = (program.loss.shape[1] + 1000) * np.finfo(float).eps
    above, below = losses.max() * (1 + slack), least * (1 - slack)
    return Bracket(float(above), float(below), interaction, prior)


def _flat(loss: Array) -> int:
    """How far from the count an answer may be without extra loss."""
    return int((loss == loss.min(axis=1, keepdims=True)).sum(axis=1).max()) // 2 + 1


def _wider(support: Array, costs: Array, used: Array) -> Array:
    """The support with the answers that the prior's reader prefers, without the costliest."""
    cheapest = np.where(support, costs, np.inf).min(axis=1, keepdims=True)
    excess = costs - cheapest
    better = ~support & (excess < -1e-13 * cheapest)
    if not better.any():
        return support
    preferred = np.where(better, excess, np.inf)
    entering = min(_ENTERING, costs.shape[1]) - 1
    better &= preferred <= np.partition(preferred, entering, axis=1)[:, [entering]]
    kept = used | (excess <= excess[support].mean() / 2)
    return better | (support & kept)
