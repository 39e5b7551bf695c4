"""What each question of a survey gets, at an ε that is just enough, more, and too little."""

import pytest

import planner
from planner.answer.problem.survey import asked

QUESTIONS = (
    planner.Share("smokes", error=0.05, times=3),
    planner.Mean("age", low=0, high=100, error=6.0),
)
DRAWN = planner.Quantile("income", at=0.5, candidates=20, error=0.1)


def study(noise: str, questions: tuple[object, ...]) -> planner.Study:
    return planner.Study(
        planner.AddedNoise(noise),  # type: ignore[arg-type]
        planner.Survey(questions, 0.05),  # type: ignore[arg-type]
        planner.Individual(1.0, 100.0),
        [] if noise == "laplace" else [planner.Delta(1e-6)],
        planner.Costs(per_person=1.0),
    )


@pytest.mark.parametrize(
    ("noise", "questions"),
    [("laplace", QUESTIONS), ("gaussian", QUESTIONS), ("gaussian", (*QUESTIONS, DRAWN))],
)
def test_too_little_epsilon_is_not_accurate_and_more_leaves_room(noise, questions) -> None:
    floor = asked(study(noise, questions)).floor
    delta = 0.0 if noise == "laplace" else 1e-6
    least = float(floor.epsilon(2500.0, delta))
    assert floor.achieved(least * (1 + 1e-6), 2500, delta) <= 0.05
    assert floor.achieved(least * 0.99, 2500, delta) > 0.05
    shares = floor.shared(least * 1.5, 2500, delta)
    rates = [share.rate for share in shares]
    assert float(floor.together.epsilon(rates, floor.times, delta)) <= 1.5 * least
    found = [s.part.floor.achieved(s.rate, 2500.0, 0.0) / s.failure for s in shares]
    assert max(found) < 0.999
    assert sum(s.part.times * s.failure for s in shares) == pytest.approx(0.05, rel=1e-6)
