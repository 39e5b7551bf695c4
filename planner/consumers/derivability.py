"""Which mechanisms can be derived from the geometric mechanism (Gupte10 Theorem 2).

With A = α^|i − r| and c as in `geometric.chances`, G = A·diag(c), and A⁻¹ is tridiagonal:
1/(1 − α²) times −α beside the diagonal and, on it, 1 in the end rows and 1 + α² between. So M = G·T
has one solution, column by column:

    T[0] = (x0 − α·x1)/(1 − α),  T[n] = (xn − α·x(n−1))/(1 − α),
    T[i] = ((1 + α²)·xi − α·(x(i−1) + x(i+1)))/(1 − α)²,

its rows sum to 1 as those of G and M do, and M can be derived if and only if no entry is
negative. Theorem 2 needs only the middle rows: for a private M the end rows are nonnegative anyway.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.consumers.geometric import allowed_alpha
from planner.libraries import np
from planner.numbers import Array

ROUNDING = 1e-12
"""The relative rounding error of a sum of up to 9,000 floats, 2^−53 each; fractions are exact."""


@dataclass(frozen=True)
class Verdict:
    """Whether a mechanism has a property; usable as a condition.

    Attributes:
        holds: whether it has the property.
        row: the count of the entry that violates it most; None where it holds.
        column: the answer of that entry.
        value: the violation: the negative entry of T.
        why: the reason, as a sentence.
    """

    holds: bool
    row: int | None
    column: int | None
    value: Any
    why: str

    def __bool__(self) -> bool:
        return self.holds


def derivable(matrix: Any, alpha: float | Fraction) -> Verdict:
    """Whether a mechanism is the geometric one followed by a remap (Gupte10 Theorem 2).

    Args:
        matrix: M, the probability of each answer (column) at each count (row); shape (n + 1, n +
            1). Fractions, with α a fraction, are decided exactly.
        alpha: α = e^(−ε) [(0, 1)] of the geometric mechanism.

    Raises:
        ValueError: M is not a square matrix of probabilities whose rows sum to 1, or α is outside
            its range.
    """
    m, alpha = _chances(matrix, alpha)
    gains, losses, scale = _terms(m, alpha)
    entries = (gains - losses) / scale
    slack = 0 if m.dtype == object else ROUNDING
    worst = _worst(entries, gains - losses + slack * (gains + losses))
    if worst is None:
        return Verdict(True, None, None, None, "No entry of the interaction is negative.")
    i, r = worst
    beside = [f"M({k},{r})" for k in (i - 1, i + 1) if 0 <= k < len(m)]
    have, need = (
        (f"M({i},{r})", f"α·{beside[0]}")
        if len(beside) == 1
        else (f"(1 + α²)·M({i},{r})", f"α·({' + '.join(beside)})")
    )
    return Verdict(
        False,
        i,
        r,
        _plain(entries[i, r]),
        f"A reader would have to remap {i} to {r} with probability {_shown(entries[i, r])}: "
        f"{have} = {_shown(gains[i, r])} is under {need} = {_shown(losses[i, r])}.",
    )


def _terms(m: Array, alpha: Any) -> tuple[Array, Array, Array]:
    """The positive and negative terms of each entry of T, and the divisor of their difference."""
    gains = (1 + alpha**2) * m
    gains[[0, -1]] = m[[0, -1]]
    losses = m - m
    losses[:-1] += alpha * m[1:]
    losses[1:] += alpha * m[:-1]
    scale = (1 - alpha) ** 2 + m[:, :1] * 0
    scale[[0, -1]] = 1 - alpha
    return gains, losses, scale


def _worst(entries: Array, rooms: Array) -> tuple[int, int] | None:
    """The row and column of the most negative entry; None if there is none."""
    if not (rooms < 0).any():
        return None
    flat = int(np.argmin(np.where(rooms < 0, entries, 0)))
    return flat // len(entries), flat % len(entries)


def _plain(x: Any) -> Any:
    """A fraction as it is, anything else as a float."""
    return x if isinstance(x, Fraction) else float(x)


def _shown(x: Any) -> str:
    return str(x) if isinstance(x, Fraction) else f"{float(x):.6g}"


def _chances(matrix: Any, alpha: Any) -> tuple[Array, Any]:
    """The matrix and α as floats, or as fractions where all are fractions; else a ValueError."""
    allowed_alpha(alpha)
    chances = np.asarray(matrix, dtype=object)
    if chances.ndim != 2 or chances.shape[0] != chances.shape[1] or len(chances) < 2:
        raise ValueError(
            f"matrix has shape {chances.shape}; give as many answers as counts, at least two"
        )
    exact = isinstance(alpha, Fraction) and all(isinstance(x, Fraction | int) for x in chances.flat)
    chances = chances + Fraction(0) if exact else chances.astype(float)
    slack = 0 if exact else ROUNDING
    wrong = ~(chances >= -slack)  # NaN is wrong too
    if wrong.any():
        i, r = (int(k) for k in np.argwhere(wrong)[0])
        raise ValueError(
            f"matrix[{i}][{r}] = {_shown(chances[i, r])} is not a probability from 0 to 1"
        )
    sums = chances.sum(axis=1)
    off = ~(abs(sums - 1) <= (0 if exact else 1e-9))
    if off.any():
        i = int(np.argmax(off))
        raise ValueError(f"row {i} of matrix sums to {_shown(sums[i])}; give rows that sum to 1")
    return (chances, alpha) if exact else (np.maximum(chances, 0.0), float(alpha))
