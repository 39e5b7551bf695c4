import dataclasses

import pytest

import planner

MEAN = planner.LaplaceMean("paper")
TARGET = planner.Accuracy(error=0.05, failure=0.05)


def test_a_study_is_frozen_and_keeps_what_it_is_given() -> None:
    study = planner.Study(MEAN, TARGET, planner.Individual(1.0), [planner.Budget(5.0)])
    assert study.conditions == (planner.Budget(5.0),)
    assert study.find(planner.Budget) == planner.Budget(5.0)
    assert study.find(planner.MaxHarm) is None
    with pytest.raises(dataclasses.FrozenInstanceError):
        study.title = "other"


def test_a_condition_may_stand_once() -> None:
    twice = [planner.Budget(5.0), planner.Budget(6.0)]
    with pytest.raises(ValueError, match="Budget is given twice"):
        planner.Study(MEAN, TARGET, planner.Individual(1.0), twice)


def test_delta_needs_a_worst_cost() -> None:
    with pytest.raises(ValueError, match="worst_cost"):
        planner.Study(MEAN, TARGET, planner.Individual(1.0), [planner.Delta(1e-8)])
    with pytest.raises(ValueError, match="worst_cost"):
        planner.Study(planner.MwemApproximate(256, 10), TARGET, planner.Individual(1.0))


def test_parts_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="Mechanism"):
        planner.Study("laplace", TARGET, planner.Individual(1.0))
    with pytest.raises(ValueError, match="Condition"):
        planner.Study(MEAN, TARGET, planner.Individual(1.0), ["budget"])
    with pytest.raises(ValueError, match="from 1e-60 to 1"):
        planner.Accuracy(error=0.0, failure=0.05)
