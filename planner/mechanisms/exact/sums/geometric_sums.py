"""The failure probability of a noisy proportion with geometric noise, at means that are fractions.

Whether an edge is just hit decides, and is decided in fractions; see `geometric_noise`.
"""

from collections.abc import Sequence
from fractions import Fraction

from planner.libraries import np
from planner.mechanisms.exact.bounds.bracket import Mean, anchors
from planner.mechanisms.exact.sums.edges import edges, whole_from
from planner.mechanisms.exact.sums.noisy_count import upper_parts
from planner.numbers import Array, Number, decimal


def failure_at(epsilon: float, participants: int, error: float, mean: float) -> float:
    """Pr[|K/N + Z/N − μ| ≥ T] at one mean, all decimals read as they are written."""
    at = [decimal(float(mean))]
    return float(failure_at_means(np.array([epsilon]), participants, error, at)[0, 0])


def failure_at_means(
    epsilon: Number, participants: float, error: float, means: Sequence[Mean]
) -> Number:
    """The same for an array of ε and several means: a row for each ε, a column for each mean."""
    return np.asarray(np.sum(parts_at_means(epsilon, participants, error, means), axis=0))


def parts_at_means(
    epsilon: Array, participants: float, error: float, means: Sequence[Mean]
) -> Array:
    """The same in two parts, along the first axis: one grows with ε, the other falls."""
    n, t = int(participants), decimal(float(error))
    exact = [Fraction(mean) for mean in means]
    edges_ = [edges(n, t, mean, mean) for mean in exact]
    up = np.array([float(h - n * mean) for (h, _), mean in zip(edges_, exact, strict=True)])
    down = np.array([float(n * mean - g) for (_, g), mean in zip(edges_, exact, strict=True)])
    at = np.array([float(mean) for mean in exact])
    return _parts(np.asarray(epsilon)[:, None], float(n), at, up, down)


def likely_parts(epsilon: Array, n: Array, error: float, mean_range: tuple[float, float]) -> Array:
    """The parts at the tips nearest to the `anchors`, and at ends of the range that are nearer.

    Along the second axis lie the means; 0 stands for those that some study has not.
    """
    low, high = (decimal(end) for end in mean_range)
    t = decimal(error)
    apart = whole_from(n, 2 * t)
    mirrored = low + high != 1  # where the range is its own mirror image, one kind of tip is enough
    rows = []
    near, far = n * error, np.maximum(apart - n * error, n * error)
    for anchor in anchors(error, mean_range):
        centre = min(max(decimal(anchor), low), high)
        above, below = whole_from(n, centre + t), -whole_from(n, t - centre)
        rows += [((above - step) / n - error, near, far) for step in (0, 1)]
        rows += [((below + step) / n + error, far, near) for step in (0, 1) if mirrored]
        if centre in (low, high):
            end = np.full(n.shape, anchor)
            rows.append((end, above - n * anchor, n * anchor - below))
    mean, up, down = (np.array(x) for x in zip(*rows, strict=True))
    inside = (mean >= mean_range[0]) & (mean <= mean_range[1])
    parts = _parts(epsilon, n, np.where(inside, mean, mean_range[0]), up, down)
    return np.where(inside, parts, 0.0)


def held_at(
    epsilon: Number, n: int, h: Number, g: Number, mean: Number, other: Number | None = None
) -> Number:
    """F at given edges: Pr[K + Z ≥ h] at `mean` plus Pr[K + Z ≤ g] at `other`, else at `mean`."""
    below = mean if other is None else other
    return both_sides(epsilon, float(n), mean, h - n * mean, n * below - g, below)


def both_sides(
    epsilon: Number, n: Number, mean: Number, up: Number, down: Number, other: Number | None = None
) -> Number:
    """Pr[K + Z ≥ Nμ + up], plus Pr[K + Z ≤ Nμ′ − down] at another mean μ′; both edges are whole."""
    return np.asarray(np.sum(_parts(epsilon, n, mean, up, down, other), axis=0))


def _parts(
    epsilon: Number, n: Number, mean: Number, up: Number, down: Number, other: Number | None = None
) -> Number:
    e, n, mean, up, down, mirrored = np.broadcast_arrays(
        np.asarray(epsilon, dtype=float), n, mean, up, down, 1 - (mean if other is None else other)
    )
    # one call for both sides; upper_parts wants the edge as excess over the mean, none under it
    share, edge = np.stack([mean, mirrored]), np.stack([up, down])
    beyond, carried = upper_parts(n, share, np.maximum(edge, 1e-300), e, np.float64(0.0))
    over = edge > 0
    return np.stack([
        np.sum(np.where(over, beyond, 1.0), axis=0), np.sum(np.where(over, carried, 0.0), axis=0)
    ])  # fmt: skip
