"""The ε of the literature (Hsu14 Table 1) and of deployments, with the plans' ε."""

import math

from matplotlib.axes import Axes

from planner.audit.literature import Deployment, Published
from planner.figures.curves import CEILINGS, FLOORS, tick
from planner.figures.fit import balanced, drawn_size

_LEAST, _MOST = 1e-3, 50.0
_SIZE = 8
"""The size of the names [points]."""


def draw(axes: Axes, table: tuple[Published, ...], plans: dict[str, float]) -> None:
    """Draw each publication's range of ε, and each plan's ε as a line through them, on `axes`.

    Args:
        axes: where to draw.
        table: the publications, drawn from the smallest ε upwards.
        plans: ε of each plan by its name.
    """
    rows = sorted(table, key=lambda p: (p.lowest or p.highest, p.highest), reverse=True)
    for y, entry in enumerate(rows):
        low = max(entry.lowest, _LEAST)
        axes.plot([low, entry.highest], [y, y], "-", c=FLOORS, lw=3, solid_capstyle="butt")
        ends = entry.values or (*(x for x in (entry.lowest,) if x), entry.highest)
        axes.plot(ends, [y] * len(ends), "o", c=FLOORS, ms=5)
        if not entry.lowest:  # only an upper end is known
            axes.plot(_LEAST, y, "<", c=FLOORS, ms=6, clip_on=False)
    _name(axes, [f"{p.authors} {p.year}: {p.application}" for p in rows], plans, _LEAST)
    axes.set_title("ε in the literature (Hsu14 Table 1) and in the plans", loc="left")


def draw_deployments(axes: Axes, table: tuple[Deployment, ...], plans: dict[str, float]) -> None:
    """Draw the ε of each deployment, and each plan's ε as a line through them, on `axes`.

    Args:
        axes: where to draw.
        table: the deployments, drawn from the smallest ε upwards.
        plans: ε of each plan by its name.
    """
    rows = sorted(table, key=lambda one: one.epsilon, reverse=True)
    axes.plot([one.epsilon for one in rows], range(len(rows)), "o", c=FLOORS, ms=6)
    labels = [f"{one.organisation} {one.year}: {one.use}" for one in rows]
    least = min([*plans.values(), *(one.epsilon for one in rows)])
    _name(axes, labels, plans, least / 2)
    axes.set_title("ε of deployments and of the plans", loc="left")


def _name(axes: Axes, labels: list[str], plans: dict[str, float], least: float) -> None:
    """Name each row, and draw each plan's ε as a line with its name above the rows."""
    axes.set_yticks(range(len(labels)), labels, fontsize=_SIZE)
    axes.set(xscale="log", xlim=(least, _MOST), ylim=(-0.8, len(labels)))
    axes.set(xlabel="privacy parameter ε (more privacy to the left)")
    tick(axes.xaxis, _MOST / least)
    across, top = drawn_size(axes)[0], len(labels) - 0.4
    for name, epsilon in sorted(plans.items(), key=lambda plan: -plan[1]):
        place = math.log(epsilon / least) / math.log(_MOST / least)
        right = place < 0.5  # where there is more room
        room = max(place, 1 - place) * across - 2 * _SIZE
        words = balanced(f"{name}: {epsilon:.2g}", room, _SIZE)
        above = top + words.count("\n") + 1
        axes.plot([epsilon] * 2, [-0.8, above], color=CEILINGS, ls="--", zorder=0)
        axes.annotate(
            words, (epsilon, above), (4 if right else -4, 0), va="top",
            ha="left" if right else "right", textcoords="offset points", color=CEILINGS,
            fontsize=_SIZE,
        )  # fmt: skip
        top = above
    axes.set_ylim(-0.8, top + 0.3)
