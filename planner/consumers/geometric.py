"""The geometric mechanism: a count plus two-sided geometric noise (Ghosh09 Example 2.1).

`noise` and `sample` draw from it with whole numbers only, after Canonne, Kamath and Steinke 2020,
*The Discrete Gaussian for Differential Privacy* (CKS20), Algorithms 1 and 2: noise from rounded
floats would reveal answers by its last digits.
"""

import math
from fractions import Fraction
from typing import Any

from planner import checks
from planner.libraries import np
from planner.numbers import Array, decimal

_WORD = 64  # bits: the longest whole number that NumPy draws


def noise_chances(noise: Any, alpha: float | Fraction) -> Array:
    """The probabilities Pr[Z = z] = (1 − α)/(1 + α)·α^|z| of noise (Gupte10 Definition 1).

    Args:
        noise: z [whole people], a number or an array.
        alpha: α = e^(−ε) [(0, 1)]; a fraction gives exact fractions.

    Raises:
        ValueError: α is outside its range.
    """
    alpha = allowed_alpha(alpha)
    size = np.abs(np.asarray(noise))
    # a fraction raised to an array of exponents would become a float
    powers = (
        np.array(alpha, object) ** size.astype(object)
        if isinstance(alpha, Fraction)
        else alpha**size
    )
    return (1 - alpha) / (1 + alpha) * powers


def matrix(n: int, alpha: float | Fraction) -> Array:
    """G(n, α): one row of `chances` for each count; shape (n + 1, n + 1).

    Raises:
        ValueError: an argument is outside its range.
    """
    counts = np.arange(checks.whole("n", n, 1) + 1)
    rows = noise_chances(counts - counts[:, None], alpha)
    rows[:, [0, n]] /= 1 - alpha
    return rows


def likelihood(n: int, epsilon: float) -> Array:
    """`matrix` from ε itself, which keeps its digits where ε is small; 1 for n = 0."""
    if n == 0:
        return np.ones((1, 1))
    counts = np.arange(n + 1)
    rows = np.exp(-epsilon * np.abs(counts[:, None] - counts))
    rows[:, 1:-1] *= math.tanh(epsilon / 2)  # (1 − α)/(1 + α)
    rows[:, [0, -1]] /= 1 + math.exp(-epsilon)
    return rows


def sample(count: int, n: int, epsilon: float | Fraction, rng: "np.random.Generator") -> int:
    """An answer in 0, …, n to one count, sampled exactly from `chances`.

    Args:
        count: k [whole people, 0 to n].
        n: the participants [whole, ≥ 1].
        epsilon: ε [> 0], read as its shortest decimal.
        rng: the source of uniform whole numbers. NumPy's usual ones can be predicted by who sees
            enough of them; against such a reader wrap a cryptographic source.

    Raises:
        ValueError: an argument is outside its range.
    """
    checks.whole("n", n, 1)
    return min(max(checks.whole("count", count, 0, n) + noise(epsilon, rng), 0), n)


def noise(epsilon: float | Fraction, rng: "np.random.Generator") -> int:
    """A whole Z with Pr[Z = z] = (1 − α)/(1 + α)·α^|z|, α = e^(−ε), exactly (CKS20 Algorithm 2).

    Raises:
        ValueError: ε is not above 0 and finite.
    """
    exact = allowed_epsilon(epsilon)
    while True:
        size = one_sided(exact, rng)
        below_zero = below(2, rng)
        if size or not below_zero:  # else zero would come up twice as often
            return -size if below_zero else size


def one_sided(epsilon: Fraction, rng: "np.random.Generator") -> int:
    """A whole Y ≥ 0 with Pr[Y = y] = (1 − α)·α^y, α = e^(−ε), exactly (CKS20 Algorithm 2)."""
    s, t = epsilon.numerator, epsilon.denominator
    while True:
        rest = below(t, rng)
        if happens(Fraction(rest, t), rng):
            break
    wholes = 0
    while happens(Fraction(1), rng):
        wholes += 1
    return (rest + t * wholes) // s  # Pr[rest + t·wholes = x] ∝ e^(−x/t)


def happens(gamma: Fraction, rng: "np.random.Generator") -> bool:
    """Whether an event of probability e^(−γ) happens, γ ≥ 0, exactly (CKS20 Algorithm 1)."""
    while gamma > 1:
        if not happens(Fraction(1), rng):
            return False
        gamma -= 1
    # Pr[k > K] = γ^K/K!, so k is odd with probability Σ (−γ)^K/K!
    k = 1
    while below(gamma.denominator * k, rng) < gamma.numerator:
        k += 1
    return k % 2 == 1


def below(k: int, rng: "np.random.Generator") -> int:
    """A uniform whole number from 0 to k − 1, k ≥ 1 of any size."""
    bits = (k - 1).bit_length()
    while True:
        drawn = 0
        for start in range(0, bits, _WORD):
            word = int(rng.integers(0, 1 << min(_WORD, bits - start), dtype=np.uint64))
            drawn |= word << start
        if drawn < k:
            return drawn


def allowed_alpha(alpha: Any, name: str = "alpha") -> Any:
    """The privacy level α, if above 0 and below 1; else a ValueError."""
    if not isinstance(alpha, float | int | Fraction) or not 0 < alpha < 1:
        raise ValueError(
            f"{name} = {alpha!r} is not allowed; give e^(−epsilon), a number above 0 and below 1"
        )
    return alpha


def allowed_epsilon(epsilon: Any) -> Fraction:
    """ε as the exact fraction of its shortest decimal, if above 0 and finite; else a ValueError."""
    known = isinstance(epsilon, float | int | Fraction) and not isinstance(epsilon, bool)
    if not known or not 0 < epsilon < float("inf"):
        raise ValueError(f"epsilon = {epsilon!r} is not allowed; give a finite number above 0")
    return epsilon if isinstance(epsilon, Fraction) else decimal(float(epsilon))
