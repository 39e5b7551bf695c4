"""Loss functions: what a wrong answer costs the reader of a count (Ghosh09 §2.3, Gupte10 §2.3)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from planner import checks
from planner.libraries import np
from planner.numbers import Array


@dataclass(frozen=True)
class OffBy:
    """A loss of 1 if the answer is off by `at_least` people or more, else 0.

    Attributes:
        at_least: t [whole, ≥ 1]; 1 is the zero-one loss.
    """

    at_least: int

    def __post_init__(self) -> None:
        checks.whole("at_least", self.at_least, 1)


Loss: TypeAlias = Literal["absolute", "squared", "zero-one"] | OffBy | "np.typing.ArrayLike"
"""A named loss in counts, or a table l(i, r) of n + 1 rows (true counts) and columns (answers)."""

NAMED = ("absolute", "squared", "zero-one")


def by_distance(loss: Loss, n: int) -> Array | None:
    """The loss of an error of 0, 1, …, n; None for a table.

    Raises:
        ValueError: the loss has an unknown name.
    """
    off = np.arange(n + 1, dtype=float)
    if isinstance(loss, OffBy):
        return (off >= loss.at_least).astype(float)
    if not isinstance(loss, str):
        return None
    if loss == "absolute":
        return off
    if loss == "squared":
        return off**2
    if loss == "zero-one":
        return (off > 0).astype(float)
    raise ValueError(
        f"loss = {loss!r} is unknown; give one of {', '.join(NAMED)}, OffBy(t) or a table"
    )


def table(loss: Loss, n: int) -> Array:
    """The loss l(i, r) of answering r where the count is i: floats, shape (n + 1, n + 1).

    Raises:
        ValueError: the name is unknown, the table has another shape, an entry is negative or not
            finite, or a row decreases as r moves away from i; the entry is named.
    """
    distance = by_distance(loss, n)
    counts = np.arange(n + 1)
    if distance is not None:
        return distance[np.abs(counts[:, None] - counts)]
    losses = np.asarray(loss, dtype=float)
    if losses.shape != (n + 1, n + 1):
        raise ValueError(
            f"loss has shape {losses.shape}; for counts from 0 to {n} give {n + 1} rows (true "
            f"counts) of {n + 1} answers"
        )
    wrong = ~(np.isfinite(losses) & (losses >= 0))
    if wrong.any():
        i, r = (int(k) for k in np.argwhere(wrong)[0])
        raise ValueError(f"loss[{i}][{r}] = {float(losses[i, r])!r} is not a number of at least 0")
    steps = np.diff(losses, axis=1)  # from answer r to r + 1
    falls = np.where(counts[:-1] >= counts[:, None], steps < 0, steps > 0)
    if falls.any():
        i, r = (int(k) for k in np.argwhere(falls)[0])
        near, far = (r, r + 1) if r >= i else (r + 1, r)
        raise ValueError(
            f"loss[{i}][{far}] = {float(losses[i, far])!r} is under loss[{i}][{near}] = "
            f"{float(losses[i, near])!r}, though farther off; a loss must not decrease with |i − r|"
        )
    return losses
