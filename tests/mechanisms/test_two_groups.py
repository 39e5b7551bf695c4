"""The test of two groups, against direct sums over both counts and the noise."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy

import planner
from planner import numbers
from planner.answer.problem.vary import with_value
from planner.explanation.derivations import rejection
from planner.mechanisms.count_test import PowerFloor
from planner.mechanisms.exact import two_groups
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.threshold import threshold_at
from planner.study_file.writer import as_toml

BALL = numbers.balls().number


def study(baseline=0.3, change=0.1, power=0.8, budget=30_000.0, costs=None, conditions=(), **given):
    """Two offers, of which one may be taken by four in ten instead of three in ten."""
    return planner.Study(
        mechanism=planner.CountTest(),
        target=planner.Difference(baseline=baseline, change=change, power=power, **given),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=[planner.Budget(budget), *conditions],
        costs=costs or planner.Costs(per_person=5.0, overhead=2000.0),
    )


def difference(size, first, second):
    """The law of the difference of two counts, from −size on."""
    counts = np.arange(size + 1)
    laws = [scipy.stats.binom.pmf(counts, size, share) for share in (first, second)]
    return np.convolve(laws[0], laws[1][::-1])


def rejects(size, first, second, epsilon, level, chance):
    """How often the noisy difference is over a level, or at it and then by chance."""
    far = int(45 / epsilon) + 2
    noise = np.exp(-epsilon * np.abs(np.arange(-far, far + 1))) * math.tanh(epsilon / 2)
    law = np.convolve(difference(size, first, second), noise)
    w = np.arange(len(law)) - size - far
    return law[w > level].sum() + chance * law[w == level].sum()


@pytest.mark.slow
@pytest.mark.parametrize("given", [(0.3, 0.0, 0.1, (0.0, 1.0)), (0.1, 0.02, 0.1, (0.0, 0.3))])
def test_a_margin(given):
    """Where the first share is smaller by the margin the size is the significance at most."""
    baseline, change, margin, (low, high) = given
    plan = planner.solve(study(baseline, change, margin=margin, baseline_range=(low, high)))
    assert plan.proof.checked
    size, tested = plan.participants // 2, plan.study.power.tested
    at = np.array([plan.epsilon]), np.array([2.0 * size])
    level, chance = (float(x[0]) for x in threshold_at(tested, *at))
    common = np.linspace(low + margin, high, 25)
    sizes = [rejects(size, p - margin, p, plan.epsilon, level - size, chance) for p in common]
    assert max(sizes) == pytest.approx(0.05, abs=1e-9)
    power = rejects(size, baseline + change, baseline, plan.epsilon, level - size, chance)
    assert power == pytest.approx(plan.power, abs=1e-8)
    under = planner.solve(replace(plan.study, conditions=[planner.Budget(plan.cost * 0.99)]))
    assert under.verdict == "infeasible"
    assert under.proof.checked


@pytest.mark.parametrize(
    ("shares", "people"), [((0.4, 0.7), 60), ((0.02, 0.98), 5000), ((0.3, 0.8), 200_000)]
)
def test_counts_are_known_to_many_digits(shares, people):
    """In floats, at every stride, as in balls; very small probabilities too."""
    given = Shares(*(Fraction(str(share)) for share in shares))
    mean = float(given.mean) * people
    for off in (-4, -1, 0, 2, 6):
        edge = int(mean + off * math.sqrt(people) / 2)
        (first, chances), rest = two_groups.counts(people, given, 1e-12)
        ball = sum(chances[max(edge - first, 0) :], rest)
        of_first = [scipy.stats.binom.sf]

        def over(share, edges, size, law=of_first[0]):
            return law(edges - 1, size, share)

        floats = two_groups.over_edge(given, np.array([edge]), np.array([1.0 * people]), over)
        assert float(floats[0]) == pytest.approx(float(ball.mid()), rel=1e-9, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("given", [(0.3, 0.1), (0.1, -0.05), (0.02, 0.03), (0.5, 0.05)])
@pytest.mark.parametrize("people", [6_000, 300_000])
def test_the_floor_is_proved_from_both_sides(given, people):
    """At the floor the power is certain, a millionth under it it is certainly missed."""
    floor = PowerFloor(Hypotheses.of_groups(*given, 0.8, 0.05, 1))
    least = floor.epsilon(people, 0.0)
    assert floor.certify_reached(BALL(least), BALL(people), BALL(0.0))
    below = BALL(least * (1 - 1e-6))
    assert not floor.certify_reached(below, BALL(people), BALL(0.0))
    assert floor.certify_missed(BALL(0.0), below, people, BALL(0.0))
    assert not floor.certify_missed(BALL(0.0), BALL(least), people, BALL(0.0))
    assert floor.n_epsilon(people, 0.0) < people * least


@pytest.mark.slow
def test_what_more_noise_adds():
    """With more noise a count is over an edge no more often than it is said to be at most."""
    rng, tight = np.random.default_rng(3), 0
    for _ in range(200):
        people = 2 * int(rng.integers(1, 80))
        first, second = sorted(rng.integers(0, 101, 2) / 100)
        given = Shares(Fraction(str(second)), 1 - Fraction(str(first)))
        edge = int(rng.integers(people // 2 + 1, people + 1))
        added = two_groups.noise_adds(people, given, 0.1, (edge, 1.0))
        overs = [
            rejects(people // 2, second, first, epsilon, edge - people // 2 - 1, 0.0)
            for epsilon in (9.0, 3.0, 1.0, 0.5, 0.3, 0.1, 0.05, 0.02)
        ]
        for at, over in enumerate(overs):
            assert max(overs[at:]) <= max(over, 0.5) + added + 1e-12
        tight += added < 1e-6
    assert tight > 150


def test_very_many_people():
    """Of so many that their counts are not listed the power is bounded, and proved."""
    floor = PowerFloor(Hypotheses.of_groups(0.3, 0.1, 0.8, 0.05, 1))
    people = np.array([0.99e8, 1.01e8, 1e11])
    paid = people * np.expm1(floor.epsilon(people, 0.0))
    assert paid == pytest.approx(math.log(25) / 0.05, rel=2e-4)
    assert paid[1] == pytest.approx(paid[0], rel=1e-5)
    for n in people[1:]:
        least = floor.epsilon(n, 0.0)
        assert floor.certify_reached(BALL(least), BALL(n), BALL(0.0))
        assert not floor.certify_reached(BALL(least * 0.9999), BALL(n), BALL(0.0))


@pytest.mark.slow
def test_the_cheapest_plan():
    """It is that of a scan of all sizes, proved, and a little less money is refuted."""
    plan = planner.solve(study())
    floor = PowerFloor(plan.study.power.tested)
    sizes = np.arange(600, 1200)
    costs = 2000 + sizes * (5 + 12.5 * np.expm1(floor.epsilon(sizes, 0.0)))
    assert plan.participants == sizes[costs.argmin()] == 786
    assert plan.cost == pytest.approx(costs.min(), rel=1e-6)
    assert plan.proof.checked
    assert 0.8 <= plan.power < 0.8001
    under = planner.solve(study(budget=plan.cost * 0.9999))
    assert under.verdict == "infeasible"
    assert under.proof.checked
    assert planner.solve(study(budget=plan.cost * 1.0001)).verdict == "feasible"


@pytest.mark.slow
def test_ever_more_people():
    """Where people cost nothing but their payment, the least cost is a limit: E·s/d."""
    plan = planner.solve(study(costs=planner.Costs()))
    assert not plan.attained
    assert plan.least_cost == pytest.approx(12.5 * math.log(25) / 0.05, rel=1e-6)
    assert plan.cost <= 1.01001 * plan.least_cost


@pytest.mark.slow
def test_the_change_that_can_be_seen():
    """The limit of the change, up and down; a little less is not seen."""
    for change in (0.1, -0.1):
        end = planner.limit(study(change=change), "change").value
        assert planner.solve(study(change=math.copysign(end, change))).verdict == "feasible"
        less = study(change=math.copysign(end, change) * (1 - 1e-5))
        assert planner.solve(less, prove=False).verdict == "infeasible"


@pytest.mark.slow
@pytest.mark.parametrize("given", [{"change": -0.1}, {"sides": 2}])
def test_the_rule_that_is_printed(given):
    """By a direct sum the printed rule has the significance where both shares are 1/2."""
    plan = planner.solve(study(**given))
    rule = rejection(plan, exactly=True)
    edges = re.findall(r"(over|under) (-?\d+)", rule)
    chances = [float(x) for x in re.findall(r"probability (\S+) if", rule)]
    size = 0.0
    for (side, level), chance in zip(edges, chances, strict=True):
        at = int(level) * (1 if side == "over" else -1)
        size += rejects(plan.participants // 2, 0.5, 0.5, plan.epsilon, at, chance)
    assert size == pytest.approx(0.05, abs=1e-9)
    assert "noisy difference" in rule


def test_a_file_and_back(tmp_path):
    """A study file, and a plan file."""
    asked = study(sides=2, baseline_range=(0.1, 0.6))
    path = tmp_path / "study.toml"
    path.write_text(as_toml(asked.to_dict()), encoding="utf-8")
    assert planner.read_study(path) == asked
    plan = planner.solve(asked)
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json").power == plan.power


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: planner.Difference(baseline=0.3, change=0.0), "change = 0 is no difference"),
        (lambda: planner.Difference(baseline=0.3, change=0.8), "leads from 0.3 to 1.1"),
        (lambda: planner.Difference(baseline=0.3, change=-0.4), "which is not a proportion"),
        (lambda: planner.Difference(baseline=0.3, change=0.1, power=0.05), "is not over signif"),
        (lambda: planner.Difference(baseline=0.3, change=0.1, significance=0.5), "less than 0.5"),
        (lambda: planner.Difference(baseline=0.3, change=0.1, power=0.5), "is not over 0.5"),
        (lambda: planner.Difference(baseline=0.3, change=0.1, baseline_range=(0.2, 0.35)),
         "does not contain the proportion 0.4"),
        (lambda: planner.Difference(baseline=0.3, change=-0.1, margin=0.1), "change over -0.1"),
        (lambda: planner.Difference(baseline=0.3, change=0.0, margin=0.1, sides=2), "sides = 1"),
        (lambda: planner.Difference(baseline=0.3), "change is missing"),
        (lambda: planner.Difference(baseline=0.3, change=0.1, shares=2), "no field shares"),
        (lambda: planner.Study(planner.LaplaceMean(), planner.Difference(baseline=0.3, change=0.1),
                               planner.Individual(1.0)), "a power is that of a test"),
        (lambda: with_value(study(), "change", 0.8), "which is not a proportion"),
    ],
)  # fmt: skip
def test_refused(wrong, words):
    """In a sentence."""
    with pytest.raises(ValueError, match=words):
        wrong()
