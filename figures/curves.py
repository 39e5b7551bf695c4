"""Floors and ceilings on ε as curves over N, and their axes.

The curves are the floors and ceilings themselves, not contours of a grid. Floors are solid and
ceilings dashed, so that they differ in grey.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures import fit
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT
from planner.wording import plain

FLOORS, CEILINGS, REGION, PLAN = "#005F96", "#A84300", "#C9E8DB", "#000000"
POINTS = 200
_SHORT, _LONG = 100.0, 1000.0
"""Ratios of the ends of an axis at which fewer numbers stand on it, three at least."""
_BEYOND = 1000.0
"""How far curves are drawn beyond a picture: the range of N that one picture shows."""


class Box(NamedTuple):
    """The shown part of the plane of N and ε."""

    first_n: float
    last_n: float
    bottom: float
    top: float

    @property
    def n(self) -> np.ndarray[Any, Any]:
        """The values of N at which curves are drawn."""
        return np.geomspace(self.first_n, self.last_n, POINTS)

    @property
    def beyond(self) -> "Box":
        """What is drawn: far beyond the picture, for axes that are moved or shared later."""
        return Box(
            max(1.0, self.first_n / _BEYOND), min(self.last_n * _BEYOND, float(WHOLE_LIMIT)),
            self.bottom / _BEYOND, self.top * _BEYOND,
        )  # fmt: skip

    def clip(self, epsilon: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """ε, limited to what is drawn beyond the picture.

        So ∞ is drawn beyond the edge, and a curve that ends becomes vertical.
        """
        return np.asarray(np.clip(epsilon, self.beyond.bottom, self.beyond.top))


def plane(axes: Axes, box: Box, panel: bool = False) -> None:
    """Make `axes` the plane of N and ε, both logarithmic; a `panel` has fewer, shorter ticks."""
    axes.set(xscale="log", yscale="log", xlim=box[:2], ylim=box[2:])
    fit.name(
        axes, "participants N", "privacy parameter ε (more privacy below)",
        short_y="ε (more privacy below)",
    )  # fmt: skip
    ratio = box.last_n / box.first_n
    tick(axes.xaxis, *((max(ratio, _SHORT), _short) if panel else (ratio,)))
    tick(axes.yaxis, box.top / box.bottom)


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _short(x: float) -> str:
    """A number in short, such as "20 k"."""
    for unit, word in ((1e9, "bn"), (1e6, "M"), (1e3, "k")):
        if x >= unit:
            return f"{x / unit:g} {word}"
    return number(x)


def number(x: float) -> str:
    """A number as every axis and colour bar writes it: in digits, or as a power of ten."""
    if not x or 0.999e-4 < abs(x) < 1e9:  # ticks are rounded
        return plain(float(f"{x:.6g}"))
    digits, _, power = f"{x:.3g}".partition("e")
    if not power:
        digits, _, power = f"{x:e}".partition("e")
        digits = f"{float(digits):g}"
    factor = "" if digits == "1" else f"{digits}·"
    return f"{factor}10{str(int(power)).translate(_RAISED)}"


def tick(axis: Axis, ratio: float, words: Callable[[float], str] = number) -> None:
    """Ticks at 1, 2 and 5 on short axes, at 1 and 3 on longer ones, then at powers of ten."""
    steps = (1, 2, 5) if ratio < _SHORT else (1, 3) if ratio < _LONG else (1,)
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: words(x)))
