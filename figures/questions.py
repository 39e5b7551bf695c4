"""The questions of a survey: how much of the privacy loss, or of the people, each of them uses.

The name of a question stands over its bar, so that long names fit narrow pictures too.
"""

from typing import NamedTuple

from matplotlib.axes import Axes

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.explanation.questions import percent
from planner.figures.curves import FLOORS
from planner.figures.fit import text
from planner.model.questions import Question
from planner.wording import at_most, plain

_MOST = 15
_LONGEST, _LONGEST_IN_PANEL = 60, 24
"""Letters of a name."""


class Bar(NamedTuple):
    """One question, or the smallest ones together.

    Attributes:
        name: how often it is asked, and its name.
        words: its ε or σ and its error; empty for several together.
        share: of the privacy loss, or of the people.
    """

    name: str
    words: str
    share: float


def draw(axes: Axes, plan: Plan, panel: bool = False) -> None:
    """Draw the part of each question of a survey on `axes`, the largest on top.

    Args:
        axes: where to draw.
        plan: of a survey.
        panel: whether the picture is narrow: names are then cut sooner.
    """
    bars = _bars(plan)
    longest = max(bar.share for bar in bars)
    for row, bar in enumerate(bars):
        together = not bar.words
        axes.barh(
            row, bar.share, 0.34, color="white" if together else FLOORS, edgecolor=FLOORS,
            hatch="////" if together else None,
        )  # fmt: skip
        name = _shortened(bar.name, _LONGEST_IN_PANEL if panel else _LONGEST)
        axes.annotate(
            text(": ".join(filter(None, [name, bar.words]))), (0, row - 0.2), (0, 1),
            textcoords="offset points", va="bottom",
        )  # fmt: skip
        axes.annotate(
            percent(bar.share), (bar.share, row), (4, 0), textcoords="offset points", va="center"
        )
    axes.set(xlim=(0, 1.15 * longest), ylim=(len(bars) - 0.6, -0.8), yticks=[])
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    axes.set_xlabel("proportion of the privacy loss")
    total = f"ε = {plain(plan.epsilon)}"
    title = f"{plan.study.title or 'Survey'}: how {total} is divided among the questions"
    axes.set_title(text(title), loc="left")
    axes.spines[["top", "right", "left"]].set_visible(False)


def height(plan: Plan) -> float:
    """How high the picture should be [inches]."""
    return 0.7 + 0.4 * len(_bars(plan))


def _bars(plan: Plan) -> list[Bar]:
    """The questions as bars, the largest first; beyond some, the smallest are one bar."""
    named = {own.name: own for own in plan.study.survey.questions} if plan.study.survey else {}
    pairs = [(part, named.get(part.name, part)) for part in plan.questions]
    ranked = sorted(pairs, key=lambda pair: pair[0].share, reverse=True)
    shown = len(ranked) if len(ranked) <= _MOST + 1 else _MOST
    bars = [Bar(_name(own), _words(part, own), part.share) for part, own in ranked[:shown]]
    rest = ranked[shown:]
    if rest:
        more = sum(own.times for _, own in rest)
        bars.append(Bar(f"and {more:,} more", "", sum(part.share for part, _ in rest)))
    return bars


def _name(own: Question | QuestionPlan) -> str:
    return f"{own.times:,} × {own.name}" if own.times > 1 else own.name


def _words(part: QuestionPlan, own: Question | QuestionPlan) -> str:
    """Its ε, of all of its numbers, or its σ; and its error."""
    symbol, noise = ("ε", part.epsilon) if part.epsilon else ("σ", part.scale or 0.0)
    if part.epsilon:
        noise *= part.times / own.times
    each = " each" if own.times > 1 else ""
    return f"{symbol} = {at_most(noise, 3)}{each}, error {_plainly(own.error)}"


def _plainly(error: float) -> str:
    """An error as it was given, without noise digits."""
    return plain(float(f"{error:.6g}"))


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"
