"""The payment that is offered to everybody: what it costs, and who accepts it."""

import math
from dataclasses import replace

from matplotlib.axes import Axes

from planner.decisions.posted_payment import Offer, PostedPayment
from planner.figures.curves import CEILINGS, FLOORS, PLAN
from planner.figures.fit import name, text, title
from planner.figures.labels import Spot, Words
from planner.libraries import np, scipy
from planner.model import Budget
from planner.pilot import AcceptanceCurve
from planner.wording import money, payment, plain

_HIGHEST = 2.5
"""Times the least cost: beyond, the curve is of no interest and flattens all else."""
_MARGIN = 0.2
"""Of the heights of the curve, below and above it, for words."""
_BEYOND = 1.03
"""Times the largest base cost asked about: as far as there is to see of its interval."""
_MOST_BARS = 30
"""Intervals that are told apart in half the width of a page."""
_POINTS = 300


def draw(axes: Axes, posted: PostedPayment) -> None:
    """Draw the total cost over the payment, with its least, and the budget.

    Args:
        axes: where to draw.
        posted: of `planner.decisions.posted_payment`.
    """
    title(axes, "what each payment costs")
    _name(axes, posted, f"total cost{_unit(posted)}", "cost")
    chosen = _chosen(posted)
    if chosen is None:
        return
    near = [offer for offer in posted.over_payment if offer.cost <= _HIGHEST * chosen.cost]
    payments, costs = np.array([(o.payment, o.cost) for o in near]).T
    if len(near) > 1:
        between = scipy.interpolate.PchipInterpolator(payments, costs)
        payments = np.linspace(payments[0], payments[-1], _POINTS)
        costs = between(payments)
    axes.plot(payments, costs, c=FLOORS, lw=1.6)
    axes.plot(chosen.payment, chosen.cost, "o", c=PLAN, ms=6)
    bottom, top = chosen.cost, max(offer.cost for offer in near)
    bottom, top = bottom - _MARGIN * (top - bottom), top + _MARGIN * (top - bottom)
    budget = posted.asked.find(Budget)
    if budget is not None and bottom < budget.money < top:
        over = near[-1].cost > budget.money
        axes.axhline(budget.money, c=CEILINGS, ls="--", lw=1.2)
        axes.annotate(
            f"budget {plain(budget.money)}", (1, budget.money), (-4, -4 if over else 4),
            ha="right", va="top" if over else "bottom", xycoords=("axes fraction", "data"),
            textcoords="offset points", color=CEILINGS,
        )  # fmt: skip
    axes.annotate(
        text(f"least: {money(chosen.cost, posted.asked.currency)}"),
        (chosen.payment, chosen.cost), (0, -8), textcoords="offset points", ha="center", va="top",
    )  # fmt: skip
    axes.set(xlim=(0, max(offer.payment for offer in near)), ylim=(bottom, top))
    axes.yaxis.set_major_formatter(lambda y, _: plain(float(f"{y:g}")))


def draw_acceptance(
    axes: Axes, posted: PostedPayment, observed: AcceptanceCurve | None = None
) -> None:
    """Draw who accepts which payment at the plan's ε, with the chosen one.

    Args:
        axes: where to draw.
        posted: of `planner.decisions.posted_payment`.
        observed: what a pilot has observed, with its intervals; by default what the study's base
            costs know of it.
    """
    _name(axes, posted, "people who accept", "accept")
    chosen = _chosen(posted)
    title(axes, "who accepts" if chosen is None else f"who accepts, at ε = {chosen.epsilon:.3g}")
    person = posted.answer.study.individual
    if chosen is None or person.people is None:
        return
    delta = 0.0 if posted.plan is None else posted.plan.delta
    alike = replace(person, people=None)

    def paid(base_cost: float) -> float:
        return float(alike.with_base_cost(base_cost).compensation(chosen.epsilon, delta))

    spread = person.people.base_costs
    known = getattr(spread, "intervals", ())
    if observed is None and known:
        costs, shares, low, high = np.array(known).T
        observed = AcceptanceCurve(costs, shares, low, high, "read")
    most = 3 * person.base_cost
    if observed is not None:
        most = max(most, _BEYOND * float(observed.costs[-1]))
    if person.worst_cost is not None:
        most = min(most, person.worst_cost)
    costs = np.linspace(0, most, _POINTS)
    payments = [paid(float(cost)) for cost in costs]
    shares = [spread.share_up_to(float(cost)) for cost in costs]
    axes.plot(payments, shares, c=FLOORS, lw=1.6)
    if observed is not None:
        inside = np.flatnonzero(observed.costs <= most)
        some = inside[np.linspace(0, inside.size - 1, min(inside.size, _MOST_BARS)).astype(int)]
        at = [paid(float(cost)) for cost in observed.costs[some]]
        axes.vlines(at, observed.low[some], observed.high[some], color=FLOORS, alpha=0.35, lw=3)
        axes.plot(at, observed.shares[some], "o", c=FLOORS, ms=4)
    share = chosen.accepting
    axes.plot([chosen.payment] * 2 + [0], [0, share, share], c=PLAN, lw=0.8, ls=":")
    axes.plot(chosen.payment, share, "o", c=PLAN, ms=6)
    words = payment(chosen.payment, posted.asked.currency)
    if math.isfinite(chosen.payment):
        short = f"{chosen.payment:.3g} {posted.asked.currency}".rstrip()
        words = short if len(short) < len(words) else words
    axes.set(xlim=(0, payments[-1]), ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
    marked = float(chosen.payment), share
    gaps = [(across, up) for up in (4, 24, 44) for across in (8, 30, 50)]
    spots = [Spot(marked, way, -way, gap) for gap in gaps for way in (1, -1)]
    white = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1}
    Words(axes).write(text(f"{words}: {100 * share:.3g} %"), spots, bbox=white)


def _chosen(posted: PostedPayment) -> Offer | None:
    """What is offered: the plan, or where there is none the cheapest study without the budget."""
    plan = posted.plan
    if plan is not None:
        offered = (plan.compensation, plan.cost, plan.participants, plan.epsilon)
        return Offer(posted.accepting, *offered)
    return min(posted.offers, key=lambda offer: offer.cost, default=None)


def _unit(posted: PostedPayment) -> str:
    return f", {text(posted.asked.currency)}" if posted.asked.currency else ""


def _name(axes: Axes, posted: PostedPayment, y: str, short_y: str) -> None:
    name(axes, f"payment offered{_unit(posted)}", y, short_x="payment", short_y=short_y)
    axes.spines[["top", "right"]].set_visible(False)
