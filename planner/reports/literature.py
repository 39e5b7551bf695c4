"""Where the ε of plans lie among those of deployments."""

from collections.abc import Sequence

from planner.answer.answers import Answer, Plan
from planner.audit.literature import deployments
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
    """How many deployments used a larger ε."""
    table = deployments()
    larger = sum(entry.epsilon > epsilon for entry in table)
    return (
        f"{name[0].upper()}{name[1:]}, ε = {plain(epsilon)}: {larger} of the {len(table)} "
        "deployments used a larger ε."
    )
