"""More knowledge never makes a plan dearer, and more room never makes a study infeasible."""

from dataclasses import replace

import pytest

import planner
from planner.mechanisms import LaplaceMean

pytestmark = pytest.mark.slow

NARROW = LaplaceMean(mean_range=(0.0, 0.2))
SHARE = planner.Study(
    target=planner.Accuracy(error=0.04, failure=0.05),
    individual=planner.Individual(10.0, 1000.0),
    conditions=[planner.Budget(40_000.0)],
    costs=planner.Costs(per_person=5.0),
)
UNPAID = planner.Study(target=SHARE.target, conditions=[planner.EpsilonAtMost(0.5)])
VALUES = planner.Study(
    target=planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05), conditions=UNPAID.conditions
)
PEOPLE = planner.Sampling(population=3000)
MORE = 1e-3
"""What a plan may cost more than without the knowledge, as its sizes are whole."""


def needed(study: planner.Study) -> float:
    """The money of a plan, or its people where none is spent."""
    plan = planner.solve(study, prove=False)
    assert plan.verdict == "feasible"
    return plan.cost or plan.participants


def survey(**known: float) -> planner.Study:
    questions = [
        planner.Share("smokes", error=0.05),
        planner.Mean(name="visits", low=0, high=60, error=4.0, **known),
    ]
    asked = planner.Survey(questions, failure=0.05)
    return planner.Study(target=asked, conditions=UNPAID.conditions)


@pytest.mark.parametrize(
    ("without", "knowing"),
    [
        (SHARE, replace(SHARE, sampling=PEOPLE)),
        (SHARE, replace(SHARE, mechanism=NARROW)),
        (replace(SHARE, mechanism=NARROW), replace(SHARE, mechanism=NARROW, sampling=PEOPLE)),
        (UNPAID, replace(UNPAID, sampling=PEOPLE)),
        (VALUES, replace(VALUES, sampling=PEOPLE)),
        (VALUES, replace(VALUES, target=planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05, 29.0))),
        (VALUES, replace(VALUES, target=planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05, 9.0))),
        (survey(), replace(survey(), sampling=PEOPLE)),
        (survey(), survey(deviation_at_most=12.0)),
    ],
)
def test_what_is_known_makes_no_plan_dearer(without, knowing) -> None:
    assert needed(knowing) <= needed(without) * (1 + MORE)


@pytest.mark.parametrize("study", [SHARE, UNPAID, VALUES, survey()])
def test_larger_errors_and_more_money_leave_a_feasible_study_feasible(study) -> None:
    """Also at the edge: with just the money, and just the people, of the plan."""
    plan = planner.solve(study, prove=False)
    kept = [c for c in study.conditions if not isinstance(c, planner.Budget)]
    edge = [*kept, planner.MaxParticipants(plan.participants)]
    if plan.cost:
        edge.append(planner.Budget(plan.cost))
    tight = replace(study, conditions=edge)
    assert planner.solve(tight, prove=False).verdict == "feasible"
    more = [planner.Budget(c.money * 1.3) if isinstance(c, planner.Budget) else c for c in edge]
    wider = study.target
    if study.survey is not None:
        wider = study.survey.with_errors_times(1.2)
    else:
        wider = replace(study.target, error=study.target.error * 1.2)
    for easier in (replace(tight, conditions=more), replace(tight, target=wider)):
        assert planner.solve(easier, prove=False).verdict == "feasible"


@pytest.mark.parametrize("study", [SHARE, UNPAID, VALUES])
def test_fewer_people_make_no_infeasible_study_feasible(study) -> None:
    fewest = int(planner.limit(study, "participants"))
    capped = [replace(study, conditions=[*study.conditions, planner.MaxParticipants(n)])
              for n in range(fewest, 0, -max(1, fewest // 7))]  # fmt: skip
    verdicts = [planner.solve(one, prove=False).verdict for one in capped]
    assert verdicts[0] == "feasible"
    assert "feasible" not in verdicts[1:]
