"""Private multiplicative weights: queries answered online, one by one (Naor; HR10).

The data's distribution x over the |X| possible records is estimated by a public hypothesis D,
initially uniform. A query q is answered by q(D) where a noisy test finds it close to q(x) (a lazy
round), else D is moved towards x (an update) and the query is tested again. After R updates D is
close enough for every query, and answers no longer need the data. Hardt and Rothblum 2010 (HR10);
the constants and their derivation are in `planner.selection.online_bound`.

It differs from Naor's listing in three ways. There an update publishes the very noisy answer that
its test used; then the noise of the threshold cannot hide whether the test was passed by little (a
larger threshold with the same answer may be a lazy round), so the argument that both inputs agree
on that answer fails. Here only q(D) is published. There the step is e^(±T/4·q); here it is
e^(±2T·q), which needs fewer updates. There the algorithm fails after its last update; here it
continues.
"""

import math
from typing import Any

from planner import checks
from planner.libraries import np
from planner.numbers import Array
from planner.selection import online_bound


class PrivateWeights:
    """Answers up to |C| queries (ε, δ)-privately, all within T except with probability `failure`.

    Attributes:
        failure: the bound on the probability that any answer is off by T or
            more.
        most_updates: R.
        updates: the number of updates so far [0 to R].
        answered: the number of answered queries so far [0 to |C|].
        hypothesis: D, the public guess of the fraction of people with each record.
    """

    def __init__(
        self,
        histogram: Any,
        epsilon: float,
        delta: float,
        queries: int,
        error: float,
        rng: "np.random.Generator",
    ) -> None:
        """Prepare for a stream of queries.

        Args:
            histogram: how many people have each of the |X| possible records [whole, N in all].
            epsilon: ε of all answers together [> 0].
            delta: δ of all answers together [[0, 1)].
            queries: |C|, the most queries in the stream [whole, ≥ 1].
            error: T [fraction of 1, (0, 1]].
            rng: the random generator.

        Raises:
            ValueError: an argument is outside its range.
        """
        people = checks.people(histogram)
        participants = int(people.sum())
        self.failure = online_bound.failure_probability(
            epsilon, delta, participants, error, people.size, queries
        )
        self.most_updates = online_bound.most_updates(people.size, error)
        self.updates = self.answered = 0
        self.hypothesis = np.full(people.size, 1 / people.size)
        self._exponents = np.zeros(people.size)  # logarithms: a weight may be too small for a float
        self._truth = people / participants
        self._queries, self._error, self._rng = queries, error, rng
        share = online_bound.epoch_share(epsilon, delta, self.most_updates)
        self._unit = 1 / (participants * share)
        self._threshold = self._new_threshold()

    def answer(self, query: Any) -> float:
        """q(D), a fraction of people, after as many updates as are needed.

        Args:
            query: the value of the query on each of the |X| possible records [0 to 1].

        Raises:
            ValueError: the query has the wrong shape or values, or exceeds the number of queries.
        """
        asked = checks.shares("query", query, self._truth.size, dimensions=1)
        if self.answered == self._queries:
            raise ValueError(
                f"queries = {self._queries} are all answered; give a larger number at the start"
            )
        self.answered += 1
        while self.updates < self.most_updates:
            noise = self._rng.laplace(scale=online_bound.TEST_NOISE * self._unit)
            gap = asked @ (self._truth - self.hypothesis) + noise
            if abs(gap) <= self._threshold:
                break
            self._update(asked, math.copysign(online_bound.STEP * self._error, gap))
        return float(asked @ self.hypothesis)

    def _update(self, query: Array, step: float) -> None:
        self._exponents += step * query
        weights = np.exp(self._exponents - self._exponents.max())
        self.hypothesis = weights / weights.sum()
        self.updates += 1
        self._threshold = self._new_threshold()

    def _new_threshold(self) -> float:
        noise = self._rng.laplace(scale=online_bound.THRESHOLD_NOISE * self._unit)
        return online_bound.THRESHOLD * self._error + float(noise)
