"""One answer that is published: its number, and all that is computed from it alone."""

from dataclasses import replace

from planner.mechanisms.noisy_counts import PowerOfOne
from planner.model.by_group import ShareByGroup
from planner.publication.answered import among_answered
from planner.publication.decision import count_of, decide_one
from planner.publication.intervals import interval, noise_error, sampling_error
from planner.publication.items import Item, possible_range
from planner.publication.measurement import fitted, nearest
from planner.publication.parts import Part
from planner.publication.published import Published
from planner.publication.turnout import Error
from planner.publication.within_groups import within_groups


def published(part: Part, item: Item, value: float | list[float], error: Error) -> Published:
    """One answer, with all that is computed from it."""
    sample = part.plan.study.sampling.sample
    other_people = error.planned_failure is not None
    one = Published(
        part.named(item),
        item.kind,
        value,
        item.error,
        item.failure,
        item.noise,
        item.scale,
        nearest(item, value),
        item.group_names,
        interval(item, sample, value),
        noise_error(item),
        sampling_error(item, sample),
        fitted(item, value),
        error.planned if other_people else None,
        error.planned_failure,
        *possible_range(item),
        item.answer_rate,
        stratum=part.name,
        participants=item.participants if part.name else None,
        at=item.at if item.kind == "quantile" else None,
        candidates=item.groups if item.kind == "quantile" else None,
    )
    test = part.plan.study.test
    if test is not None and isinstance(value, float):
        assert isinstance(test, PowerOfOne)  # two groups are two parts
        count = count_of(value, item.participants)
        decision = decide_one(test, part.plan.epsilon, item.participants, count)
        return replace(one, test=decision)
    if item.by is not None and isinstance(value, list):
        return _within_groups(item, one, value)
    if item.answer_rate is None:
        return one
    values = item.values or (0.0, 1.0)
    answered = among_answered(one.error, one.numbers, one.intervals, values)
    return replace(one, answered=answered, values=item.values and [*item.values])


def _within_groups(item: Item, one: Published, cells: list[float]) -> Published:
    question = item.question
    assert isinstance(question, ShareByGroup)  # only it has a column for the group
    found = within_groups(item, question.share_at_least, cells)
    shares = [share for share, *_ in found]
    return replace(
        one, answer=shares, nearest=shares, interval=[ends for _, *ends in found],
        share_at_least=question.share_at_least, cells=cells,
    )  # fmt: skip
