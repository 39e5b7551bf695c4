"""Simulation of MWEM, with the rounds and noise of Hsu14's bounds (§5.3, §8.2).

The variant is the iterative construction by multiplicative weights and the exponential mechanism
(Hardt and Rothblum 2010; Hardt, Ligett and McSherry 2012; Gupta, Roth and Ullman 2012). D₀ is
uniform over the |X| possible records. There are at most R = ⌈16 ln|X|/T²⌉ rounds; each

1. selects a query q by the exponential mechanism with score N·|q(D) − q(Dₜ)|, which one person
   changes by at most 1;
2. measures q(D) with Laplace noise of scale 1/(Nε₀);
3. ends with Dₜ as the answer if the measurement is within 3T/4 of q(Dₜ); otherwise weighs down the
   records that make q(Dₜ) too large or small, by the factor e^(−T/4).

So the answer is the last Dₜ, not the average of all. The 2R selections and measurements get equal
parts ε₀ of ε: ε/(2R) for ε-privacy, and ε/√(16R ln(1/δ)) by advanced composition for
(ε, δ)-privacy. With these R and ε₀, 2R|C|·e^(−NTε₀/4) is Hsu14's bound, in §5.3 with its 128 and in
§8.2 with 64.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from planner.answer.answers import Plan
from planner.libraries import np
from planner.numbers import Array
from planner.selection.exponential import choose
from planner.simulation.runs import Runs
from planner.wording import plain

if TYPE_CHECKING:
    from numpy.random import Generator

LARGEST_UNIVERSE, MOST_QUERIES = 4096, 20_000
"""The truth of every query on every record takes a byte: up to 82 MB."""
_BLOCK = 2**17  # a megabyte of floats
_USUAL = 100  # runs, of up to R rounds over all queries; without a failure they show under 0.04


class Construction(NamedTuple):
    """How a plan answers its queries.

    Attributes:
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        universe_size: |X| [2 to 4096].
        queries: |C| [1 to 20,000].
        rounds: R, the most rounds [≥ 1].
        share: ε₀ of each selection and each measurement [> 0].
    """

    participants: int
    error: float
    universe_size: int
    queries: int
    rounds: int
    share: float

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """The construction of a plan.

        Raises:
            ValueError: there are too many records or queries to simulate.
        """
        mechanism: Any = plan.study.mechanism
        size, queries = mechanism.universe_size, mechanism.queries
        for name, value, most in (
            ("universe_size", size, LARGEST_UNIVERSE),
            ("queries", queries, MOST_QUERIES),
        ):
            if value > most:
                raise ValueError(
                    f"{name} = {value!r} is too large to simulate; give at most {most:,}"
                )
        error = plan.study.accuracy.error
        rounds = math.ceil(16 * math.log(size) / error**2)
        if not mechanism.uses_delta:
            share = plan.epsilon / (2 * rounds)
        else:
            share = plan.epsilon / math.sqrt(16 * rounds * -math.log(plan.delta))
        return cls(plan.participants, error, size, queries, rounds, share)

    def failed(self, rng: "Generator", runs: int) -> Array:
        """Whether each of some runs fails."""
        return np.array([[self._fails(rng) for _ in range(runs)]])

    def _fails(self, rng: "Generator") -> bool:
        commonness = 0.5 ** np.arange(self.universe_size)
        people = rng.multinomial(self.participants, commonness / commonness.sum())
        queries = rng.integers(0, 2, (self.queries, self.universe_size), dtype=bool)
        truth = answers(queries, people / self.participants)
        published = answers(queries, self._hypothesis(queries, truth, rng))
        return bool(np.abs(published - truth).max() >= self.error)

    def _hypothesis(self, queries: Array, truth: Array, rng: "Generator") -> Array:
        hypothesis = np.full(self.universe_size, 1 / self.universe_size)
        for _ in range(self.rounds):
            guesses = answers(queries, hypothesis)
            scores = self.participants * np.abs(truth - guesses)
            chosen = choose(scores, self.share, rng)
            noise = rng.laplace(scale=1 / (self.participants * self.share))
            gap = truth[chosen] + noise - guesses[chosen]
            if abs(gap) < 0.75 * self.error:
                break
            too_heavy = queries[chosen] if gap < 0 else ~queries[chosen]
            hypothesis[too_heavy] *= math.exp(-self.error / 4)
            hypothesis /= hypothesis.sum()
        return hypothesis


def of_queries(plan: Plan) -> Runs:
    """Runs of a plan by MWEM, of random counting queries on random data."""
    built = Construction.of(plan)
    words = (
        f"Each run draws {plain(built.participants)} records of {plain(built.universe_size)} "
        "possible ones, each of these half as common as the one before, and "
        f"{plain(built.queries)} counting queries, each true of a record with probability 1/2, "
        "and answers all by multiplicative weights with the exponential mechanism; it fails "
        f"where any answer is off by {plain(built.error)} or more."
    )
    return Runs(words, built.failed, usual=_USUAL, chunk=1)


def answers(queries: Array, fractions: Array) -> Array:
    """The answer of every query, in blocks that stay in the processor's cache.

    Args:
        queries: whether a query (row) is true of a record (column).
        fractions: the fraction of people with each record [sums to 1].
    """
    blocks = np.array_split(queries, math.ceil(queries.size / _BLOCK))
    # not block @ fractions: its threads cost more than they save
    sums = [np.einsum("ij,j->i", block.astype(float), fractions) for block in blocks]
    return np.concatenate(sums)
