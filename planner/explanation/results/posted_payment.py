"""The posted payment in words."""

from planner.answer.answers import Plan
from planner.decisions.posted_payment import PostedPayment
from planner.explanation.results.payment import paid_words
from planner.explanation.results.rows import answer_rows
from planner.wording import at_least, money, payment, persons, plain


def title(posted: PostedPayment) -> str:
    """The study and the verdict."""
    return f"{posted.asked.title or 'Study'}: {posted.verdict}"


def rows(posted: PostedPayment) -> list[tuple[str, str]]:
    """What is offered to whom, who accepts, and the plan; where there is none, the least cost."""
    currency = posted.asked.currency
    found = []
    if isinstance(posted.answer, Plan):
        n, invited = posted.answer.participants, posted.invitations
        assert invited is not None  # a plan has participants to invite
        each = paid_words(posted.answer)
        found = [
            ("offer", f"{each} to everybody who is invited"),
            ("accepted by", f"{_percent(posted.accepting)} of the people"),
            ("invite", f"{persons(invited)}, so that {plain(n)} or more take part"),
            ("about", _about(posted)),
        ]
    elif posted.offers:
        least = min(posted.offers, key=lambda offer: offer.cost)
        found = [
            ("least cost", f"{money(least.cost, currency)} without the budget"),
            ("offer", f"{payment(least.payment, currency)} would cost that"),
            ("accepted by", f"{_percent(least.accepting)} of the people"),
        ]
    return [*found, *answer_rows(posted.answer), ("all offers", posted.statement)]


def in_words(posted: PostedPayment) -> list[str]:
    """The best payment and what it costs, in sentences."""
    currency = posted.asked.currency
    if not isinstance(posted.answer, Plan):
        if not posted.offers:
            return [posted.statement]
        least = min(posted.offers, key=lambda offer: offer.cost)
        return [f"The least cost is {money(least.cost, currency)}.", posted.statement]
    plan, invited = posted.answer, posted.invitations
    assert invited is not None  # a plan has participants to invite
    return [
        f"A larger payment costs more for each participant, and more people accept it. The study "
        f"costs least, {money(plan.cost, currency)}, where everybody invited is offered "
        f"{paid_words(plan)}. {_percent(posted.accepting)} "
        f"of the people accept it, so {plain(invited)} are invited for "
        f"{plain(plan.participants)} participants at ε = {plain(plan.epsilon)}.",
        posted.statement,
    ]


def _about(posted: PostedPayment) -> str:
    if posted.about == "accepting":
        return "those who accept; those who refuse may differ in any way"
    return (
        f"all people, within {plain(_asked_error(posted))}: the error for those who accept is "
        "smaller by how far those who refuse can move the answer, once it is corrected as noted"
    )


def _asked_error(posted: PostedPayment) -> float:
    target = posted.asked.accuracy
    return target.in_unit(target.error)


def _percent(share: float) -> str:
    return f"{at_least(100 * share, 4)} %"
