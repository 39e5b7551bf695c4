"""Whom an answer is about where some of a population do not respond."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import planner
from planner.answer.sample_plan import whom_about
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of
from tests.oracles.invitations import invited


def study(**sampling: object) -> planner.Study:
    return planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5),
        costs=planner.Costs(5.0),
        sampling=planner.Sampling(**sampling),  # type: ignore[arg-type]
    )


@pytest.mark.slow
def test_respondents_are_a_population_of_their_own() -> None:
    own = planner.solve(study(population=1200, response_rate=0.6, about="respondents"))
    same = planner.solve(study(population=720))
    assert (own.participants, own.epsilon) == (same.participants, same.epsilon)
    assert own.invitations == invited(same.participants, 0.6)
    safe = planner.solve(study(population=1200, response_rate=0.6))
    assert own.cost < 0.95 * safe.cost
    assert "assuming that 720 of the population respond" in own.proof.statement
    assert 'about = "respondents" in [sampling]' in " ".join(safe.notes)
    assert planner.simulate(own, runs=2000).verdict != "broken"


def test_all_people_need_an_assumption_that_is_stated() -> None:
    every = planner.solve(study(population=1200, response_rate=0.6, about="all"))
    safe = planner.solve(study(population=1200, response_rate=0.6))
    assert (every.participants, every.epsilon) == (safe.participants, safe.epsilon)
    assert "does not depend on their answer" in every.proof.statement
    assert "about all people" in " ".join(every.notes)
    without_end = planner.solve(study(response_rate=0.5, about="all"))
    assert "does not depend on their answer" in without_end.proof.statement


def test_a_difference_moves_by_those_who_do_not_respond_in_both_groups() -> None:
    one = study(response_rate=0.6)
    assert "answer about all by up to 40 percentage points either way, in add" in whom_about(one)
    target = planner.Difference(baseline=0.2, change=0.1, power=0.8, significance=0.05)
    test = replace(one, mechanism=planner.NoisyCounts(), target=target)
    assert "difference about all by up to 80 percentage points either way." in whom_about(test)


def test_what_is_drawn_from_all_is_safe_for_respondents_by_a_bound_alone() -> None:
    """Of 24 people the proportion may be 1/2, of 25 it is not: 24 are off more often."""

    def off(people: int) -> float:
        law = [stats.hypergeom(people, having, 12) for having in range(people + 1)]
        k = np.arange(13)
        away = (0.2 * 12 - (k - 12 * having / people) for having in range(people + 1))
        back = (0.2 * 12 + (k - 12 * having / people) for having in range(people + 1))
        tails = (stats.laplace.sf(up, scale=1 / 3.617946) for up in away)
        lower = (stats.laplace.sf(down, scale=1 / 3.617946) for down in back)
        return max(float(one.pmf(k) @ (a + b)) for one, a, b in zip(law, tails, lower, strict=True))

    assert off(24) > 0.075 > 0.07 >= off(25)
    given = study(population=25, response_rate=0.96)
    exact = replace(given, target=planner.Accuracy(0.2, 0.07))
    for analysis, about_all in (("exact", True), ("hoeffding", False)):
        plan = planner.solve(replace(exact, mechanism=planner.LaplaceMean(analysis)))
        assert ("does not depend on their answer" in plan.proof.statement) == about_all
        assert ("about all people" in " ".join(plan.notes)) == about_all
        assert ("which is safe" in " ".join(plan.notes)) != about_all


@pytest.mark.slow
def test_no_more_people_are_invited_than_can_be() -> None:
    free = planner.solve(study(response_rate=0.6))
    enough = planner.solve(study(response_rate=0.6, max_invited=free.invitations))
    assert (enough.participants, enough.cost) == (free.participants, free.cost)
    assert planner.check(enough).holds
    fewer = study(population=5000, response_rate=0.6, max_invited=700)
    most = int(fewer.most_participants)
    assert invited(most, 0.6) <= 700 < invited(most + 1, 0.6)
    assert planner.solve(fewer).participants <= most
    few = planner.solve(study(response_rate=0.6, max_invited=500))
    assert few.verdict == "infeasible"
    assert few.proof.checked
    assert study_of(tables_of(fewer), "study.toml") == fewer


def test_it_is_read_and_written_and_its_rate_has_no_limit() -> None:
    own = study(population=1200, response_rate=0.6, about="respondents")
    assert study_of(tables_of(own), "study.toml") == own
    with pytest.raises(ValueError, match="fewer people whom the answer is about"):
        planner.limit(own, "response_rate")
    assert planner.limit(replace(own, sampling=planner.Sampling(1200, 0.6)), "response_rate") < 0.6
    with pytest.raises(ValueError, match="respondents"):
        study(about="some")


def test_a_count_of_the_participants_themselves_has_no_sampling() -> None:
    drawn = study(population=1000)
    with pytest.raises(ValueError, match="about the participants themselves"):
        replace(drawn, mechanism=planner.GeometricCount())
