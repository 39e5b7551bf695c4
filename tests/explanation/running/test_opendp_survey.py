"""The OpenDP program of a survey, run by the library."""

import numpy as np
import pytest

import planner
from planner.explanation.running.practice import opendp_call

QUESTIONS = [
    planner.Share("smokes", error=0.1),
    planner.Histogram("age group", groups=4, error=0.1),
    planner.Share("others", error=0.15, times=3),
]
MEAN = planner.Mean("visits", low=-5.0, high=20.0, error=5.0)
MEDIAN = planner.Quantile("income", candidates=6, error=0.2)


def plan_of(questions: list[planner.Share], noise: str, *conditions: object) -> planner.answer.Plan:
    study = planner.Study(
        planner.AddedNoise(noise, "hoeffding"),  # type: ignore[arg-type]
        planner.Survey(questions, failure=0.1),
        planner.Individual(1.0, 100.0),
        [planner.MaxParticipants(900), *conditions],  # type: ignore[list-item]
        planner.Costs(per_person=1.0),
    )
    answer = planner.solve(study)
    assert isinstance(answer, planner.answer.Plan)
    return answer


@pytest.mark.parametrize(
    ("noise", "questions", "conditions"),
    [
        ("laplace", [*QUESTIONS, MEAN, MEDIAN], ()),
        ("laplace", [*QUESTIONS, MEAN], (planner.Delta(1e-6),)),
        ("gaussian", [*QUESTIONS, MEAN], (planner.Delta(1e-6),)),
    ],
)
def test_the_survey_is_released_at_the_plans_epsilon(noise, questions, conditions) -> None:
    plan = plan_of(questions, noise, *conditions)
    code = opendp_call(plan)
    assert code is not None
    names: dict[str, object] = {}
    exec(code, names)  # its own assertion on the map holds
    measurement = names["measurement"]
    loss = measurement.map(1)  # type: ignore[attr-defined]
    if noise == "gaussian":
        from planner.privacy.gaussian import epsilon_at

        mu = np.sqrt(2 * loss)
        assert epsilon_at(1 / mu, plan.delta) == pytest.approx(plan.epsilon, rel=2e-6)
    elif not plan.delta:
        assert loss == pytest.approx(plan.epsilon, rel=2e-6)
    rng = np.random.default_rng(5)
    n = plan.participants
    records = [
        {
            "smokes": bool(k % 3 == 0),
            "age group": int(rng.integers(4)),
            **{f"others {i}": bool(k % 2) for i in (1, 2, 3)},
            "visits": float(rng.uniform(-5, 20)),
            "income": int(rng.integers(6)),
        }
        for k in range(n)
    ]
    released = measurement(records)  # type: ignore[operator]
    assert abs(released[0] / n - 1 / 3) < 0.3
    assert len(released[1]) == 4
    assert abs(sum(released[1]) / n - 1) < 0.6


def test_labels_are_those_of_the_records() -> None:
    labelled = planner.Histogram("age", labels=["young", "old"], error=0.2, missing="own")
    plan = plan_of([labelled], "laplace")
    names: dict[str, object] = {}
    exec(opendp_call(plan), names)
    n = plan.participants
    records = [{"age": ("young", "old", "no answer")[k % 4 % 3]} for k in range(n)]
    released = names["measurement"](records)[0]  # type: ignore[operator]
    assert len(released) == 3
    assert np.allclose(np.array(released) / n, [0.5, 0.25, 0.25], atol=0.2)
