"""A sequence of studies in words: a title, and a row of cells for each study."""

from planner.answer.sequence_plan import SequencePlan
from planner.wording import money, payment, persons, plain

CELLS = ("study", "ε", "base cost before", "each is paid", "cost")
"""Names of the columns."""


def title(plan: SequencePlan) -> str:
    """The verdict, and the people."""
    return f"Sequence: feasible, with the same {persons(plan.participants)} in every study"


def step_rows(plan: SequencePlan) -> list[tuple[str, ...]]:
    """Each study, by the columns."""
    currency = plan.steps[0].study.currency
    return [
        (
            step.study.title or f"study {at}",
            plain(step.epsilon),
            money(step.base_cost, currency),
            payment(step.compensation, currency),
            money(step.cost, currency),
        )
        for at, step in enumerate(plan.steps, 1)
    ]


def total_row(plan: SequencePlan) -> tuple[str, ...]:
    """All studies together, by the columns."""
    currency = plan.steps[0].study.currency
    paid = payment(plan.compensation, currency)
    return "together", plain(plan.epsilon), "", paid, money(plan.cost, currency)


def rows(plan: SequencePlan) -> list[tuple[str, str]]:
    """Each study, all together, the proof and the notes."""
    shown = []
    for name, epsilon, base_cost, paid, cost in [*step_rows(plan), total_row(plan)]:
        before = f"base cost {base_cost}; " if base_cost else ""
        shown.append((name, f"ε = {epsilon}; {before}each is paid {paid}; cost {cost}"))
    return [*shown, ("proof", plan.proof.statement), *(("note", note) for note in plan.notes)]
