"""An answer as rows of words: what the terminal, a notebook and the report show."""

from collections.abc import Sequence

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.closed_form import ClosedFormPlan, closed_form_plan
from planner.decisions.changes import Change
from planner.explanation.changes import relaxations_in_words, tightenings_in_words
from planner.wording import at_least, at_most, money, payment, plain, several

Rows = list[tuple[str, str]]


def answer_rows(
    answer: Answer,
    changes: Sequence[Change] = (),
    left: Sequence[Change] = (),
) -> Rows:
    """What an answer says, row by row: a name and words.

    Args:
        answer: what `planner.solve` answered.
        changes: what `planner.relaxations` found.
        left: what `planner.tightenings` found.
    """
    currency = answer.study.currency
    rows: Rows = []
    if isinstance(answer, Plan):
        rows += plan_rows(answer)
    if isinstance(answer, Infeasible):
        by_hand = closed_form_plan(answer.study)
        if by_hand:
            rows.append(("by hand", _by_hand(by_hand, currency)))
        rows.append(("conflict", several(list(answer.conflict))))
    rows += [("relax", words) for words in relaxations_in_words(changes, answer.study)]
    rows += [("tighten", words) for words in tightenings_in_words(left, answer.study)]
    proof = "proof" if answer.proof.checked else "not proved"
    rows.append((proof, f"{answer.proof.statement} ({answer.proof.method})"))
    return rows + [("note", note) for note in answer.notes]


def plan_rows(answer: Plan) -> Rows:
    """The plan in numbers."""
    currency = answer.study.currency
    rows = [
        ("ε", plain(answer.epsilon)),
        ("δ", plain(answer.delta)),
        ("participants", plain(answer.participants)),
        ("each is paid", payment(answer.compensation, answer.participants, currency)),
        ("total cost", money(answer.cost, currency)),
        _achieved(answer),
    ]
    if answer.alternatives:
        rows.insert(0, ("by", answer.study.mechanism.words))
    reached = "reached by a study" if answer.attained else "approached, never reached"
    rows.append(("least cost", f"{money(answer.least_cost, currency)}, {reached}"))
    for label, room in answer.slack.items():
        if label != answer.study.target.label:  # the failure row says it
            rows.append(("room", f"{label}: {at_least(max(room, 0.0), 6)} left"))
    by_hand = closed_form_plan(answer.study)
    if by_hand:
        rows.append(("by hand", _by_hand(by_hand, currency)))
    return rows + [("other", _alternative(other)) for other in answer.alternatives]


def _alternative(other: Answer) -> str:
    how = other.verdict
    if isinstance(other, Plan):
        how = (
            f"{money(other.cost, other.study.currency)} with {plain(other.participants)} people "
            f"at ε = {plain(other.epsilon)}"
        )
    return f"{other.study.mechanism.words}: {how}"


def _achieved(answer: Plan) -> tuple[str, str]:
    loss = answer.study.expected_loss
    if loss:
        return "expected loss", f"{at_most(answer.loss or 0.0, 4)} of {plain(loss.at_most)} allowed"
    allowed = answer.study.accuracy.failure
    return "failure", f"{at_most(answer.failure or 0.0, 4)} of {plain(allowed)} allowed"


def _by_hand(plan: ClosedFormPlan, currency: str) -> str:
    verdict = "the budget pays for it" if plan.holds else "over the budget"
    return (
        f"ε = T/6 = {at_most(plan.epsilon, 4)} and {plain(plan.participants)} people cost "
        f"{money(plan.cost, currency)}: {verdict} (Hsu14 eqs 6-8)"
    )
