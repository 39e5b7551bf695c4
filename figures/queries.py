"""The cost of k questions by each mechanism."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures.curves import number
from planner.figures.fit import text
from planner.libraries import np
from planner.model import Person

STYLES = ("-", "--", "-.", ":", (0, (8, 2)), (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
COLORS = ("#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#56B4E9", "#E69F00")


def draw(
    axes: Axes,
    queries: np.ndarray[Any, Any],
    epsilons: dict[str, np.ndarray[Any, Any]],
    deltas: dict[str, float],
    person: Person,
    participants: int,
) -> None:
    """Draw the cost of a study of `participants` over the number of questions.

    Args:
        axes: where to draw.
        queries: k, shape of the curves.
        epsilons: by mechanism, the total ε of all k questions.
        deltas: by mechanism, the δ.
        person: the individual.
        participants: N.
    """
    axes.set(xscale="log", yscale="log", xlim=(queries[0], queries[-1]))
    costs = {
        way: participants
        * np.array([person.compensation(min(float(e), 500.0), deltas[way]) for e in epsilon])
        for way, epsilon in epsilons.items()
    }
    for (way, cost), style, color in zip(costs.items(), STYLES, COLORS, strict=False):
        axes.plot(queries, cost, ls=style, c=color, lw=1.3, label=text(way))
    axes.xaxis.set_major_locator(LogLocator(base=100))
    axes.yaxis.set_major_locator(LogLocator(base=100))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
