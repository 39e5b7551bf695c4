"""The picture of a region in words: a caption, and what it shows for those who do not see it."""

from planner.answer.answers import Answer, Infeasible, Plan
from planner.comparison.cost_of_accuracy import CostOfAccuracy
from planner.model import Budget
from planner.wording import plain


def caption(answer: Answer) -> list[str]:
    """How to read the picture, in sentences."""
    sentences = [
        "Each point is a study with a number of participants and an ε.",
        "A solid curve is a floor: ε must not lie below it, for the accuracy.",
        "A dashed curve is a ceiling: ε must not lie above it, for the "
        f"{'privacy' if answer.study.costs_nothing else 'money or the privacy'}.",
    ]
    if isinstance(answer, Plan):
        sentences.append(
            "The green area holds the studies that meet all conditions; the circle is the plan."
        )
        if answer.delta:
            sentences.append(f"Drawn at δ = {plain(answer.delta)}.")
    if isinstance(answer, Infeasible):
        sentences.append(
            "Blue are the studies that are accurate, orange those that the other conditions allow: "
            "they do not meet."
        )
    return sentences


def of_money(answer: Answer, costs: CostOfAccuracy) -> list[str]:
    """How to read the picture of what accuracy costs, in sentences."""
    over = (
        "its margin of error"
        if costs.study.survey is None
        else "a factor on all its margins of error"
    )
    sentences = [f"Solid: the least cost of a private study over {over}."]
    if costs.not_private is not None:
        sentences.append(
            "Dotted: that of a study that is not private and exposes 0.2 % of its people."
        )
    if answer.study.find(Budget) is not None:
        sentences.append("Dashed: the budget.")
    if isinstance(answer, Plan):
        sentences.append("Circle: the plan.")
    return sentences


def description(answer: Answer) -> str:
    """What is seen."""
    if isinstance(answer, Plan):
        return (
            f"The studies that meet all conditions, by participants and ε; the plan lies at "
            f"{plain(answer.participants)} participants and ε = {plain(answer.epsilon)}."
        )
    return f"Floors and ceilings on ε by participants: the study is {answer.verdict}."
