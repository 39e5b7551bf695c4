"""Cards, dice and spinners whose chance is given: the plan has the people for exactly it."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import planner
from planner.study_file.reader import study_of


def study(probability: float, **changed: object) -> planner.Study:
    given = {
        "mechanism": planner.RandomizedResponse(probability=probability),
        "target": planner.Accuracy(0.1, 0.05),
        "individual": planner.Individual(1.0),
    }
    return planner.Study(**(given | changed))


def worst(n: int, probability: float, error: float) -> float:
    """How often (R/n − q)/(p − q) is off by the error or more, at its worst share of yes.

    It jumps where a count comes to lie on an edge, so it is looked at next to those shares.
    """
    p, q = Fraction(repr(probability)), 1 - Fraction(repr(probability))
    away, failures = n * Fraction(repr(error)) * (p - q), []
    beside = range(-4, 5)  # reports are likeliest to be off about 1/2
    edges = [math.floor(n / 2 + sign * away) + k for sign in (1, -1) for k in beside]
    for edge in edges:
        for mean in (edge - away, edge + away):
            share = mean / n
            if not q <= share <= p:
                continue
            for moved in (Fraction(0), Fraction(1, 10**12), -Fraction(1, 10**12)):
                at = mean + moved * n
                over = stats.binom.sf(math.ceil(at + away) - 1, n, float(at / n))
                under = stats.binom.cdf(math.floor(at - away), n, float(at / n))
                failures.append(over + under)
    return max(failures)


@pytest.mark.slow
@pytest.mark.parametrize("probability", [0.7, 0.8333333, 0.95])
def test_the_fewest_people_are_those_of_the_given_card(probability) -> None:
    plan = planner.solve(study(probability))
    assert plan.card.truth == Fraction(repr(probability))
    assert plan.proof.checked
    assert plan.epsilon == pytest.approx(math.log(probability / (1 - probability)), rel=1e-6)
    assert plan.epsilon >= math.log(probability / (1 - probability))
    n = plan.participants
    assert worst(n, probability, 0.1) <= 0.05
    fewer = np.array([worst(size, probability, 0.1) for size in range(max(n - 40, 10), n)])
    assert np.all(fewer > 0.05)


def test_a_die_that_says_more_takes_fewer_people_and_more_privacy() -> None:
    plans = [planner.solve(study(p)) for p in (0.6, 0.7, 0.9)]
    people, losses = zip(*((plan.participants, plan.epsilon) for plan in plans), strict=True)
    assert list(people) == sorted(people, reverse=True)
    assert list(losses) == sorted(losses)
    free = planner.solve(study(0.7, mechanism=planner.RandomizedResponse()))
    assert free.cost <= min(plan.cost for plan in plans)


def test_it_is_read_written_and_published_about(tmp_path) -> None:
    asked = study(0.7)
    assert study_of(json.loads(json.dumps(asked.to_dict())), "study.toml") == asked
    plan = planner.solve(asked)
    plan.save(tmp_path / "plan.json")
    assert planner.check(planner.read_answer(tmp_path / "plan.json")).holds
    assert "\ncard 7/10\n" in plan.certificate() or "\ncard 0.7\n" in plan.certificate()
    assert planner.simulate(plan, runs=4000).verdict != "broken"


def test_too_few_people_are_not_called_impossible() -> None:
    """The checker refutes every card, not the one that is given."""
    n = planner.solve(study(0.7)).participants
    capped = study(0.7, conditions=[planner.MaxParticipants(n // 2)])
    assert planner.solve(capped).verdict == "undecided"
    some = replace(capped, mechanism=planner.RandomizedResponse())
    assert planner.solve(some).verdict == "feasible"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"probability": 0.5}, "above 0.5 and below 1"),
        ({"probability": 1.0}, "above 0.5 and below 1"),
        ({"probability": 0.7, "analysis": "hoeffding"}, "is for the exact analysis"),
    ],
)
def test_what_is_no_card_is_refused(changed, words) -> None:
    with pytest.raises(ValueError, match=words):
        planner.RandomizedResponse(**changed)
