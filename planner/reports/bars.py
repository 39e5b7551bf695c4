"""Which inputs matter: the change of cost by 1 % more of each, as bars."""

from typing import NamedTuple

from markupsafe import Markup

from planner.decisions.prices import Price, Prices
from planner.explanation.amounts import given
from planner.explanation.results.changes import words_in
from planner.model import Study
from planner.wording import at_most

_WIDTH, _HEIGHT = 200, 14  # the proportions of svg.bar on the page, nearly


class Bar(NamedTuple):
    """One input: its name, its value, the change of cost by 1 % more in words, and the bar."""

    name: str
    now: str
    change: str
    bar: Markup


def bars(prices: Prices) -> list[Bar]:
    """The prices as bars, the largest change first; those without a finite price last."""
    known = [abs(p.cost_of_a_percent or 0.0) for p in prices]
    longest = max(known, default=0.0) or 1.0

    def weight(price: Price) -> float:
        change = price.cost_of_a_percent
        return -1.0 if change is None else abs(change)

    ordered = sorted(prices, key=weight, reverse=True)
    return [_bar(price, longest, prices.study) for price in ordered]


def _bar(price: Price, longest: float, study: Study) -> Bar:
    unit = f" {study.currency}" if study.currency else ""
    now = given(study, price.quantity, price.value)
    change = price.cost_of_a_percent
    if change is None:
        words = "no finite price"
    elif not change:
        words = "nothing"
    else:
        words = f"{'+' if change > 0 else '−'}{at_most(change, 3).removeprefix('-')}{unit}"
    return Bar(words_in(study, price.quantity), now, words, _drawn((change or 0.0) / longest))


def _drawn(share: float) -> Markup:
    """A bar from the middle: filled to the right for more cost, hollow to the left for less."""
    middle = _WIDTH / 2
    length = round(abs(share) * (middle - 2), 2)
    start = middle if share >= 0 else middle - length
    fill = "#1f4e79" if share >= 0 else "#fff"
    return Markup(
        '<svg class="bar" viewBox="0 0 {w} {h}" aria-hidden="true">'
        '<rect x="{x}" y="2" width="{length}" height="{tall}" fill="{fill}" stroke="#1f4e79"/>'
        '<path d="M{middle} 0v{h}" stroke="#222"/></svg>'
    ).format(
        w=_WIDTH, h=_HEIGHT, x=round(start, 2), length=length, tall=_HEIGHT - 4, fill=fill,
        middle=middle,
    )  # fmt: skip
