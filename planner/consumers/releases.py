"""One count released at several privacy levels, so that colluding readers learn nothing more.

Each answer is made from the previous one, least private first (Gupte10 Algorithm 1). Given the
least private of some answers, the others are independent of the count.

With α = e^(−ε) of one level and β > α of the next, T(α, β) has G(n, β) = G(n, α)·T (Gupte10
Lemma 3). It reads an answer r strictly inside 0, …, n as r + X, clamped to 0, …, n, where
X = 0 with probability

    p = α(1 − β)²/(β(1 − α)²),

else X is geometric noise at β: for noise, (1 − α)²/((1 − αs)(1 − α/s)) is the mean of s^Z, and the
quotient of two of these is p plus 1 − p times that at β. The answer 0 stands for noise of
0, −1, −2, … beyond the end, in parts α^0, α^1, …; with X this becomes 0, or with probability

    q = (β − α)/((1 + β)(1 − α))

1 + Y, clamped to 0, …, n, Pr[Y = y] = (1 − β)·β^y. The answer n is its mirror image.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from planner import checks
from planner.consumers.geometric import (
    allowed_epsilon,
    below,
    happens,
    noise,
    one_sided,
    sample,
)
from planner.libraries import np


def release(
    count: int, n: int, epsilons: Sequence[float | Fraction], rng: "np.random.Generator"
) -> tuple[int, ...]:
    """One answer for each privacy level, sampled exactly with integer arithmetic.

    Each answer alone follows `geometric.chances` at its level; any of them together are as private
    as the one with the largest ε among them (Gupte10 Lemma 4).

    Args:
        count: the true count [whole people, 0 to n].
        n: the participants [whole, ≥ 1].
        epsilons: ε of each level [> 0], falling: least private first, as Gupte10's increasing α.
        rng: the random generator; see `geometric.sample`.

    Raises:
        ValueError: an argument is outside its range, or the levels are not decreasing.
    """
    levels = _falling(epsilons)
    answers = [sample(count, n, levels[0], rng)]
    for fine, coarse in pairwise(levels):
        answers.append(blur(answers[-1], n, fine, coarse, rng))
    return tuple(answers)


def blur(
    answer: int,
    n: int,
    epsilon: float | Fraction,
    smaller: float | Fraction,
    rng: "np.random.Generator",
) -> int:
    """An answer at a smaller ε made from one at ε, sampled exactly from a row of `transition`.

    Raises:
        ValueError: an argument is outside its range, or `smaller` is not under `epsilon`.
    """
    a, b = _falling([epsilon, smaller])
    checks.whole("n", n, 1)
    if 0 < checks.whole("count", answer, 0, n) < n:
        # p = e^(−(a − b))·((1 − β)/(1 − α))²
        stays = happens(a - b, rng) and _shrinks(a, b, rng) and _shrinks(a, b, rng)
        return answer if stays else min(max(answer + noise(b, rng), 0), n)
    # q = (1 − (1 − β)/(1 − α))·1/(1 + β)
    sensitivities = not _shrinks(a, b, rng) and _first_of_two(b, rng)
    away = min(1 + one_sided(b, rng), n) if sensitivities else 0
    return away if answer == 0 else n - away


def _falling(epsilons: Sequence[float | Fraction]) -> list[Fraction]:
    """The levels as fractions, if they are decreasing; else a ValueError."""
    if not isinstance(epsilons, Sequence) and not hasattr(epsilons, "dtype"):
        raise ValueError(f"epsilons = {epsilons!r} is not a list; give levels such as [2, 1]")
    levels = [allowed_epsilon(epsilon) for epsilon in epsilons]
    if not levels:
        raise ValueError("epsilons is empty; give one privacy level or more")
    for before, after in pairwise(levels):
        if after >= before:
            raise ValueError(
                f"epsilons = {[float(level) for level in levels]} are privacy levels out of order; "
                f"give each once, the largest (least private) first"
            )
    return levels


def _shrinks(a: Fraction, b: Fraction, rng: "np.random.Generator") -> bool:
    """Whether an event of probability (1 − e^(−b))/(1 − e^(−a)) happens, b < a, exactly.

    With a = A/t, b = B/t and Pr[X = x] ∝ e^(−x/t), X modulo A is under B with that chance.
    """
    t = math.lcm(a.denominator, b.denominator)
    return one_sided(Fraction(1, t), rng) % int(a * t) < b * t


def _first_of_two(b: Fraction, rng: "np.random.Generator") -> bool:
    """Whether an event of probability 1/(1 + e^(−b)) happens, exactly."""
    while True:
        if below(2, rng):
            return True
        if happens(b, rng):
            return False
