"""The compensation of a person over ε, by the paper's model and by the event that they fear."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures.curves import number
from planner.figures.fit import text
from planner.libraries import np
from planner.model import AtRisk, BadEvent, Individual, Person
from planner.wording import plain

STYLES = (
    ("-", "#D55E00", 4.5), ("--", "#0072B2", 2.8), ("-.", "#009E73", 1.2), (":", "#000000", 1.4),
)  # fmt: skip
"""Line, colour and width [points]: where curves lie over each other, each shows beside the next."""


def draw(axes: Axes, people: dict[str, Person], event: BadEvent, deltas: list[float]) -> None:
    """Draw the compensation of several people over ε, and the harm itself.

    Args:
        axes: where to draw.
        people: by their label.
        event: the event that they fear.
        deltas: δ of the mechanism by which each is paid.
    """
    epsilon: Any = np.geomspace(1e-2, 40, 300)
    harm = event.cost * (1 - event.probability)
    axes.set(xscale="log", yscale="log", xlim=(epsilon[0], epsilon[-1]))
    axes.set_ylim(harm * event.probability * 4e-3, harm * 12)
    axes.axhline(harm, c="0.35", lw=0.8)
    axes.annotate(
        f"the harm itself: {plain(round(harm, 2))}", (0.012, harm), (0, 3),
        textcoords="offset points", color="0.25", fontsize=7,
    )  # fmt: skip
    for (label, person), delta, (style, color, wide) in zip(
        people.items(), deltas, STYLES, strict=False
    ):
        owed = person.compensation(epsilon, delta)
        axes.plot(epsilon, owed, ls=style, c=color, lw=wide, label=text(label))
        _label(axes, text(label.partition(" (")[0]), epsilon, np.asarray(owed) / harm, harm)
    axes.annotate(
        "event,\nLaplace", (epsilon[-1], harm), (-3, 3),
        textcoords="offset points", ha="right", fontsize=7,
    )  # fmt: skip
    axes.set_title(f"p = {event.probability:g}, c = {plain(event.cost)}", loc="left")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(base=10))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))


def _label(axes: Axes, words: str, epsilon: Any, share: Any, harm: float) -> None:
    """Label the two curves that differ visibly."""
    apart = {"paper": (4.0, -9, "right"), "Gaussian": (0.004, 6, "left")}
    for kind, (height, offset, side) in apart.items():
        if words.startswith(kind):
            at = int(np.searchsorted(share, height))
            axes.annotate(
                kind, (epsilon[at], height * harm), (offset, -2), textcoords="offset points",
                ha=side, va="center", fontsize=7,
            )  # fmt: skip


def events_of(event: BadEvent, mechanisms: dict[str, Any]) -> dict[str, Person]:
    """The paper's person, one who lists the event, and one for each mechanism's trade-off."""
    people: dict[str, Person] = {
        "paper: (e^ε − 1)E": Individual(event.probability * event.cost, event.cost),
        "event: what ε promises": AtRisk((event,)),
    }
    return people | {words: AtRisk((event,), m) for words, m in mechanisms.items()}
