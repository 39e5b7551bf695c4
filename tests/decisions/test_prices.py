"""Shadow prices against finite differences of the least cost and of the best plan."""

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import with_value
from planner.answer.search.find import best_aim

COSTS = planner.Costs(5.0, 2000.0)
SMOOTH = ("base_cost", "worst_cost", "error", "failure", "per_person", "overhead", "delta")


def study_with(mechanism, *conditions, costs=COSTS, individual=None, error=0.05):
    return planner.Study(
        mechanism,
        planner.Accuracy(error, 0.05),
        individual or planner.Individual(12.5, 1274.0),
        [planner.Budget(1e12), *conditions],
        costs,
    )


def aim(study, quantity, value):
    return best_aim(problem_of(with_value(study, quantity, value)), "cost", 0.01)


def difference(study, price, step):
    up, down = (aim(study, price.quantity, price.value * (1 + s * step)) for s in (1, -1))
    return up, down, 2 * step * price.value


FEW = planner.MaxParticipants(60)
STUDIES = {
    "paper": study_with(planner.LaplaceMean("paper")),
    "hoeffding": study_with(planner.LaplaceMean("hoeffding")),
    "a cap on N": study_with(planner.LaplaceMean("hoeffding"), planner.MaxParticipants(1200)),
    "never reached": study_with(planner.LaplaceMean("hoeffding"), costs=planner.Costs(0.0, 10.0)),
    "mwem": study_with(planner.Mwem(universe_size=256, queries=100), costs=planner.Costs(0.5)),
    "delta": study_with(
        planner.MwemApproximate(universe_size=256, queries=10_000), planner.Delta(1e-8)
    ),
    # small studies, which are quick to plan; they stay under these caps
    "exact": study_with(planner.LaplaceMean(), FEW, error=0.21),
    "geometric": study_with(planner.GeometricMean(), FEW, error=0.21),
    "gaussian, capped N": study_with(
        planner.GaussianMean(), planner.Delta(1e-6), planner.MaxParticipants(34), error=0.21
    ),
    "paid in full": study_with(
        planner.LaplaceMean("paper"),
        planner.MaxParticipants(18_000),
        planner.EpsilonAtMost(1.0),
        individual=planner.Individual(12.5, 0.001 + 12.5, capped=True),
    ),
}


IN_STEPS = {("geometric", "error"), ("paid in full", "base_cost"), ("paid in full", "worst_cost")}
"""Where 1 % is a step: of counts, or past the other end of what is paid at most."""


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_prices_are_the_slopes_of_the_least_cost(name) -> None:
    study = STUDIES[name]
    prices = {p.quantity: p for p in planner.prices(planner.solve(study, prove=False))}
    for price in prices.values():
        if price.quantity not in SMOOTH or not price.value or price.cost is None:
            continue
        if (name, price.quantity) in IN_STEPS:
            continue
        # steps another than those of the prices: the cost is nearly straight, but for whole people
        up, down, width = difference(study, price, 0.005)
        slope = (up.value - down.value) / width
        assert price.cost == pytest.approx(slope, rel=0.02, abs=1e-7 * abs(up.value) / width)
    assert {name for name in ("error", "failure") if prices[name].cost is not None} == {
        "error",
        "failure",
    }
    assert prices["budget"].cost == 0
    assert prices["overhead"].cost == pytest.approx(1, rel=1e-6)


def test_where_delta_alone_allows_the_noise_accuracy_costs_nothing() -> None:
    study = planner.Study(
        planner.GaussianMean(),
        planner.Accuracy(0.98, 0.999),
        planner.Individual(0.01, 0.01),
        [planner.MaxParticipants(3), planner.Delta(0.01)],
    )
    prices = {p.quantity: p.cost for p in planner.prices(planner.solve(study))}
    assert (prices["error"], prices["failure"]) == (0.0, 0.0)
    assert prices["delta"] == pytest.approx(0.01)


def test_one_more_person() -> None:
    study = STUDIES["a cap on N"]
    price = next(
        p for p in planner.prices(planner.solve(study, prove=False)) if p.quantity == "participants"
    )
    here, more = (aim(study, "participants", n).value for n in (1200, 1201))
    assert price.cost == more - here < 0
    assert price.participants is None


def scanned(mechanism, base_cost, harm, cap, error, failure) -> float:
    """The least cost over all N ≤ 8,000, each at 20 beside the compensation."""
    n = np.arange(1, 8001)
    floors = mechanism.epsilon_floor(n, error, failure)
    with np.errstate(over="ignore", invalid="ignore"):
        owed = base_cost * np.expm1(floors)
        allowed = (floors <= cap) & (owed <= harm)
    return float(np.min(np.where(allowed, n * (owed + 20.0), np.inf)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "quantity", "percent"),
    [
        (planner.EpsilonAtMost(0.05), "error", -887.34),
        (planner.EpsilonAtMost(0.05), "failure", -165.17),
        (planner.EpsilonAtMost(0.05), "epsilon", -361.89),
        (planner.MaxHarm(0.3), "base_cost", 700.51),
        (planner.MaxHarm(0.3), "error", -1319.56),
        (planner.MaxHarm(0.3), "harm", -695.38),
    ],
)
def test_where_a_ceiling_sets_the_people_every_quantity_moves_them(
    condition, quantity, percent
) -> None:
    mechanism = planner.LaplaceMean("hoeffding")
    asked = study_with(mechanism, condition, costs=planner.Costs(20.0))
    prices = {p.quantity: p for p in planner.prices(planner.solve(asked, prove=False))}
    value = {"base_cost": 12.5, "error": 0.05, "failure": 0.05, "harm": np.inf, "cap": np.inf}
    value |= {"harm": 0.3} if isinstance(condition, planner.MaxHarm) else {"cap": 0.05}
    moved = "cap" if quantity == "epsilon" else quantity
    up, down = (
        scanned(mechanism, **value | {moved: value[moved] * factor}) for factor in (1.01, 0.99)
    )
    assert prices[quantity].cost_of_a_percent == pytest.approx((up - down) / 2, rel=1e-9)
    assert prices[quantity].cost_of_a_percent == pytest.approx(percent, rel=1e-4)
    assert prices["overhead"].cost == pytest.approx(1, rel=1e-6)
    assert prices["per_person"].cost == prices["per_person"].cost_of_a_percent * 5


def test_delta_costs_what_it_publishes_where_the_mechanism_does_not_use_it() -> None:
    asked = study_with(planner.LaplaceMean("hoeffding"), planner.Delta(1e-6))
    answer = planner.solve(asked, prove=False)
    price = next(p for p in planner.prices(answer) if p.quantity == "delta")
    assert price.cost == pytest.approx(answer.participants * 1274.0, rel=1e-6)


def test_prices_that_have_no_float_are_none() -> None:
    free = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.04, 0.13),
        planner.Individual(0.0),
        [planner.MaxParticipants(1490)],
    )
    family = planner.Study(
        planner.Mwem(2, 1),
        planner.Accuracy(0.778, 0.999),
        planner.Individual(0.171, family=100),
        [planner.MaxParticipants(20)],
    )
    for asked in (free, family):
        prices = {p.quantity: p for p in planner.prices(planner.solve(asked, prove=False))}
        costs = [price.cost for price in prices.values() if price.cost is not None]
        assert np.isfinite(costs).all()
    assert any(
        "too large for a floating-point number" in note for note in planner.solve(family).notes
    )


def test_one_more_than_the_population_has_no_price() -> None:
    asked = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.2, 0.5),
        planner.Individual(0.1),
        [planner.MinParticipants(10)],
        sampling=planner.Sampling(10),
    )
    prices = {p.quantity: p for p in planner.prices(planner.solve(asked, prove=False))}
    assert prices["min_participants"].cost is None


def test_an_error_in_steps_costs_nothing_between_them() -> None:
    asked = planner.Study(
        planner.GeometricMean(mean_range=(0.0, 1.0)),
        planner.Accuracy(1.0, 0.5),
        planner.Individual(0.78),
        [planner.MaxParticipants(3)],
        planner.Costs(929.6),
        sampling=planner.Sampling(3),
    )
    prices = {p.quantity: p for p in planner.prices(planner.solve(asked, prove=False))}
    assert prices["error"].cost == 0
    assert prices["failure"].cost < 0


@pytest.mark.parametrize("conditions", [(), (planner.MaxParticipants(500),)])
def test_a_base_cost_where_nobody_is_paid_is_what_the_first_unit_of_it_costs(conditions) -> None:
    """With a base cost of 0 any ε is free, so that nothing is read at the ε of the plan."""

    def of(base: float) -> planner.Study:
        costs = planner.Costs(per_person=3.0)
        target, person = planner.Accuracy(0.08, 0.1), planner.Individual(base)
        return planner.Study(planner.LaplaceMean(), target, person, conditions, costs)

    free, paid = (planner.solve(of(base), prove=False).cost for base in (0.0, 1.0))
    (price,) = [p for p in planner.prices(of(0.0)) if p.quantity == "base_cost"]
    assert price.cost == pytest.approx(paid - free, rel=1e-3)
