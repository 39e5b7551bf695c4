"""Words written in a plane of N and ε where no curve crosses them, no mark and no other words."""

import math
from typing import Any, NamedTuple

from matplotlib import rcParams
from matplotlib.axes import Axes

from planner.figures.curves import Box
from planner.figures.fit import LINE, size_of, width
from planner.libraries import np

_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1}
_BESIDE = 2.0
"""How near words may stand to a vertical line [points]."""
_EDGE = 0.01  # of the axes: what looks as if it stood on their frame


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
        at, beside = self._right(n), _BESIDE / self._points[0]
        self.taken.append(np.array([[at - beside, 0], [at + beside, 1]]))

    def note(
        self,
        words: str,
        corner: tuple[float, float],
        mark: tuple[float, float] | None = None,
        frame: float = 0.0,
    ) -> None:
        """Keep words off a note, and off the mark (N, ε) that it names and the line between them.

        Args:
            words: of the note.
            corner: its lower left one, as parts of the axes.
            mark: a circle that a line joins to the middle of the note's upper edge.
            frame: how far a frame lies around it [points].
        """
        size, around = self._size(words), frame / self._points
        self.taken.append(np.array([corner - around, corner + size + around]))
        if mark:
            centre = np.array([self._right(mark[0]), self._up(mark[1])])
            reach, edge = 8 / self._points, corner + size * (0.5, 1)
            self.taken.append(np.array([centre - reach, centre + reach]))
            self.taken += [np.array([at, at]) for at in np.linspace(centre, edge, 30)]

    def write(
        self, words: str, places: list[Place], colour: str, over: bool = False, spare: bool = False
    ) -> None:
        """Write words at the first place that is free, or else where least is in the way.

        Args:
            words: what is written.
            places: where it may stand.
            colour: of the words.
            over: whether the words can be read where they lie over something.
            spare: whether they are left out where no place is free.
        """
        size = self._size(words)
        place = min(places, key=lambda place: self._in_the_way(self._rectangle(size, place)))
        if spare and self._in_the_way(self._rectangle(size, place)):
            return
        self.taken.append(self._rectangle(size, place))
        across, up = place.gap
        self.axes.annotate(
            words, (place.n, place.epsilon),
            (across if place.right else -across, up if place.above else -up),
            textcoords="offset points", ha="left" if place.right else "right",
            va="bottom" if place.above else "top", color=colour, bbox=_WHITE if over else None,
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
        on_edge = bool(rectangle.min() < _EDGE or rectangle.max() > 1 - _EDGE)
        outside = bool(rectangle.min() < 0 or rectangle.max() > 1)
        return crossed + touched + on_edge + 9 * outside  # cut off is worse than crossed

    def _size(self, words: str) -> np.ndarray[Any, Any]:
        """Width and height of words, as parts of the axes."""
        size, lines = rcParams["font.size"], words.split("\n")
        longest = max(width(line, size) for line in lines)
        return np.asarray([longest, LINE * size * len(lines)] / self._points)

    @property
    def _points(self) -> np.ndarray[Any, Any]:
        """Width and height of the axes [points]."""
        return size_of(self.axes)

    def _right(self, n: Any) -> Any:
        """Where an N lies between the left edge, 0, and the right one, 1."""
        return np.log(n / self.box.first_n) / math.log(self.box.last_n / self.box.first_n)

    def _up(self, epsilon: Any) -> Any:
        """Where an ε lies between the lower edge, 0, and the upper one, 1."""
        return np.log(epsilon / self.box.bottom) / math.log(self.box.top / self.box.bottom)
