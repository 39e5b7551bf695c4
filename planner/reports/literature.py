"""Where the ε of plans lie among published values."""

from collections.abc import Sequence

from planner.answer.answers import Answer, Plan
from planner.audit.literature import table_1
from planner.wording import plain, several


def names(answers: Sequence[Answer]) -> dict[str, float]:
    """Each plan's ε by the names of the plans that have it; studies are numbered where several."""
    by_epsilon: dict[float, list[str]] = {}
    for number, answer in enumerate(answers, 1):
        if isinstance(answer, Plan):
            by_epsilon.setdefault(answer.epsilon, []).append(str(number))
    if len(answers) == 1:
        return dict(zip(["this plan"], by_epsilon, strict=False))
    return {
        f"{'study' if len(numbers) == 1 else 'studies'} {several(numbers)}": epsilon
        for epsilon, numbers in by_epsilon.items()
    }


def placed(name: str, epsilon: float) -> str:
    """How many publications used a larger ε, a smaller one, or a range around it."""
    table = table_1()
    larger = sum(entry.lowest > epsilon for entry in table)
    smaller = sum(entry.highest < epsilon for entry in table)
    around = len(table) - larger - smaller
    return (
        f"{name[0].upper()}{name[1:]}, ε = {plain(epsilon)}: of {len(table)} publications {larger} "
        f"used a larger ε, {smaller} a smaller one, and {around} a range that contains it."
    )
