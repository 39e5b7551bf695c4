"""The certificate of an answer: its study, its claim and a cover (see `planner.certificate`)."""

from collections.abc import Iterator

from flint import ctx

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.problem.problem import problem_of
from planner.answer.proof.cover import Cover
from planner.certificate import check
from planner.mechanisms.exact import ExactFloor
from planner.mechanisms.mechanism import MechanismFloor
from planner.model import Condition, EpsilonAtLeastOneOverN, Study
from planner.privacy.trade_off import TradeOff


def certificate(answer: Answer) -> str:
    """The text of a certificate, which `planner/certificate/check.py` verifies by itself.

    What no rule of the checker covers stands in it as unproved, by name.

    Raises:
        ValueError: the answer is undecided, so that it claims nothing.
    """
    lines = claimed(answer)
    unproved = list(_not_covered(answer.study, lines[:-1]))
    if isinstance(answer, Infeasible) and not unproved:
        study = check.Study(lines[:-1])
        with ctx.workprec(check.PRECISION):
            lines += Cover(
                study, problem_of(answer.study).goals[0].floor, answer.study.individual
            ).lines()
    lines[:0] = [f"certificate of {len(lines) + len(unproved) + 1} lines", *unproved]
    return "\n".join([*lines, ""])


def claimed(answer: Answer) -> list[str]:
    """The lines of a study, by the keys of its file, and the claim of an answer to it.

    Raises:
        ValueError: the answer is undecided.
    """
    study = answer.study
    texts = {key: getattr(study, key) for key in ("title", "currency") if getattr(study, key)}
    lines = [f"{key} = {_printable(text)}" for key, text in texts.items()]
    lines += [f"{key} = {value}" for key, value in _numbers(study) if value is not None]
    if isinstance(answer, Plan):
        return [*lines, _feasible(answer)]
    if isinstance(answer, Infeasible):
        return [*lines, "claim infeasible"]
    raise ValueError("the answer is undecided, so it claims nothing that could be certified")


def _feasible(plan: Plan) -> str:
    """The claim of a plan."""
    n, epsilon, delta = plan.participants, plan.epsilon, plan.delta
    return f"claim feasible participants = {n}, epsilon = {epsilon!r}, delta = {delta!r}"


def _numbers(study: Study) -> Iterator[tuple[str, object]]:
    """Keys and values."""
    if study.mechanism.alternatives:
        return
    problem = problem_of(study)
    for goal in problem.goals:
        floor, mechanism = goal.floor, getattr(goal.floor, "mechanism", study.mechanism)
        yield "target.error", repr(getattr(floor, "error", None))
        yield "target.failure", repr(getattr(floor, "failure", None))
        yield "mechanism.kind", mechanism.kind
        for name in mechanism.parameters():
            value = getattr(mechanism, name)
            yield f"mechanism.{name}", _listed(value) if isinstance(value, tuple) else value
    person, rule = study.individual, study.individual.pieces[0]
    if person.listed_events:
        events = (f"{event.probability!r}, {event.cost!r}" for event in person.listed_events)
        yield "individual.events", "; ".join(events)
    else:
        for name, default in {"base_cost": 0, "worst_cost": None, "family": 1, "breach": 0}.items():
            value = getattr(rule, name)
            yield f"individual.{name}", None if value == default else repr(value)
        yield "individual.capped", 1 if person.capped else None
    for condition in problem.conditions:
        if condition not in problem.goals:
            yield from _condition(condition)
    for name in ("per_person", "overhead", "per_invitation", "incentive", "smallest_coin"):
        yield f"costs.{name}", repr(value) if (value := getattr(study.costs, name)) else None
    rate = study.costs.response_rate
    yield "sampling.response_rate", repr(rate) if rate != 1 else None


def _condition(condition: Condition) -> Iterator[tuple[str, object]]:
    """A condition's keys and values."""
    if isinstance(condition, EpsilonAtLeastOneOverN):
        yield f"conditions.{condition.key}", 1
    values = [getattr(condition, name) for name in condition.symbols]
    names = [condition.key, "universe_size"]
    for name, value in zip(names, values, strict=False):
        yield f"conditions.{name}", repr(value)


def _printable(text: str) -> str:
    """A text on one line, without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _listed(values: tuple[float, ...]) -> str:
    return ",".join(map(repr, values))


def _not_covered(study: Study, lines: list[str]) -> Iterator[str]:
    """What the checker has no rule for, by name."""
    if study.mechanism.alternatives:
        yield "unproved a study with several mechanisms to choose from"
        return
    sample = study.sampling
    if not sample.sample.simple or sample.secret:
        yield "unproved a sample of a finite population, of clusters or with a design effect"
    if type(study.individual.trade_off) is not TradeOff:
        yield "unproved payments by the mechanism's own trade-off function"
    (goal,) = problem_of(study).goals
    floor = goal.floor
    values = isinstance(floor, ExactFloor) and floor.share.law.any_values
    try:
        check.Study(lines)
        covered = isinstance(floor, ExactFloor) or type(floor) is MechanismFloor
    except check.RefusedError:
        covered = False
    if values or not covered:
        yield f"unproved {goal.label}, by {study.mechanism.words}"
