"""A study with another value of one quantity, for limits, prices, sweeps and uncertain inputs."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeAlias, cast

from planner import model
from planner.mechanisms import Mechanism, kinds
from planner.model import (
    Accuracy,
    Condition,
    Delta,
    DeltaAtMost,
    Individual,
    Sampling,
    Stratum,
    Study,
    Survey,
)
from planner.model.difference import Difference, DifferenceWithin
from planner.quantities import OF_QUESTIONS, QUANTITIES, of_question

Varied: TypeAlias = str
"""The name of a row of `QUANTITIES`."""


def condition_of(quantity: Varied) -> tuple[Any, str] | None:
    """The condition that a quantity is, and the field of it; None where it is none."""
    kind, _, field = QUANTITIES[quantity].condition.partition(".")
    return (getattr(model, kind), field) if kind else None


def value_of(study: Study, quantity: Varied) -> float | None:
    """The study's own value of a quantity; None where it has none.

    "participants" and "epsilon" are the caps on them, "delta" the fixed δ or its cap.
    """
    if of_question(quantity):
        name, _, field = quantity.rpartition(".")
        of_stratum = _stratum(study, name)
        return getattr(of_stratum or study.asked(name), field, None)
    if quantity == "delta":
        fixed, capped = study.find(Delta), study.find(DeltaAtMost)
        return fixed.value if fixed else capped.x if capped else None
    if condition := condition_of(quantity):
        kind, name = condition
        return getattr(study.find(kind), name, None)
    if quantity == "queries":
        return getattr(study.mechanism, "queries", None)
    if quantity == "change":
        return study.power.distance if study.power else None
    if quantity == "times_error":
        return 1.0 if study.survey or own_errors(study) else None
    if QUANTITIES[quantity].section == "target":
        return getattr(study.target, quantity, None)
    section = QUANTITIES[quantity].section
    holder = getattr(study, section)
    if section == "sampling" and getattr(holder, quantity) == getattr(Sampling(), quantity):
        return None  # it is as where nothing is said of it
    if quantity == "response_rate" and moves_population(study):
        return None
    value: float | None = getattr(holder, quantity)
    return value


def moves_population(study: Study) -> bool:
    """Whether the response rate is also how many people the answer is about."""
    return study.sampling.about == "respondents" and study.sampling.population is not None


def with_value(study: Study, quantity: Varied, value: float) -> Study:
    """The study with this value of a quantity, and all else as it is.

    Raises:
        ValueError: the value is not allowed, or the study has no such quantity.
    """
    return with_values(study, {quantity: value})


def with_values(study: Study, values: Mapping[Any, float]) -> Study:
    """The study with these values of some quantities at once; see `with_value`.

    A δ is fixed, and takes the place of a cap on it.
    """
    given: dict[str, float] = {
        name: int(value) if QUANTITIES[name].whole and float(value).is_integer() else value
        for name, value in values.items()
    }

    def of(section: str) -> dict[str, Any]:
        return {name: x for name, x in given.items() if QUANTITIES[name].section == section}

    changes: dict[str, Any] = {}
    if own := {name: x for name, x in given.items() if _stratum(study, name.rpartition(".")[0])}:
        changes["strata"] = tuple(
            replace(one, error=own.get(f"{one.name}.error", one.error)) for one in study.strata
        )
        given = {name: x for name, x in given.items() if name not in own}
    if any(map(of_question, given)):
        changes["target"] = _asking(study, given)
    elif study.survey is not None and (shared := of("target")):
        changes["target"] = _sharing(study.survey, shared)
    elif "times_error" in given:
        changes["strata"] = _times(study, given["times_error"])
    elif "error" in given and own_errors(study):
        raise ValueError(
            "each stratum has its own error; give times_error, a factor on all errors, or that of "
            f"one stratum, such as {study.strata[0].name}.error"
        )
    elif target := of("target"):
        power = study.power
        changes["target"] = power.varied(target) if power else _aiming(study, target)
    if costs := of("costs"):
        changes["costs"] = replace(study.costs, **costs)
    if person := of("individual"):
        changes["individual"] = _losing(study.individual, person)
    if sampling := of("sampling"):
        changes["sampling"] = replace(study.sampling, **sampling)
    if "queries" in given:
        changes["mechanism"] = _asked(study.mechanism, given["queries"])
    study = replace(study, **changes) if changes else study
    if "delta" in given:
        kept = tuple(c for c in study.conditions if not isinstance(c, DeltaAtMost))
        study = replace(study, conditions=kept)
    for name, value in given.items():
        if condition := condition_of(name):
            study = with_condition(study, condition[0](value))
    return study


def own_errors(study: Study) -> bool:
    """Whether each stratum is planned for an error of its own."""
    return study.survey is None and any(one.error is not None for one in study.strata)


def _times(study: Study, factor: float) -> tuple[Stratum, ...]:
    """The strata with all their errors multiplied."""
    if not own_errors(study):
        raise ValueError("times_error is for the errors of questions or strata; give error")
    return tuple(one.with_error_times(factor) for one in study.strata)


def questions_varied(study: Study) -> tuple[Varied, ...]:
    """The quantities of a survey's questions that can be varied; none where one is asked.

    Of questions that differ in their names alone, those of the first: see `alike`.
    """
    if study.survey is None:
        return ()
    names = [f"{name}.{field}" for name in study.survey.distinct for field in OF_QUESTIONS]
    return tuple(name for name in names if value_of(study, name) is not None)


def alike(study: Study, quantity: Varied) -> tuple[str, ...]:
    """The names of the other questions that are like that of a quantity, whatever is said of it."""
    if study.survey is None or not of_question(quantity):
        return ()
    return study.survey.alike(quantity.rpartition(".")[0])


def _aiming(study: Study, values: dict[str, float]) -> Accuracy | Difference:
    """The target with other values; it has no error where strata have their own."""
    accuracy = study.accuracy
    own = {field.name: getattr(accuracy, field.name) for field in fields(accuracy)}
    for name in values.keys() - own.keys():
        raise ValueError(f"{name} is that of a test; give error or failure")
    if isinstance(study.target, DifferenceWithin):
        return replace(study.target, **values)  # type: ignore[arg-type]  # its error and failure
    return Accuracy(**{name: x for name, x in (own | values).items() if x is not None})


def _stratum(study: Study, name: str) -> Stratum | None:
    if study.survey is not None:
        return None
    return next((one for one in study.strata if one.name == name), None)


def _asking(study: Study, values: Mapping[str, float]) -> Survey:
    survey = study.survey
    for name, value in values.items():
        if of_question(name):
            question, _, field = name.rpartition(".")
            own = study.asked(question)
            changed = (
                own.with_error(value) if field == "error" else replace(own, **{field: value})  # type: ignore[arg-type]
            )
            survey = (survey or Survey(())).with_question(changed)
    assert survey is not None  # it has these questions
    shared = {name: x for name, x in values.items() if QUANTITIES[name].section == "target"}
    return _sharing(survey, shared) if shared else survey


def _sharing(survey: Survey, values: Mapping[str, float]) -> Survey:
    if "times_error" in values:
        survey = survey.with_errors_times(values["times_error"])
    if "failure" in values and survey.failure is not None:
        survey = replace(survey, failure=values["failure"])
    elif values.keys() - {"times_error"}:
        what = "failure" if "failure" in values else "error"
        raise ValueError(own_of_questions(survey, what))
    return survey


def own_of_questions(survey: Survey, what: str) -> str:
    """Why the questions of a survey have no common error, and what to give, as a sentence."""
    name = survey.questions[0].name
    factor = "times_error, a factor on all errors, or " if what == "error" else ""
    return (
        f"each question of a survey has its own {what}; give {factor}that of one question, such as "
        f"{name}.{what}"
    )


def without(study: Study, quantity: Varied) -> Study:
    """The study without the condition that a quantity is."""
    kind, _ = condition_of(quantity) or (type(None), "")
    kept = tuple(c for c in study.conditions if not isinstance(c, kind))
    return replace(study, conditions=kept)


def with_condition(study: Study, condition: Condition) -> Study:
    """The study with this condition in place of one of its kind."""
    kept = (c for c in study.conditions if type(c) is not type(condition))
    return replace(study, conditions=(*kept, condition))


def _losing(person: Individual, costs: dict[str, float]) -> Individual:
    if "worst_cost" not in costs:
        return person.with_base_cost(costs["base_cost"])
    people = person.people
    if people is not None and "base_cost" in costs:
        people = people.paid_for(costs["base_cost"])
    return replace(person, people=people, **cast("dict[str, Any]", costs))


def _asked(mechanism: Mechanism, queries: float) -> Mechanism:
    if not hasattr(mechanism, "queries"):
        said = kinds.words(mechanism)
        raise ValueError(f"{said} answers one question; give times to ask several")
    return replace(mechanism, queries=queries)  # type: ignore[type-var]
