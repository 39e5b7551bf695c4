"""Worked studies by name."""

import pytest

import planner
from planner import scenarios


def test_every_worked_study_has_a_name() -> None:
    names = planner.scenario()
    assert names[:4] == ("smoking", "education", "movies", "social")
    read = {planner.scenario(name) for name in names}
    files = [*scenarios.worked_studies(), scenarios.DISTRICTS]
    assert read == {planner.read_study(path) for path in files}


@pytest.mark.parametrize("name", ["smoking", "education", "movies", "social"])
def test_the_four_hold_what_people_fear(name: str) -> None:
    study = planner.scenario(name)
    feared = scenarios.read_all()[name]
    assert (study.individual.base_cost, study.individual.worst_cost) == feared[5:7]
    assert study.individual.event.event == feared.harm
    assert (study.target, study.currency) == (planner.Accuracy(0.05, 0.05), "USD")


def test_a_misspelt_name_is_answered_by_the_nearest() -> None:
    with pytest.raises(ValueError, match="'smokin' is not a worked study; did you mean 'smoking'"):
        planner.scenario("smokin")
    with pytest.raises(ValueError, match=r"'x' is not a worked study; give one of smoking, "):
        planner.scenario("x")
