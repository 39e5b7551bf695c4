"""Any two of error, people and ε give the third."""

import json
import math

import numpy as np
import pytest
from scipy import stats

import planner
from planner.cli import run
from planner.decisions.calibrate import NotEnoughError

KINDS = {
    "proportion": {},
    "geometric": {"noise": "geometric"},
    "gaussian": {"noise": "gaussian", "delta": 1e-6},
    "mean": {"kind": "mean", "low": 0, "high": 40, "deviation_at_most": 9},
    "histogram": {"kind": "histogram", "groups": 6},
    "count": {"kind": "count"},
    "difference": {"kind": "difference"},
}


def off(mean: float, people: int, error: float, epsilon: float) -> float:
    """How often a proportion with Laplace noise is off, term by term."""
    count = np.arange(people + 1)
    chances = stats.binom.pmf(count, people, mean)
    noise = stats.laplace(scale=1 / (people * epsilon))
    away = count / people - mean
    return float(chances @ (noise.sf(error - away) + noise.cdf(-error - away)))


@pytest.mark.parametrize("name", KINDS)
def test_a_large_epsilon_does_not_break_the_promise(name: str) -> None:
    """Without noise that smooths sums the bound of a mean is wider: then less ε is enough."""
    for epsilon in (0.5, 20.0):
        found = planner.calibrate(people=300, epsilon=epsilon, **KINDS[name])
        assert found.failure <= 0.05
        assert found.epsilon <= epsilon
        again = planner.calibrate(error=found.error, epsilon=epsilon, **KINDS[name])
        assert again.failure <= 0.05
        assert again.people <= 300


@pytest.mark.slow
def test_a_proportion_is_as_accurate_as_its_law_says() -> None:
    """At no mean is it off more often than allowed, and with 1 % less ε at some mean it is."""
    found = planner.calibrate(error=0.05, people=516)
    assert found.epsilon == pytest.approx(0.2157, abs=1e-4)
    means = np.linspace(0.45, 0.5, 301)
    worst = max(off(mean, 516, 0.05, found.epsilon) for mean in means)
    assert found.failure == pytest.approx(worst, rel=1e-3)
    assert worst <= 0.05 < max(off(mean, 516, 0.05, 0.99 * found.epsilon) for mean in means)


def test_what_sample_and_noise_do_alone() -> None:
    """Laplace noise of scale 1/(Nε) is over ln(1/α)/(Nε) with probability α."""
    found = planner.calibrate(people=516, epsilon=0.2157)
    assert found.error_of_noise == pytest.approx(math.log(20) / (516 * 0.2157), rel=1e-5)
    count = stats.binom(516, 0.5)
    beyond = 516 * found.error_without_noise
    assert 2 * count.cdf(258 - beyond - 1e-6) <= 0.05 < 2 * count.cdf(258 - beyond + 1)
    assert found.error_without_noise < found.error < sum([found.error_of_noise, 0.0433])


def test_a_count_is_of_the_participants_themselves() -> None:
    """Of 300 it is off by 6 or more with probability 2e^(−6ε)/(1 + e^(−ε))."""
    found = planner.calibrate(error=0.02, people=300, kind="count")
    law = 2 * math.exp(-6 * found.epsilon) / (1 + math.exp(-found.epsilon))
    assert found.failure == pytest.approx(law, rel=1e-12)
    assert law == pytest.approx(0.05, rel=1e-5)
    assert found.error_without_noise == 0.0


@pytest.mark.slow
def test_each_two_lead_back_to_the_third() -> None:
    """Fewer people may be enough, as counts are whole."""
    for kind in KINDS:
        options = KINDS[kind]
        error = 2.0 if kind == "mean" else 0.05
        found = planner.calibrate(error=error, people=2000, **options)
        assert 0 < found.failure <= 0.05
        fewest = planner.calibrate(error=error, epsilon=found.epsilon, **options)
        assert 1900 < fewest.people <= 2000
        least = planner.calibrate(people=2000, epsilon=found.epsilon, **options)
        assert 0.97 * error < least.error <= error * (1 + 1e-5)
        dearer = planner.calibrate(error=error, people=1800, **options)
        assert dearer.epsilon > found.epsilon
        surer = planner.calibrate(error=error, people=2000, confidence=0.96, **options)
        assert surer.epsilon > found.epsilon


@pytest.mark.slow
def test_arrays_come_back_in_the_common_shape() -> None:
    table = planner.calibrate(error=[0.04, 0.05], people=[[1000], [1500], [2000]])
    assert table.epsilon.shape == table.failure.shape == (3, 2)
    alone = planner.calibrate(error=0.05, people=1500)
    assert table.epsilon[1, 1] == alone.epsilon
    assert table.error_without_noise[1, 0] == alone.error_without_noise
    assert "6 calibrations" in str(table)
    assert len(table.shown_rows()) == 6


def test_what_cannot_be_calibrated_says_what_to_give() -> None:
    for given, words in [
        ({"error": 0.05}, "takes two of error, people and epsilon, not 1"),
        ({"error": 0.05, "people": 9, "epsilon": 1.0}, "not 3"),
        ({"error": 5, "people": 500}, "error = 5.0 is not allowed; .* such as 0.05"),
        ({"error": 0.05, "people": 500.5}, "give a whole number, at least 1"),
        ({"people": 500, "epsilon": 0}, "epsilon = 0.0 is not allowed"),
        ({"people": 500, "epsilon": math.inf}, "epsilon = inf is not allowed"),
        ({"error": 0.05, "people": 500, "kind": "total"}, "give proportion, mean, histogram"),
        ({"error": 0.05, "people": 500, "noise": "gaussian"}, "give 1e-6"),
        ({"error": 0.05, "people": 500, "delta": 1e-6}, "leave it out"),
        ({"error": 0.05, "people": 500, "kind": "count", "noise": "laplace"}, "give geometric"),
        ({"error": 0.05, "people": 500, "confidence": 95}, "give 0.95"),
        ({"error": 0.05, "people": 500, "high": 10}, 'of kind = "mean"'),
        ({"error": 3, "people": 500, "kind": "mean", "low": 5, "high": 5}, "low"),
        ({"error": 0.05, "people": 500, "kind": "histogram", "groups": 1}, "groups"),
    ]:
        with pytest.raises(ValueError, match=words):
            planner.calibrate(**given)


def test_so_few_people_are_not_enough_for_any_epsilon() -> None:
    for given in ({"error": 0.05, "people": 100}, {"people": 4, "epsilon": 0.01}):
        with pytest.raises(NotEnoughError, match="give more people"):
            planner.calibrate(**given)


@pytest.mark.parametrize("given", [{"people": [1000, 2000]}, {"people": 2000, "epsilon": [1, 2]}])
def test_a_split_of_several_at_once_is_refused_by_name(given) -> None:
    name = next(name for name, value in given.items() if isinstance(value, list))
    with pytest.raises(ValueError, match=f"{name} is one number; call split for each"):
        planner.split({"smokes": 0.03}, **given)


def test_a_split_is_the_plan_of_the_survey() -> None:
    plan = planner.split({"smokes": 0.03, "age": (0.04, 5)}, people=2000)
    assert plan.participants == 2000
    assert plan.epsilon == pytest.approx(sum(one.epsilon for one in plan.questions), rel=1e-6)
    assert [one.name for one in plan.questions] == ["smokes", "age"]
    alone = planner.calibrate(error=0.03, people=2000, confidence=1 - plan.questions[0].failure)
    assert plan.questions[0].epsilon == pytest.approx(alone.epsilon, rel=1e-3)  # room for a proof
    mean = planner.Mean("any", low=0, high=50, error=2.0)
    more = planner.split({"smokes": 0.03, "age": (0.04, 5), "rent": mean}, people=2000)
    assert more.questions[2].name == "rent"
    assert more.epsilon > plan.epsilon
    with pytest.raises(NotEnoughError, match="200 people"):
        planner.split({"smokes": 0.03}, people=200)
    with pytest.raises(ValueError, match="an error and groups such as"):
        planner.split({"smokes": "3 %"}, people=2000)
    with pytest.raises(ValueError, match="whole number"):
        planner.split({"smokes": 0.03}, people=0)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_a_split_of_a_given_epsilon_scales_all_errors_alike(epsilon) -> None:
    mean = planner.Mean("any", low=0, high=50, error=2.0)
    plan = planner.split({"smokes": 0.03, "rent": mean}, people=2000, epsilon=epsilon)
    assert 0.995 * epsilon < plan.epsilon <= epsilon
    errors = [one.error for one in plan.questions]
    assert errors[1] / errors[0] == pytest.approx(2.0 / 0.03, rel=1e-3)
    again = planner.split(
        {"smokes": errors[0], "rent": planner.Mean("any", low=0, high=50, error=errors[1])}, 2000
    )
    assert again.epsilon == pytest.approx(plan.epsilon, rel=1e-3)


@pytest.mark.slow
def test_a_given_epsilon_that_is_too_small_is_refused_with_what_helps() -> None:
    with pytest.raises(NotEnoughError, match="give more people or a larger ε"):
        planner.split({"smokes": 0.03}, people=200, epsilon=1e-4)
    assert planner.split({"smokes": 0.03}, people=200_000, epsilon=1e-4).epsilon <= 1e-4
    assert planner.split({"smokes": 0.03}, people=200, epsilon=0.5).epsilon <= 0.5


def test_what_is_no_number_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"'4%' is not a number; write 4 % as 0.04"):
        planner.calibrate(error="4%", people=100)
    with pytest.raises(ValueError, match="questions by name"):
        planner.split([0.03], people=2000)


@pytest.mark.slow
def test_the_command_takes_percent_and_thousands(capsys) -> None:
    assert run(["calibrate", "--error", "5%", "--people", "516"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said == (
        "ε = 0.2157 with 516 people: ± 5 percentage points at 95 % confidence; ± 4.328 without "
        "noise."
    )
    assert run(["calibrate", "--people", "8,000", "--epsilon", "0.2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["error"] == planner.calibrate(people=8000, epsilon=0.2).error
    assert run(["calibrate", "--error", "0.05", "--people", "100"]) == 1
    assert "give more people" in capsys.readouterr().err
    assert run(["calibrate", "--error", "five", "--people", "100"]) == 64
    assert "such as 5% or 0.05" in capsys.readouterr().err
