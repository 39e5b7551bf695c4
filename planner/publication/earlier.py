"""What earlier publications have spent of the same people, and the refusal to publish again."""

from collections.abc import Iterable

from planner.answer.answers import Plan
from planner.publication.ledger import Entry, LedgerError
from planner.show import digest
from planner.wording import at_most, money, plain, quoted


def refuse_again(entries: Iterable[Entry], plan: Plan, people: str, again: bool) -> tuple[str, ...]:
    """Refuse a second publication; where it is asked for, the notes that say what it spends.

    A plan counts as published with the same people under any name: another name may be theirs.

    Raises:
        LedgerError: this plan, or another over these people, has been published.
    """
    own = digest(plan.to_dict())
    earlier = [entry for entry in entries if entry.people == people or entry.plan == own]
    if not earlier:
        return ()
    same_name = any(entry.people == people for entry in earlier)
    if not again:
        raise LedgerError(_refusal(earlier, own, same_name))
    epsilon = sum(e.epsilon for e in earlier) + plan.epsilon
    delta = min(sum(e.delta for e in earlier) + plan.delta, 1.0)
    owed = plan.study.individual.compensation(epsilon, delta)
    more = max(0.0, float(owed) - sum(e.compensation for e in earlier))
    together = f"ε = {at_most(epsilon)}" + (f", δ = {at_most(delta)}" if delta else "")
    owed_now = f"each is now owed {money(more, plan.study.currency)} more than was paid before"
    if not same_name:
        return (
            f"This plan was published with {quoted(earlier[-1].people)} before. If these are the "
            f"same people, {together} has been spent of them; {owed_now}.",
        )
    publications = "publication" if len(earlier) == 1 else "publications"
    return (
        f"With {plain(len(earlier))} earlier {publications}, {together} has been spent of these "
        f"people; {owed_now}.",
    )


def _refusal(earlier: list[Entry], own: str, same_name: bool) -> str:
    """Why the publication is refused, and how to make it all the same."""
    which = "this plan" if any(entry.plan == own for entry in earlier) else "another plan"
    epsilon, delta = sum(e.epsilon for e in earlier), sum(e.delta for e in earlier)
    spent = f"ε = {at_most(epsilon)}" + (f" and δ = {at_most(delta)}" if delta else "")
    when = f"on {earlier[-1].published[:10]}, which spent {spent}"
    if same_name:
        return (
            f"{which} has been published with these people {when}; publishing again spends more, "
            "and owes them more: give --again if you mean to"
        )
    return (
        f"{which} has been published with {quoted(earlier[-1].people)} {when}; give --again if "
        "these are other people, or if you mean to spend more of the same"
    )
