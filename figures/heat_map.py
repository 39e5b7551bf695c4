"""A sweep as a heat map: the cost of studies (or their ε) over two swept quantities.

Darker means more; the edge of the feasible region is a labelled line, with hatching beyond it.
"""

from typing import TYPE_CHECKING, Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.ticker import FuncFormatter

from planner.figures import fit
from planner.figures.curves import number, tick
from planner.libraries import np
from planner.wording import plain

if TYPE_CHECKING:
    import xarray

_LOGARITHMIC = 20.0
_GAP = 12
"""Between the edge of the region and its name [points]."""


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
        bar = axes.figure.colorbar(mesh, ax=axes, label=fit.text(_words(plane[colour])))
        tick(bar.ax.yaxis, high / low)
    axes.set(xlim=_edges(across)[[0, -1]], ylim=_edges(up)[[0, -1]])
    fit.name(axes, *(_words(plane[name]) for name in (x, y)))
    for values_, axis in ((across, axes.xaxis), (up, axes.yaxis)):
        if _log(values_):
            (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
            tick(axis, values_[-1] / values_[0])
        else:
            axis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
    if not _log(across):
        fit.spread(axes.xaxis)
    _draw_edge(axes, across, up, feasible)
    at = ", ".join(f"{name} = {plain(float(plane[name]))}" for name in rest)
    title = str(sweep.attrs["title"])
    fit.title(axes, f"{title}{', at ' * bool(at)}{at}")


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
    share = float(axes.transAxes.inverted().transform(axes.transData.transform(at))[0])
    right = share < 0.5
    room = (1 - share if right else share) * fit.size_of(axes)[0] - 2 * _GAP
    words = fit.broken("edge of the feasible region", room, rcParams["font.size"])
    words = words if words.count("\n") < 2 else "edge"
    axes.annotate(
        words, at, (_GAP if right else -_GAP, 0), textcoords="offset points",
        ha="left" if right else "right", va="center", bbox=box,
    )  # fmt: skip


def _words(quantity: Any) -> str:
    """The name of a quantity, with its unit where it has one."""
    return f"{quantity.attrs['long_name']}, {quantity.attrs['units']}".removesuffix(", 1")


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
