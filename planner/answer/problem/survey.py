"""The floor that a survey asks of added noise: its questions' floors, made one."""

from dataclasses import replace
from typing import Literal, NamedTuple

from planner.mechanisms import AddedNoise, GaussianMean, LaplaceMean
from planner.mechanisms.exact.failure import noisy
from planner.mechanisms.exact.floor_of_part import floor_of_part
from planner.mechanisms.floor import Floor, QuestionFloor
from planner.mechanisms.sample import Sample
from planner.mechanisms.sampled import SampledFloor
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.by_group import ByGroupFloor
from planner.mechanisms.several.gaussian_floor import GaussianMeanFloor, GaussianShareFloor
from planner.mechanisms.several.histogram_floor import HistogramFloor
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
        parts.append(Part(floor, times, some[0].numbers))
        places.update(dict.fromkeys(questions, place))
    together = SurveyFloor(tuple(parts), survey.failure, _together(mechanism, tuple(drawn)))
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
    noise, analysis, error = mechanism.noise, mechanism.analysis, question.fraction
    counts = isinstance(question, Share)
    if isinstance(question, Mean):
        sample = sample._replace(deviation=question.deviation)
    match question:
        case Quantile():
            return question.mechanism.floor(error, failure, sample)
        case ShareByGroup(group_count=groups, share_at_least=least):  # a bound, also of populations
            return ByGroupFloor(groups, least, error, failure, noise == "gaussian")
        case Histogram(numbers=groups):
            bounds = HistogramFloor(groups, error, failure, noise, analysis)  # type: ignore[arg-type]
            if analysis == "exact":
                return replace(bounds, sample=sample)
            return bounds if sample.simple else SampledFloor(bounds, sample, failure)
        case Share() | Mean() if noise == "gaussian" and analysis == "hoeffding":
            sample.refuse_deviation()
            bounded = GaussianMeanFloor(error, failure)
            return bounded if sample.simple else SampledFloor(bounded, sample, failure)
        case Share() | Mean() if noise == "gaussian":
            share = noisy("gaussian", not counts, (0.0, 1.0), sample)
            one = GaussianMean(values="zero-one" if counts else "any")
            return GaussianShareFloor(one, error, failure, share, (0.0, 1.0))
        case Share() | Mean() if noise == "laplace":
            values: Literal["any"] | None = "any" if analysis == "exact" and not counts else None
            one_mean = LaplaceMean(analysis=analysis, values=values)
            return floor_of_part(one_mean, error, failure, sample)
    raise ValueError(
        f"{noise} noise cannot answer {question.name!r}, a {question.kind}; give noise = laplace "
        "or gaussian"
    )
