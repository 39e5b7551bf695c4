"""A sequence of studies: the payment in each, starting where the previous one ended."""

from matplotlib import rcParams
from matplotlib.axes import Axes

from planner.answer.sequence_plan import SequencePlan
from planner.figures.curves import FLOORS
from planner.figures.fit import broken, name, size_of, spread, text, title, width
from planner.wording import money, plain

_WORDS = 0.5
"""The part of the picture that words beside the bars may take."""


def draw(axes: Axes, plan: SequencePlan) -> None:
    """Draw a bar for each study of a sequence, from the base cost before it to that after it."""
    currency = plan.steps[0].study.currency
    size, across = rcParams["font.size"], size_of(axes)[0]
    longest = 0.0
    for at, step in enumerate(plan.steps):
        axes.barh(at, step.compensation, left=step.base_cost, color=FLOORS, alpha=0.7)
        words = text(f"{money(step.compensation, currency)} at ε = {plain(step.epsilon)}")
        lines = broken(words, _WORDS * across, size)
        longest = max(longest, *(width(line, size) for line in lines.split("\n")))
        axes.annotate(
            lines,
            (step.base_cost + step.compensation, at),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    names = [text(step.study.title or f"study {at}") for at, step in enumerate(plan.steps, 1)]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    start, end = plan.steps[0].base_cost, plan.steps[-1].base_cost + plan.steps[-1].compensation
    bars = max(1 - (longest + size) / across, 1 - _WORDS)  # what the words leave
    axes.set_xlim(start, start + (end - start) / bars)
    spread(axes.xaxis)
    unit = f", {currency}" if currency else ""
    name(axes, f"expected loss of a participant{unit}", "", short_x=f"expected loss{unit}")
    title(axes, f"{plain(plan.participants)} people in every study")
    axes.spines[["top", "right"]].set_visible(False)
