"""The checker of tests and of two groups, against sums of its own and the least costs of plans."""

import random
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from scipy import stats

import planner
from planner.answer.problem.problem import problem_of
from planner.certificate import (
    check,
    check_bounds,
    check_comparisons,
    check_counts,
    check_people,
    verify,
)
from planner.certificate.check import RefusedError, ball
from tests.certificate.test_check import changed_lines, text

MONEY = (
    "individual.base_cost = 12.5", "conditions.budget = 10000", "costs.per_person = 5",
    "costs.overhead = 2000",
)  # fmt: skip
MORE = (
    "target.kind = power", "target.null = 0.3", "target.alternative = 0.35", "target.power = 0.8",
    "target.significance = 0.05", "target.sides = 1", "mechanism.kind = count-test", *MONEY,
)  # fmt: skip
MORE_PLAN = ("claim feasible participants = 713, epsilon = 0.1930261, delta = 0", "threshold 237")
OFFERS = (
    "target.kind = difference", "target.baseline = 0.3", "target.change = 0.1",
    "target.power = 0.8", "target.significance = 0.05", "target.sides = 1",
    "mechanism.kind = count-test", *MONEY,
)  # fmt: skip
ESTIMATE = (
    "target.kind = difference", "target.error = 0.1", "target.failure = 0.05",
    "mechanism.kind = laplace-mean", *MONEY,
)  # fmt: skip
ESTIMATE_PLAN = "claim feasible participants = 517, epsilon = 0.2156635, delta = 0"


def is_refused(*lines: str) -> bool:
    try:
        return bool(verify(text(*lines))[1])
    except RefusedError:
        return True


def rejects(shares, people: int, level: int, chance: float, epsilon: float) -> float:
    """The probability to reject, by adding up the laws of both groups and of the noise."""
    if len({*shares}) == 1:
        law = stats.binom(people, float(shares[0])).pmf(np.arange(people + 1))
    else:
        k = np.arange(people // 2 + 1)
        law = np.convolve(*(stats.binom(people // 2, float(p)).pmf(k) for p in shares))
    z = np.arange(-3000, 3001)
    noise = np.exp(-epsilon * abs(z)) * np.tanh(epsilon / 2)
    over = {edge: noise[z >= edge].sum() for edge in range(level - people - 1, level + 3)}
    at, past = (sum(law[k] * over[c - k] for k in range(people + 1)) for c in (level, level + 1))
    return past + chance * (at - past)


def chance_of(lines: tuple[str, ...], people: int, epsilon: float, level: int) -> float:
    """With which probability to reject at a level, for the significance, a little less."""
    study = check_comparisons.Comparison(list(lines))
    past, at = (rejects(study.null, people, level, chance, epsilon) for chance in (0.0, 1.0))
    return float((0.05 * (1 - 1e-9) - past) / (at - past))


def test_a_plan_is_checked_by_its_threshold_and_a_changed_one_is_refused():
    claim, threshold = MORE_PLAN
    threshold += f" {chance_of(MORE, 713, 0.1930261, 237)!r}"
    assert verify(text(*MORE, claim, threshold)) == ([*MORE, claim, threshold], [])
    lines = "\n".join([*MORE, claim, threshold])
    for old, new in [
        ("= 713", "= 712"), ("0.1930261", "0.1930"), ("threshold 237", "threshold 236"),
        ("threshold 237", "threshold 238"), ("237 0.", "237 1."), ("power = 0.8", "power = 0.801"),
        ("significance = 0.05", "significance = 0.0499"), ("sides = 1", "sides = 2"),
        ("sides = 1", "sides = 3"), ("0.35", "0.349"), ("kind = power", "kind = difference"),
        ("target.kind = power\n", ""), ("count-test", "laplace-mean"), ("10000", "7462"),
        ("count-test", "count-test\ntarget.error = 0.1"), ("\nthreshold", "\nthreshold 237"),
        ("delta = 0", "delta = 0.01"), ("sides = 1", "sides = 1\ntarget.margin = 0.1"),
        ("sides = 1", "sides = 1\nsampling.population = 2000"),
        ("sides = 1", "sides = 1\ntarget.baseline_range = 0.2,0.4"), (threshold, "card 0.8"),
    ]:  # fmt: skip
        assert old in lines
        assert is_refused(*lines.replace(old, new).split("\n")), new


def test_of_an_odd_number_of_people_in_two_groups_one_is_left_out():
    assert verify(text(*ESTIMATE, ESTIMATE_PLAN)) == ([*ESTIMATE, ESTIMATE_PLAN], [])
    assert is_refused(*ESTIMATE, ESTIMATE_PLAN.replace("517", "515"))
    assert is_refused(*ESTIMATE, ESTIMATE_PLAN.replace("0.2156635", "0.2155"))
    few = [line.replace("error = 0.1", "error = 0.6") for line in ESTIMATE]
    plan = "claim feasible participants = {}, epsilon = 3, delta = 0"
    assert is_refused(*few, plan.format(10))  # it is accurate, but that both are alike is not known
    assert not is_refused(*few, plan.format(30))


@pytest.mark.parametrize("lines", [MORE, OFFERS], ids=["one proportion", "two groups"])
def test_a_probability_to_reject_is_the_sum_of_its_terms(lines):
    study, rng = check_comparisons.Comparison(list(lines)), random.Random(1)
    for _ in range(20):
        people, epsilon = 2 * rng.randint(1, 60), round(rng.uniform(0.05, 3), 3)
        level, chance = rng.randint(people // 3, people), round(rng.random(), 3)
        for shares in (study.null, study.alternative):
            with ctx.workprec(check.PRECISION):
                law = check_comparisons.counted(study, people, shares)
                threshold = check_comparisons.threshold_of(str(level), str(chance))
                found = check_comparisons.rejects(law, threshold, ball(Fraction(str(epsilon))))
            expected = rejects(shares, people, level, chance, epsilon)
            assert abs(float(found.mid()) - expected) < 1e-11
            assert found.rad() < 1e-12


def test_no_noise_of_a_range_has_more_power_than_is_stated():
    study, rng = check_comparisons.Comparison(list(OFFERS)), random.Random(2)
    close = []
    for _ in range(40):
        people, level = 2 * rng.randint(5, 80), 0
        level = people // 2 + rng.randint(0, people // 5)
        threshold = check_comparisons.Threshold(level, Fraction(rng.randint(0, 10), 10))
        low = rng.choice([0.0, rng.uniform(0.01, 1)])
        high = low + rng.uniform(0.01, 2)
        with ctx.workprec(check.PRECISION):
            law = check_comparisons.counted(study, people, study.alternative)
            rates = [arb(rate) for rate in np.linspace(max(low, 1e-6), high, 60)]
            most = max(float(check_comparisons.rejects(law, threshold, x).mid()) for x in rates)
            found = check_comparisons.over_at_most(law, threshold, arb(low), arb(high))
        assert float(found.upper()) >= most - 1e-12
        close.append(float(found.upper()) - most)
    assert np.median(close) < 1e-6


def study_of(name: str) -> planner.Study:
    """The studies of the file, with a cap on participants."""
    target = {
        "one": planner.Power(0.3, 0.42),
        "less": planner.Power(0.3, 0.2, sides=2),
        "two": planner.Difference(baseline=0.3, change=0.25),
        "down": planner.Difference(baseline=0.5, change=-0.25, baseline_range=(0.1, 0.5)),
        "estimate": planner.Difference(error=0.2, failure=0.1),
        "bound": planner.Difference(error=0.2, failure=0.1),
    }[name]
    of_test = isinstance(target, planner.Power) or hasattr(target, "power")
    laplace = planner.LaplaceMean("hoeffding" if name == "bound" else "exact")
    return planner.Study(
        planner.CountTest() if of_test else laplace,
        target,
        planner.Individual(12.5),
        [planner.MaxParticipants(400)],
        planner.Costs(5.0, 100.0),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one", "less", "two", "down", "estimate", "bound"])
def test_plans_and_that_nothing_cheaper_exists_are_certified(name: str):
    study = study_of(name)
    plan = planner.solve(study)
    assert verify(plan.certificate())[1] == []
    none = planner.solve(replace(study, conditions=[planner.Budget(0.98 * plan.cost)]))
    assert none.verdict == "infeasible"
    lines = none.certificate().splitlines()[1:]
    assert verify(text(*lines))[1] == []
    start = lines.index("claim infeasible") + 1
    rng = random.Random(name)
    for _ in range(15):
        changed = changed_lines(rng, lines, start)
        budget = [f"conditions.budget = {plan.cost!r}" if "budget" in x else x for x in changed]
        assert is_refused(*budget)  # as there is a plan for that


def test_little_signal_is_what_the_most_powerful_test_needs_of_ever_more_people():
    study = check_comparisons.Comparison(list(MORE))
    n = 10**6
    box = study.box._replace(people=(n, n))
    for part, excluded in ((0.99, True), (1.01, False)):
        signal = Fraction(part * (np.log(1 / 0.1) + np.log(1 / 0.4)) / 0.05)
        with ctx.workprec(check.PRECISION):
            found = check_comparisons.little_signal(study, box._replace(signal=(0, signal)))
        assert found == excluded


@pytest.mark.parametrize(
    "hostile",
    [
        (*MORE, "claim infeasible", "power 1e300 0"),
        (*MORE, "claim infeasible", "power 237 nan"),
        (*MORE, "claim infeasible", "power 237.5 0"),
        (*MORE, "claim infeasible", "people 100000", "power -5 0.5"),
        (*OFFERS, "claim infeasible", "people 1e300", "power 1 1"),
        (*OFFERS, "claim infeasible", "mean-half"),
        (*ESTIMATE, "claim infeasible", "power 1 1"),
        (*MORE, MORE_PLAN[0].replace("713", str(2**53)), "threshold 237 0.1"),
        (*MORE, MORE_PLAN[0].replace("0.1930261", "1e300"), "threshold -1 0.1"),
        (*MORE[:2], "target.alternative = ", *MORE[3:], "claim infeasible"),
    ],
    ids=str,
)
def test_hostile_certificates_are_refused(hostile):
    assert is_refused(*hostile)


def test_it_runs_beside_the_other_files(tmp_path):
    """From a folder that holds nothing else, where nothing of ours can be imported."""
    for module in (check, check_bounds, check_counts, check_people, check_comparisons):
        shutil.copy(module.__file__, tmp_path)
    (tmp_path / "estimate.cert").write_text(text(*ESTIMATE, ESTIMATE_PLAN), "utf-8")
    run = [sys.executable, "-s", "check.py", "estimate.cert"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [*ESTIMATE, ESTIMATE_PLAN, "proved"]


def test_few_people_of_a_difference_are_enough_where_binomial_counts_are() -> None:
    """As the largest tail over means, 1/4 at most; by Hoeffding's bound of 1963 56 people are."""
    study = check_comparisons.Comparison([*ESTIMATE[:1], "target.error = 0.3", *ESTIMATE[2:]])
    for people in range(14, 60, 2):
        size, room = people - 2, Fraction(people * 3, 20) - 2
        means = np.linspace(0, 1 - float(room) / size, 4001) if room < size else np.zeros(1)
        over = stats.binom.sf(np.ceil(size * means + float(room) - 1e-9) - 1, size, means)
        known = room >= 1 and max(over) <= 0.25
        assert check_comparisons.enough(study, people) == known
        floor = problem_of(planner.Study(
            planner.LaplaceMean(), planner.Difference(error=0.3, failure=0.05),
            planner.Individual(1.0),
        )).goals[0].floor  # fmt: skip
        assert np.isfinite(floor.epsilon(float(people), 0.0)) <= known
    assert check_comparisons.enough(study, 30)
    assert not check_comparisons.enough(study, 28)
