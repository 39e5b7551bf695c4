"""A sweep as a heat map: the cost of studies (or their ε) over two swept quantities.

Darker means more; the edge of the feasible region is a labelled line, with hatching beyond it.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm

from planner.figures.curves import text, tick
from planner.wording import plain

if TYPE_CHECKING:
    import xarray

_LOGARITHMIC = 20.0


def draw(
    axes: Axes,
    sweep: "xarray.Dataset",
    x: str | None = None,
    y: str | None = None,
    colour: str = "cost",
) -> None:
    """Draw a sweep on `axes`.

    Args:
        axes: where to draw.
        sweep: the dataset of `planner.sweep`.
        x: the dimension along the horizontal axis, by default the first.
        y: the dimension along the vertical axis, by default the next; other dimensions are drawn
            at their first value, as the title says.
        colour: what the colour shows: "cost", "epsilon", "participants" or "compensation".

    Raises:
        ValueError: the sweep has fewer than two quantities of two values.
    """
    long = [str(name) for name in sweep.dims if sweep.sizes[name] > 1]
    x = x or next((name for name in long if name != y), None)
    y = y or next((name for name in long if name != x), None)
    if x is None or y is None:
        raise ValueError("a heat map needs two quantities of two values or more; sweep another one")
    rest = [name for name in map(str, sweep.dims) if name not in (x, y)]
    plane = sweep.isel(dict.fromkeys(rest, 0)).transpose(y, x)
    across, up = (plane[name].to_numpy() for name in (x, y))
    feasible = plane["verdict"].to_numpy() == 1
    values = plane[colour].to_numpy()
    positive = values[feasible & (values > 0)]
    if positive.size:
        low, high = float(positive.min()), float(max(positive.max(), positive.min() * 1.01))
        norm = LogNorm(low, high)
        shown = np.clip(np.where(feasible, values, np.nan), low, None)
        mesh = axes.pcolormesh(
            _edges(across), _edges(up), shown, norm=norm, cmap="cividis_r", rasterized=True
        )
        words = f"{plane[colour].attrs['long_name']}, {plane[colour].attrs['units']}"
        bar = axes.figure.colorbar(mesh, ax=axes, label=text(words.removesuffix(", 1")))
        tick(bar.ax.yaxis, high / low)
    axes.set(xlim=_edges(across)[[0, -1]], ylim=_edges(up)[[0, -1]])
    for name, values_, axis in ((x, across, axes.xaxis), (y, up, axes.yaxis)):
        words = f"{plane[name].attrs['long_name']}, {plane[name].attrs['units']}"
        axis.set_label_text(text(words.removesuffix(", 1")))
        if _log(values_):
            (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
            tick(axis, values_[-1] / values_[0])
    _draw_edge(axes, across, up, feasible)
    at = ", ".join(f"{name} = {plain(float(plane[name]))}" for name in rest)
    title = str(sweep.attrs["title"])
    axes.set_title(text(f"{title}{', at ' * bool(at)}{at}"), loc="left")


def _draw_edge(axes: Axes, across: Any, up: Any, feasible: Any) -> None:
    """Draw the edge of the feasible region, and hatching on the infeasible side."""
    if feasible.all():
        return
    axes.patch.set(facecolor="white", edgecolor="0.7", hatch="///", linewidth=0)
    box = {"fc": "white", "ec": "none", "alpha": 0.9, "pad": 2}
    rows, columns = np.nonzero(~feasible)
    middle = across[int(np.median(columns))], up[int(np.median(rows))]
    axes.text(*middle, "no study", ha="center", va="center", bbox=box)
    if not feasible.any():
        return
    line = axes.contour(across, up, feasible.astype(float), [0.5], colors="black", linewidths=1.4)
    longest = max(line.allsegs[0], key=len)
    at = longest[len(longest) // 2]
    right = at[0] < across[len(across) // 2]
    axes.annotate(
        "edge of the feasible region", at, (12 if right else -12, 0), textcoords="offset points",
        ha="left" if right else "right", va="center", bbox=box,
    )  # fmt: skip


def _log(values: Any) -> bool:
    """Whether values span enough for a logarithmic scale."""
    return bool(values[0] > 0 and values[-1] > _LOGARITHMIC * values[0])


def _edges(values: Any) -> Any:
    """The edges of cells around values."""
    scaled = np.log(values) if _log(values) else values
    inner = (scaled[1:] + scaled[:-1]) / 2
    edges = np.concatenate([
        [2 * scaled[0] - inner[0]], inner, [2 * scaled[-1] - inner[-1]]
    ])  # fmt: skip
    return np.exp(edges) if _log(values) else edges
