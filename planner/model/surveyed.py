"""What a study of several questions can be, and what it cannot."""

from typing import TYPE_CHECKING

from planner.mechanisms import AddedNoise
from planner.model.by_group import ShareByGroup
from planner.model.difference import DifferenceSurvey
from planner.model.questions import ByMechanism, Histogram, Mean, Quantile, Share
from planner.model.survey import Survey
from planner.privacy.trade_off import TradeOff
from planner.wording import quoted

if TYPE_CHECKING:
    from planner.model.study import Study

_HALF = 0.5  # with a larger α the reports of a population may fail more often than others


def refuse_survey(study: "Study", survey: Survey) -> None:
    """Refuse a survey by a mechanism that answers one question, or not these.

    Raises:
        ValueError: says what to give.
    """
    if not all(m.surveys for m in study.mechanism.alternatives or [study.mechanism]):
        raise ValueError(
            f"a survey of several questions is answered by {AddedNoise.kind}, not "
            f'{study.mechanism.words}; give kind = "added-noise", or a question with a mechanism'
        )
    if not study.mechanism.trusted:
        _without_a_curator(study, survey)
    if isinstance(survey, DifferenceSurvey):
        _of_two_groups(study)
    drawn = any(isinstance(q, Quantile | ByMechanism) for q in survey.questions)
    if drawn and type(study.individual.trade_off) is not TradeOff:
        raise ValueError(
            "drawn candidates have no Gaussian trade-off, so people cannot be paid by it; give "
            'harms = "events", which pays for what ε and δ guarantee'
        )


def _of_two_groups(study: "Study") -> None:
    """Refuse what the differences of several answers between two groups cannot have."""
    if not study.mechanism.trusted:
        raise ValueError(
            "several answers are compared between two groups with added noise; trust a "
            'curator, kind = "added-noise", or compare one answer without one'
        )
    if not study.sample.simple:
        raise ValueError(
            "the differences of two groups are planned for independent people; leave "
            "population, clusters and design effect out of the sampling"
        )


def _without_a_curator(study: "Study", survey: Survey) -> None:
    """Refuse a survey that lots of randomised answers cannot have."""
    mean_range = tuple(getattr(study.mechanism, "mean_range", (0.0, 1.0)))
    if study.mechanism.saw_toothed and mean_range != (0.0, 1.0):
        raise ValueError(
            "mean_range is for one proportion; leave it out of a survey without a curator"
        )
    for question in survey.questions:
        if not isinstance(question, Share | Histogram | Mean):
            raise ValueError(
                f"{quoted(question.name)} is {question.words}, which is not answered without a "
                "curator; give proportions, histograms and means"
            )
        if question.as_published is not question:
            raise ValueError(
                f"{quoted(question.name)} is {question.words}, which needs a curator; give "
                'kind = "histogram" with labels = ["yes", "no"] and missing = "own"'
            )


def refuse_sample_of_survey(study: "Study", survey: Survey) -> None:
    """Refuse a sample that a survey's analysis or questions cannot have.

    Raises:
        ValueError: says what to give.
    """
    if not study.mechanism.trusted:
        if study.sampling.person_by_person and not study.assumed_of_values:
            most = max(survey.failure or question.failure or 0 for question in survey.questions)
            if study.mechanism.saw_toothed and most > _HALF:
                raise ValueError(
                    "where answers of a population fail more often than not, a survey without "
                    'a curator is analysed by a bound; give analysis = "hoeffding"'
                )
            return
        raise ValueError(
            "a survey without a curator is of independent people; leave clusters_of, "
            'design_effect and deviation_at_most out, or trust a curator: kind = "added-noise"'
        )
    for question in survey.questions:
        if isinstance(question, ShareByGroup):
            if not study.sample._replace(population=None).simple:
                raise ValueError(
                    f"{quoted(question.name)}, {question.words}, is for people drawn one by "
                    "one; leave clusters_of and design_effect out"
                )
            continue
        if not (study.sample.simple or isinstance(question, Share | Mean | Histogram)):
            raise ValueError(
                f"{question.name!r}, {question.words}, is for independent people; leave it "
                "out, or the sampling"
            )
    for mechanism in study.mechanism.alternatives or [study.mechanism]:
        for question in survey.questions:
            of_values = question.deviation if isinstance(question, Mean) else None
            sample = study.sampling.sample._replace(deviation=of_values)
            mechanism.floor_of_sample(0.5, 0.5, sample)
