"""How many people a study that is not private needs, beside sums of its own."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import planner
from planner.comparison.sizes import without_privacy
from planner.numbers import decimal


@pytest.mark.slow
@pytest.mark.parametrize(("people", "error", "failure"), [(60, 0.1, 0.05), (400, 0.06, 0.1)])
def test_a_sample_of_a_population_is_as_large_as_its_proportions_need(
    people: int, error: float, failure: float
) -> None:
    """At every number of people who have the property, and not at much smaller samples."""

    def off(n: int) -> float:
        k, having = np.arange(n + 1), np.arange(people + 1)[:, None]
        least = math.ceil(decimal(error) * n * people)
        away = abs(k * people - having * n) >= least
        return float((stats.hypergeom(people, having, n).pmf(k) * away).sum(axis=1).max())

    study = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(error, failure),
        planner.Individual(12.5),
        sampling=planner.Sampling(people),
    )
    sizes, _ = without_privacy(study, None)
    assert sizes is not None
    assert off(int(sizes.most)) <= failure
    assert all(off(n) > failure for n in range(1, int(sizes.most * 0.85), 7))


@pytest.mark.slow
def test_a_known_deviation_leaves_the_size_without_privacy_between_two_numbers() -> None:
    """At least that of values s over and under 1/2, a sum of coins; at most that of the bound."""
    target = planner.Accuracy.of_values(4.0, 0.0, 50.0, 0.1, deviation_at_most=10.0)
    study = planner.Study(
        planner.LaplaceMean(), target, planner.Individual(2.0, 90.0), [],
        planner.Costs(per_person=3.0),
    )  # fmt: skip
    found = planner.compare(study)
    n = int(found.participants.least)
    edge = 4.0 / 20.0  # of coins that are worth twice the deviation
    tails = [
        2 * stats.binom.cdf(np.floor(m * (0.5 - edge) + 1e-9), m, 0.5) for m in range(1, n + 1)
    ]
    assert tails[-1] <= 0.1
    assert min(tails[:-1]) > 0.1
    assert n < found.participants.most <= found.private.participants


@pytest.mark.slow
def test_a_design_effect_takes_so_many_times_the_people_by_convention() -> None:
    def people(sampling: planner.Sampling) -> tuple[float, float]:
        study = planner.Study(
            planner.LaplaceMean(), planner.Accuracy(0.12, 0.1), planner.Individual(2.0, 50.0), [],
            planner.Costs(per_person=3.0), sampling=sampling,
        )  # fmt: skip
        return tuple(planner.compare(study).participants)

    alone, _ = people(planner.Sampling())
    assert people(planner.Sampling(design_effect=1.5)) == (math.ceil(1.5 * alone),) * 2
    least, most = people(planner.Sampling(clusters_of=3))
    assert least == 3 * alone
    assert least < most


def test_a_survey_takes_the_people_of_its_questions_at_their_parts_of_the_failure() -> None:
    """Two alike share the failure probability evenly, so each is one proportion at half of it.

    A little noise smooths whole counts, so that a few people fewer may do.
    """
    two = planner.Survey([planner.Share("a", 0.07), planner.Share("b", 0.07)], failure=0.1)
    sizes, _ = without_privacy(planner.Study(target=two), None)
    one, _ = without_privacy(planner.Study(target=planner.Accuracy(0.07, 0.05)), None)
    assert sizes.least == sizes.most
    assert 0.97 * one.least <= sizes.most <= 1.03 * one.least


@pytest.mark.slow
def test_no_cap_on_epsilon_moves_the_size_without_privacy() -> None:
    """Of a population some sizes are accurate with hardly any noise, and some larger are not."""
    asked = [planner.Share("flu", error=0.03), planner.Mean("days", low=0, high=30, error=1.0)]
    study = planner.Study(
        target=planner.Survey(asked, failure=0.05), conditions=[planner.EpsilonAtMost(0.2)],
        sampling=planner.Sampling(population=8000, response_rate=0.6),
    )  # fmt: skip
    more = replace(study, conditions=[planner.EpsilonAtMost(50.0)])
    sizes = [planner.compare(one).participants for one in (study, more)]
    assert sizes[0] == sizes[1]
