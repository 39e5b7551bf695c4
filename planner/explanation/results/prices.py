"""What a little more of each quantity is worth, in words."""

from planner.decisions.prices import Price, Prices
from planner.explanation.results.changes import words_in
from planner.quantities import QUANTITIES
from planner.wording import plain


def prices_rows(prices: Prices) -> list[tuple[str, str]]:
    """A row for each quantity: what one more percent of it changes."""
    return [(words_in(prices.study, price.quantity), _of_a_percent(price)) for price in prices]


def price_rows(price: Price) -> list[tuple[str, str]]:
    """The value, and what one more unit and one more percent change."""
    return [
        (QUANTITIES[price.quantity].words, plain(price.value)),
        ("cost per unit", signed(price.cost)),
        ("per 1 %", _of_a_percent(price)),
    ]


def signed(change: float | None) -> str:
    """A change with its sign; a dash where there is none."""
    return "-" if change is None else f"{change:+,.4g}" if change else "0"


def _of_a_percent(price: Price) -> str:
    """What one more percent changes."""
    people, epsilon = (
        signed(None if change is None else change * price.value / 100)
        for change in (price.participants, price.epsilon)
    )
    return f"cost {signed(price.cost_of_a_percent)}, people {people}, ε {epsilon}"
