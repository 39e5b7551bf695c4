"""Hsu14's Figures 2 and 3: accuracy and budget in the plane of N and ε.

As in all figures, N is the horizontal axis and ε the vertical one.
"""

from typing import Any

from matplotlib.axes import Axes

from planner.answer.problem.curves import ceiling_curves, floor_curves
from planner.answer.problem.problem import problem_of
from planner.figures.curves import CEILINGS, FLOORS, REGION, Box, plane
from planner.libraries import np
from planner.model import Budget, Study
from planner.wording import plain


def draw_halves(axes: Axes, study: Study, box: Box) -> None:
    """Draw Figure 2: the accurate studies, the affordable ones, and their intersection."""
    accuracy, budget = _curves(study, box)
    n = box.n
    low, high = np.clip(accuracy, box.bottom, box.top), np.clip(budget, box.bottom, box.top)
    plane(axes, box)
    axes.fill_between(n, low, high, where=accuracy <= budget, color=REGION, lw=0)
    for bottom, top, colour, hatch in (
        (low, np.full_like(n, box.top), FLOORS, "//"),
        (np.full_like(n, box.bottom), high, CEILINGS, "\\\\"),
    ):
        axes.fill_between(n, bottom, top, facecolor="none", edgecolor=colour, hatch=hatch,
                          lw=0, alpha=0.35)  # fmt: skip
    axes.plot(n, box.clip(accuracy), "-", c=FLOORS)
    axes.plot(n, box.clip(budget), "--", c=CEILINGS)
    white = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 2}
    places = (
        (0.75, 0.93, "accurate (above the α curve)", FLOORS),
        (0.35, 0.05, "affordable (below the B curve)", CEILINGS),
        (0.55, 0.38, "both", "black"),
    )
    for x, y, words, colour in places:
        axes.text(x, y, words, transform=axes.transAxes, ha="center", color=colour, bbox=white)
    axes.set_title("Hsu14 Figure 2: feasible ε, N for accuracy α and budget B", loc="left")


def draw_levels(axes: Axes, studies: list[Study], box: Box) -> None:
    """Draw Figure 3: curves of equal accuracy and of equal budget, one of each per study."""
    plane(axes, box)
    ends = []
    for rank, study in enumerate(studies, 1):
        accuracy, budget = _curves(study, box)
        width = 0.8 + rank / len(studies)
        spent = study.find(Budget)
        axes.plot(box.n, box.clip(accuracy), "-", c=FLOORS, lw=width)
        axes.plot(box.n, box.clip(budget), "--", c=CEILINGS, lw=width)
        ends.append((accuracy[-1], f"α = {study.accuracy.failure:g}", FLOORS))
        ends.append((budget[-1], f"B = {plain(spent.money) if spent else ''}", CEILINGS))
    for end, words, colour in ends:
        axes.annotate(
            words, (box.last_n, end), (6, 0), textcoords="offset points", va="center",
            color=colour, annotation_clip=False,
        )  # fmt: skip
    axes.set_title("Hsu14 Figure 3: constant accuracy and constant budget", loc="left")


def _curves(study: Study, box: Box) -> tuple[Any, Any]:
    regions = problem_of(study).regions(0.0)
    floors = {c.name: c.epsilon for c in floor_curves(regions, box.n)}
    ceilings = {c.name: c.epsilon for c in ceiling_curves(regions, box.n)}
    return floors["accuracy"], ceilings["budget"]
