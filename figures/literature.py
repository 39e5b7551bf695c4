"""The ε of the literature (Hsu14 Table 1), with the plans' ε."""

from matplotlib.axes import Axes

from planner.audit.literature import Published
from planner.figures.curves import CEILINGS, FLOORS, tick

_LEAST, _MOST = 1e-3, 30.0


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
    labels = [f"{p.authors} {p.year}: {p.application}" for p in rows]
    axes.set_yticks(range(len(rows)), labels, fontsize=8)
    axes.set(xscale="log", xlim=(_LEAST, _MOST), ylim=(-0.8, len(rows) + 0.6))
    axes.set(xlabel="privacy parameter ε (more privacy to the left)")
    tick(axes.xaxis, 1e6)
    for name, epsilon in plans.items():
        axes.axvline(epsilon, color=CEILINGS, ls="--", zorder=0)
        axes.annotate(
            f"{name}: {epsilon:.2g}", (epsilon, len(rows) + 0.4), (3, 0), rotation=90, va="top",
            textcoords="offset points", color=CEILINGS, fontsize=8,
            bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 0.5}, zorder=3,
        )  # fmt: skip
    axes.set_title("ε in the literature (Hsu14 Table 1) and in the plans", loc="left")
