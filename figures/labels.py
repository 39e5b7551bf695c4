"""Words written in a plane of N and ε where no curve crosses them, no mark and no other words."""

import math
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from planner.figures.curves import Box

_SLACK = 0.03  # of the axes: they grow a little when a figure of several is laid out


class Place(NamedTuple):
    """Where words could stand: beside a point (N, ε), their nearest corner `gap` points away."""

    n: float
    epsilon: float
    right: bool
    above: bool
    gap: tuple[float, float] = (5, 3)


class Labels:
    """The words of one picture, each kept apart from all that was drawn or written before."""

    def __init__(self, axes: Axes, box: Box, curves: list[np.ndarray[Any, Any]]) -> None:
        """Words on `axes`, which show `box`, among curves of ε over its N."""
        self.axes, self.box = axes, box
        self.curves = [self._up(box.clip(epsilon)) for epsilon in curves]
        self.taken: list[np.ndarray[Any, Any]] = []

    def line(self, n: float) -> None:
        """Keep words off a vertical line."""
        self.taken.append(np.array([[self._right(n), 0], [self._right(n), 1]]))

    def note(
        self, words: str, corner: tuple[float, float], mark: tuple[float, float] | None = None
    ) -> None:
        """Keep words off a note, and off the mark (N, ε) that it names and the line between them.

        Args:
            words: of the note.
            corner: its lower left one, as parts of the axes.
            mark: a circle that a line joins to the middle of the note's upper edge.
        """
        size = self._size(words)
        self.taken.append(np.array([corner, corner + size]))
        if mark:
            centre = np.array([self._right(mark[0]), self._up(mark[1])])
            reach, edge = 8 / self._points, corner + size * (0.5, 1)
            self.taken.append(np.array([centre - reach, centre + reach]))
            self.taken += [np.array([at, at]) for at in np.linspace(centre, edge, 30)]

    def write(self, words: str, places: list[Place], colour: str) -> None:
        """Write words at the first place that is free, or else where least is in the way."""
        size = self._size(words)
        place = min(places, key=lambda place: self._in_the_way(self._rectangle(size, place)))
        self.taken.append(self._rectangle(size, place))
        across, up = place.gap
        self.axes.annotate(
            words, (place.n, place.epsilon),
            (across if place.right else -across, up if place.above else -up),
            textcoords="offset points", ha="left" if place.right else "right",
            va="bottom" if place.above else "top", color=colour,
        )  # fmt: skip

    def _rectangle(self, size: np.ndarray[Any, Any], place: Place) -> np.ndarray[Any, Any]:
        """The lower left and the upper right corner of words at a place, as parts of the axes."""
        ways = np.array([1 if place.right else -1, 1 if place.above else -1])
        near = np.array([self._right(place.n), self._up(place.epsilon)])
        near = near + ways * place.gap / self._points
        return np.sort([near, near + ways * size], axis=0)

    def _in_the_way(self, rectangle: np.ndarray[Any, Any]) -> int:
        """How many curves, marks, words and edges a rectangle touches."""
        (left, bottom), (right, top) = rectangle
        first, last = np.clip([left, right], 0, 1) * (self.box.n.size - 1)
        over = slice(math.floor(first), math.ceil(last) + 1)
        crossed = sum(bool(y[over].min() < top and y[over].max() > bottom) for y in self.curves)
        touched = sum(
            bool(np.all(low < rectangle[1]) and np.all(high > rectangle[0]))
            for low, high in self.taken
        )
        outside = bool(rectangle.min() < -_SLACK or rectangle.max() > 1 + _SLACK)
        return crossed + touched + 9 * outside  # words cut off are worse than words crossed

    def _size(self, words: str) -> np.ndarray[Any, Any]:
        """Width and height of words, as parts of the axes."""
        size, lines = rcParams["font.size"], words.split("\n")
        width = max(_width(line, size) for line in lines)
        return np.asarray([width, 1.3 * size * len(lines)] / self._points)

    @property
    def _points(self) -> np.ndarray[Any, Any]:
        """Width and height of the axes [points]."""
        figure = self.axes.get_figure(root=True)
        assert figure is not None
        return np.array(self.axes.get_window_extent().size) * 72 / figure.dpi

    def _right(self, n: Any) -> Any:
        """Where an N lies between the left edge, 0, and the right one, 1."""
        return np.log(n / self.box.first_n) / math.log(self.box.last_n / self.box.first_n)

    def _up(self, epsilon: Any) -> Any:
        """Where an ε lies between the lower edge, 0, and the upper one, 1."""
        return np.log(epsilon / self.box.bottom) / math.log(self.box.top / self.box.bottom)


def _width(line: str, size: float) -> float:
    """The width of a line of text [points], by the points that draw it, which is quick."""
    path = TextPath((0, 0), line, size=size)
    return float(np.ptp(path.vertices[path.codes != Path.CLOSEPOLY, 0]))
