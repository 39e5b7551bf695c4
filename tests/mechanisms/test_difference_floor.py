"""The difference of two groups' shares within an error, against sums over both counts and noise."""

import math

import numpy as np
import pytest
import scipy

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import with_value
from planner.study_file.writer import as_toml


def study(error=0.1, failure=0.05, mechanism=None, budget=30_000.0, conditions=()):
    """Two offers, whose difference is estimated."""
    return planner.Study(
        mechanism=mechanism or planner.LaplaceMean(),
        target=planner.Difference(error=error, failure=failure),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=[planner.Budget(budget), *conditions],
        costs=planner.Costs(per_person=5.0, overhead=2000.0),
    )


def failing(size, first, second, epsilon, error, geometric):
    """How often the noisy difference of the counts is off by `error` times their size or more."""
    counts = np.arange(size + 1)
    laws = [scipy.stats.binom.pmf(counts, size, share) for share in (first, second)]
    law, d = np.convolve(laws[0], laws[1][::-1]), np.arange(-size, size + 1)
    centre, reach = size * (first - second), size * error
    if geometric:
        far = int(45 / epsilon) + 2
        z = np.arange(-far, far + 1)
        noise = np.exp(-epsilon * np.abs(z)) * math.tanh(epsilon / 2)
        off = np.abs(d[:, None] + z - centre) >= reach - 1e-9
        return float(law @ (off @ noise))
    laplace = scipy.stats.laplace(scale=1 / epsilon)
    over, under = laplace.sf(centre + reach - d), laplace.cdf(centre - reach - d)
    return float(law @ (over + under))


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize(("error", "failure"), [(0.1, 0.05), (0.3, 0.05), (0.15, 0.01), (0.2, 0.1)])
def test_at_no_shares_it_fails_more_often(geometric, error, failure):
    """At all pairs of shares of a grid, and those at an edge, the plan keeps to its failure."""
    mechanism = planner.GeometricMean() if geometric else planner.LaplaceMean()
    plan = planner.solve(study(error, failure, mechanism))
    assert plan.proof.checked
    assert plan.participants % 2 == 0
    size, worst = plan.participants // 2, 0.0
    shares = np.linspace(0, 1, 11 if geometric else 21)
    pairs = [(first, second) for first in shares for second in shares[shares <= first]]
    for edge in (math.floor(size * error), math.ceil(size * error)):  # where an edge is just hit
        apart = (edge - size * error) / size
        pairs += [(share + apart, share) for share in (0.2, 0.4, (1 - apart) / 2, 0.6)]
    for first, second in pairs:
        off = failing(size, first, second, plan.epsilon, error, geometric)
        assert off <= plan.failure * (1 + 1e-9)
        worst = max(worst, off)
    assert worst > 0.97 * plan.failure


def test_it_is_one_share_at_half_the_error():
    """ε is that of a share of as many people; of an odd number of people that of one less."""
    floor = problem_of(study()).goals[0].floor
    people = np.array([518, 519, 520])
    of_share = planner.LaplaceMean().epsilon_floor(people, 0.05, 0.05)
    assert floor.epsilon(people, 0.0) == pytest.approx(of_share[[0, 0, 2]])
    assert np.isinf(floor.epsilon(np.array([1, 2, 60]), 0.0)).all()


def test_by_the_bound():
    """Hoeffding's bound is that of a share at half the error, too."""
    plan = planner.solve(study(mechanism=planner.LaplaceMean(analysis="hoeffding")))
    share = planner.LaplaceMean(analysis="hoeffding")
    assert plan.participants % 2 == 0
    least = share.epsilon_floor(plan.participants, 0.05, 0.05)
    assert plan.epsilon == pytest.approx(least, rel=1e-6)
    assert plan.participants > 1.5 * planner.solve(study()).participants
    under = planner.solve(study(mechanism=share, budget=plan.cost * 0.999))
    assert under.verdict == "infeasible"
    assert under.proof.checked


def test_a_little_less_money_is_refuted():
    """With proof; and the limits are those of the difference."""
    plan = planner.solve(study())
    under = planner.solve(study(budget=plan.cost * 0.999))
    assert under.verdict == "infeasible"
    assert under.proof.checked
    end = planner.limit(study(), "error")
    assert planner.solve(with_value(study(), "error", end.value)).verdict == "feasible"
    less = with_value(study(), "error", end.value * (1 - 1e-4))
    assert planner.solve(less, prove=False).verdict == "infeasible"


def test_compared_with_the_study_without_privacy():
    """As many people in either group; nothing is said of a study without a curator."""
    found = planner.compare(study())
    assert found.participants.least == 392
    assert found.trust is None


def test_swept_errors_are_those_of_solve():
    """Errors and failures are swept beside budgets."""
    swept = planner.sweep(study(), error=[0.1, 0.2], budget=[5000.0, 9000.0])
    for where in np.ndindex(2, 2):
        point = swept.isel(dict(zip(("error", "budget"), where, strict=True)))
        one = with_value(study(), "error", float(point.error))
        answer = planner.solve(with_value(one, "budget", float(point.budget)), prove=False)
        assert (int(point.verdict) == 1) == (answer.verdict == "feasible")
        if answer.verdict == "feasible":
            assert int(point.participants) == answer.participants


def test_prices_are_per_unit_of_the_difference():
    """By one per cent more and less, solved again."""
    prices = {price.quantity: price.cost for price in planner.prices(study())}
    costs = [planner.solve(study(error=0.1 * part), prove=False).cost for part in (0.99, 1.01)]
    assert prices["error"] == pytest.approx((costs[1] - costs[0]) / 0.002, rel=0.02)


def test_a_file_and_back(tmp_path):
    """A study file, and a plan file; the runs agree with the plan."""
    path = tmp_path / "study.toml"
    path.write_text(as_toml(study().to_dict()), encoding="utf-8")
    assert planner.read_study(path) == study()
    plan = planner.solve(study())
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json").epsilon == plan.epsilon
    assert "259 and 259 records" in str(planner.simulate(plan, runs=1000))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: study(mechanism=planner.RandomizedResponse()), "is not published with"),
        (lambda: study(mechanism=planner.CountTest()), "has a power and no error"),
        (lambda: study(mechanism=planner.LaplaceMean(mean_range=(0.1, 0.5))), "mean_range is of"),
        (lambda: planner.Difference(error=0.1), "failure is missing"),
        (lambda: planner.Difference(error=0.1, failure=0.05, baseline=0.3), "no field baseline"),
        (lambda: planner.Study(planner.LaplaceMean(), planner.Difference(error=0.1, failure=0.05),
                               planner.Individual(1.0), sampling=planner.Sampling(population=900)),
         "independent people"),
        (lambda: planner.simulate(study(), mean=0.3), "leave it out"),
        (lambda: planner.plan_sequence([study(), study()]), "leave differences of groups out"),
    ],
)  # fmt: skip
def test_refused(wrong, words):
    """In a sentence."""
    with pytest.raises(ValueError, match=words):
        wrong()
