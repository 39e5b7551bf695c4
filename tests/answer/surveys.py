"""Two surveys that many tests plan, and how often a function is called."""

import importlib
from dataclasses import replace

import pytest

import planner
from planner.answer.problem.problem import problem_of

DESIGN = (
    planner.Share("smokes", error=0.03),
    planner.Histogram("age group", groups=8, error=0.03),
    planner.Mean("cigarettes a day", low=0, high=60, error=2.0),
    planner.Quantile("income", at=0.5, candidates=100, error=0.05),
    planner.Share("others", error=0.05, times=12),
)
ORDINARY = (
    planner.Share("yes/no", error=0.03, times=12),
    planner.Histogram("age group", groups=8, error=0.03),
    planner.Mean("visits", low=0, high=200, error=5.0),
)


def study(
    *conditions: object,
    questions: tuple[object, ...] = DESIGN,
    failure: float | None = 0.05,
    noise: str = "laplace",
    analysis: str = "hoeffding",
    worst_cost: float | None = None,
) -> planner.Study:
    return planner.Study(
        planner.AddedNoise(noise, analysis),  # type: ignore[arg-type]
        planner.Survey(questions, failure=failure),  # type: ignore[arg-type]
        planner.Individual(1.0, worst_cost),
        conditions,  # type: ignore[arg-type]
        planner.Costs(per_person=2.0),
    )


def floor(of: planner.Study, n: int, delta: float = 0.0) -> float:
    return float(problem_of(of).goals[0].floor.epsilon(float(n), delta))


def shared_equally(questions: tuple[object, ...]) -> planner.Study:
    """The same failure probability for every published number, given to each question."""
    numbers = sum(q.times * q.numbers for q in questions)  # type: ignore[attr-defined]
    own = tuple(replace(q, failure=0.05 * q.numbers / numbers) for q in questions)  # type: ignore[type-var, attr-defined]
    return study(questions=own, failure=None)


def calls(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> list[None]:
    """Grows by one with every call of a function."""
    home, calls = importlib.import_module(module), []
    function = getattr(home, name)

    def counted(*given: object, **named: object) -> object:
        calls.append(None)
        return function(*given, **named)

    monkeypatch.setattr(home, name, counted)
    return calls
