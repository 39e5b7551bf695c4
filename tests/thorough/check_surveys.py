"""A survey's verdict and plan against the best splits that the oracle finds at each N."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import planner
from planner.decisions.changes import limits
from tests.thorough import oracle_questions, oracle_survey as oracle
from tests.thorough.differences import Difference, build, guarded
from tests.thorough.survey_case import Case, code, least_epsilon

CONVEX_UP_TO = 0.25
_ROOM = 1e-3
"""By what part of α a target is made harder before a plan is held to be the best or must exist."""
_TINY = 1 + 1e-9
_PRINTED = 1e-5
_PROVABLE = 0.9
"""That none exists must be proved where not even this part of the least ε is allowed."""
_FIELDS = {
    "budget": "budget", "failure": "failure", "base_cost": "base_cost",
    "epsilon_at_most": "epsilon_at_most",
}  # fmt: skip
"""Quantities whose relaxations are planned and checked too, and the fields of a survey."""
_ROUGH, _FEW = 0.01, 30
"""Where floors are not proven to be convex in α, over 1/4, or are rough, in exact studies of few
people, the split found may not be the best."""


def differences(case: Case) -> list[Difference]:
    """All that program and oracle differ in."""
    found: list[Difference] = []
    answer = guarded("solve", case, lambda: planner.solve(build(code(case))), found)  # type: ignore[arg-type]
    if answer is not None:
        found.extend(Difference(name, case, words) for name, words in _compared(case, answer))  # type: ignore[arg-type]
    if answer is not None and answer.verdict == "infeasible":
        changes = guarded("relaxations", case, lambda: limits(answer), found)  # type: ignore[arg-type]
        found.extend(
            Difference(f"relaxed {change.quantity}: {name}", case, words)  # type: ignore[arg-type]
            for change in changes or ()
            for name, words in _relaxed(case, change)
        )
    return found


def _relaxed(case: Case, change: Any) -> Iterator[tuple[str, str]]:
    """What the plan of a relaxed survey does not keep."""
    if change.plan is None or change.quantity not in _FIELDS:
        return
    plain = replace(case, **{_FIELDS[change.quantity]: change.to})
    study = build(code(plain))
    plan = planner.solve(study)
    if plan.verdict == "feasible":
        yield from _broken(plain, plan)
    elif change.attained:
        yield "not feasible", f"at {change.to!r}"


def _compared(case: Case, answer: Any) -> Iterator[tuple[str, str]]:
    sizes = range(case.least, case.most + 1)
    if answer.verdict == "infeasible":
        for n in sizes:
            epsilon = least_epsilon(case, n, case.failure)
            if case.allowed(n, epsilon * _TINY):
                yield "false infeasible", f"N={n} ε={epsilon!r} suffices"
        return
    if answer.verdict == "feasible":
        yield from _broken(case, answer)
    loose = 1 + _PRINTED
    rough = case.analysis == "exact" and case.most < _FEW
    loose += _ROUGH if rough or case.failure > CONVEX_UP_TO else 0.0
    hard = {n: least_epsilon(case, n, case.failure * (1 - _ROOM)) * loose for n in sizes}
    allowed = {n: epsilon for n, epsilon in hard.items() if case.allowed(n, epsilon)}
    if answer.verdict == "undecided":
        near = any(case.allowed(n, _PROVABLE * epsilon) for n, epsilon in hard.items())
        if allowed:
            yield "undecided though one exists", f"suffices: {allowed}"
        elif not near and _ruled(case):
            yield "undecided", f"least found: {hard}"
    elif allowed:
        least = min(case.cost(n, epsilon) for n, epsilon in allowed.items())
        if answer.cost > least * _TINY:
            words = f"N={answer.participants} ε={answer.epsilon!r} costs {answer.cost!r}"
            yield "cost over the least", f"{words}, {least!r} is enough: {allowed}"


def _ruled(case: Case) -> bool:
    """Whether rules of the checker are about the survey."""
    simple = case.noise == "laplace" and case.population is None and case.clusters == 1
    kinds = {asked.kind for asked in case.questions}
    return simple and kinds <= {"share", "histogram", "mean", "quantile"}


def _broken(case: Case, plan: Any) -> Iterator[tuple[str, str]]:
    """What a plan does not keep, by the oracle's formulas."""
    n, epsilon = plan.participants, plan.epsilon
    here = f"N={n} ε={epsilon!r}"
    if not case.least <= n <= case.most or plan.delta != case.spent:
        yield "sizes or δ", here
    if not case.allowed(n, epsilon / _TINY):
        yield "ceilings", f"{here} costs {plan.cost!r}"
    if not math.isclose(plan.cost, case.cost(n, epsilon), rel_tol=1e-9):
        yield "cost of the plan", f"{here} costs {plan.cost!r}, true {case.cost(n, epsilon)!r}"
    rates, total, stated = [], 0.0, 0.0
    for asked, question in zip(case.asked(n), plan.questions, strict=True):
        rate = question.epsilon
        if case.noise == "gaussian":
            moved = math.sqrt(2) if asked.kind in ("histogram", "by-group") else 1.0
            rate = moved / (n * question.scale)
        failing = oracle_questions.failure(asked, case.noise, case.analysis, n, rate)
        if failing > question.failure * _TINY:
            yield "question fails", f"{here} {asked} fails {failing!r}, said {question.failure!r}"
        rates += [rate] * asked.times
        total += asked.times * failing
        stated += asked.times * question.failure
    if max(total, stated / _TINY) > case.failure * _TINY:
        yield "failure", f"{here} {total!r}, stated {stated!r}"
    needed = oracle.epsilon(tuple(rates), case.noise, case.delta)
    if needed > epsilon * _TINY:
        yield "ε", f"{here}, the questions need {needed!r}"
