"""An answer checked again from what it states: its proof, and all that follows."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from planner.answer.answers import Answer, Infeasible, Plan, StrataPlan, TotalPlan
from planner.answer.described import LeastCost, described
from planner.answer.problem.problem import Problem, problem_of
from planner.answer.proof.certificate import claimed, proved_plan, sha256_of
from planner.answer.proof.plan import Proof, holds
from planner.answer.solve import solve
from planner.answer.strata import together
from planner.answer.strata.proof_of_total import wrong_of_total
from planner.certificate import verify
from planner.mechanisms import kinds
from planner.model import Choice
from planner.show import Shown
from planner.wording import money, plain, quoted

_APART = frozenset(
    ("study", "minimise", "least_cost", "attained", "notes", "alternatives", "slack", "proof")
)
"""What does not follow from ε, δ and N, and what is compared in a way of its own."""
_SAME = 1e-9
"""Relative: nine digits agree, whichever mathematical library computed the last ones."""
_QUESTION = "your inputs: the numbers of the study are taken as they are"
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


class Findings(Shown):
    """What checks have in common."""

    confirmed: tuple[str, ...]
    wrong: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing that was checked is wrong."""
        return not self.wrong

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "confirmed": list(self.confirmed),
            "wrong": list(self.wrong),
            "unchecked": list(self.unchecked),
        }


@dataclass(frozen=True, repr=False)
class Check(Findings):
    """What a check of an answer found.

    Attributes:
        answer: what was checked.
        confirmed: what was proved again, in phrases.
        wrong: what does not hold, in sentences; empty where everything does.
        unchecked: what the answer states and the check does not confirm, in phrases.
    """

    answer: Answer
    confirmed: tuple[str, ...]
    wrong: tuple[str, ...]
    unchecked: tuple[str, ...] = ()


def check(answer: Answer, certificate: str | None = None) -> Check:
    """Prove an answer again from what it states alone, and from its certificate where given.

    Of a plan, every condition is evaluated at its ε, δ and N, its accuracy by the checker.
    Payments, costs, noise and scales are computed again and compared to nine digits. That no study
    exists is proved again from the study. What the search alone knows, such as the least cost, is
    not checked, and is listed as such. A certificate must be about this study and this claim; by it
    an infeasible study is not solved again.

    Args:
        answer: a plan, or that there is none.
        certificate: its text, see `planner.certificate.check`.

    Raises:
        ValueError: the name of a file is given in place of the text.
    """
    if certificate is not None and Path(certificate.partition("\n")[0]).suffix == ".cert":
        raise ValueError(
            f"{certificate!r} is no certificate; give its text, as Path(...).read_text() reads it"
        )
    by = None if certificate is None else _by_certificate(answer, certificate)
    if isinstance(answer, Infeasible) and by and by.holds and not by.unchecked:
        words = "which conditions are in conflict, and the statement of the proof"
        return replace(
            by, unchecked=(_QUESTION, words, *(f"the remark: {n}" for n in answer.notes))
        )
    found = _again(answer)
    if by is None:
        return found
    return replace(
        found,
        confirmed=(*by.confirmed, *found.confirmed),
        wrong=(*by.wrong, *found.wrong),
        unchecked=(*by.unchecked, *found.unchecked),
    )


def _by_certificate(answer: Answer, text: str) -> Check:
    try:
        proved, unproved = verify(text)
        if proved != claimed(answer):
            return Check(answer, (), ("The certificate is about another study or answer.",))
    except ValueError as error:
        return Check(answer, (), (f"The certificate is refused: {error}.",))
    if unproved:
        return Check(answer, (), (), tuple(f"by the certificate: {step}" for step in unproved))
    return Check(answer, (f"the certificate of SHA-256 {sha256_of(text)}",), ())


def _again(answer: Answer) -> Check:
    if isinstance(answer, Plan):
        return _plan(answer)
    if isinstance(answer, StrataPlan):
        return _strata(answer)
    if isinstance(answer, TotalPlan):
        return _total(answer)
    if not isinstance(answer, Infeasible):
        reason = "The answer is undecided: it claims nothing that could be checked."
        return Check(answer, (), (reason,))
    again = solve(answer.study)
    if not isinstance(again, Infeasible):
        return Check(answer, (), (f"That no study exists is not proved: {again.proof.statement}",))
    if set(again.conflict) != set(answer.conflict):
        said = f"The conditions in conflict are not those stated, but: {'; '.join(again.conflict)}."
        return Check(answer, (), (said,), (_QUESTION,))
    wrong, unchecked = _argument(answer.proof, again.proof)
    unchecked += (_QUESTION, *_remarks(answer.notes, again.notes))
    return Check(answer, ("no study meets all conditions",), wrong, unchecked)


_COMPUTED = "it is computed, and the checker does not prove it"


def _total(plan: TotalPlan) -> Check:
    accuracy, wrong = plan.study.target.label, tuple(wrong_of_total(plan))
    computed = bool(wrong) and not plan.proof.checked
    if computed:  # all else is confirmed
        wrong = tuple(wrong_of_total(plan, prove=False))
    holding = [condition.label for condition in plan.study.conditions]
    holding += ["noise, payments and costs of all strata together"]
    said = [f"{accuracy}: {_COMPUTED}"] if computed else []
    confirmed = () if wrong else (*([] if computed else [accuracy]), *holding)
    return Check(plan, confirmed, wrong, (_QUESTION, *said, "that no study is cheaper"))


def _strata(plan: StrataPlan) -> Check:
    found = [(one.study.title, _plan(one)) for one in plan.strata]
    wrong = [*together.wrong(plan)]
    wrong += [f"Stratum {quoted(name)}: {said}" for name, one in found for said in one.wrong]
    unchecked = [f"stratum {name}: {x}" for name, one in found for x in one.unchecked]
    confirmed = [f"stratum {name}: {x}" for name, one in found for x in one.confirmed]
    if not wrong:
        confirmed.append("the confidence, participants and cost of all strata together")
    unchecked = [
        _QUESTION,
        "that no study is cheaper",
        *(x for x in unchecked if _QUESTION not in x),
    ]
    return Check(plan, tuple(confirmed), tuple(wrong), tuple(unchecked))


def _plan(plan: Plan) -> Check:
    """The check of a plan, and of the plans by other mechanisms that it lists."""
    study, choice = plan.study, Choice(plan.epsilon, plan.delta, plan.participants)
    problem = problem_of(study)
    confirmed, wrong = [], []
    for condition in problem.conditions:
        if holds(replace(problem, conditions=(condition,), costs=study.costs), choice):
            confirmed.append(condition.label)
        else:
            wrong.append(f"At this ε, δ and N, {condition.label} is not met.")
    computed = (
        ()
        if wrong or proved_plan(study, choice, late=True)
        else tuple(g.label for g in problem.goals)
    )
    confirmed = [label for label in confirmed if label not in computed]
    if not 0 <= plan.least_cost <= plan.cost:
        wrong.append(f"The least cost, {plan.least_cost!r}, is not between 0 and the cost.")
    unchecked: tuple[str, ...] = (
        _QUESTION,
        *(f"{label}: {_COMPUTED}" for label in computed),
        *_of_the_best(plan),
        *(f"what is assumed: {one}" for one in study.assumed),
    )
    if not wrong:
        least = LeastCost(plan.least_cost, plan.attained)
        again = described(study, plan.minimise, choice, least, proved=plan.proof.checked)
        found = [*differences(_following(plan), _following(again)), *_slacks(plan, again, problem)]
        wrong += found
        if not found:
            confirmed.append("payments, costs, noise and scales, to nine digits")
        contradicted, worded = _argument(plan.proof, again.proof)
        wrong += contradicted
        unchecked += (*worded, *_remarks(plan.notes, again.notes))
    for other in plan.alternatives:
        words = kinds.words(other.study.mechanism)
        if isinstance(other, Plan):
            one = _plan(other)
            wrong += [f"By {words}: {said}" for said in one.wrong]
            unchecked += tuple(f"by {words}: {x}" for x in one.unchecked if x != _QUESTION)
        else:
            unchecked += (f"by {words}: that the answer is {other.verdict}",)
    return Check(plan, tuple(confirmed), tuple(wrong), unchecked)


def _of_the_best(plan: Plan) -> tuple[str, ...]:
    """What a plan says of others; nothing of money where the study costs none."""
    free = plan.study.costs_nothing
    sought = "participants" if free and plan.minimise == "cost" else plan.minimise
    best = f"that {_SMALLEST[sought]}"
    if free:
        return (best,)
    least = money(plan.least_cost, plan.study.currency)
    attained = ", and that a study attains it" if plan.attained else ""
    return (best, f"that the least cost is {least}{attained}")


_SMALLEST = {
    "cost": "no study is cheaper",
    "participants": "no study has fewer participants",
    "epsilon": "no study has a smaller ε",
}


def _slacks(plan: Plan, again: Plan, problem: Problem) -> Iterator[str]:
    """Where a slack is not the difference of the two sides of its condition.

    The difference is taken of what the plan states of its failure, cost or payment: recomputed
    ones agree to nine digits, and the difference of two that are nearly equal has fewer.
    """
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    computed = dict(again.slack)
    for condition in problem.conditions:
        left, right = condition.sides(choice, plan.study.individual, plan.study.costs)
        for stated in (plan.failure, plan.cost, plan.compensation):
            if stated is not None and condition.relation != "=" and _same(stated, float(left)):
                computed[condition.label] = float(right) - stated
    yield from differences(plan.slack, computed, "slack")


def _argument(stated: Proof, again: Proof) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What of a stated proof is contradicted, and what is only worded in another way."""
    if stated == again:
        return (), ()
    same = stated.checked == again.checked and same_numbers(stated.statement, again.statement)
    if not same:
        return (f"The argument is not the one stated, but: {again.statement}",), ()
    return (), (f"the words of the argument, which are now: {again.statement}",)


def _remarks(stated: tuple[str, ...], again: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"the remark {note!r}" for note in stated if note not in again)


def same_numbers(stated: str, computed: str) -> bool:
    """Whether two texts state the same numbers; words may change between versions."""
    return _NUMBER.findall(stated) == _NUMBER.findall(computed)


def _following(plan: Plan) -> dict[str, Any]:
    """What follows from a plan's study, ε, δ and N."""
    return {f.name: getattr(plan, f.name) for f in fields(plan) if f.name not in _APART}


def differences(stated: Any, computed: Any, name: str = "") -> Iterator[str]:
    """Where two values, or plain data, are not the same to nine digits, in sentences."""
    if is_dataclass(stated) and type(stated) is type(computed):
        stated, computed = asdict(stated), asdict(computed)  # type: ignore[arg-type]
    elif hasattr(stated, "_asdict") and hasattr(computed, "_asdict"):
        stated, computed = stated._asdict(), computed._asdict()
    if isinstance(stated, Mapping) and isinstance(computed, Mapping):
        for key in dict.fromkeys((*stated, *computed)):
            place = f"{name}.{key}".strip(".")
            yield from differences(stated.get(key), computed.get(key), place)
    elif _listed(stated) and _listed(computed) and len(stated) == len(computed):
        for at, pair in enumerate(zip(stated, computed, strict=True), 1):
            yield from differences(*pair, name=f"{name} {at}")
    elif not _same(stated, computed):
        yield _difference(name, stated, computed)


def _difference(name: str, stated: Any, computed: Any) -> str:
    return f"{name} = {_shown(stated)}, but {_shown(computed)} follows from ε, δ and N."


def _listed(value: Any) -> bool:
    return isinstance(value, tuple | list)


def _same(stated: Any, computed: Any) -> bool:
    numbers = [isinstance(x, int | float) for x in (stated, computed)]
    if all(numbers) and not isinstance(stated, bool) and not isinstance(computed, bool):
        return math.isclose(stated, computed, rel_tol=_SAME)
    return bool(stated == computed)


def _shown(value: Any) -> str:
    return plain(value) if isinstance(value, int | float) else repr(value)
