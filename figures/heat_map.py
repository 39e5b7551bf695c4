"""A sweep as a heat map: the cost of studies (or their ε) over two swept quantities.

Darker means more; lines of equal cost have their cost on them. The edge of the feasible region is a
thick line, with hatching beyond it.
"""

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from planner.figures import fit
from planner.figures.curves import number, tick
from planner.libraries import np
from planner.wording import plain

if TYPE_CHECKING:
    import xarray

_LOGARITHMIC = 20.0
_DECADES = 100.0
"""Values that span more have lines at powers of ten, else also at 2 and 5."""
_COLOURS = ["#F4F8FB", "#6FA3CC"]
"""From light to dark, so that black words can be read on both."""
_NO_UNITS = ("1", "money")
"""Of fractions, and of money in a study without a currency."""
_MARGIN, _APART = 0.07, (0.18, 0.06)
"""Of the picture: how far the middle of a value stays from the frame and from other values."""
WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.9, "pad": 1.5}


def draw(
    axes: Axes,
    sweep: "xarray.Dataset",
    x: str | None = None,
    y: str | None = None,
    colour: str | None = None,
) -> None:
    """Draw a sweep on `axes`.

    Args:
        axes: where to draw.
        sweep: the dataset of `planner.sweep`.
        x: the dimension along the horizontal axis, by default the first.
        y: the dimension along the vertical axis, by default the next; other dimensions are drawn
            at their first value, as the title says.
        colour: what the colour shows: "cost", "epsilon", "participants" or "compensation"; by
            default the cost, and the people where nothing costs money.

    Raises:
        ValueError: the sweep has fewer than two quantities of two values.
    """
    long = [str(name) for name in sweep.dims if sweep.sizes[name] > 1]
    x = x or next((name for name in long if name != y), None)
    y = y or next((name for name in long if name != x), None)
    if x is None or y is None:
        raise ValueError("a heat map needs two quantities of two values or more; sweep another one")
    colour = colour or ("cost" if (sweep["cost"] > 0).any() else "participants")
    rest = [name for name in map(str, sweep.dims) if name not in (x, y)]
    plane = sweep.isel(dict.fromkeys(rest, 0)).transpose(y, x)
    across, up = (_scale(plane[name]) * plane[name].to_numpy() for name in (x, y))
    feasible = plane["verdict"].to_numpy() == 1
    shown = np.where(feasible, plane[colour].to_numpy(), np.nan)
    axes.set(xlim=_edges(across)[[0, -1]], ylim=_edges(up)[[0, -1]])
    fit.name(axes, *(_words(plane[name]) for name in (x, y)))
    for values, axis in ((across, axes.xaxis), (up, axes.yaxis)):
        if _log(values):
            (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
            tick(axis, values[-1] / values[0])
        else:
            axis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
    if not _log(across):
        fit.spread(axes.xaxis)
    positive = shown[shown > 0]
    if positive.size:
        low, high = float(positive.min()), float(max(positive.max(), positive.min() * 1.01))
        axes.pcolormesh(
            _edges(across), _edges(up), np.maximum(shown, low), norm=LogNorm(low, high),
            cmap=LinearSegmentedColormap.from_list("", _COLOURS), rasterized=True,
        )  # fmt: skip
        unit = str(plane[colour].attrs["units"])
        _draw_levels(axes, across, up, np.maximum(shown, low), unit)
    _draw_edge(axes, across, up, feasible)
    at = ", ".join(f"{name} = {plain(float(plane[name]))}" for name in rest)
    title = f"{sweep.attrs['title']}{', at ' * bool(at)}{at}"
    fit.title(axes, f"{title}: {plane[colour].attrs['long_name']}")


def _draw_levels(axes: Axes, across: Any, up: Any, shown: Any, unit: str) -> None:
    """Draw lines of equal values, each with its value on it."""
    low, high = np.nanmin(shown), np.nanmax(shown)
    steps = (1, 2, 5) if high / low < _DECADES else (1,)
    locator: Any = LogLocator(subs=steps, numticks=30) if high / low > 3 else MaxNLocator(5)
    levels = [float(x) for x in locator.tick_values(low, high) if low < x < high]
    if not levels:
        return
    lines = axes.contour(
        across, up, np.ma.masked_invalid(shown), levels, colors="0.25", linewidths=0.9
    )
    sign = -1 if _rises(shown, 0) * _rises(shown, 1) < 0 else 1
    placed: list[Any] = []
    for level, parts in zip(lines.levels, lines.allsegs, strict=True):
        points = np.concatenate([part for part in parts if len(part)] or [np.empty((0, 2))])
        if not len(points):
            continue
        places = axes.transAxes.inverted().transform(axes.transData.transform(points)) - 0.5
        inside = np.abs(places).max(axis=1) < 0.5 - _MARGIN
        clear = [np.abs((places - other) / _APART).max(axis=1) > 1 for other in placed]
        free = np.flatnonzero(np.logical_and.reduce([inside, *clear]))
        if free.size:
            best = free[np.abs(places[free, 1] - sign * places[free, 0]).argmin()]
            placed.append(places[best])
            words = number(level) if unit in _NO_UNITS else f"{number(level)} {unit}"
            axes.annotate(fit.text(words), points[best], ha="center", va="center", bbox=WHITE)


def _rises(shown: Any, axis: int) -> float:
    steps = np.diff(np.log(shown), axis=axis)
    return float(np.mean(steps[np.isfinite(steps)])) if np.isfinite(steps).any() else 0.0


def _draw_edge(axes: Axes, across: Any, up: Any, feasible: Any) -> None:
    """Draw the edge of the feasible region, and hatch what lies beyond it."""
    if feasible.all():
        return
    axes.patch.set(facecolor="white", edgecolor="0.7", hatch="///", linewidth=0)
    rows, columns = np.nonzero(~feasible)
    middle = across[int(np.median(columns))], up[int(np.median(rows))]
    axes.text(*middle, "no study", ha="center", va="center", bbox=WHITE)
    if feasible.any():
        axes.contour(across, up, feasible.astype(float), [0.5], colors="black", linewidths=1.8)


def _scale(quantity: Any) -> int:
    """What turns a fraction of 1 into what pictures show."""
    return 100 if "display_units" in quantity.attrs else 1


def _words(quantity: Any) -> str:
    """The name of a quantity, with its unit where it has one."""
    name = quantity.attrs.get("display_name", quantity.attrs["long_name"])
    return f"{name}, {quantity.attrs.get('display_units', quantity.attrs['units'])}".removesuffix(
        ", 1"
    )


def _log(values: Any) -> bool:
    return bool(values[0] > 0 and values[-1] > _LOGARITHMIC * values[0])


def _edges(values: Any) -> Any:
    scaled = np.log(values) if _log(values) else values
    inner = (scaled[1:] + scaled[:-1]) / 2
    edges = np.concatenate([
        [2 * scaled[0] - inner[0]], inner, [2 * scaled[-1] - inner[-1]]
    ])  # fmt: skip
    return np.exp(edges) if _log(values) else edges
