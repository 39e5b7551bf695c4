"""An auction in place of a posted payment: people say what they ask, and cannot gain from more.

Of M people who are asked the N cheapest take part, and each is paid what the next one asks: the
uniform price of Vickrey. For a fixed accuracy an application of it pays the least, up to a small
constant factor, of all prices without envy (Ghosh and Roth 2011, "Selling privacy at auction"; for
a fixed budget theirs is another one, FairQuery, which is not used here). A higher ask does not
raise what a person is paid, and may lose them the payment.

With base costs of law F the (N + 1)-th of M is F⁻¹(U), where U has the law Beta(N + 1, M − N);
given U, those of the N cheapest are independent draws from below F⁻¹(U). If each could be paid
their own ask the study would cost less: the difference is the price of honesty.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from planner import checks
from planner.decisions.posted_payment import PostedPayment
from planner.libraries import np, scipy
from planner.model import Individual, Study
from planner.model.spread import Spread
from planner.numbers import Array, decimal
from planner.show import Shown

_FARTHEST, _STEPS = 8.0, 1_601
"""Means over U = Φ(z) by the trapezoidal rule in z, which beyond 8 leaves out 1e-15, and whose
error for smooth laws falls faster than any power of the step, here 0.01."""
_INNER = 161
"""The same for the people below U, in steps of 0.1."""
_MOST_SHORT = 0.01
"""The probability that too few would take part for any payment, in an auction that is looked at."""
_GRID = 48
"""Numbers of people looked at first: where base costs are a list, the cost has several valleys."""
_MOST_TIMES = 50
"""Times the invitations of the posted payment: of more, each costs more than it can save."""
_NO_AUCTION = 1e100
"""In place of an infinite cost, with which a search by parabolas cannot compute."""
QUANTILES = (0.05, 0.95)
"""Of the costs of simulated auctions."""


class Way(NamedTuple):
    """A way to pay those who take part.

    Attributes:
        invitations: how many are invited, on average [people].
        payment: what a participant is paid, on average [money].
        cost: of the whole study, on average [money].
    """

    invitations: int
    payment: float
    cost: float


@dataclass(frozen=True, repr=False)
class Auction(Shown):
    """An auction beside the posted payment and beside paying each their own ask.

    Attributes:
        posted: the posted payment, whose N and ε all three have.
        auction: the (N + 1)-th ask paid to each of the N cheapest, by the number of people invited
            with which that costs least.
        own_asks: each paid their own ask, which nobody would say truly.
        short: the probability that N + 1 of those invited would not take part for any payment that
            is known; the costs are means over the other auctions.
        simulated: the mean cost of simulated auctions [money].
        between: the 5 % and 95 % quantiles of their costs [money].
        runs: how many were simulated.
    """

    posted: PostedPayment
    auction: Way
    own_asks: Way
    short: float
    simulated: float
    between: tuple[float, float]
    runs: int

    @property
    def price_of_honesty(self) -> float:
        """How much more the auction costs than paying each their own ask [money]."""
        return self.auction.cost - self.own_asks.cost

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "auction": self.auction._asdict(),
            "own_asks": self.own_asks._asdict(),
            "price_of_honesty": self.price_of_honesty,
            "short": self.short,
            "simulated": self.simulated,
            "between": list(self.between),
            "runs": self.runs,
        }


def auction(posted: PostedPayment, runs: int = 2_000, seed: int = 1) -> Auction:
    """The auction with the N and ε of a posted payment, and what it costs.

    Args:
        posted: a posted payment with a plan. Where its answer is about all people no larger
            proportion may refuse, so at most as many are invited.
        runs: how many auctions are simulated [100 to 10^5].
        seed: of these [≥ 0].

    Raises:
        ValueError: there is no plan, nobody is paid, or too few people would take part.
    """
    checks.whole("runs", runs, 100, 10**5)
    checks.whole("seed", seed, 0)
    plan, invited = posted.plan, posted.invitations
    if plan is None or invited is None:
        raise ValueError("an auction has the N and ε of a posted payment, and here is none")
    study, n = plan.study.unrounded, plan.participants
    people = study.individual.people
    assert people is not None  # a posted payment has people who differ
    rate = study.sampling.response_rate
    most = math.floor(n / decimal(posted.accepting))
    if posted.about == "accepting":
        most = math.floor(min(_MOST_TIMES * most, study.sampling.most_participants))
    law = _Law(people.base_costs, _paid(study, plan.epsilon, plan.delta), n)
    if most <= n or law.short(most) > _MOST_SHORT:
        raise ValueError(
            f"of {most} people asked too few would take part for an auction of {n}; invite more, "
            "or post a payment"
        )

    def total(asked: float, mean: Callable[[float], float]) -> float:
        if law.short(asked) > _MOST_SHORT:
            return _NO_AUCTION
        each = mean(asked) + study.costs.per_person
        invitations = asked / rate * study.costs.per_invitation
        return float(n * each + invitations + study.costs.overhead)

    def way(asked: int, mean: Callable[[float], float]) -> Way:
        return Way(math.ceil(asked / decimal(rate)), mean(asked), total(asked, mean))

    asked = _best(total, law.uniform_price, n + 1, most)
    held = way(asked, law.uniform_price)
    own_asks = way(_best(total, law.own_ask, n + 1, most), law.own_ask)
    prices = law.simulated(asked, runs, seed)
    costs = n * (prices - held.payment) + held.cost
    low, high = (float(cost) for cost in np.quantile(costs, QUANTILES))
    return Auction(posted, held, own_asks, law.short(asked), float(costs.mean()), (low, high), runs)


def _best(
    total: Callable[[float, Callable[[float], float]], float],
    mean: Callable[[float], float],
    least: int,
    most: int,
) -> int:
    """The number of people asked with the least cost."""
    grid = sorted({round(asked) for asked in np.geomspace(least, most, _GRID)})
    costs = [total(asked, mean) for asked in grid]
    at = int(np.argmin(costs))
    near = {grid[at]}
    if len(grid) > 1:
        found = scipy.optimize.minimize_scalar(
            lambda asked: total(float(asked), mean),
            bounds=(grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]),
            method="bounded",
            options={"xatol": 0.25},
        )
        near |= {math.floor(found.x), math.ceil(found.x)}
    return min(near, key=lambda asked: total(asked, mean))


def _paid(study: Study, epsilon: float, delta: float) -> Callable[[Array], Array]:
    """What people of some base costs are owed: affine in the base cost, up to a cap."""
    given = study.individual
    assert isinstance(given, Individual)  # of people who differ
    person = replace(given, people=None, capped=False)
    base_cost, worst_cost = person.base_cost, given.worst_cost
    if not base_cost:
        raise ValueError("people accept this payment for nothing; there is nothing to auction")
    whole, half = (
        float(person.with_base_cost(cost).compensation(epsilon, delta))
        for cost in (base_cost, base_cost / 2)
    )
    slope = 2 * (whole - half) / base_cost
    most = math.inf if worst_cost is None or not given.capped else worst_cost

    def paid(costs: Array) -> Array:
        owed = np.minimum(slope * costs + (whole - slope * base_cost), most)
        found: Array = np.maximum(owed, study.costs.incentive)
        return found

    return paid


class _Law:
    """The law of what is paid to the N cheapest of people with some base costs."""

    def __init__(self, spread: Spread, paid: Callable[[Array], Array], n: int) -> None:
        """The payments `paid` to N people with base costs of a spread."""
        self._spread, self._paid, self._n = spread, paid, n
        self._known = spread.share_up_to(math.inf) if math.isinf(spread.high) else 1.0

    def short(self, asked: float) -> float:
        """The probability that N + 1 of those asked would not take part for any known payment."""
        if self._known >= 1:
            return 0.0
        return float(scipy.special.betaincc(self._n + 1, asked - self._n, self._known))

    def uniform_price(self, asked: float) -> float:
        """The mean of what the (N + 1)-th asks [money]."""
        shares, weights = self._next(asked)
        return float(weights @ self._paid(self._spread.quantile(shares)))

    def own_ask(self, asked: float) -> float:
        """The mean of what each of the N cheapest asks [money]."""
        shares, weights = self._next(asked)
        below, each = _normal(_INNER)
        costs = self._spread.quantile(np.outer(shares, scipy.special.ndtr(below)).ravel())
        paid = self._paid(costs).reshape(shares.size, below.size)
        return float(weights @ (paid @ each))

    def _next(self, asked: float) -> tuple[Array, Array]:
        """Shares below which the (N + 1)-th lies, and their weights, if there is such a person."""
        z, weights = _normal(_STEPS)
        beta = (self._n + 1, asked - self._n)
        lower = scipy.special.betaincinv(*beta, scipy.special.ndtr(z))
        upper = scipy.special.betainccinv(*beta, scipy.special.ndtr(-z))
        shares = np.minimum(np.where(z < 0, lower, upper), 1 - 2.0**-53)
        inside = shares <= self._known if self._known == 1 else shares < self._known
        return shares[inside], weights[inside] / weights[inside].sum()

    def simulated(self, asked: int, runs: int, seed: int) -> Array:
        """The price of each of some auctions with people drawn one by one [money]."""
        rng = np.random.default_rng(seed)
        prices: list[float] = []
        while len(prices) < runs:
            drawn = np.partition(rng.random(asked), self._n)[self._n]
            if drawn < self._known:
                prices.append(drawn)
        found: Array = self._paid(self._spread.quantile(np.array(prices)))
        return found


def _normal(steps: int) -> tuple[Array, Array]:
    """Places of the normal law and their weights, by the trapezoidal rule."""
    z = np.linspace(-_FARTHEST, _FARTHEST, steps)
    density = np.exp(-(z**2) / 2)
    return z, density / density.sum()
