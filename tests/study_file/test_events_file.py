"""Study files of people who list events."""

from pathlib import Path

import pytest

import planner
from planner.study_file import reader
from tests.study_file.test_study_file import GOOD, written

EVENTS = GOOD.replace(
    "base_cost = 12.5\nworst_cost = 12500\n",
    """harms = "events"
[[individual.events]]
probability = 0.2
cost = 1274.0
event = "your insurer learns it"
[[individual.events]]
probability = 0.001
cost = 300.0
""",
)


def test_events_reach_the_model(tmp_path: Path) -> None:
    events = (
        planner.BadEvent(0.2, 1274.0, "your insurer learns it"),
        planner.BadEvent(0.001, 300.0),
    )
    study = planner.read_study(written(tmp_path, EVENTS))
    assert study.individual == planner.AtRisk(events)
    by_curve = EVENTS.replace('"events"', '"mechanism"')
    study = planner.read_study(written(tmp_path, by_curve))
    assert study.individual == planner.AtRisk(events, study.mechanism)


@pytest.mark.parametrize("harms", ["events", "mechanism"])
def test_a_scenario_is_one_event(tmp_path: Path, harms: str) -> None:
    costs = "base_cost = 12.5\nworst_cost = 12500\n"
    given = f'scenario = "smoking"\nexchange_rate = 0.9\nharms = "{harms}"\n'
    text = GOOD.replace(costs, given)
    person = planner.read_study(written(tmp_path, text)).individual
    assert isinstance(person, planner.AtRisk)
    assert (person.base_cost, person.worst_cost) == (229.32, 1146.6)  # 0.9 of the scenario's
    assert (person.mechanism is None) == (harms == "events")


@pytest.mark.parametrize(
    ("currency", "rate", "words"),
    [
        ("EUR", "", 'smoking is in USD and the study in EUR; give currency = "USD", or exchange'),
        ("USD", "exchange_rate = 0.9", "is in USD and so is the study; leave it out"),
        ("EUR", "exchange_rate = 0", "a number above 0"),
    ],
)
def test_a_scenario_in_another_currency_needs_a_rate(tmp_path, currency, rate, words) -> None:
    costs = "base_cost = 12.5\nworst_cost = 12500\n"
    text = GOOD.replace(costs, f'scenario = "smoking"\n{rate}\n').replace("EUR", currency)
    with pytest.raises(ValueError, match=words):
        planner.read_study(written(tmp_path, text))


def test_a_study_without_a_currency_has_that_of_its_scenario(tmp_path) -> None:
    costs = "base_cost = 12.5\nworst_cost = 12500\n"
    text = GOOD.replace(costs, 'scenario = "smoking"\n').replace('currency = "EUR"', "")
    assert planner.read_study(written(tmp_path, text)).currency == "USD"
    with pytest.raises(ValueError, match="exchange_rate is for the amounts of a scenario"):
        planner.read_study(written(tmp_path, GOOD.replace(costs, f"{costs}exchange_rate = 2\n")))


def test_each_of_several_mechanisms_tells_its_own_risk(tmp_path: Path) -> None:
    several = EVENTS.replace('harms = "events"', 'harms = "mechanism"').replace(
        "[mechanism]", "[[mechanism]]"
    )
    several = several.replace(
        "[individual]", '[[mechanism]]\nkind = "geometric-mean"\n[individual]'
    )
    study = planner.read_study(written(tmp_path, several))
    assert isinstance(study.mechanism, planner.OneOf)
    for one in study.mechanism.mechanisms:
        assert study.by(one).individual == planner.AtRisk(study.individual.events, one)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('harms = "events"', "", 'give harms = "events"'),
        ('harms = "events"', 'harms = "event"', "give 'cost', 'events' or 'mechanism'"),
        ('"events"', '"events"\nbase_cost = 3.0', "whose costs give base_cost and worst_cost"),
        ('"events"', '"events"\nscenario = "smoking"', "either a scenario or"),
        ('"events"', '"events"\ncapped = true', "leave capped out"),
        ("cost = 300.0", "", r"individual.events.cost \(table 2\) is missing; give an amount"),
        ("cost = 300.0", "price = 300.0", r"unknown key individual.events.price \(table 2\)"),
        ("0.001", "1.5", r"individual.events.probability \(table 2\) = 1.5 is not allowed"),
    ],
)
def test_events_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(reader.StudyFileError, match=words):
        planner.read_study(written(tmp_path, EVENTS.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('harms = "events"', "needs either a scenario or"),
        ('harms = "events"\nevents = []', "give at least one"),
        ('harms = "events"\nevents = 3', r"give tables \[\[individual.events\]\]"),
    ],
)
def test_harms_without_events(tmp_path: Path, lines: str, words: str) -> None:
    text = GOOD.replace("base_cost = 12.5\nworst_cost = 12500\n", lines + "\n")
    with pytest.raises(reader.StudyFileError, match=words):
        planner.read_study(written(tmp_path, text))
