"""The cost of a study with and without privacy over the exposure φ, and the break-even."""

import math
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.answer.answers import Plan
from planner.comparison.compare import Comparison
from planner.comparison.sizes import Bracket
from planner.figures.curves import CEILINGS, FLOORS, PLAN, POINTS, Box, number
from planner.figures.fit import name, size_of, text, title, width
from planner.figures.labels import Labels, Place
from planner.libraries import np
from planner.wording import at_least, at_most, money

_LEAST_EXPOSURE = 1e-7
_BEFORE = 30
"""Exposures are drawn from so many times under the first that matters, and a power of ten."""
_DECADES = 6
"""Axes of more powers of ten have a number at every other one."""
_NARROW = 0.45
"""The part of the picture that the private cost may take in one line: more would cross the rest."""
_ALONG = np.array([0.92, 0.85, 0.75, 0.98, 0.65, 0.55, 0.4, 0.25, 0.1])
"""Where along a curve its name may stand, the likely places first."""


def draw(axes: Axes, comparison: Comparison) -> None:
    """Draw both costs over φ, the break-even, and the exposure of the comparison, on `axes`.

    The cost without privacy is a band, since the size it needs is known between two bounds.

    Args:
        axes: where to draw.
        comparison: of `planner.compare`.
    """
    study, sizes, private = comparison.study, comparison.participants, comparison.private
    first = _first(comparison)
    exposure = np.geomspace(first, 1, POINTS)
    bottom, top = _limits(comparison, first)
    axes.set(xscale="log", yscale="log", xlim=(first, 1), ylim=(bottom, top))
    name(
        axes, "people who are exposed if the study is not private (exposure φ)",
        f"cost, {study.currency}".removesuffix(", "), short_x="exposure φ",
    )  # fmt: skip
    title(axes, _words(comparison))
    band = _band(comparison, exposure)
    paid = [np.full(POINTS, private.cost)] if isinstance(private, Plan) else []
    labels = Labels(axes, Box(first, 1.0, bottom, top), [*band, *paid])
    labels.line(comparison.exposure)
    if sizes:
        axes.fill_between(exposure, band[0], band[1], color=CEILINGS, alpha=0.25, lw=0)
        for curve in band:
            axes.plot(exposure, curve, "--", c=CEILINGS, lw=1)
    if isinstance(private, Plan):
        _draw_private(labels, private, comparison.break_even_exposure)
    if sizes:
        places = [
            Place(exposure[at], curve[at], right=right, above=not right, gap=(4, 2))
            for right, curve in zip((False, True), reversed(band), strict=True)
            for at in map(int, _ALONG * (POINTS - 1))
        ]
        labels.write("not private", places, CEILINGS)
    axes.axvline(comparison.exposure, color="0.35", ls=":")
    heights = np.geomspace(bottom, top, 12)[:-1]
    places = [
        Place(comparison.exposure, height, right=right, above=True, gap=(3, 4))
        for right in (True, False) for height in heights
    ]  # fmt: skip
    labels.write(f"φ = {100 * comparison.exposure:g} %", places, "0.25")
    for axis, words in ((axes.xaxis, lambda x: f"{number(100 * x)} %"), (axes.yaxis, number)):
        ends = np.log10(axis.get_view_interval())
        axis.set_major_locator(LogLocator(base=100 if np.ptp(ends) > _DECADES else 10))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda x, _, words=words: words(x)))


def _words(comparison: Comparison) -> str:
    study, even = comparison.study.title or "Study", comparison.break_even_exposure
    if even is None or not 0 < even.most < 1:
        return study
    return f"{study}: cheaper with privacy if {at_most(100 * even.most, 2)} % or more are exposed"


def _first(comparison: Comparison) -> float:
    """The least exposure that a picture shows: a hundredth of the first that matters."""
    even = comparison.break_even_exposure
    seen = [comparison.exposure, *([even.least] if even and even.least > 0 else [])]
    tens = math.floor(math.log10(min(x for x in seen if x > 0) / _BEFORE)) if any(seen) else -7
    return min(max(_LEAST_EXPOSURE, 10.0**tens), 1e-2)


def _limits(comparison: Comparison, first: float) -> tuple[float, float]:
    """The costs that a picture shows: all of them, with a margin of half a power of ten."""
    band = _band(comparison, np.array([first, 1.0]))
    private = comparison.private
    costs = [*np.ravel(band), *([private.cost] if isinstance(private, Plan) else [])]
    shown = [cost for cost in costs if cost > 0] or [1.0]
    return min(shown) / 10**0.5, max(shown) * 10**0.5


def _band(comparison: Comparison, exposure: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """The cost without privacy at both ends of its size; nothing where that is not known."""
    owed = comparison.study.individual.compensation_exposed(exposure)
    sizes = comparison.participants or ()
    return [np.asarray(comparison.study.costs.total(n, owed)) for n in sizes]


def _draw_private(labels: Labels, private: Plan, even: Bracket | None) -> None:
    """Draw the private cost, and on it the range of φ in which either study may be cheaper."""
    axes, box = labels.axes, labels.box
    axes.axhline(private.cost, c=FLOORS)
    if even is not None and box.first_n <= even.least < 1:
        least, most = even.least, min(even.most, 1.0)
        axes.plot([least, most], [private.cost] * 2, "-", c=PLAN, lw=4, solid_capstyle="butt")
        places = [
            Place(at, private.cost, right=right, above=above, gap=gap)
            for gap in ((4, 6), (16, 6), (28, 6), (4, 18))
            for above in (False, True)
            for at, right in ((most, True), (most, False), (least, True), (least, False))
        ]
        share = f"{at_least(100 * least, 2)} to {at_most(100 * most, 2)} %"
        labels.write(f"break-even\n{share}", places, "black", over=True)
    ends = ((box.first_n, True), (box.last_n, False))
    places = [
        Place(at, private.cost, right=right, above=above)
        for above in (True, False) for at, right in ends
    ]  # fmt: skip
    words = text(f"private: {money(private.cost, private.study.currency)}")
    if width(words, rcParams["font.size"]) > _NARROW * size_of(axes)[0]:
        words = words.replace(": ", ":\n")
    labels.write(words, places, FLOORS)
