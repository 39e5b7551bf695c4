"""Words written in a picture where no curve crosses them, no mark and no other words.

`Labels` writes them in a plane of N and ε, where curves go on beyond the picture; `Words` on any
axes.
"""

import math
from typing import Any, NamedTuple

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from planner.figures.curves import Box
from planner.figures.fit import LINE, drawn_size, size_of, width
from planner.libraries import np

_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1}
_BESIDE = 2.0
"""How near words may stand to a vertical line [points]."""
_EDGE = 0.01  # of the axes: what looks as if it stood on their frame
_STEPS = 400
"""Points along a curve as long as the axes."""
_CLEAR = 2.0
"""How near curves may come to words [points]."""
_FRAME = 3.0
"""How near words may come to the frame [points]."""
_BEYOND = 30.0
"""How many points of curves words may touch rather than stand on the frame, or beyond it."""
_FAR = 20.0
"""From this distance on [points] a line joins words to what they name."""


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
        return _extent(words) / self._points

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


class Spot(NamedTuple):
    """Where words could stand: beside a point, `gap` points away.

    Attributes:
        point: on the scales of the axes.
        across: 1 where they stand on its right, -1 on its left, 0 in its middle.
        up: 1 where they stand above it, -1 below, 0 in its middle.
        gap: how far away; from `_FAR` on a line joins both.
    """

    point: tuple[float, float]
    across: int
    up: int
    gap: tuple[float, float] = (6, 3)


class Words:
    """Words on axes of any kind, each kept off all that was drawn or written before.

    The limits of the axes are set before, too.
    """

    def __init__(self, axes: Axes) -> None:
        """Words on `axes`, among the curves, bars and marks that they have now."""
        self.axes, self.points = axes, drawn_size(axes)
        axes.get_xlim(), axes.get_ylim()  # which brings the scales up to date
        self.taken = np.empty((0, 2))
        for line in axes.lines:
            drawn = self._parts(line.get_path().vertices, line.get_transform())
            if line.get_linestyle() != "None":
                self._take(drawn)
            if line.get_marker() not in ("None", None, ""):
                reach = line.get_markersize() / 2 / self.points
                for at in drawn:
                    self._fill(at - reach, at + reach)
        for bars in axes.collections:
            if isinstance(bars, LineCollection):
                for bar in bars.get_segments():
                    self._take(self._parts(bar, bars.get_transform()))

    def keep_off(self, ends: list[tuple[float, float]]) -> None:
        """Keep words off a line between points on the scales of the axes."""
        self._take(self._parts(ends, self.axes.transData))

    def write(self, words: str, spots: list[Spot], **style: Any) -> None:
        """Write words at the first spot that is free, or else where least is in the way.

        Args:
            words: what is written.
            spots: where it may stand, from the best.
            style: of the words.
        """
        tried = list[tuple[float, Spot, tuple[Any, Any]]]()
        for spot in spots:
            rectangle = self._rectangle(words, spot)
            tried.append((self._in_the_way(*rectangle), spot, rectangle))
            if not tried[-1][0]:
                break
        _, spot, (low, high) = min(tried, key=lambda one: one[0])
        line = None
        if max(np.multiply(spot.gap, np.abs([spot.across, spot.up]))) >= _FAR:
            nearest = ((1 - spot.across) / 2, (1 - spot.up) / 2)
            line = {"arrowstyle": "-", "lw": 0.6, "shrinkA": 0, "shrinkB": 2, "relpos": nearest}
            line["color"] = style.get("color", "black")
            self._take(np.array([self._at(spot), low + (high - low) * nearest]))
        self._fill(low, high)
        self.axes.annotate(
            words, spot.point, (spot.across * spot.gap[0], spot.up * spot.gap[1]),
            textcoords="offset points", ha=("center", "left", "right")[spot.across],
            va=("center", "bottom", "top")[spot.up], arrowprops=line, annotation_clip=False,
            **style,
        )  # fmt: skip

    def _rectangle(self, words: str, spot: Spot) -> tuple[Any, Any]:
        """The lower left and the upper right corner of words at a spot, as parts of the axes."""
        ways, size = np.array([spot.across, spot.up]), _extent(words) / self.points
        low = self._at(spot) + ways * spot.gap / self.points + (ways - 1) / 2 * size
        return low, low + size

    def _at(self, spot: Spot) -> Any:
        """The point of a spot, as parts of the axes."""
        return self._parts([spot.point], self.axes.transData)[0]

    def _in_the_way(self, low: Any, high: Any) -> float:
        """How much a rectangle touches, and how far it reaches beyond the axes."""
        around = _CLEAR / self.points
        inside = (self.taken > low - around) & (self.taken < high + around)
        room = float(np.min([low * self.points, (1 - high) * self.points]))
        return float(inside.all(axis=1).sum()) + _BEYOND * (room < _FRAME) + max(0.0, -room)

    def _take(self, corners: Any) -> None:
        """Keep words off a line through these points, which are parts of the axes."""
        corners = np.clip(corners[np.isfinite(corners).all(axis=1)], -1, 2)
        if not len(corners):
            return
        steps = np.abs(np.diff(corners, axis=0)).max(axis=1)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        places = np.linspace(0, along[-1], 2 + int(_STEPS * along[-1]))
        points = np.column_stack([np.interp(places, along, one) for one in corners.T])
        self.taken = np.concatenate([self.taken, points])

    def _fill(self, low: Any, high: Any) -> None:
        """Keep words off a rectangle, which is parts of the axes."""
        sides = (np.linspace(*ends, 20) for ends in zip(low, high, strict=True))
        points = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        self.taken = np.concatenate([self.taken, points])

    def _parts(self, points: Any, transform: Any) -> Any:
        """Points as parts of the axes, from the lower left corner, 0, to the upper right one, 1."""
        return self.axes.transAxes.inverted().transform(transform.transform(points))


def _extent(words: str) -> np.ndarray[Any, Any]:
    """Width and height of words [points]."""
    size, lines = rcParams["font.size"], words.split("\n")
    return np.array([max(width(line, size) for line in lines), LINE * size * len(lines)])
