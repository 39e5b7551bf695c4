"""A study as the tables of its file: what `reader.study_of` reads, the other way round."""

import math
from dataclasses import MISSING, asdict, fields
from typing import Any

from planner import model
from planner.mechanisms import Mechanism, kinds
from planner.model.difference import DifferenceWithin
from planner.numbers import decimal
from planner.study_file.failure import UNLIKELY
from planner.study_file.questions import question_tables


def tables_of(study: model.Study) -> dict[str, Any]:
    """The tables of a study file that describes this study; without the keys' defaults.

    Raises:
        ValueError: the study holds what no study file can describe.
    """
    survey = study.survey
    return {
        **{key: text for key in ("title", "currency") if (text := getattr(study, key))},
        "target": _target(study),
        **({"question": question_tables(survey)} if survey is not None else {}),
        "mechanism": _mechanism(study.mechanism),
        "individual": _individual(study.individual),
        **{key: table for key, table in _others(study).items() if table},
        **({"stratum": [_given(stratum) for stratum in study.strata]} if study.strata else {}),
    }


def _target(study: model.Study) -> dict[str, Any]:
    """[target]."""
    if study.power is not None:
        given = asdict(study.power)  # type: ignore[call-overload]
        unsaid = {"ratio": 1.0, "equivalence": False}
        kept = {k: v for k, v in given.items() if v is not None and unsaid.get(k) != v}
        return {"kind": study.power.file_kind, **kept}
    target: dict[str, Any] = {}
    failure: float | None
    if isinstance(study.target, DifferenceWithin):
        target, failure = {"kind": "difference", **_error(study.target)}, study.target.failure
        if study.target.ratio != 1:
            target["ratio"] = study.target.ratio
    elif study.survey is not None:
        failure = study.survey.failure
    else:
        target, failure = _error(study.accuracy), study.accuracy.failure
    if failure is not None:
        target["failure"] = failure
        if failure > UNLIKELY:
            target["allow_unlikely"] = True
    return target


def _error(target: model.Accuracy) -> dict[str, Any]:
    if target.error is None:
        low, high = target.values or (None, None)
        return {} if low is None else {"low": low, "high": high}
    if target.values is None:
        return {"error": target.error}
    low, high = target.values
    exact = decimal(target.error) * (decimal(high) - decimal(low))
    nearest = float(exact)
    tries = [float(f"{nearest:.{digits}g}") for digits in range(1, 18)]  # 17 tell all floats apart
    tries += [math.nextafter(nearest, side) for side in (math.inf, -math.inf)]
    for error in tries:
        if 0 < error <= high - low:
            read = target.of_values(error, low, high, target.failure)
            if read.error == target.error:
                table = {"error": error, "low": low, "high": high}
                deviation = target.deviation_at_most
                return table | ({"deviation_at_most": deviation} if deviation else {})
    raise ValueError(
        f"error = {target.error!r} of values from {low!r} to {high!r} is no float in their unit; "
        "build the target with Accuracy.of_values"
    )


def _mechanism(mechanism: Mechanism) -> dict[str, Any]:
    """[mechanism], with all its parameters."""
    given = {name: getattr(mechanism, name) for name in kinds.parameters(mechanism)}
    return {"kind": mechanism.kind} | {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value is not None
    }


def _individual(person: model.Individual) -> dict[str, Any]:
    """[individual]."""
    table = _given(person, "base_cost", "event", "events", "people", "curator")
    if person.event is not None:
        table["event"] = _given(person.event)
    if person.events:
        table["events"] = [_given(event) for event in person.events]
    if person.people is None:
        return {"base_cost": person.base_cost, **table}
    people = person.people
    return {"base_costs": people.base_costs.table(), "accept": people.accept, **table}


def _others(study: model.Study) -> dict[str, dict[str, Any]]:
    """[conditions], [costs], [sampling] and [records]."""
    conditions: dict[str, Any] = {}
    for condition in study.conditions:
        values = [getattr(condition, field.name) for field in fields(condition)]  # type: ignore[arg-type]
        if isinstance(condition, model.EpsilonAtLeastOneOverN):
            conditions[condition.key] = True
        elif isinstance(condition, model.TargetedPublication):
            conditions |= zip((condition.key, "universe_size"), values, strict=True)
        else:
            conditions[condition.key] = values[0]
    return {
        "conditions": conditions,
        "costs": _given(study.costs, "response_rate", "arrive"),
        "sampling": _given(study.sampling),
        "records": {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in _given(study.records).items()
        },
    }


def _given(thing: Any, *without: str) -> dict[str, Any]:
    return {
        field.name: value
        for field in fields(thing)
        if field.name not in without
        and (value := getattr(thing, field.name)) is not None
        and (field.default is MISSING or value != field.default)
    }
