"""The region of an (ε, δ)-private study, one slice at each of several δ."""

from matplotlib import colormaps
from matplotlib.axes import Axes

from planner.answer.problem.curves import ceiling_curves, floor_curves, highest, lowest
from planner.answer.problem.problem import problem_of
from planner.figures.curves import Box, plane
from planner.figures.fit import text
from planner.libraries import np
from planner.model import Delta, Study

_WIDEST = (1.8, 3.6)
"""The widths of the first slice's curves [points]; later ones are narrower, and lie over them.
Floors run side by side; ceilings meet, where each of four then shows beside the next."""


def draw(axes: Axes, study: Study, deltas: list[float], box: Box) -> None:
    """Draw the floor and the ceiling at each δ, and the region between them, on `axes`.

    Args:
        axes: where to draw.
        study: the study; its own δ is ignored.
        deltas: the δ of each slice, from the smallest.
        box: the part of the plane to show.
    """
    plane(axes, box, panel=True)
    n = box.n
    problem = problem_of(study)
    shades = colormaps["viridis"](np.linspace(0.65, 0.0, len(deltas)))
    above, below = (np.linspace(widest, 1.0, len(deltas)) for widest in _WIDEST)
    for delta, colour, solid, dashed in zip(deltas, shades, above, below, strict=True):
        regions = problem.with_conditions(Delta(delta)).regions(delta)
        floor = highest(floor_curves(regions, n))
        ceiling = lowest(ceiling_curves(regions, n), n)
        low, high = (np.clip(curve, box.bottom, box.top) for curve in (floor, ceiling))
        axes.fill_between(n, low, high, where=floor <= ceiling, color=colour, alpha=0.2, lw=0)
        axes.plot(n, box.clip(floor), "-", c=colour, lw=solid)
        axes.plot(n, box.clip(ceiling), "--", c=colour, lw=dashed)
        _label(axes, box, ceiling, f"δ = {delta:g}")
    accuracy = f"accuracy,\nδ = {deltas[0]:g} above,\nδ = {deltas[-1]:g} below"
    for name, place in ((accuracy, (0.62, 0.62)), ("budget", (0.05, 0.6))):
        axes.text(*place, name, transform=axes.transAxes)
    axes.set_title(text(study.title or "Study"), loc="left")


def _label(axes: Axes, box: Box, ceiling: np.ndarray, words: str) -> None:
    """Label a slice where its budget ends, or at the right edge."""
    inside = np.flatnonzero(ceiling > box.bottom)
    last = inside[-1] if inside.size else 0
    axes.annotate(
        words, (box.n[last], box.bottom), (-3, 5), textcoords="offset points",
        rotation=90, ha="right", va="bottom", fontsize=8,
        bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 0.5},
    )  # fmt: skip
