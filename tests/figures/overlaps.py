"""Which words of a picture touch one another or curves, are cut off, or can hardly be read."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import same_color, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text

from planner.figures.save import STYLE

_NEAR = 2.0
"""Pixels from a frame at which words look as if they stood on it."""
_TOUCH = 1.5
"""Pixels by which boxes may overlap: they are a little larger than the letters."""
_CONTRAST = 4.5
"""Of words with what lies behind them, as WCAG 2.2 AA demands of small ones (1.4.3)."""
_BEHIND = 0.8
"""The part of their rectangle that must have it: thin curves and hatching may pass behind them."""


def faults(draw: Callable[[Figure], None], width: float, height: float) -> list[str]:
    """What is wrong with the words of a picture of this size [inches]."""
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
        renderer: Any = canvas.get_renderer()
        boxes = [(text, Text.get_window_extent(text, renderer)) for text in seen(figure)]
    found = []
    for at, (text, box) in enumerate(boxes):
        words = text.get_text()
        if min(box.x0, box.y0) < -1 or box.x1 > figure.bbox.x1 + 1 or box.y1 > figure.bbox.y1 + 1:
            found.append(f"{words!r} is cut off")
        arrow = text.arrow_patch if isinstance(text, Annotation) else None
        line = arrow and arrow.get_transform().transform_path(arrow.get_path())
        for one, other in boxes:
            if line and one is not text and line.intersects_bbox(other, filled=False):
                found.append(f"the line of {words!r} crosses {one.get_text()!r}")
        for one, other in boxes[at + 1 :]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            up = min(box.y1, other.y1) - max(box.y0, other.y0)
            if min(across, up) > _TOUCH:
                found.append(f"{words!r} touches {one.get_text()!r}")
    return found + on_frames(figure, renderer) + faint(figure, canvas)


def faint(figure: Figure, canvas: FigureCanvasAgg) -> list[str]:
    """Words that have too little contrast with what lies behind them, which is drawn alone."""
    words = [(text, Text.get_window_extent(text, canvas.get_renderer())) for text in seen(figure)]
    for text, _ in words:
        text.set_alpha(0)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba())[:, :, :3] / 255
    found = []
    for text, box in words:
        rows = slice(max(0, int(picture.shape[0] - box.y1)), int(picture.shape[0] - box.y0) + 1)
        behind = _luminance(picture[rows, max(0, int(box.x0)) : int(box.x1) + 1])
        own = _luminance(np.array(to_rgb(text.get_color())))
        ratio = (np.maximum(own, behind) + 0.05) / (np.minimum(own, behind) + 0.05)
        if (ratio >= _CONTRAST).mean() < _BEHIND:
            found.append(f"{text.get_text()!r} has a contrast of {np.median(ratio):.1f}")
    return found


def over_curves(draw: Callable[[Figure], None], width: float, height: float) -> list[str]:
    """Words of a picture of this size [inches] through which a curve, a bar or a mark passes."""
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
    found = []
    for axes in figure.axes:
        lines = [line.get_transform().transform_path(line.get_path()) for line in axes.lines]
        for bars in axes.collections:
            if isinstance(bars, LineCollection):
                lines += [bars.get_transform().transform_path(path) for path in bars.get_paths()]
        for text in axes.texts:
            box = Text.get_window_extent(text, canvas.get_renderer())
            if any(path.intersects_bbox(box, filled=False) for path in lines):
                found.append(f"{text.get_text()!r} lies over a curve")
    return found


def _luminance(colours: Any) -> Any:
    """The relative luminance of sRGB colours, by WCAG's definition."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def on_frames(figure: Figure, renderer: Any) -> list[str]:
    """Words of axes that a line of their frame crosses or touches."""
    found = []
    for axes in figure.axes:
        frame = axes.get_window_extent(renderer)
        drawn = {side for side, spine in axes.spines.items() if spine.get_visible()}
        for text in axes.texts:
            box = Text.get_window_extent(text, renderer)
            crossed = {
                side
                for side, low, high, at in (
                    ("left", box.x0, box.x1, frame.x0), ("right", box.x0, box.x1, frame.x1),
                    ("bottom", box.y0, box.y1, frame.y0), ("top", box.y0, box.y1, frame.y1),
                )
                if low - _NEAR < at < high + _NEAR
            }  # fmt: skip
            if crossed & drawn and frame.overlaps(box) and text.get_text().strip():
                found.append(f"{text.get_text()!r} stands on the frame")
    return found


def over_each_other(figure: Figure) -> list[str]:
    """Curves that look alike and lie over each other: within a pixel at a fifth of the points."""
    found = []
    for axes in figure.axes:
        curves = [line for line in axes.lines if len(line.get_xdata()) > 9]
        for at, one in enumerate(curves):
            for other in curves[at + 1 :]:
                if not np.array_equal(one.get_xdata(), other.get_xdata()):
                    continue
                alike = one.get_linestyle() == other.get_linestyle()
                alike &= abs(one.get_linewidth() - other.get_linewidth()) < 0.5
                walks = same_color(one.get_color(), other.get_color())  # of one kind
                ours, theirs = (axes.transData.transform(c.get_xydata()) for c in (one, other))
                shown = axes.bbox.y0, axes.bbox.y1
                both = [(y > shown[0]) & (y < shown[1]) for y in (ours[:, 1], theirs[:, 1])]
                seen = both[0] & both[1]
                near = np.abs(ours[seen, 1] - theirs[seen, 1]) < 1
                if alike and not walks and seen.any() and near.mean() > 0.2:
                    found.append(f"{axes.get_title(loc='left')}: curves {at} and a later one")
    return found


def seen(figure: Figure) -> Iterator[Text]:
    """The words that are drawn: not those of ticks beyond the ends of an axis."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ends = sorted(axis.get_transform().transform(list(axis.get_view_interval())))
            room = 1e-9 * (ends[1] - ends[0])
            for tick in (*axis.majorTicks, *axis.minorTicks):
                at = axis.get_transform().transform([tick.get_loc()])[0]
                if not ends[0] - room <= at <= ends[1] + room:
                    beyond |= {tick.label1, tick.label2}
    for text in figure.findobj(Text):
        shown = isinstance(text, Text) and text.get_visible() and text not in beyond
        if shown and text.get_text().strip():
            yield text
