"""The minimax reader of a count, who assumes the worst possible count (Gupte10 §2.3–2.5)."""

from collections.abc import Collection
from dataclasses import dataclass, field

from planner import checks
from planner.consumers.geometric import likelihood
from planner.consumers.interaction import best_interaction
from planner.consumers.loss import Loss, by_distance, table
from planner.libraries import np
from planner.numbers import Array

LARGEST = 200
"""The largest n: the program has (n + 1)² unknowns, and takes some seconds there."""


@dataclass(frozen=True, eq=False)
class MinimaxOptimum:
    """The minimax reader's optimal interaction with the geometric mechanism, with a proof.

    Attributes:
        n: the largest count.
        epsilon: ε of the release, α = e^(−ε).
        loss: the largest expected loss of `interaction` at any possible count, rounded up [loss].
        least: a lower bound of the worst-case loss of every ε-private mechanism, rounded down
            [loss]; within 1e-9 · max(1, loss) of `loss` unless the linear program failed.
        interaction: T(r, r'), the probability of reading the output r as r'; shape (n + 1, n + 1),
            entries ≥ 0, rows of sum 1; read-only.
        prior: p over the counts 0..n, 0 outside the possible ones. A reader with this prior has
            an expected loss of at least `least`.
    """

    n: int
    epsilon: float
    loss: float
    least: float
    interaction: Array = field(repr=False)
    prior: Array = field(repr=False)

    def mechanism(self) -> Array:
        """X = G·T, the mechanism tailored to the reader; X(i, r') has shape (n + 1, n + 1).

        As T ≥ 0, X keeps ε-privacy: α X(i, r') ≤ X(i + 1, r') ≤ X(i, r') / α, to float rounding.

        Source: Gupte10 §2.4.2, §2.5.
        """
        return likelihood(self.n, self.epsilon) @ self.interaction


@dataclass(frozen=True)
class MinimaxConsumer:
    """A reader who knows which counts are possible and judges by the worst of them.

    Attributes:
        n: the largest count [people, 1 to 200].
        possible: the set S of possible counts in 0..n, not empty; None for all of them.
        loss: "absolute", "squared", "zero-one", OffBy(t), or a table l(i, r) of n + 1 rows (true
            counts) and columns (answers), each row no smaller farther from r = i.

    Raises:
        ValueError: n, a possible count or the loss is outside its range.

    Source: Gupte10 §2.3, equation (1).
    """

    n: int
    possible: Collection[int] | None = None
    loss: Loss = "absolute"

    def __post_init__(self) -> None:
        checks.whole("n", self.n, 1, LARGEST)
        if self.possible is not None:
            object.__setattr__(self, "possible", _counts(self.possible, self.n))
        losses = table(self.loss, self.n)
        if by_distance(self.loss, self.n) is None:
            # an immutable copy that can be compared and hashed
            object.__setattr__(self, "loss", tuple(map(tuple, losses.tolist())))

    def optimum(self, epsilon: float) -> MinimaxOptimum:
        """The smallest worst-case loss of any ε-private release for this reader.

        It is attained by T on the output of the geometric mechanism G (Gupte10, Theorem 1): min_T
        max_{i ∈ S} Σ_r' (G T)(i, r') l(i, r'). It never increases with ε, and is not convex in ε:
        for squared loss and n = 2 it is 1 up to ε = 1/2, and 0.57 at 1.

        Args:
            epsilon: ε [above 0, finite].

        Raises:
            ValueError: epsilon is outside its range.

        Source: Gupte10 §2.4.3; `least` by the minimax theorem from the dual prior.
        """
        checks.positive("epsilon", epsilon)
        counts = np.arange(self.n + 1)
        possible = counts if self.possible is None else np.array(list(self.possible))
        low, high = possible[0], possible[-1]
        # For a reader who knows low ≤ i ≤ high, outputs below low equal low in effect, and answers
        # below low are no better than low; likewise above. What remains is G on low..high.
        inside = slice(low, high + 1)
        chances = likelihood(int(high - low), epsilon)[possible - low]
        best = best_interaction(chances, table(self.loss, self.n)[possible, inside])
        interaction = np.zeros((self.n + 1, self.n + 1))
        interaction[:, inside] = best.interaction[np.clip(counts, low, high) - low]
        prior = np.zeros(self.n + 1)
        prior[possible] = best.prior
        return MinimaxOptimum(self.n, float(epsilon), best.loss, best.least, interaction, prior)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _counts(possible: Collection[int], n: int) -> tuple[int, ...]:
    if not isinstance(possible, Collection):
        raise ValueError(
            f"possible = {possible!r} is not a collection of counts; give some from 0 to {n}, "
            "such as range(3, 8), or None for all"
        )
    for count in possible:
        if not _is_whole(count) or not 0 <= count <= n:
            raise ValueError(
                f"possible holds {count!r}; give whole counts from 0 to {n}, or None for all"
            )
    if not len(possible):
        raise ValueError(f"possible is empty; give at least one count from 0 to {n}, or None")
    return tuple(sorted({int(count) for count in possible}))
