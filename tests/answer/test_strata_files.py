"""Plans of strata that cost nothing, or with a cap on all people: saved, checked, published."""

import pytest

import planner
from planner.model.strata import Stratum

SURVEY = planner.Survey(
    [planner.Share("smokes", error=0.2), planner.Mean("rent", error=12.0, low=0, high=60)], 0.1
)
OWN = planner.Accuracy(failure=0.1)
STRATA = {
    "survey": [Stratum("North", people=3000), Stratum("South", people=9000)],
    "own": [Stratum("North", people=3000, error=0.2), Stratum("South", people=9000, error=0.15)],
}


def study(kind: str, *conditions, **individual: float) -> planner.Study:
    return planner.Study(
        target=SURVEY if kind == "survey" else OWN,
        individual=planner.Individual(**{"base_cost": 0.0, **individual}),
        conditions=[planner.EpsilonAtMost(1.0), *conditions],
        strata=STRATA[kind],
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", STRATA)
@pytest.mark.parametrize(
    ("conditions", "individual"),
    [
        ([], {}),
        ([planner.MaxParticipants(2000)], {}),
        ([planner.MaxParticipants(170), planner.Budget(1e6)], {"base_cost": 2.0}),
    ],
)
def test_they_hold_when_they_are_read_again(kind, conditions, individual, tmp_path) -> None:
    """Each stratum's study is its own, without the cap by which its people were found."""
    plan = planner.solve(study(kind, *conditions, **individual))
    assert plan.verdict == "feasible"
    plan.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    found = planner.check(again)
    assert found.holds, found.wrong
    assert again == plan
    for part in plan.strata:
        assert part.study.conditions == (planner.EpsilonAtMost(1.0),)
        assert part.slack.keys() == planner.solve(part.study, prove=False).slack.keys()
    pytest.importorskip("opendp")
    assert planner.publication.rehearse(plan).participants == plan.participants
