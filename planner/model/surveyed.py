"""What a study of several questions can be, and what it cannot."""

from typing import TYPE_CHECKING

from planner.mechanisms import AddedNoise
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Mean, Share
from planner.model.survey import Survey
from planner.wording import quoted

if TYPE_CHECKING:
    from planner.model.study import Study


def refuse_survey(study: "Study", survey: Survey) -> None:
    """Refuse a survey by a mechanism that answers one question, or not these.

    Raises:
        ValueError: says what to give.
    """
    if not all(m.surveys for m in study.mechanism.alternatives or [study.mechanism]):
        raise ValueError(
            f"a survey of several questions is answered by {AddedNoise.kind}, not "
            f'{study.mechanism.words}; give kind = "added-noise"'
        )


def refuse_sample_of_survey(study: "Study", survey: Survey) -> None:
    """Refuse a sample that a survey's analysis or questions cannot have.

    Raises:
        ValueError: says what to give.
    """
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
