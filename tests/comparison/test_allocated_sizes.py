"""What a stratum costs at given sizes is what a study of just so many people costs."""

from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.comparison.strata import _costs_of

SIZES = (300, 420, 500, 650)
STRATUM = planner.Study(
    planner.LaplaceMean("exact"),
    planner.Accuracy(0.05, 0.05),
    planner.Individual(5.0, 500.0),
    [planner.MinParticipants(450), planner.MaxParticipants(600)],
    planner.Costs(2.0, smallest_coin=0.01),
    sampling=planner.Sampling(population=640),
)


@pytest.mark.parametrize("people", SIZES)
@pytest.mark.parametrize("paid", [True, False])
@pytest.mark.parametrize("mechanism", [planner.LaplaceMean("exact"), planner.GaussianMean()])
def test_bounds_of_its_own_do_not_count_and_the_population_does(
    people: int, paid: bool, mechanism: object
) -> None:
    study = replace(STRATUM, mechanism=mechanism)
    if not paid:
        study = replace(study, individual=planner.Individual(0.0, 500.0), costs=planner.Costs(1.0))
    (cost,) = _costs_of(study, np.array([float(people)]))
    if people > 640:
        assert cost == np.inf
        return
    sizes = [planner.MinParticipants(people), planner.MaxParticipants(people)]
    assert cost == pytest.approx(planner.solve(replace(study, conditions=sizes)).cost, rel=1e-4)
