"""A study in words, before it is solved: a title, and a row for each thing that it says."""

from dataclasses import fields
from typing import Any

from planner.explanation.question import amount, fear, labels, title_of
from planner.mechanisms import Mechanism, kinds
from planner.model import Study
from planner.quantities import QUANTITIES
from planner.wording import plain


def title(study: Study) -> str:
    """Its name, cut where it is long."""
    return title_of(study)


def rows(study: Study) -> list[tuple[str, str]]:
    """The mechanism, the target, what people fear, the conditions, the costs and the sampling."""
    phrases = labels(study)
    survey = study.survey
    asked = [(one.name, one.words) for one in survey.questions] if survey else []
    mechanisms = kinds.choices(study.mechanism)
    return [
        *(row for one in mechanisms for row in _mechanism(study, one)),
        ("target", phrases[study.target.label]),
        *asked,
        ("people", fear(study)),
        *_given(study, study.individual, "base_cost", "worst_cost", "curator"),
        *(("condition", phrases[one.label]) for one in study.conditions),
        *_given(study, study.costs, "response_rate", "arrive"),
        *_given(study, study.sampling),
    ]


def _mechanism(study: Study, one: Mechanism) -> list[tuple[str, str]]:
    return [("mechanism", kinds.words(one)), *_given(study, one)]


def _given(study: Study, part: Any, *without: str) -> list[tuple[str, str]]:
    """The numbers of a part of a study that differ from their defaults."""
    shown = []
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in without or value == field.default or not isinstance(value, int | float):
            continue
        row = QUANTITIES.get(field.name)
        money = part is study.costs if row is None else row.money
        words = amount(value, study) if money else "yes" if value is True else plain(value)
        shown.append((row.words if row else field.name.replace("_", " "), words))
    return shown
