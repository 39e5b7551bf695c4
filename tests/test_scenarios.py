import pytest

import planner
from planner import scenarios


def test_the_four_scenarios_of_section_5_2() -> None:
    found = {name: (s.base_cost, s.worst_cost) for name, s in scenarios.read_all().items()}
    assert (
        found.items()
        >= {
            "smoking": (254.8, 1274.0),
            "education": (12.5, 12_500.0),
            "movies": (0.25, 2500.0),
            "social": (1.0, 100_000.0),
        }.items()
    )


@pytest.mark.parametrize("name", scenarios.read_all())
def test_the_base_cost_is_the_expected_harm(name: str) -> None:
    scenario = scenarios.read_all()[name]
    assert scenario.probability * scenario.worst_cost == pytest.approx(scenario.base_cost)
    assert set(scenario.sources) == {"base_cost", "worst_cost", "probability"}
    assert all(scenario.sources.values())


def test_eight_worked_studies() -> None:
    assert len(scenarios.worked_studies()) == 8


@pytest.mark.slow
def test_a_worked_study_has_districts() -> None:
    study = planner.scenario("districts")
    assert [stratum.name for stratum in study.strata][::5] == ["Harbour", "Islands"]
    answer = planner.solve(study)
    assert answer.verdict == "feasible"
    for one, stratum in zip(answer.strata, study.strata, strict=True):
        assert one.study.accuracy.error == stratum.error
        assert one.participants < stratum.people
