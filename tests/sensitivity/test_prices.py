"""Shadow prices against finite differences of the least cost and of the best plan."""

import pytest

import planner
from planner.answer.free_delta import best_aim
from planner.answer.problem import problem
from planner.answer.varied import with_value

COSTS = planner.Costs(5.0, 2000.0)
SMOOTH = ("base_cost", "worst_cost", "error", "failure", "per_person", "overhead", "delta")


def study(mechanism, *conditions, costs=COSTS, individual=None, error=0.05):
    return planner.Study(
        mechanism,
        planner.Accuracy(error, 0.05),
        individual or planner.Individual(12.5, 1274.0),
        [planner.Budget(1e12), *conditions],
        costs,
    )


def aim(question, quantity, value):
    return best_aim(problem(with_value(question, quantity, value)), "cost", 0.01)


def difference(question, price, step):
    up, down = (aim(question, price.quantity, price.value * (1 + s * step)) for s in (1, -1))
    return up, down, 2 * step * price.value


FEW = planner.Population(60)
STUDIES = {
    "paper": study(planner.LaplaceMean("paper")),
    "hoeffding": study(planner.LaplaceMean("hoeffding")),
    "a cap on N": study(planner.LaplaceMean("hoeffding"), planner.Population(1200)),
    "a harm": study(planner.LaplaceMean("hoeffding"), planner.Harm(2.0)),
    "never reached": study(planner.LaplaceMean("hoeffding"), costs=planner.Costs(0.0, 10.0)),
    "mwem": study(planner.Mwem(universe_size=256, queries=100), costs=planner.Costs(0.5)),
    "delta": study(planner.MwemApproximate(universe_size=256, queries=10_000), planner.Delta(1e-8)),
    # small studies, which are quick to plan; they stay under these caps
    "exact": study(planner.LaplaceMean(), FEW, error=0.21),
    "geometric": study(planner.GeometricMean(), FEW, error=0.21),
    "gaussian, capped N": study(
        planner.GaussianMean(), planner.Delta(1e-6), planner.Population(34), error=0.21
    ),
    "paid in full": study(
        planner.LaplaceMean("paper"),
        planner.Population(18_000),
        planner.EpsilonAtMost(1.0),
        individual=planner.Individual(12.5, 0.001 + 12.5, capped=True),
    ),
}


@pytest.mark.parametrize("name", STUDIES)
def test_prices_are_the_slopes_of_the_least_cost(name) -> None:
    question = STUDIES[name]
    prices = {p.quantity: p for p in planner.shadow_prices(planner.solve(question, prove=False))}
    exact = name in ("exact", "geometric", "gaussian", "gaussian, capped N")
    for price in prices.values():
        if price.quantity not in SMOOTH or not price.value or price.cost is None:
            continue
        # exact floors are known to a part in 10^5; whole N may move by one beside the best
        up, down, width = difference(question, price, 1e-4 if exact else 1e-6)
        near = 1e-2 if exact else 1e-4
        assert price.cost == pytest.approx((up.value - down.value) / width, rel=near, abs=1e-9)
    told = {name for name in ("error", "failure") if prices[name].cost is not None}
    assert told == ({"failure"} if name == "geometric" else {"error", "failure"})
    assert prices["budget"].cost == 0
    assert prices["overhead"].cost == 1


@pytest.mark.parametrize("name", ["paper", "hoeffding", "mwem", "delta"])
def test_people_and_epsilon_move_as_the_best_plan_does(name) -> None:
    question = STUDIES[name]
    prices = planner.shadow_prices(planner.solve(question, prove=False))
    moved = [p for p in prices if p.participants is not None]
    assert {p.quantity for p in moved} >= {"base_cost", "error", "failure", "per_person"}
    for price in moved:
        up, down, width = difference(question, price, 0.01)
        people = (up.participants - down.participants) / width
        floors = [float(a.region.floor(a.participants)) for a in (up, down)]
        # a step of N by one is 1/width; the best N is flat to about √(rounding)
        assert price.participants == pytest.approx(people, rel=1e-2, abs=2 / width)
        slack = (
            2
            / width
            * float(up.region.floor(up.participants) - up.region.floor(up.participants + 1))
        )
        assert price.epsilon == pytest.approx((floors[0] - floors[1]) / width, rel=2e-2, abs=slack)


def test_one_more_person_and_a_harm_that_holds_people_away() -> None:
    question = STUDIES["a cap on N"]
    price = next(
        p
        for p in planner.shadow_prices(planner.solve(question, prove=False))
        if p.quantity == "participants"
    )
    here, more = (aim(question, "participants", n).value for n in (1200, 1201))
    assert price.cost == more - here < 0
    assert price.participants is None
    question = STUDIES["a harm"]
    answer = planner.solve(question, prove=False)
    price = next(p for p in planner.shadow_prices(answer) if p.quantity == "harm")
    # the harm at which one person fewer is enough, and what that saves
    fewer = with_value(question, "participants", answer.participants - 1)
    enough = planner.limit(fewer, "harm")
    saved = answer.least_cost - aim(question, "harm", enough.value).value
    assert price.cost == pytest.approx(-saved / (enough - 2.0), rel=1e-4)


def test_only_feasible_studies_with_an_accuracy_have_prices(mean_study) -> None:
    assert planner.shadow_prices(planner.solve(mean_study(254.8))) == ()
    reader = planner.BayesianReader("uniform", "absolute")
    count = planner.Study(
        planner.GeometricCount(),
        planner.ExpectedLoss(reader, 2.0),
        planner.Individual(1.0),
        [planner.Budget(1e6), planner.Population(50)],
    )
    with pytest.raises(ValueError, match="not expected losses"):
        planner.shadow_prices(planner.solve(count))
