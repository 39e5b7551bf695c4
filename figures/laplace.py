"""Hsu14's Figure 1: the Laplace mechanism on two neighbouring databases."""

from matplotlib.axes import Axes

from planner.figures.curves import CEILINGS, FLOORS, PLAN
from planner.libraries import np


def draw(axes: Axes, epsilon: float) -> None:
    """Draw the densities of a 1-sensitive answer with Laplace noise on two databases.

    Args:
        axes: where to draw.
        epsilon: ε [> 0].
    """
    reach = 4 / epsilon
    x = np.linspace(-reach, 1 + reach, 1201)
    here, there = (epsilon / 2 * np.exp(-epsilon * np.abs(x - mean)) for mean in (0, 1))
    axes.plot(x, here, "-", c=FLOORS)
    axes.plot(x, there, "--", c=CEILINGS)
    top = epsilon / 2
    axes.annotate("on D", (0, top), (-6, 2), textcoords="offset points", ha="right", color=FLOORS)
    axes.annotate(
        "on D′, one record\nof D changed", (1, top), (6, -6), textcoords="offset points",
        va="center", color=CEILINGS,
    )  # fmt: skip
    # wherever the answer falls, one density is at most e^ε times the other
    at = -1.2 / epsilon
    low, high = (epsilon / 2 * np.exp(epsilon * (at - mean)) for mean in (1, 0))
    arrow = {"arrowstyle": "<->", "color": PLAN, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (at, high), (at, low), arrowprops=arrow)
    axes.annotate(
        f"at most $e^{{ε}}$ = {np.exp(epsilon):.2f}\ntimes as likely", (at, high), (-12, 12),
        textcoords="offset points", ha="right", va="bottom",
    )  # fmt: skip
    axes.set_xticks([0, 1], ["g(D)", "g(D′)"])
    axes.set_yticks([])
    axes.set(xlabel="published answer", ylabel="density", ylim=(0, 1.15 * top))
    axes.set_xlim(x[0], x[-1])
    axes.set_title(f"Hsu14 Figure 1: the Laplace mechanism at ε = {epsilon:g}", loc="left")
