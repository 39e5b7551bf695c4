"""What a plan means for one person, in the numbers of Hsu14."""

from dataclasses import replace

import planner
from planner import scenarios
from planner.explanation.participant import meaning


def worked(name: str) -> planner.Study:
    return planner.read_study(scenarios.WORKED_STUDIES / f"{name}.toml")


def test_the_smoker_of_section_5() -> None:
    # at the closed plan, ε = T/6 = 0.0083: 0.2·e^ε = 20.17 %, 254.8·(e^ε − 1) = 2.13
    study = replace(worked("mean-smoking"), conditions=())
    plan = replace(planner.solve(study), epsilon=0.05 / 6, compensation=2.1323)
    words = " ".join(meaning(plan))
    assert (
        "learns that you smoke and raises your premium rises from 20 % to at most 20.17 %" in words
    )
    assert "You are paid 2.14 USD" in words  # 2.1323, and the budget pays for whole cents


def test_without_a_scenario_a_harm_stands_for_all(mean_study) -> None:
    words = " ".join(meaning(planner.solve(mean_study(12.5))))
    assert "happens to 1 % of those who stay out" in words
    assert "at most 1.004 %" in words


def test_delta_is_told(section_8_2) -> None:
    plan = planner.solve(section_8_2(planner.Delta(1e-8), budget=2e7))
    assert "1 in 100,000,000" in " ".join(meaning(plan))


def test_nothing_to_lose_is_nothing_paid(mean_study) -> None:
    assert "You are paid nothing" in " ".join(meaning(planner.solve(mean_study(0.0))))
