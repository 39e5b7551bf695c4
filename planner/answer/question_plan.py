"""What each question of a survey gets of a plan: its noise, and its part of ε and of α."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from planner.model import Choice, Histogram, Quantile, Question, Study
from planner.model.by_group import ShareByGroup


@dataclass(frozen=True)
class QuestionPlan:
    """One question of a survey as a plan answers it.

    Attributes:
        name: of the question.
        times: how many alike are asked; all else is of each.
        numbers: how many numbers it publishes.
        noise: "laplace", "geometric", "gaussian", or "exponential" where a candidate is drawn.
        epsilon: ε of its answer by itself [> 0]; None with Gaussian noise.
        scale: of the noise on each published number, in the unit of the answer: the scale of
            Laplace and geometric noise, the standard deviation of Gaussian noise; None where none
            is added.
        sensitivity: by how much one record moves the answer, in its unit: the sum of the changes of
            its numbers, with Gaussian noise the root of their squares; in counts where a candidate
            is drawn.
        error: T, in the unit of the answer.
        failure: αᵢ, the probability of a larger error, proved [(0, 1)].
        share: of the survey's privacy loss: of ε, or of the squared rates where δ is used [[0, 1]].
    """

    name: str
    times: int
    numbers: int
    noise: str
    epsilon: float | None
    scale: float | None
    sensitivity: float
    error: float
    failure: float
    share: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def question_plans(study: Study, choice: Choice) -> tuple[QuestionPlan, ...]:
    """What each question of a survey gets; empty where one question is asked."""
    if study.survey is None:
        return ()

    from planner.answer.problem.survey import asked  # which other studies do without

    floor, places = asked(study)
    people = choice.participants
    shares = floor.shared(choice.epsilon, people, choice.delta)
    rates, times = [share.rate for share in shares], [share.part.times for share in shares]
    parts = floor.together.losses(rates, times, choice.delta)
    added = getattr(study.mechanism, "noise", "laplace")
    plans = []
    for question, place in zip(study.survey.published, places, strict=True):
        _, rate, failure = shares[place]
        noise = _noise(question, added)
        gaussian = noise == "gaussian"
        sensitivity = _sensitivity(question, gaussian, people)
        drawn = noise == "exponential"
        plans.append(
            QuestionPlan(
                name=question.name,
                times=question.times,
                numbers=question.numbers,
                noise=noise,
                epsilon=None if gaussian else rate,
                scale=None if drawn else sensitivity / rate,
                sensitivity=sensitivity,
                error=question.error,
                failure=failure,
                share=question.times * parts[place],
            )
        )
    return tuple(plans)


def _noise(question: Question, added: str) -> str:
    """What makes an answer private, where noise of one kind is added to the others."""
    if isinstance(question, Quantile):
        return "exponential"
    return added


def _sensitivity(question: Question, gaussian: bool, participants: int) -> float:
    """By how much replacing one record moves the answer of so many people, which are known."""
    if isinstance(question, Quantile):
        return 1.0
    if isinstance(question, Histogram | ShareByGroup):  # two counts move by one each
        return (math.sqrt(2) if gaussian else 2.0) / participants
    return question.unit / participants
