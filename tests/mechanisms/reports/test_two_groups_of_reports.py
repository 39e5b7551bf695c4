"""Two groups without a curator, against sums over both counts and what people report."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy

import planner
from planner import numbers
from planner.answer.problem.vary import with_value
from planner.explanation.rejection import rejection
from planner.mechanisms.exact import two_groups
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.power_proof import misses_with_all_cards
from planner.publication.check_results import check_results
from planner.simulation.power import PowerRuns


def study(**target):
    """Two offers, of which nobody holds the answers."""
    return planner.Study(
        mechanism=planner.RandomizedResponse(),
        target=planner.Difference(**target),
        individual=planner.Individual(base_cost=2.0, worst_cost=1274.0),
        conditions=[planner.Budget(1e6)],
        costs=planner.Costs(per_person=5.0),
    )


def law(size, first, second, truth):
    """Of the reports of yes in the first group, and of no in the second."""
    counts = np.arange(size + 1)
    said = [1 - truth + share * (2 * truth - 1) for share in (first, 1 - second)]
    return np.convolve(*(scipy.stats.binom.pmf(counts, size, share) for share in said))


def powers(size, first, second, significance, truths):
    """That of the randomised test of those reports, with each card."""
    null = scipy.stats.binom.pmf(np.arange(2 * size + 1), 2 * size, 0.5)
    over = np.cumsum(null[::-1])[::-1]
    level = int(np.argmax(over <= significance))
    chance = (significance - over[level]) / null[level - 1]
    laws = [law(size, first, second, truth) for truth in truths]
    return np.array([one[level:].sum() + chance * one[level - 1] for one in laws])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("baseline", "change", "significance"), [(0.3, 0.2, 0.05), (0.1, 0.15, 0.1), (0.7, -0.25, 0.05)]
)
def test_the_cheapest_test_is_that_of_a_scan(baseline, change, significance):
    """Of each size the least card by bisection; a budget a little less is refuted."""
    given = study(baseline=baseline, change=change, significance=significance)
    plan = planner.solve(given)
    first, second = (baseline + change, baseline) if change > 0 else (baseline, baseline + change)
    best = (math.inf, 0)
    half = plan.participants // 2
    for size in range(half - 15, half + 16):
        truth = scipy.optimize.brentq(
            lambda p, n=size: powers(n, first, second, significance, [p])[0] - 0.8, 0.5001, 1
        )
        growth = truth / (1 - truth)
        best = min(best, (2 * size * (2 * (growth - 1) + 5), 2 * size))
    assert plan.proof.checked
    assert plan.participants == best[1]
    assert plan.cost == pytest.approx(best[0], rel=2e-6)
    answer = planner.solve(with_value(given, "budget", plan.cost * (1 - 1e-4)))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


@pytest.mark.parametrize(
    "target",
    [{"error": 0.2, "failure": 0.05}, {"baseline": 0.3, "change": 0.2}],
    ids=["estimate", "test"],
)
def test_more_people_than_the_best_cost_more_where_only_payments_cost(target):
    """The payments of ever more people grow, so the cheapest study is the one of a cap."""
    given = replace(study(**target), costs=planner.Costs())
    plan = planner.solve(given)
    capped = planner.solve(replace(given, conditions=[planner.MaxParticipants(5_000)]))
    assert (plan.participants, plan.cost) == (capped.participants, capped.cost)
    assert plan.participants < 1_000
    assert plan.attained
    answer = planner.solve(with_value(given, "budget", plan.cost * (1 - 1e-3)))
    assert answer.verdict == "infeasible"


def test_what_is_refuted_of_all_cards_no_card_reaches():
    """Random tests: where a card and all weaker ones are refuted, none of 40 has the power."""
    rng, refuted = np.random.default_rng(6), 0
    numbers.balls()
    for _ in range(60):
        baseline = round(float(rng.uniform(0.01, 0.9)), 2)
        change = round(float(rng.uniform(0.02, 0.6)), 2)
        power, significance = float(rng.choice([0.55, 0.8])), float(rng.choice([0.05, 0.2]))
        if baseline + change > 1:
            continue
        tested = Hypotheses.of_groups(baseline, change, power, significance, 1)
        size, truth = int(rng.integers(1, 120)), round(float(rng.uniform(0.5, 1)), 3)
        truths = np.linspace(0.5, truth, 40)
        found = powers(size, baseline + change, baseline, significance, truths)
        missed = misses_with_all_cards(tested, Fraction(str(truth)), 2 * size, 2 * size + 1)
        assert missed == (found.max() < power)
        refuted += missed
        fewer = max(2, 2 * size - 8)
        if misses_with_all_cards(tested, Fraction(str(truth)), fewer, 2 * size):
            assert missed
    assert refuted > 15


def test_tails_of_both_groups_in_balls_are_those_of_the_whole_law():
    """Summed by the counts of one group, against the list of all counts."""
    numbers.balls()
    shares = Shares(Fraction(3, 10), Fraction(81, 100))
    (first, chances), rest = two_groups.counts(60, shares, 0.05)
    for edge in (-3, first, 20, 33, 58, 61, 70):
        whole = sum(chances[max(edge - first, 0) :]) + rest
        assert abs(float((two_groups.beyond(60, shares, 0.05, edge) - whole).mid())) < 1e-15


@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_at_no_proportions_the_estimate_fails_more_often(analysis):
    """The difference is off by its error at no pair of a grid more often than planned."""
    given = study(error=0.2, failure=0.1)
    plan = planner.solve(given.by(planner.RandomizedResponse(analysis=analysis)))
    assert plan.proof.checked
    size, truth = plan.participants // 2, float(plan.card.truth)
    strength, counts, worst = 2 * truth - 1, np.arange(plan.participants + 1), 0.0
    for first in np.linspace(0, 1, 21):
        for second in np.linspace(0, first, 11):
            estimates = (2 * counts / plan.participants - 1) / strength
            off = np.abs(estimates - (first - second)) >= 0.2 - 1e-12
            worst = max(worst, float(law(size, first, second, truth) @ off))
    assert worst <= plan.failure * (1 + 1e-9)
    assert analysis == "hoeffding" or worst > 0.9 * plan.failure


def test_a_failure_over_a_half_is_planned_by_a_bound():
    """For which it is not known where two groups' reports are off the most."""
    plan = planner.solve(study(error=0.1, failure=0.6))
    bound = study(error=0.1, failure=0.6).by(planner.RandomizedResponse(analysis="hoeffding"))
    assert (plan.participants, plan.epsilon) == (
        planner.solve(bound).participants, planner.solve(bound).epsilon
    )  # fmt: skip


@pytest.mark.parametrize(
    "target",
    [{"error": 0.2, "failure": 0.1}, {"baseline": 0.3, "change": 0.25}],
    ids=["estimate", "test"],
)
def test_it_is_published_from_reports_and_checked(target, tmp_path):
    """The estimate is the difference of the reports' proportions, over the card's strength."""
    plan = planner.solve(study(**target))
    half = plan.participants // 2
    yes = {"first": round(0.55 * half), "second": round(0.35 * half)}
    records = {
        "stratum": [name for name in yes for _ in range(half)],
        "answer": [int(k < yes[name]) for name in yes for k in range(half)],
    }
    done = planner.publish(plan, records, people="town", ledger=tmp_path / "ledger.sqlite")
    (answer,) = done.answers
    strength = float(2 * plan.card.truth - 1)
    assert answer.answer == pytest.approx((yes["first"] - yes["second"]) / half / strength)
    assert (answer.kind, answer.low, answer.high, answer.scale) == ("difference", -1, 1, None)
    assert answer.interval[0] == pytest.approx(answer.answer - answer.error)
    assert check_results(done, plan).holds
    if "change" in target:
        counted = yes["first"] + half - yes["second"]
        assert answer.error < 0.5
        assert answer.test.rejected == (answer.test.p_value <= 0.05)
        null = scipy.stats.binom(2 * half, 0.5)
        by_chance = (0.5 - answer.test.drawn) * null.pmf(counted)
        assert answer.test.p_value == pytest.approx(null.sf(counted) + by_chance, rel=1e-6)


def test_simulated_runs_keep_the_promise():
    """Of both forms; the test rejects equal proportions as rarely as it may."""
    estimate, test = (
        planner.solve(study(**target))
        for target in ({"error": 0.2, "failure": 0.1}, {"baseline": 0.3, "change": 0.25})
    )
    found = planner.simulate(estimate, runs=20_000, seed=3)
    assert found.verdict != "broken"
    assert 0.4 * estimate.failure < found.rate
    assert "the estimated difference is off by 0.2" in found.simulated
    assert planner.simulate(test, runs=5_000, seed=3).verdict != "broken"
    runs = PowerRuns.of(test)
    for share in (0.5, 0.2):  # which both groups have
        rejected = runs.rejects(np.random.default_rng(4), Shares(share, 1 - share), 100_000).mean()
        assert rejected < 0.05 + 4.5 * math.sqrt(0.05 * 0.95 / 100_000)
    assert "in the first group, less that in the second, is over" in rejection(test)
