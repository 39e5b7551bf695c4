"""Which words of a picture touch one another, or are cut off."""

from collections.abc import Callable, Iterator
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from planner.figures.save import STYLE

_TOUCH = 1.5
"""Pixels by which boxes may overlap: they are a little larger than the letters."""


def faults(draw: Callable[[Figure], None], width: float, height: float) -> list[str]:
    """What is wrong with the words of a picture of this size [inches]."""
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
        renderer: Any = canvas.get_renderer()
        boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in seen(figure)]
    found = []
    for at, (words, box) in enumerate(boxes):
        if min(box.x0, box.y0) < -1 or box.x1 > figure.bbox.x1 + 1 or box.y1 > figure.bbox.y1 + 1:
            found.append(f"{words!r} is cut off")
        for others, other in boxes[at + 1 :]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            up = min(box.y1, other.y1) - max(box.y0, other.y0)
            if min(across, up) > _TOUCH:
                found.append(f"{words!r} touches {others!r}")
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
