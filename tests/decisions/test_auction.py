"""An auction in place of a posted payment, by simulation and by hand."""

import math

import numpy as np
import pytest
from scipy import stats

import planner
from planner.decisions import auction, posted_payment
from planner.model import Asked, Groups, LogNormal, Uniform

EACH, INVITATION = 5.0, 2.0


def study(base_costs, **changed) -> planner.Study:
    given = {
        "mechanism": planner.LaplaceMean("hoeffding"),
        "target": planner.Accuracy(0.1, 0.05),
        "individual": planner.Individual.of_people(planner.People(base_costs, 0.3)),
        "costs": planner.Costs(EACH, per_invitation=INVITATION),
    }
    return planner.Study(**(given | changed))


def auctions(shown, ask, people: int, runs: int, own: bool, seed: int = 5) -> np.ndarray:
    """The cost of some auctions, people drawn one by one, sorted, and paid."""
    rng, plan = np.random.default_rng(seed), shown.posted.plan
    n, worth = plan.participants, math.expm1(plan.epsilon)
    costs = []
    for _ in range(runs):
        asks = np.sort(worth * ask(rng.random(people)))
        paid = asks[:n].sum() if own else n * asks[n]
        costs.append(paid + n * EACH + people * INVITATION)
    return np.array(costs)


def lognormal(share: np.ndarray) -> np.ndarray:
    return stats.lognorm.ppf(share, math.log(2), scale=12.5)


@pytest.fixture(scope="module")
def shown():
    return auction(posted_payment(study(LogNormal(12.5, 2.0))))


@pytest.mark.parametrize("own", [False, True])
def test_the_mean_cost_is_that_of_auctions(shown, own) -> None:
    way = shown.own_asks if own else shown.auction
    costs = auctions(shown, lognormal, way.invitations, 400, own)
    assert way.cost == pytest.approx(costs.mean(), abs=4 * costs.std() / 20)


def test_of_uniform_base_costs_the_price_is_known() -> None:
    """The mean of the (N + 1)-th of M uniform numbers is (N + 1)/(M + 1), of those below half."""
    found = auction(posted_payment(study(Uniform(0.0, 30.0))))
    plan = found.posted.plan
    worth, n = 30 * math.expm1(plan.epsilon), plan.participants
    of_auction, of_asks = found.auction.invitations, found.own_asks.invitations
    assert found.auction.payment == pytest.approx(worth * (n + 1) / (of_auction + 1), rel=1e-9)
    assert found.own_asks.payment == pytest.approx(worth * (n + 1) / (of_asks + 1) / 2, rel=1e-6)

    def cost(people: int) -> float:
        return n * (worth * (n + 1) / (people + 1) + EACH) + people * INVITATION

    assert found.auction.cost == pytest.approx(min(map(cost, range(n + 1, 20 * n))), rel=1e-9)


def test_honesty_costs_something_and_an_auction_hardly_more_than_an_offer(shown) -> None:
    assert shown.own_asks.cost < shown.posted.answer.cost < shown.auction.cost
    assert shown.auction.cost == pytest.approx(shown.posted.answer.cost, rel=2e-3)
    assert shown.price_of_honesty == shown.auction.cost - shown.own_asks.cost
    assert shown.simulated == pytest.approx(shown.auction.cost, rel=1e-3)
    low, high = shown.between
    assert low < shown.auction.cost < high


@pytest.mark.slow
def test_about_all_people_no_more_may_refuse() -> None:
    posted = posted_payment(study(LogNormal(12.5, 2.0)), "all")
    found = auction(posted)
    n = posted.plan.participants
    assert n / found.auction.invitations >= posted.accepting
    assert n / found.own_asks.invitations >= posted.accepting
    assert "all people" in str(found)


@pytest.mark.slow
def test_too_few_may_take_part() -> None:
    never = posted_payment(study(Asked(LogNormal(12.5, 2.0), 0.6)))
    found = auction(never)
    n, people = never.plan.participants, found.auction.invitations
    assert found.short == pytest.approx(stats.binom.cdf(n, people, 0.4), rel=1e-6)
    assert found.short <= 0.01
    groups = auction(posted_payment(study(Groups(((0.5, 4.0), (0.5, 60.0))))))
    assert groups.own_asks.cost < groups.auction.cost


@pytest.mark.parametrize("options", [{"runs": 10}, {"seed": -1}])
def test_arguments_that_are_refused(shown, options) -> None:
    with pytest.raises(ValueError, match="give a whole number"):
        auction(shown.posted, **options)


def test_without_a_plan_there_is_no_auction() -> None:
    poor = posted_payment(study(LogNormal(12.5, 2.0), conditions=[planner.Budget(10.0)]))
    with pytest.raises(ValueError, match="and here is none"):
        auction(poor)
