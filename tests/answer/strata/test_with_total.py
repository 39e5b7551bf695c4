"""Strata with errors of their own, and one for all people that their weighted sum keeps."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import planner
from planner.answer.answers import StrataPlan
from planner.answer.check import check
from planner.model.strata import Stratum, weights
from planner.publication.check_results import check_results

STRATA = (
    Stratum("City", share=0.7, error=0.1),
    Stratum("Country", share=0.3, error=0.12, per_person=20.0),
)


def study(error: float, *conditions, strata=STRATA, mechanism=None, failure=0.1, **more):
    return planner.Study(
        mechanism or planner.LaplaceMean("hoeffding"),
        planner.Accuracy(error, failure=failure),
        planner.Individual(12.5),
        conditions,
        planner.Costs(per_person=5.0, overhead=50.0),
        strata=strata,
        **more,
    )


def off_by(plans, shares, failure: float) -> float:
    """The least error of the weighted sum by its moments, over a fine grid of λ, in floats."""
    grid = np.geomspace(1.0, 1e4, 40_000)
    total = np.full(grid.shape, math.log(2 / failure))
    for plan, share in zip(plans, shares, strict=True):
        total = total + (grid * share) ** 2 / (8 * plan.participants)
        noise = (grid * share / (plan.participants * plan.epsilon)) ** 2
        with np.errstate(invalid="ignore", divide="ignore"):
            total = np.where(noise < 1, total - np.log1p(-np.minimum(noise, 1)), np.inf)
    return float(np.min(total / grid))


@pytest.mark.slow
def test_the_sum_keeps_its_error_and_strata_theirs() -> None:
    plan = planner.solve(study(0.05))
    assert isinstance(plan, StrataPlan)
    assert plan.total_error <= 0.05
    assert plan.failure <= 0.1
    for one, stratum in zip(plan.strata, STRATA, strict=True):
        assert one.study.accuracy.error <= stratum.error
    joint = 1 - math.prod(1 - one.study.accuracy.failure for one in plan.strata)
    assert joint + plan.total_failure <= 0.1 * (1 + 1e-12)
    shares = [float(w) for w in weights(plan.study)]
    assert off_by(plan.strata, shares, plan.total_failure) == pytest.approx(0.05, rel=1e-3)
    assert check(plan).holds


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.04, 0.06])
def test_no_errors_of_the_strata_on_a_grid_are_cheaper(error: float) -> None:
    """All errors of two strata on a grid, and all parts of the failure probability on another."""
    best, shares = math.inf, [float(w) for w in weights(study(error))]
    for part in (0.1, 0.3, 0.5, 0.7):
        for city, country in product(np.linspace(0.3, 1, 11), repeat=2):
            strata = (
                replace(STRATA[0], error=0.1 * float(city)),
                replace(STRATA[1], error=0.12 * float(country)),
            )
            alone = replace(
                study(error), target=planner.Accuracy(failure=0.1 * (1 - part)), strata=strata
            )
            plan = planner.solve(alone, prove=False)
            if off_by(plan.strata, shares, 0.1 * part) <= error:
                best = min(best, plan.cost)
    assert planner.solve(study(error), prove=False).cost <= 1.005 * best


@pytest.mark.slow
def test_where_strata_are_accurate_enough_the_sum_costs_little() -> None:
    plan, alone = (
        planner.solve(study(0.09)),
        planner.solve(replace(study(0.09), target=planner.Accuracy(failure=0.1))),
    )
    assert [one.study.accuracy.error for one in plan.strata] == [0.1, 0.12]
    assert alone.cost < plan.cost < 1.1 * alone.cost


@pytest.mark.slow
def test_strata_alike_stay_alike() -> None:
    strata = [Stratum(name, share=0.25, error=0.15) for name in "ABCD"]
    plan = planner.solve(study(0.05, strata=strata, mechanism=planner.LaplaceMean("exact")))
    assert len({(one.participants, one.epsilon) for one in plan.strata}) == 1
    found = planner.simulate(plan, runs=2_000)
    assert found.verdict != "broken"


@pytest.mark.slow
def test_what_a_file_says_otherwise_is_found(tmp_path) -> None:
    plan = planner.solve(study(0.05))
    plan.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    assert again.total_failure == plan.total_failure
    assert check(again).holds
    assert again.study == plan.study
    for changed in (
        replace(plan, total_failure=None),
        replace(plan, total_failure=plan.total_failure / 2),
        replace(plan, total_failure=2 * plan.total_failure),
        replace(plan, total_error=0.06),
        replace(plan, total_error=plan.total_error * 0.99),
        replace(plan, failure=plan.failure / 2),
    ):
        assert not check(changed).holds
    looser = replace(plan.strata[0].study, target=planner.Accuracy(0.11, 0.01))
    wrong = replace(plan, strata=(replace(plan.strata[0], study=looser), *plan.strata[1:]))
    assert not check(wrong).holds


@pytest.mark.slow
def test_it_is_published_with_the_sum_as_promised(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    plan = planner.solve(study(0.05))
    names = [one.study.title for one in plan.strata for _ in range(one.participants)]
    table = {"stratum": names, "answer": [k % 2 for k in range(len(names))]}
    done = planner.publish(plan, table, people="town")
    total = done.answers[-1]
    assert (total.name, total.error, total.failure) == ("all people", 0.05, plan.total_failure)
    assert not total.by_itself
    assert not check_results(done, plan).wrong
    worse = replace(done, failure=plan.failure - plan.total_failure)
    assert any("answers' failures" in fault for fault in check_results(worse).wrong)


@pytest.mark.slow
def test_a_budget_too_small_for_the_strata_alone_is_proved() -> None:
    plan = planner.solve(study(0.05))
    less = planner.solve(study(0.05, planner.Budget(0.9 * plan.cost)))
    assert less.verdict == "undecided"
    least = planner.solve(replace(study(0.05), target=planner.Accuracy(failure=0.1))).cost
    none = planner.solve(study(0.05, planner.Budget(0.95 * least)))
    assert none.verdict == "infeasible"
    assert none.proof.checked
    assert planner.limit(study(0.05), "budget") == plan.cost


@pytest.mark.parametrize(
    ("strata", "total", "words"),
    [
        ((STRATA[0], replace(STRATA[1], error=None)), None, "'Country' has no error and others"),
        (STRATA, "one-noise", "have noise each"),
    ],
)
def test_what_is_not_planned_is_said(strata, total, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        study(0.05, strata=strata, total=total)


def test_numbers_in_a_range_keep_their_unit() -> None:
    target = planner.Accuracy.of_values(4.0, 0.0, 100.0, 0.1)
    strata = [Stratum(name, share=0.5, error=10.0) for name in "AB"]
    plan = planner.solve(replace(study(0.05), target=target, strata=strata))
    assert plan.total_error <= 4.0
    assert plan.total_error == pytest.approx(4.0, rel=2e-3)
    assert check(plan).holds
