"""An auction beside a posted payment, in words."""

from planner.decisions.auction import Auction, Way
from planner.wording import at_most, money, plain


def title(shown: Auction) -> str:
    """The study, and what is compared."""
    return f"{shown.posted.asked.title or 'Study'}: one offer to everybody, or an auction"


def rows(shown: Auction) -> list[tuple[str, str]]:
    """What each way to pay costs, what honesty costs, and what to beware of."""
    plan, invited = shown.posted.plan, shown.posted.invitations
    assert plan is not None  # an auction has the N of a plan
    assert invited is not None
    posted = Way(invited, plan.compensation, plan.cost)
    low, high = (money(cost, _currency(shown)) for cost in shown.between)
    found = [
        ("one offer", _words(posted, shown)),
        ("auction", _words(shown.auction, shown)),
        ("", f"the {plain(plan.participants)} cheapest are each paid what the next one asks"),
        ("simulated", f"{money(shown.simulated, _currency(shown))}; 9 in 10 cost {low} to {high}"),
        ("own asks", f"{_words(shown.own_asks, shown)}, if everybody's ask were known"),
        ("honesty", f"costs {money(shown.price_of_honesty, _currency(shown))}"),
        ("note", "All three have the same N and ε; amounts are means, without rounding to coins."),
        (
            "note",
            "In the auction a higher ask cannot raise what a person is paid, so nobody gains from "
            "one; who is paid their own ask does. The price is the ask of one person: publish "
            "neither.",
        ),
        (
            "note",
            "The cheapest are no random sample, in an auction as with one offer: the answer is "
            f"about {'those who take part' if shown.posted.about == 'accepting' else 'all people'}"
            f"{'' if shown.posted.about == 'accepting' else ', with the error this leaves'}.",
        ),
        (
            "note",
            "What people ask says what they fear. They are paid for taking part and not for that: "
            "in general no auction that people are free to leave can pay for it (Ghosh and Roth "
            "2011).",
        ),
    ]
    if shown.short:
        found.append(
            (
                "note",
                f"With probability {at_most(shown.short, 2)} too few would take part for any known "
                "payment.",
            )
        )
    return found


def _words(way: Way, shown: Auction) -> str:
    """What a way to pay costs."""
    each = money(way.payment, _currency(shown))
    return f"{money(way.cost, _currency(shown))}: {each} each, {plain(way.invitations)} invited"


def _currency(shown: Auction) -> str:
    """The study's currency."""
    return shown.posted.asked.currency
