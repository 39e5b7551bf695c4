"""The floor that a survey asks of added noise: its questions' floors, made one."""

from typing import Literal, NamedTuple

from planner.mechanisms import AddedNoise, GaussianMean, LaplaceMean
from planner.mechanisms.count_floor import RateFloor, noisy, summed
from planner.mechanisms.floor import Floor, QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noise import NOISES
from planner.mechanisms.sample import Sample
from planner.mechanisms.sampled import HoeffdingFloor, SampledFloor
from planner.mechanisms.several.by_group import ByGroupFloor
from planner.mechanisms.several.histogram import Shares, WorstShares, per_count
from planner.mechanisms.several.split import Part
from planner.mechanisms.several.survey import SurveyFloor
from planner.mechanisms.several.together import Added, Mixed, RootSum, Together
from planner.model import Study
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Mean, Quantile, Question, Share


class Asked(NamedTuple):
    """A survey's floor, and which of its parts each question is.

    Attributes:
        floor: of the survey.
        parts: for each question, in order, the place of its part.
    """

    floor: SurveyFloor
    parts: tuple[int, ...]


def asked(study: Study) -> Asked:
    """What a survey asks of its added noise; questions alike are one part.

    Raises:
        ValueError: the noise cannot answer a question.
    """
    survey, mechanism = study.survey, study.mechanism
    assert survey is not None
    assert isinstance(mechanism, AddedNoise)  # a study of a survey has no other mechanism
    floors: dict[QuestionFloor, list[int]] = {}
    for at, question in enumerate(survey.published):
        failure = question.failure if survey.failure is None else survey.failure
        assert failure is not None  # the survey gives one or the other
        floor = floor_of(question, mechanism, failure, study.sampling.sample)
        floors.setdefault(floor, []).append(at)
    parts, places, drawn = [], {}, []
    for place, (floor, questions) in enumerate(floors.items()):
        some = [survey.published[at] for at in questions]
        drawn.append(isinstance(some[0], Quantile))
        times = sum(question.times for question in some)
        parts.append(Part(floor, times))
        places.update(dict.fromkeys(questions, place))
    rule = _together(mechanism, tuple(drawn))
    together = SurveyFloor(tuple(parts), survey.failure, rule)
    return Asked(together, tuple(places[at] for at in range(len(survey.questions))))


def survey_floor(study: Study) -> Floor:
    """The floor of a survey."""
    return asked(study).floor


def _together(mechanism: AddedNoise, drawn: tuple[bool, ...]) -> Together:
    """How the rates of the parts make one ε, of which some are drawn without noise."""
    if mechanism.noise == "gaussian" and not all(drawn):
        return Mixed(drawn) if any(drawn) else RootSum()
    return Added()


def floor_of(
    question: Question, mechanism: AddedNoise, failure: float, sample: Sample
) -> QuestionFloor:
    """What one question asks, in rates, at this failure probability.

    Raises:
        ValueError: the noise cannot answer it.
    """
    noise, exact, error = mechanism.noise, mechanism.analysis == "exact", question.fraction
    if isinstance(question, Mean):
        sample = sample._replace(deviation=question.deviation)
    match question:
        case Quantile():
            return question.mechanism.floor(error, failure, sample)
        case ShareByGroup(group_count=groups, share_at_least=least):  # a bound, also of populations
            return ByGroupFloor(groups, least, error, failure, noise == "gaussian")
        case Histogram(numbers=groups) if exact and summed(sample).simple and groups > 2:
            answers = GaussianMean() if noise == "gaussian" else LaplaceMean()
            return RateFloor(answers, error, failure, Shares(NOISES[noise], groups))
        case Histogram(numbers=groups):
            one = _of_mean(noise, exact, False, error, failure, sample)
            return WorstShares(one, groups, failure, per_count(NOISES[noise]))
        case Share() | Mean():
            return _of_mean(noise, exact, isinstance(question, Mean), error, failure, sample)
    raise ValueError(
        f"{noise} noise cannot answer {question.name!r}, a {question.kind}; give noise = laplace "
        "or gaussian"
    )


def _of_mean(
    noise: str, exact: bool, any_values: bool, error: float, failure: float, sample: Sample
) -> QuestionFloor:
    """What one proportion or mean asks of the rate of its noise."""
    if exact:
        values: Literal["any", "zero-one"] = "any" if any_values else "zero-one"
        one: Mechanism = (GaussianMean if noise == "gaussian" else LaplaceMean)(values=values)
        return RateFloor(one, error, failure, noisy(noise, any_values, (0.0, 1.0), sample))
    sample.refuse_deviation()
    bound = HoeffdingFloor(error, failure, noise == "gaussian")
    return bound if sample.simple else SampledFloor(bound, sample, failure)
