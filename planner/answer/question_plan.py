"""What each question of a survey gets of a plan: its noise, and its part of ε and of α."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from planner.model import Choice, Histogram, Quantile, Question, Study
from planner.model.by_group import ShareByGroup
from planner.model.questions import ByMechanism


@dataclass(frozen=True)
class QuestionPlan:
    """One question of a survey as a plan answers it.

    Attributes:
        name: of the question.
        times: how many alike are asked; all else is of each.
        numbers: how many numbers it publishes.
        noise: "laplace", "geometric", "gaussian", "exponential" where a candidate is drawn; without
            a curator what is reported: "answer", "group" or "groups" (one answer for each).
        epsilon: ε of its answer by itself [> 0]; None with Gaussian noise.
        scale: of the noise on each published number, in the unit of the answer: the scale of
            Laplace and geometric noise, the standard deviation of Gaussian noise; None where none
            is added.
        sensitivity: by how much one record moves the answer, in its unit: the sum of the changes of
            its numbers, with Gaussian noise the root of their squares; in counts where a candidate
            is drawn.
        error: T, in the unit of the answer.
        failure: αᵢ, the probability of a larger error, proved [(0, 1)].
        share: of the survey's privacy loss: of ε, or of the squared rates where δ is used; without
            a curator, of the people [[0, 1]].
        participants: how many people each is put to; None where all answer all.
        truth, other: without a curator, the probabilities with which the true answer or group is
            reported, and each other one.
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
    participants: int | None = None
    truth: float | None = None
    other: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def question_plans(study: Study, choice: Choice) -> tuple[QuestionPlan, ...]:
    """What each question of a survey gets; empty where one question is asked."""
    if study.survey is None:
        return ()
    if not study.mechanism.trusted:
        return _without_curator(study, choice)

    from planner.answer.problem.survey import asked  # which other studies do without

    floor, places = asked(study)
    people = choice.participants // study.groups * study.groups  # as many in each
    shares = floor.shared(choice.epsilon, people, choice.delta)
    rates, times = [share.rate for share in shares], [share.part.times for share in shares]
    parts = floor.together.losses(rates, times, choice.delta)
    added = getattr(study.mechanism, "noise", "laplace")
    plans = []
    for question, place in zip(study.survey.published, places, strict=True):
        _, rate, failure = shares[place]
        noise = _noise(question, added)
        gaussian = noise == "gaussian"
        sensitivity = _sensitivity(question, gaussian, people // study.groups)
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


def _without_curator(study: Study, choice: Choice) -> tuple[QuestionPlan, ...]:
    """What each question gets where lots hand them out, or everybody is asked everything."""
    assert study.survey is not None
    from planner.answer.problem.survey import without_curator

    floor = without_curator(study).at(choice.epsilon, choice.participants)
    plans = []
    asked = floor.asked(choice.epsilon, choice.participants)
    for question, one in zip(study.survey.questions, asked, strict=True):
        plans.append(
            QuestionPlan(
                name=question.name,
                times=question.times,
                numbers=question.numbers,
                noise=one.way,
                epsilon=one.epsilon,
                scale=None,
                sensitivity=1.0,
                error=question.error,
                failure=one.lot.failure,
                share=one.share,
                participants=one.participants,
                truth=float(one.truth),
                other=float(one.other),
            )
        )
    return tuple(plans)


def _noise(question: Question, added: str) -> str:
    """What makes an answer private, where noise of one kind is added to the others."""
    if isinstance(question, Quantile):
        return "exponential"
    if isinstance(question, ByMechanism):
        return question.mechanism.adds or "exponential"
    return added


def _sensitivity(question: Question, gaussian: bool, participants: int) -> float:
    """By how much replacing one record moves the answer of so many people, which are known."""
    if isinstance(question, Quantile):
        return 1.0
    if isinstance(question, Histogram | ShareByGroup):  # two counts move by one each
        return (math.sqrt(2) if gaussian else 2.0) / participants
    return question.unit / participants
