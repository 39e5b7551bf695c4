"""A sequence of studies: the payment in each, starting where the previous one ended."""

from matplotlib.axes import Axes

from planner.answer.sequence_plan import SequencePlan
from planner.figures.curves import FLOORS, text
from planner.wording import money, plain


def draw(axes: Axes, plan: SequencePlan) -> None:
    """Draw a bar for each study of a sequence, from the base cost before it to that after it."""
    currency = plan.steps[0].study.currency
    for at, step in enumerate(plan.steps):
        axes.barh(at, step.compensation, left=step.base_cost, color=FLOORS, alpha=0.7)
        words = f"{money(step.compensation, currency)} at ε = {plain(step.epsilon)}"
        axes.annotate(
            text(words),
            (step.base_cost + step.compensation, at),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    names = [text(step.study.title or f"study {at}") for at, step in enumerate(plan.steps, 1)]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    start, end = plan.steps[0].base_cost, plan.steps[-1].base_cost + plan.steps[-1].compensation
    axes.set_xlim(start, end + 0.6 * (end - start))
    unit = f", {currency}" if currency else ""
    axes.set_xlabel(text(f"expected loss of a participant{unit}"))
    axes.set_title(text(f"{plain(plan.participants)} people in every study"), loc="left")
    axes.spines[["top", "right"]].set_visible(False)
