"""Sweeps of surveys: what arrays decide is what solving each study decides."""

import numpy as np
import pytest

import planner
from planner.answer.search import decide

UNLIKE = (
    planner.Share("smokes", error=0.05, times=2),
    planner.Share("drinks", error=0.06),
    planner.Histogram("age group", groups=4, error=0.06),
    planner.Mean("visits", low=0, high=50, error=4.0),
)
ALIKE = (planner.Share("yes/no", error=0.05, times=3),)
OWN = tuple(planner.Share(f"q{k}", error=0.05 + k / 100, failure=0.01) for k in range(3))
BUDGETS, COSTS = np.geomspace(2e3, 1e5, 9), np.linspace(0.5, 40.0, 7)


def survey(
    questions: tuple[planner.Share, ...], *conditions: object, per_person: float = 1.0
) -> planner.Study:
    failure = 0.05 if questions[0].failure is None else None
    return planner.Study(
        planner.AddedNoise(analysis="hoeffding"),
        planner.Survey(questions, failure=failure),
        planner.Individual(10.0),
        [planner.Budget(30_000.0), *conditions],  # type: ignore[list-item]
        planner.Costs(per_person=per_person),
    )


@pytest.mark.slow
@pytest.mark.parametrize("questions", [UNLIKE, ALIKE, OWN])
@pytest.mark.parametrize("conditions", [(), (planner.MaxParticipants(4000),)])
@pytest.mark.parametrize("per_person", [0.0, 1.0])
def test_arrays_decide_as_solving_each_does(
    monkeypatch: pytest.MonkeyPatch,
    questions: tuple[planner.Share, ...],
    conditions: tuple[object, ...],
    per_person: float,
) -> None:
    study = survey(questions, *conditions, per_person=per_person)
    alone: list[dict[str, float]] = []
    singly = decide._singly

    def counted(values: decide.Values, rows: np.ndarray, one: decide.Single) -> decide.Columns:
        alone.extend({} for _ in rows)
        return singly(values, rows, one)

    monkeypatch.setattr(decide, "_singly", counted)
    swept = planner.sweep(study, budget=BUDGETS, base_cost=COSTS)
    assert len(alone) <= 3
    for i, budget in enumerate(BUDGETS[::3]):
        for j, base_cost in enumerate(COSTS[::3]):
            one = planner.solve(
                planner.Study(
                    study.mechanism,
                    study.target,
                    planner.Individual(float(base_cost)),
                    [planner.Budget(float(budget)), *conditions],  # type: ignore[list-item]
                    study.costs,
                ),
                prove=False,
            )
            point = swept.isel(budget=3 * i, base_cost=3 * j)
            assert bool(point.verdict == 1) == (one.verdict == "feasible")
            if one.verdict == "feasible":
                assert float(point.cost) == pytest.approx(one.cost, rel=1e-6)
                assert float(point.participants) == pytest.approx(one.participants, rel=1e-4)
                assert float(point.epsilon) == pytest.approx(one.epsilon, rel=1e-4)


def test_accuracies_are_swept_one_by_one() -> None:
    study = survey(ALIKE)
    swept = planner.sweep(study, failure=np.array([0.05, 0.1]))
    assert float(swept.cost[0]) == pytest.approx(planner.solve(study, prove=False).cost)
    assert swept.cost[1] < swept.cost[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "questions",
    [
        (planner.Mean("visits", low=0, high=60, error=2.0),),
        (planner.Share("smokes", error=0.03), planner.Mean("visits", low=0, high=60, error=2.0)),
        (
            planner.Share("smokes", error=0.04),
            planner.Mean("a", low=0, high=10, error=0.4, deviation_at_most=2.5),
        ),
    ],
)
def test_exact_surveys_are_feasible_where_solving_says_so(questions) -> None:
    """Of a mean of any values the guess is far from the fewest people that are enough."""
    caps = [0.2, 1.0, 5.0]
    study = planner.Study(
        target=planner.Survey(questions, failure=0.05), conditions=[planner.EpsilonAtMost(1.0)]
    )
    swept = planner.sweep(study, epsilon_at_most=caps)
    for cap, people in zip(caps, swept.participants.values, strict=True):
        one = planner.Study(target=study.target, conditions=[planner.EpsilonAtMost(cap)])
        assert people == planner.solve(one, prove=False).participants
