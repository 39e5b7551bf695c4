"""The payment offered to everybody invited, against a grid of payments and whole numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import planner
from planner.answer.accepting import acceptance
from planner.decisions import posted_payment
from planner.model import Asked, Groups, LogNormal, Observed
from tests.oracles.invitations import invited

MEDIAN, FACTOR = 12.5, 2.0
ERROR, FAILURE, EACH, INVITATION = 0.1, 0.05, 5.0, 2.0


def study(base_costs=None, **changed) -> planner.Study:
    people = planner.People(base_costs or LogNormal(MEDIAN, FACTOR), 0.5)
    given = {
        "mechanism": planner.LaplaceMean("hoeffding"),
        "target": planner.Accuracy(ERROR, FAILURE),
        "individual": planner.Individual.of_people(people),
        "conditions": [planner.Budget(100_000)],
        "costs": planner.Costs(EACH, per_invitation=INVITATION),
    }
    return planner.Study(**(given | changed))


def law(base_cost: np.ndarray) -> np.ndarray:
    return stats.lognorm.cdf(base_cost, math.log(FACTOR), scale=MEDIAN)


def by_grid(payments: np.ndarray, people: range) -> tuple[float, float]:
    """The least cost over payments and whole numbers, and its payment.

    At each payment and N the least ε that is accurate enough is taken: more ε makes fewer accept.
    """
    mechanism, best = planner.LaplaceMean("hoeffding"), (math.inf, math.nan)
    for n in people:
        epsilon = mechanism.epsilon_floor(n, ERROR, FAILURE)
        if not epsilon < 50:
            continue
        share = law(payments / math.expm1(epsilon))
        with np.errstate(divide="ignore", over="ignore"):
            costs = n * (payments + EACH) + INVITATION * invited(n, np.maximum(share, 0.01))
        at = int(np.argmin(costs))
        best = min(best, (float(costs[at]), float(payments[at])))
    return best


@pytest.mark.slow
def test_it_is_the_best_of_a_grid() -> None:
    posted = posted_payment(study())
    cost, payment = by_grid(np.linspace(0.5, 12, 1151), range(150, 900))
    assert posted.verdict == "feasible"
    assert posted.answer.cost <= cost * (1 + 1e-6)
    assert posted.answer.cost == pytest.approx(cost, rel=1e-4)
    assert posted.payment == pytest.approx(payment, rel=0.05)  # near the best the cost is flat


@pytest.mark.slow
def test_about_all_people_it_is_the_best_of_a_grid() -> None:
    """With a share s, refusers leave the error (T − (1 − s)/2)/s for those who accept."""
    mechanism = planner.LaplaceMean("hoeffding")
    shares = np.linspace(0.82, 0.9999, 1500)
    errors = (ERROR - (1 - shares) / 2) / shares
    base_costs = stats.lognorm.ppf(shares, math.log(FACTOR), scale=MEDIAN)
    best = (math.inf, math.nan)
    for n in range(200, 2500, 3):
        epsilon = mechanism.epsilon_floor(np.full(shares.size, float(n)), errors, FAILURE)
        with np.errstate(over="ignore"):
            costs = n * (np.expm1(epsilon) * base_costs + EACH) + INVITATION * invited(n, shares)
        at = int(np.argmin(costs))
        best = min(best, (float(costs[at]), float(shares[at])))
    posted = posted_payment(study(), "all")
    assert abs(posted.answer.cost - best[0]) <= INVITATION  # which makes costs jump
    assert posted.accepting == pytest.approx(best[1], abs=0.01)


@pytest.mark.slow
def test_the_plan_is_as_accurate_as_asked_about_all_people() -> None:
    posted = posted_payment(study(), "all")
    found = acceptance(posted.answer)
    assert found.corrected_error <= ERROR
    assert found.corrected_error == pytest.approx(ERROR, rel=1e-9)
    assert posted.answer.study.target.error < ERROR
    values = planner.Accuracy.of_values(ERROR * 40, 20, 60, FAILURE)
    same = posted_payment(study(target=values), "all")
    assert acceptance(same.answer).corrected_error <= ERROR
    assert same.answer.cost == pytest.approx(posted.answer.cost, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("about", ["accepting", "all"])
def test_the_plan_is_proved_and_saved(about, tmp_path) -> None:
    posted = posted_payment(study(), about)
    posted.answer.save(tmp_path / "plan.json")
    plan = planner.read_answer(tmp_path / "plan.json")
    assert plan.proof.checked
    assert planner.check(plan).holds
    assert plan.compensation == posted.payment
    base_cost = posted.payment / math.expm1(plan.epsilon)
    assert float(law(np.array(base_cost))) == pytest.approx(posted.accepting, rel=1e-6)
    assert posted.invitations == invited(plan.participants, posted.accepting)


def test_of_groups_it_is_the_best_group() -> None:
    groups = Groups(((0.3, 2.0), (0.4, 10.0), (0.2, 40.0), (0.1, 200.0)))
    posted = posted_payment(study(groups))
    costs = {
        share: planner.solve(
            study(individual=planner.Individual.of_people(planner.People(groups, share)))
        ).cost
        for share in (0.3, 0.7, 0.9, 1.0)
    }
    assert posted.answer.cost == min(costs.values())
    assert posted.accepting == min(costs, key=lambda share: costs[share])


def test_what_was_observed_is_not_extrapolated() -> None:
    observed = Observed(((0.2, 3.0), (0.5, 9.0), (0.65, 20.0)))
    posted = posted_payment(study(observed))
    assert posted.accepting in (0.2, 0.5, 0.65)
    with pytest.raises(ValueError, match="refuse every known payment"):
        posted_payment(study(observed), "all")


@pytest.mark.slow
def test_those_who_never_accept_are_invited_all_the_same() -> None:
    never = posted_payment(study(Asked(LogNormal(MEDIAN, FACTOR), 0.25)))
    fewer = posted_payment(study(sampling=planner.Sampling(response_rate=0.75)))
    assert never.answer.cost == pytest.approx(fewer.answer.cost, rel=1e-4)
    assert never.accepting == pytest.approx(0.75 * fewer.accepting, rel=1e-2)


@pytest.mark.slow
def test_a_population_has_no_more_who_accept() -> None:
    free = posted_payment(study())
    people = math.floor(0.9 * free.answer.participants / free.accepting)
    bounded = study(sampling=planner.Sampling(population=people))
    posted = posted_payment(replace(bounded, mechanism=planner.LaplaceMean()))
    assert posted.answer.participants <= people * posted.accepting


@pytest.mark.slow
def test_no_payment_within_the_budget() -> None:
    least = posted_payment(study()).answer.cost
    poor = posted_payment(study(conditions=[planner.Budget(0.5 * least)]))
    assert (poor.verdict, poor.payment, poor.invitations) == ("infeasible", None, None)
    assert poor.statement.startswith("Every payment is proved infeasible")
    assert min(offer.cost for offer in poor.offers) == pytest.approx(least, abs=INVITATION)
    near = posted_payment(study(conditions=[planner.Budget(0.97 * least)]))
    assert near.verdict == "infeasible"
    just = posted_payment(study(conditions=[planner.Budget(1.001 * least)]))
    assert just.verdict == "feasible"


@pytest.mark.slow
def test_each_payment_of_the_picture_is_the_best_with_it() -> None:
    posted = posted_payment(study())
    for offer in posted.over_payment[::4]:
        cost, _ = by_grid(np.array([offer.payment]), range(150, 2000))
        assert offer.cost == pytest.approx(cost, rel=2e-3)
        assert offer.cost >= posted.answer.cost * (1 - 1e-9)


@pytest.mark.parametrize(
    ("changed", "about", "message"),
    [
        ({"costs": planner.Costs(EACH)}, "accepting", "invitations cost nothing"),
        ({"individual": planner.Individual(12.5)}, "accepting", "give base_costs, such as"),
        ({}, "some", "about = 'some' is not allowed; give 'accepting' or 'all'"),
        ({"target": planner.Accuracy(0.6, 0.05)}, "all", "error = 0.6 about all people needs no"),
        (
            {"mechanism": planner.LaplaceMean(mean_range=(0.1, 0.2))},
            "all",
            "with mean_range nothing is claimed",
        ),
        (
            {
                "mechanism": planner.AddedNoise(),
                "target": planner.Survey([planner.Share("x", error=0.1)], failure=0.05),
            },
            "all",
            "is known of one proportion or mean",
        ),
    ],
)
def test_studies_without_a_best_payment(changed, about, message) -> None:
    with pytest.raises(ValueError, match=r"give|leave|error") as error:
        posted_payment(study(**changed), about)
    assert message in str(error.value)
