"""The worst number of people with the property, bracketed by branch and bound over cells of K."""

from fractions import Fraction

from planner.libraries import np
from planner.mechanisms.exact.balls import within_reach
from planner.mechanisms.exact.bounds.bracket import (
    CLEARLY,
    FIRST_CELLS,
    PARTS,
    ROUNDING,
    TOLERANCE,
    WorstMean,
)
from planner.mechanisms.finite.cells import by_log_chord, curvature
from planner.mechanisms.finite.counts import Carried, counts, parts_at, sides, smaller_of
from planner.mechanisms.finite.lattice import Lattice
from planner.numbers import Array

_MOST_CELLS = 100_000
_LEAST = 1e-300


def worst_mean(
    noise: Carried,
    steep: float,
    lattice: Lattice,
    rate: float,
    participants: float,
    error: float,
    sufficient: float = 0.0,
    tolerance: float = TOLERANCE,
    cover: Carried | None = None,
) -> WorstMean:
    """Bracket the largest failure probability; see `exact.bracket`.

    Args:
        noise: what it does.
        steep: how little the noise bends, see `cells.bend`.
        lattice: the numbers of people with the property.
        rate: of the noise.
        participants: N.
        error: T.
        sufficient: the search may stop once the largest value is certain to be at most this, or
            certain to pass it clearly.
        tolerance: of the bracket, as a fraction.
        cover: of noise that is not smooth in the edge: what is, and fails no less.
    """
    people, low, high = lattice
    size, speed = np.array([participants]), np.array([rate])
    drawn = int(smaller_of(people, size)[0])

    def value(having: Array, by: Carried = noise) -> Array:
        return np.asarray(parts_at(by, people, speed, size, error, having).sum(axis=0))

    nodes = np.unique(np.linspace(low, high, FIRST_CELLS + 1).astype(np.int64))
    values = value(nodes)
    best = int(np.argmax(values))
    least, at = float(values[best]), int(nodes[best])
    left, right, at_left, at_right = nodes[:-1], nodes[1:], values[:-1], values[1:]
    passed = 0.0
    while left.size:
        seen = np.maximum(at_left, at_right)
        goal = max(least * (1 + tolerance), sufficient / ROUNDING)
        reach = within_reach(max(drawn, 1), min(max(goal, _LEAST), 1.0))
        a, b = left.astype(float), right.astype(float)
        covered = seen if cover is None else np.maximum(value(left, cover), value(right, cover))
        over = by_log_chord(
            covered, b - a, np.asarray(curvature(people, drawn, steep, a, b, reach))
        )
        doubtful = (over > goal) & (right - left > 1)
        if doubtful.any():
            crude = _by_order(noise, people, speed, size, error, a[doubtful], b[doubtful])
            over[doubtful] = np.minimum(over[doubtful], crude)
        over = np.where(right - left > 1, np.maximum(over, seen), seen)
        open_ = (over > goal) & (right - left > 1)
        passed = max(passed, float(np.max(over[~open_], initial=0.0)))
        too_many = PARTS * int(open_.sum()) > _MOST_CELLS
        if too_many or (sufficient and least > sufficient * CLEARLY):
            passed = max(passed, float(np.max(over[open_], initial=0.0)))
            break
        left, right, at_left, at_right = (x[open_] for x in (left, right, at_left, at_right))
        if not left.size:
            break
        steps = np.arange(1, PARTS) / PARTS
        inner = left[:, None] + np.rint((right - left)[:, None] * steps).astype(np.int64)
        at_inner = value(inner)
        best = int(np.argmax(at_inner))
        if at_inner.flat[best] > least:
            least, at = float(at_inner.flat[best]), int(inner.flat[best])
        edges = np.concatenate([left[:, None], inner, right[:, None]], axis=1)
        at_edges = np.concatenate([at_left[:, None], at_inner, at_right[:, None]], axis=1)
        left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
        at_left, at_right = at_edges[:, :-1].ravel(), at_edges[:, 1:].ravel()
        wide = right > left
        left, right, at_left, at_right = (x[wide] for x in (left, right, at_left, at_right))
    most = min(1.0, max(passed, least) * ROUNDING)
    return WorstMean(min(least, most), most, Fraction(at, people))


def _by_order(
    noise: Carried, people: int, rate: Array, size: Array, error: float, left: Array, right: Array
) -> Array:
    """The bound by stochastic order on each cell."""
    drawn = np.broadcast_to(smaller_of(people, size), left.shape)
    speed = np.broadcast_to(rate, left.shape)
    apart = drawn * (right - left) / people
    excess = size * error - apart
    over = sides(counts(people, drawn, right), noise, speed, excess, excess).sum(axis=0)[0]
    under = sides(counts(people, drawn, left), noise, speed, excess, excess).sum(axis=0)[1]
    return np.asarray(over + under)
