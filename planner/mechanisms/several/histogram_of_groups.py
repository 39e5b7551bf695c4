"""A histogram of two groups of people that are compared: how often any difference is far off.

Counted are those of the first group of people with the answer and those of the second without it;
with N in all, a count off by NT is a difference of proportions off by 2T. Its failure probability
f(p, q) depends on the proportions of both groups, and these have the mean s = (p + q)/2. As the
means of all k answers add up to one, any line a + b·s above f, b ≥ 0, bounds the union by ka + b;
the lowest is that of `histogram`, with f on the diagonal, where it is the largest for its mean.
That f is under the line everywhere is proved over cells of both proportions, in double precision:
see `exact.error_of_difference`.
"""

from typing import TYPE_CHECKING

from planner.libraries import np
from planner.mechanisms.exact.error_of_difference import ABOVE, ErrorOfDifference
from planner.mechanisms.several.histogram import (
    FOR_RARE,
    Counts,
    Line,
    tangent_point,
)
from planner.numbers import Array

if TYPE_CHECKING:
    from flint import arb

_ROUNDS = 2
"""Of the search of a line: fewer than for one group of people, as this f is smooth."""
_FOR_ROUNDING = 1e-12
"""The part of α that is left for the rounding of doubles."""


class CountsOfGroups(Counts):
    """The counts of a histogram of two groups, with Laplace noise; see `Counts`.

    Quickly read as of one group of people, whose counts have the same spread.
    """

    def _values(self, rate: Array, n: Array, means: Array) -> Array:
        """F at means about, as the sum over frequencies or a moment bounds it."""
        with np.errstate(over="ignore"):  # where there is hardly any noise
            spread = 4 * means * (1 - means) * np.sinh(rate / 2) ** 2
            moment = np.exp(n * (np.log1p(spread) / 2 - rate * self.error))
        return np.minimum(super()._values(rate, n, means) * (1 + ABOVE), moment)

    def line(self, rate: float, n: float) -> tuple[Line, float]:
        """A line that is about above f and lowest at 1/k, and the failure probability by it."""
        return self._line_over(*self._nodes(rate, n, _ROUNDS))

    def _at(self, rate: float, n: float, means: Array) -> Array:
        return self._law(rate, n).often_at(means)

    def _law(self, rate: float, n: float) -> ErrorOfDifference:
        """Of a difference."""
        each = int(n) // 2
        centre = 1 / self.groups
        about = tangent_point("laplace", np.array([rate]), np.array([n]), self.error, centre)
        return ErrorOfDifference(each, each, 1 / (rate * each), 2 * self.error, 2, float(about[0]))

    def certify_at_most(self, rate: "arb", n: "arb", failure: "arb") -> bool:
        """Whether k·f̂(1/k) is certain to be at most α: some line above f shows it."""
        at, size, alpha = (float(x.mid()) for x in (rate, n, failure))
        alpha *= 1 - _FOR_ROUNDING
        line, value = self.line(at, size)
        start = line.a / value * alpha + (alpha - value) / (FOR_RARE * self.groups)
        rise = alpha - self.groups * start
        return 0 < value <= alpha and rise >= 0 and self._law(at, size).seldom(start, rise)
