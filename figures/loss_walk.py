"""The privacy loss of many answers as a random walk (Naor; Kairouz et al. 2015)."""

from typing import Any

from matplotlib.axes import Axes

from planner.figures.curves import CEILINGS, FLOORS, PLAN
from planner.libraries import np


def draw(axes: Axes, walks: np.ndarray[Any, Any], bounds: dict[str, np.ndarray[Any, Any]]) -> None:
    """Draw walks of shape (runs, k + 1), and the ε that each rule gives for 0, …, k answers."""
    steps = np.arange(walks.shape[1])
    axes.plot(steps, walks.T, c="0.75", lw=0.5)
    styles = zip(("-", "--", "-.", ":"), (PLAN, FLOORS, CEILINGS, "#009E73"), strict=True)
    for (rule, epsilon), (style, color) in zip(bounds.items(), styles, strict=False):
        axes.plot(steps, epsilon, ls=style, c=color)
        axes.annotate(
            rule, (steps[-1], epsilon[-1]), (4, 0), textcoords="offset points",
            color=color, va="center", annotation_clip=False,
        )  # fmt: skip
    axes.set(xlim=(0, steps[-1]), xlabel="answers k", ylabel="privacy loss")
    axes.set_title(
        "Privacy loss of k answers: random walks, and the ε that bounds them", loc="left"
    )
