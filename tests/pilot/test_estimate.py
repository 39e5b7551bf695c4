"""Both estimates together, their file, and what study files make of it."""

import tomllib

import numpy as np
import pytest
from scipy import stats

import planner
from planner.model.people import Asked, Observed, People
from planner.model.spread import LogNormal
from planner.pilot import Answers, Pilot, estimate
from planner.study_file.costs_file import read_costs
from planner.study_file.reader import study_of
from tests.pilot.pilots import LEVELS, NOBODY, yes_or_no

STUDY = """
currency = "EUR"
[target]
error = 0.05
failure = 0.05
[mechanism]
kind = "laplace-mean"
[individual]
{individual}
[conditions]
budget = 30000.0
[costs]
per_person = 5.0
"""


def of(answers: Answers, worst: Answers | None = None) -> "planner.pilot.Estimate":
    return estimate(Pilot(answers, worst, "answers.csv"), "EUR")


@pytest.fixture
def study(tmp_path):
    of(yes_or_no(5, 400, LEVELS)).save(tmp_path / "costs.toml")

    def read(individual: str) -> "planner.Study":
        path = tmp_path / "study.toml"
        path.write_text(STUDY.format(individual=individual), "utf-8")
        return planner.read_study(path)

    return read


def test_the_file_has_the_median_its_interval_and_the_spread(tmp_path) -> None:
    shown = of(yes_or_no(5), yes_or_no(6))
    shown.save(tmp_path / "costs.toml")
    keys = tomllib.loads((tmp_path / "costs.toml").read_text("utf-8"))
    fitted = shown.log_normal
    assert keys["median"] == pytest.approx(fitted.median, rel=1e-5)
    assert keys["spread"] == pytest.approx(fitted.spread, rel=1e-5)
    assert keys["low"] <= fitted.low < fitted.high <= keys["high"]
    assert keys["worst_cost"].keys() == {"median", "low", "high", "spread"}
    assert read_costs(tmp_path / "costs.toml").model_dump(exclude_defaults=True) == {
        **keys,
        "observed": [tuple(pair) for pair in keys["observed"]],
        "intervals": [tuple(one) for one in keys["intervals"]],
    }
    assert len(keys["intervals"]) == 30
    at = [int(np.argmin(abs(shown.observed.costs - one[0]))) for one in keys["intervals"]]
    observed = shown.observed
    for place, (_, share, low, high) in zip(at, keys["intervals"], strict=True):
        assert share == pytest.approx(observed.shares[place], abs=1e-5)
        assert low <= observed.low[place]
        assert high >= observed.high[place]


def test_people_are_read_from_it(study, tmp_path) -> None:
    costs = read_costs(tmp_path / "costs.toml")
    people = study('base_costs = { pilot = "costs.toml" }\naccept = 0.7').individual.people
    spread = LogNormal(costs.median, costs.spread)
    intervals = tuple(costs.intervals)
    assert people == People(Asked(spread, largest=costs.largest, intervals=intervals), 0.7)
    seen = study('base_costs = { pilot = "costs.toml", curve = "observed" }\naccept = 0.5')
    observed = Observed(tuple(costs.observed))
    assert seen.individual.people == People(Asked(observed, intervals=intervals), 0.5)
    share, cost = next(pair for pair in costs.observed if pair[0] >= 0.5)
    assert (seen.individual.base_cost, seen.individual.people.accepting) == (cost, share)
    assert planner.read_study(tmp_path / "study.toml").to_dict()["individual"] == {
        "base_costs": {
            "observed": [list(pair) for pair in costs.observed],
            "intervals": [list(one) for one in intervals],
        },
        "accept": 0.5,
    }


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_the_least_payment_that_a_share_accepts(study, tmp_path, share) -> None:
    """With F the law of E it is (e^ε − 1)·F⁻¹(s)."""
    plan = planner.solve(study(f'base_costs = {{ pilot = "costs.toml" }}\naccept = {share}'))
    costs = read_costs(tmp_path / "costs.toml")
    law = stats.lognorm(np.log(costs.spread), scale=costs.median)
    assert plan.compensation == pytest.approx(np.expm1(plan.epsilon) * law.ppf(share))


def test_an_uncertain_median_is_read_from_it(study, tmp_path) -> None:
    study("base_cost = 1.0")
    costs = read_costs(tmp_path / "costs.toml")
    path = tmp_path / "uncertain.toml"
    path.write_text(STUDY.format(individual='base_cost = { pilot = "costs.toml" }'), "utf-8")
    spread = planner.read_uncertain(path).inputs["base_cost"]
    assert spread.median == pytest.approx(costs.median)
    width = spread.quantile(0.975) / spread.quantile(0.025)
    assert width == pytest.approx(costs.high / costs.low)


def test_an_uncertain_worst_cost_is_read_from_it(tmp_path) -> None:
    worst = yes_or_no(6, 400, LEVELS)
    large = Answers(100 * worst.low, 100 * worst.high, 100 * worst.offers, NOBODY)
    of(yes_or_no(5, 400, LEVELS), large).save(tmp_path / "costs.toml")
    person = 'base_cost = 12.5\nworst_cost = { pilot = "costs.toml" }'
    path = tmp_path / "uncertain.toml"
    path.write_text(STUDY.format(individual=person), "utf-8")
    spread = planner.read_uncertain(path).inputs["worst_cost"]
    assert spread.median == pytest.approx(read_costs(tmp_path / "costs.toml").worst_cost.median)
    of(yes_or_no(5, 400, LEVELS)).save(tmp_path / "costs.toml")
    with pytest.raises(ValueError, match="nobody was asked about certain publication; give a"):
        planner.read_uncertain(path)


def test_study_files_that_are_refused(study) -> None:
    for individual, message in [
        ('base_costs = { pilot = "none.toml" }', "none.toml: no such file"),
        ("base_costs = { pilot = 3 }", 'pilot is no text; give pilot = "costs.toml"'),
        ('base_costs = { pilot = "costs.toml", curve = "x" }', "curve = 'x' is not allowed; give"),
        ('base_costs = { pilot = "costs.toml", x = 1 }', "unknown key x; known here: pilot, curve"),
        ('base_costs = { pilot = "costs.toml" }', "accept = 1 pays the maximum"),
        ('base_costs = { pilot = "costs.toml" }\naccept = 1.5', "accept = 1.5 is not allowed"),
        ("base_costs = { observed = [[0.5, 2.0], [0.4, 3.0]] }", "both ascend"),
        ("base_costs = { observed = [[0.5, 2.0]] }\naccept = 0.6", "would take part for any known"),
        ("base_costs = { observed = 3 }", "observed = 3 is not a list"),
        ("base_costs = { log_normal = [1, 2], never = 2 }\naccept = 0.5", "never = 2"),
        (
            "base_costs = { log_normal = [1, 2], never = 0.5 }\naccept = 0.6",
            "would take part for any known",
        ),
    ]:
        with pytest.raises(ValueError, match="toml") as error:
            study(individual)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("median = 1\nlow = 2\nhigh = 3\nspread = 2", "are not in order"),
        ("median = 1\nlow = 0.5\nhigh = 3\nspread = 1", "spread = 1.0 is not above 1"),
        ("median = 1\nlow = 0.5\nhigh = 3", "spread is missing; give a file that planner costs"),
        ("median = -1\nlow = 0.5\nhigh = 3\nspread = 2", "median = -1 is not allowed"),
        ("medium = 1", "unknown key medium"),
    ],
)
def test_files_of_costs_that_are_refused(tmp_path, text, message) -> None:
    path = tmp_path / "costs.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"costs\.toml") as error:
        read_costs(path)
    assert message in str(error.value)


def test_a_study_without_a_folder_names_no_pilot() -> None:
    tables = tomllib.loads(STUDY.format(individual='base_costs = { pilot = "costs.toml" }'))
    with pytest.raises(ValueError, match="pilot names a file beside a study file"):
        study_of(tables, "the text")


def test_other_currencies_are_refused(study, tmp_path) -> None:
    text = STUDY.format(individual='base_costs = { pilot = "costs.toml" }\naccept = 0.5')
    path = tmp_path / "study.toml"
    path.write_text(text.replace("EUR", "USD"), "utf-8")
    with pytest.raises(ValueError, match="is in EUR and the study in 'USD'; give both in one"):
        planner.read_study(path)


def two_kinds(people: int) -> Answers:
    """People of whom half fear next to nothing, and half much: no log-normal spread."""
    rng = np.random.default_rng(9)
    offers = rng.choice([1.0, 3.0, 10.0, 30.0, 100.0], people)
    costs = np.where(rng.random(people) < 0.5, 2.0, 60.0)
    yes = costs <= offers
    return Answers(np.where(yes, -np.inf, offers), np.where(yes, offers, np.inf), offers, NOBODY)


def test_a_currency_has_a_name() -> None:
    with pytest.raises(ValueError, match="'6' is no currency; give letters or a sign"):
        estimate(Pilot(yes_or_no(5), None, "answers.csv"), "6")


@pytest.mark.slow
def test_a_spread_that_is_not_log_normal_is_noticed() -> None:
    shown = of(two_kinds(2000))
    assert shown.disagreement is not None
    cost, share, low, high = shown.disagreement
    assert share < low or share > high
    assert cost in shown.observed.costs
    assert "hardly log-normal" in str(shown)
    assert [of(yes_or_no(seed)).disagreement for seed in range(5)] == [None] * 5


def test_what_is_extrapolated_is_said() -> None:
    answers = yes_or_no(5, 400, np.array([2.0, 5.0, 8.0]))
    shown = of(answers)
    assert shown.log_normal.median > shown.largest
    assert "the median lies above it and is extrapolated" in " ".join(str(shown).split())
    assert "extrapolated" in shown.text()
    assert "extrapolated" not in str(of(yes_or_no(5)))


def test_a_plan_says_what_is_extrapolated(study, tmp_path) -> None:
    costs = read_costs(tmp_path / "costs.toml")
    beyond = planner.solve(study('base_costs = { pilot = "costs.toml" }\naccept = 0.998'))
    assert beyond.study.individual.base_cost > costs.largest
    assert any("these payments is extrapolated" in note for note in beyond.notes)
    beyond.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json").notes == beyond.notes
    inside = planner.solve(study('base_costs = { pilot = "costs.toml" }\naccept = 0.8'))
    assert not any("extrapolated" in note for note in inside.notes)
    assert any("is estimated from the answers of a pilot" in note for note in inside.notes)


def test_some_never_accept() -> None:
    spread = Asked(LogNormal(10.0, 2.0), 0.2)
    assert spread.quantile(0.4) == pytest.approx(10.0)
    assert spread.quantile(0.9) == np.inf
    assert spread.share_up_to(10.0) == pytest.approx(0.4)
    assert spread.quantile(np.array([0.4, 0.8]))[1] == np.inf
    assert People(spread, 0.4).accepting == pytest.approx(0.4)
