"""What a larger pilot is worth."""

import math

import numpy as np
import pytest
from scipy import special, stats

import planner
from planner.decisions import posted_payment
from planner.model import Asked, LogNormal
from planner.pilot import Answers, Pilot, estimate, fit, worth
from planner.pilot.log_normal import plausible
from planner.pilot.worth import Cautious, _Plans
from tests.pilot.pilots import LEVELS, yes_or_no

EACH, INVITATION, ERROR, FAILURE = 5.0, 2.0, 0.1, 0.05
ANSWERS = yes_or_no(5, 200, LEVELS)


def study(base_costs=None) -> planner.Study:
    people = planner.People(base_costs or LogNormal(5.0, 3.0), 0.3)
    return planner.Study(
        mechanism=planner.LaplaceMean("hoeffding"),
        target=planner.Accuracy(ERROR, FAILURE),
        individual=planner.Individual.of_people(people),
        conditions=[planner.Budget(100.0)],
        costs=planner.Costs(EACH, per_invitation=INVITATION),
    )


def found(per_answer: float, answers: Answers = ANSWERS):
    return worth(estimate(Pilot(answers, None, "answers.csv")), study(), per_answer)


@pytest.mark.slow
def test_pilots_differ_as_much_as_is_plausible() -> None:
    """Medians and spreads of many pilots vary as the curvature of one says."""
    one = plausible(yes_or_no(1, 400, LEVELS))
    fitted = [fit(yes_or_no(seed, 400, LEVELS)) for seed in range(400)]
    draws = np.random.default_rng(1).multivariate_normal(one.best, one.covariance, 100_000)
    medians = one.scale * draws[:, 0] / draws[:, 1]
    assert np.std([math.log(f.median) for f in fitted]) == pytest.approx(medians.std(), rel=0.12)
    spreads = one.scale / draws[:, 1]
    assert np.std([math.log(f.spread) for f in fitted]) == pytest.approx(spreads.std(), rel=0.15)


def test_the_best_of_the_plausible_is_the_estimate() -> None:
    one, fitted = plausible(ANSWERS), fit(ANSWERS)
    a, b = one.best
    assert math.exp(one.middle + one.scale * a / b) == pytest.approx(fitted.median, rel=1e-6)
    assert math.exp(one.scale / b) == pytest.approx(fitted.spread, rel=1e-6)
    assert np.linalg.eigvalsh(one.covariance).min() > 0


def test_the_curvature_is_that_of_probit() -> None:
    """Expected information Σ φ²/(F(1 − F))·(1, −x)(1, −x)ᵀ, with the observed close to it."""
    answers = yes_or_no(2, 20_000, LEVELS)
    one = plausible(answers)
    x = (np.log(answers.offers) - one.middle) / one.scale
    z = one.best[1] * x - one.best[0]
    weight = stats.norm.pdf(z) ** 2 / (stats.norm.cdf(z) * stats.norm.sf(z))
    design = np.stack([-np.ones_like(x), x])
    expected = np.linalg.inv((weight * design) @ design.T)
    assert one.covariance == pytest.approx(expected, rel=0.03, abs=2e-6)


def test_most_spreads_have_at_least_the_cautious_share() -> None:
    one = plausible(ANSWERS)
    spread = Cautious.of(one, ANSWERS, 200, 0.9)
    draws = np.random.default_rng(8).multivariate_normal(one.best, one.covariance, 100_000)
    for cost in (3.0, 12.0, 40.0):
        x = (math.log(cost) - one.middle) / one.scale
        shares = special.ndtr(draws[:, 1] * x - draws[:, 0])
        assert np.mean(shares >= spread.share_up_to(cost)) == pytest.approx(0.9, abs=0.02)
        assert spread.quantile(spread.share_up_to(cost)) == pytest.approx(cost)
    assert spread.quantile(1.0) == math.inf
    assert spread.share_up_to(0.0) == 0


@pytest.mark.slow
def test_the_cost_is_that_of_a_grid() -> None:
    """The least over base costs and N of the quantile of the cost over spreads."""
    one = plausible(ANSWERS)
    draws = np.random.default_rng(9).multivariate_normal(one.best, one.covariance / 2, 4_000)
    costs = np.geomspace(1.0, 60.0, 250)
    x = (np.log(costs) - one.middle) / one.scale
    shares = special.ndtr(np.outer(draws[:, 1], x) - draws[:, :1])
    few = np.quantile(1 / shares, 0.9, axis=0)
    best, mechanism = math.inf, planner.LaplaceMean("hoeffding")
    for n in range(160, 900):
        epsilon = mechanism.epsilon_floor(n, ERROR, FAILURE)
        if epsilon < 50:
            total = n * (math.expm1(epsilon) * costs + EACH + INVITATION * few)
            best = min(best, float(total.min()))
    assert _Plans(study(), ANSWERS, 0.9).at(400) == pytest.approx(best, rel=3e-3)


@pytest.mark.slow
def test_more_answers_save_less_and_less() -> None:
    shown = found(0.2)
    costs = [size.cost for size in shown.sizes]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] > shown.known
    fitted = fit(ANSWERS)
    known = posted_payment(study(LogNormal(fitted.median, fitted.spread)))
    assert shown.known == pytest.approx(min(offer.cost for offer in known.offers), rel=1e-5)


@pytest.mark.slow
def test_where_the_next_hundred_stop_paying() -> None:
    plans = _Plans(study(), ANSWERS, 0.9)
    saved = plans.at(500) - plans.at(600)
    shown = found(saved / 100 * 1.001)
    assert 200 < shown.enough <= 500
    at = shown.enough
    assert plans.at(at) - plans.at(at + 100) <= 100 * shown.per_answer
    assert plans.at(at - 100) - plans.at(at) > 100 * shown.per_answer
    assert found(1e9).enough == 200
    assert found(1e-9).enough is None


@pytest.mark.slow
def test_refusers_are_uncertain_too() -> None:
    refused = np.full(20, 40.0)
    answers = Answers(ANSWERS.low, ANSWERS.high, ANSWERS.offers, refused)
    spread = Cautious.of(plausible(answers), answers, 220, 0.9)
    assert 1 - spread.share_up_to(1e9) > 20 / 220
    with_refusers = Asked(LogNormal(12.5, 2.0), 20 / 220)
    assert spread.quantile(0.95) == with_refusers.quantile(0.95) == math.inf
    assert found(1.0, answers).known > found(1.0).known


@pytest.mark.parametrize(("per_answer", "probability"), [(0.0, 0.9), (-1.0, 0.9), (1.0, 1.0)])
def test_arguments_out_of_range(per_answer, probability) -> None:
    with pytest.raises(ValueError, match="is not allowed; give a"):
        worth(estimate(Pilot(ANSWERS, None, "a.csv")), study(), per_answer, probability)
