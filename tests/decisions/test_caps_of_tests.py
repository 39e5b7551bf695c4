"""A cap at the size of a plan, or at its limit, leaves that plan: two groups of unequal size."""

import pytest

import planner


def trial(*conditions: planner.model.Condition) -> planner.Study:
    return planner.Study(
        target=planner.Difference(
            baseline=0.3, change=0.1, power=0.8, significance=0.05, sides=2, ratio=2.0
        ),
        conditions=(planner.EpsilonAtMost(1.0), *conditions),
    )


@pytest.mark.slow
def test_a_cap_at_the_size_of_a_plan_leaves_a_plan() -> None:
    plan = planner.solve(trial(), prove=False)
    for cap in (
        plan.participants,
        plan.participants + 1,
        int(planner.limit(trial(), "participants")),
    ):
        capped = planner.solve(trial(planner.MaxParticipants(cap)), prove=False)
        assert capped.verdict == "feasible", cap
        assert capped.participants <= cap
        assert capped.power >= 0.8


@pytest.mark.slow
def test_what_to_relax_is_enough() -> None:
    few = trial(planner.MaxParticipants(800))
    for change in planner.limits(few):
        if change.plan is not None:
            harder = change.quantity == "power"
            assert change.to < change["from"] if harder else change.to > change["from"]
