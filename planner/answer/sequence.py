"""Several studies with the same people, one after another (Hsu14 §4.4).

Taking part in one study may raise a person's expected cost, so the next study has a larger base
cost: study j pays (e^ε_j − 1)·e^(ε_1 + … + ε_(j − 1))·E. The sum is (e^(Σε) − 1)E, what one study
at Σε would pay. The payments already account for the sum of the privacy losses, so no composition
theorem is applied. So the cheapest sequence is that of one study whose floor is the sum of the
floors, with people who take part in all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

from planner import numbers
from planner.answer.accepting import in_words
from planner.answer.answers import Given, study_of
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import TOLERANCE, Problem, problem_of
from planner.answer.proof.certificate import proved_none, proved_plan
from planner.answer.proof.conflict import conflict, stronger
from planner.answer.proof.none import excluded
from planner.answer.proof.plan import Proof, holds
from planner.answer.search.find import Aim, best_aim
from planner.answer.sequence_plan import NoSequence, SequencePlan, Step
from planner.mechanisms import AddedNoise, LaplaceMean, kinds
from planner.mechanisms.floor import FloorSum
from planner.model import (
    Budget,
    Choice,
    Condition,
    Costs,
    MaxParticipants,
    Mean,
    MinParticipants,
    Question,
    Sampling,
    Share,
    Study,
    Survey,
)
from planner.numbers import round_up
from planner.wording import EXACT_PAYMENTS, money, plain

_ROOMS = (1e-6, 1e-10, 1e-14)
"""The relative distances of each ε above its floor that are tried for few digits."""
_SHARED = (Budget, MaxParticipants, MinParticipants)


@dataclass(frozen=True)
class _All:
    """The targets of all studies at once."""

    labels: tuple[str, ...]
    kind: ClassVar[str] = "accuracy"
    symbol: ClassVar[str] = "alpha"

    @property
    def label(self) -> str:
        return "; ".join(self.labels)

    def promise(self, achieved: str) -> str:
        """What the sum of their ε does."""
        return f"every study is as accurate as required with {achieved} times its ε"


def plan_sequence(studies: Sequence[Given], prove: bool = True) -> SequencePlan | NoSequence:
    """Plan studies over the same people, to be run in this order.

    Their budgets are added up and must pay for all; caps on participants hold for all.

    Args:
        studies: two or more, or answers to them, of one individual, whose base cost is that before
            the first; with ε-private mechanisms, a target of error and failure, and no conditions
            but on money and participants.
        prove: whether the checker of certificates is to prove the answer.

    Raises:
        ValueError: the studies cannot form a sequence.

    Source: Hsu14 §4.4.
    """
    return _planned([study_of(study) for study in studies], prove)


def _planned(studies: Sequence[Study], prove: bool) -> SequencePlan | NoSequence:
    _check(studies)
    notes = (EXACT_PAYMENTS,) if any(study.costs.smallest_coin for study in studies) else ()
    studies = [study.unrounded for study in studies]
    problems = [problem_of(study) for study in studies]
    costs = Costs(
        _added(study.costs.per_person for study in studies),
        _added(study.costs.overhead for study in studies),
        _added(study.costs.per_invitation for study in studies),
    )
    goals = tuple(problem.goals[0] for problem in problems)
    every = Goal(_All(tuple(goal.label for goal in goals)), FloorSum(tuple(g.floor for g in goals)))
    together = Problem((every, *_conditions(studies)), studies[0].individual, costs)
    aim = best_aim(together, "cost", TOLERANCE)
    if aim is None:
        method = _excluded(studies, together) if prove else "floats"
        if method is None:
            reason = "No sequence was found, but we could not prove that none exists."
            return NoSequence("undecided", Proof("floats", False, reason))
        over = _over_budget(studies, together, prove)
        reason = "No number of participants, the same in every study, meets all conditions."
        return NoSequence("infeasible", over or Proof(method, prove, reason))
    others = together.without(together.goals[0])
    for offset, room in product((0, *(2**k for k in range(40))), _ROOMS):
        n = aim.participants + offset
        epsilons = [
            _shortest(study, goal, n, room, prove)
            for study, goal in zip(studies, goals, strict=True)
        ]
        printable = [e for e in epsilons if e is not None]
        if len(printable) == len(goals):
            plan = Choice(_added(printable), 0.0, n)
            if holds(others, plan, prove):
                found = _plan(studies, printable, plan, costs, aim, prove)
                return replace(found, notes=(*found.notes, *notes))
    reason = "A sequence seems to exist, but we could not prove one with printable numbers."
    return NoSequence("undecided", Proof("floats", False, reason))


def _excluded(studies: Sequence[Study], together: Problem) -> str | None:
    """How it is proved that no sequence exists; None where it is not.

    Studies of proportions and means with Laplace noise cost together what one survey of all their
    questions does, each with its own failure probability.
    """
    if not together.saw_toothed:
        return excluded(together)
    asked = [_question(f"study {at}", study) for at, study in enumerate(studies, 1)]
    questions = tuple(question for question in asked if question is not None)
    if len(questions) < len(studies):
        return None
    others = tuple(c for c in together.conditions if not isinstance(c, Goal))
    survey = Study(
        AddedNoise("laplace"), Survey(questions), together.individual, others, together.costs
    )
    return "certificate" if proved_none(survey) else None


def _question(name: str, study: Study) -> Question | None:
    """A study as a question of a survey; None where it is not one with exact Laplace noise."""
    if study.mechanism not in (LaplaceMean(), LaplaceMean(values="any")):
        return None
    target = study.accuracy
    if kinds.is_for_any_values(study.mechanism) or target.values is not None:
        return Mean(name=name, low=0, high=1, error=target.error, failure=target.failure)
    return Share(name, error=target.error, failure=target.failure)


def _over_budget(studies: Sequence[Study], together: Problem, prove: bool) -> Proof | None:
    """A proof that the studies cost more than their budgets, where the budgets clash; else None."""
    clash = conflict(together)
    currency, budgets = studies[0].currency, [c for c in clash.conditions if isinstance(c, Budget)]
    claim = stronger(clash, budgets[0], currency) if budgets else None
    if claim is None or not isinstance(claim[0], Budget):
        return None
    stronger_claim = clash.with_conditions(claim[0])
    method = _excluded(studies, stronger_claim) if prove else "floats"
    least, given = (f"{plain(x.money)} {currency}".rstrip() for x in (claim[0], budgets[0]))
    statement = f"Together the studies cost more than {least}; their budgets add up to {given}."
    return Proof(method, prove, statement) if method else None


def _check(studies: Sequence[Study]) -> None:
    if len(studies) < 2:
        raise ValueError("a sequence takes two studies or more; give another study")
    first, currency = studies[0].individual, studies[0].currency
    for study in studies:
        name = study.title or "a study"
        if study.groups == 2:
            raise ValueError(
                f"{name}: a sequence is of studies of all people; leave differences of groups out"
            )
        _ = study.accuracy
        if study.currency != currency:
            raise ValueError(
                f"{name}: its currency is {study.currency or 'none'}, that of the first study "
                f"{currency or 'none'}; a sequence adds up their money, so give one currency"
            )
        same = (replace(person, event=None, events=()) for person in (study.individual, first))
        if next(same) != next(same):
            raise ValueError(
                f"{name}: it has a different individual; a sequence has the same people, so give "
                "each study the same base_cost and worst_cost, those before the first"
            )
        if study.costs.incentive:
            raise ValueError(f"{name}: a sequence takes no incentive; leave it out")
        if study.mechanism.uses_delta or problem_of(study).delta_bounds[0]:
            raise ValueError(f"{name}: δ > 0; a sequence is planned for ε-private mechanisms only")
        if first.capped:
            raise ValueError(f"{name}: capped = true; a sequence adds up payments without a cap")
        if study.sampling != Sampling():
            raise ValueError(
                f"{name}: a sequence is for people drawn independently who all take part; leave "
                "its sampling out"
            )
        odd = [c for c in study.conditions if not isinstance(c, _SHARED)]
        if odd:
            raise ValueError(
                f"{name}: {odd[0].label} is for a single study; a sequence takes budget, "
                "min_participants and max_participants"
            )


def _conditions(studies: Sequence[Study]) -> list[Condition]:

    def given(kind: Any) -> list[Any]:
        return [condition for study in studies if (condition := study.find(kind)) is not None]

    conditions: list[Condition] = []
    if given(Budget):
        conditions.append(Budget(_added(budget.money for budget in given(Budget))))
    if given(MaxParticipants):
        conditions.append(MaxParticipants(min(cap.n for cap in given(MaxParticipants))))
    if given(MinParticipants):
        conditions.append(MinParticipants(max(least.n for least in given(MinParticipants))))
    return conditions


def _shortest(study: Study, goal: Goal, n: int, room: float, prove: bool) -> float | None:
    """The ε with the fewest digits just above the floor, which is proved to suffice."""
    floor, alone = float(goal.epsilon_floor(float(n), 0.0)), replace(study, conditions=())
    digits = (round_up(floor, digits) for digits in range(1, 18))
    tried = dict.fromkeys(epsilon for epsilon in digits if epsilon <= floor * (1 + room))
    for epsilon in tried:
        if not prove or proved_plan(alone, Choice(epsilon, 0.0, n)):
            return epsilon
    return None


def _plan(
    studies: Sequence[Study],
    epsilons: list[float],
    choice: Choice,
    costs: Costs,
    aim: Aim,
    prove: bool,
) -> SequencePlan:
    n, person, before, steps = choice.participants, studies[0].individual, 0.0, []
    for study, epsilon in zip(studies, epsilons, strict=True):
        base = person.base_cost + person.compensation(before)
        owed = person.compensation(before + epsilon) - person.compensation(before)
        target = study.accuracy
        failure = study.mechanism.failure_probability(epsilon, float(n), target.error)
        cost = study.costs.total(n, owed)
        steps.append(Step(study, epsilon, base, owed, cost, float(failure)))
        before += epsilon
    owed = person.compensation(choice.epsilon)
    cost = costs.total(n, owed)
    how = "Proved by the checker of certificates" if prove else "Computed, but not proved"
    shares = " + ".join(plain(epsilon) for epsilon in epsilons)
    statement = (
        f"{how} at N = {plain(n)} and ε = {shares}: every study is as accurate as required, and "
        f"together they cost at most {money(cost, studies[0].currency)}."
    )
    method = "certificate" if prove else "floats"
    return SequencePlan(
        tuple(steps), n, choice.epsilon, owed, cost, min(aim.value, cost), aim.attained,
        Proof(method, prove, statement), _people_notes(studies, n),
    )  # fmt: skip


def _people_notes(studies: Sequence[Study], participants: int) -> tuple[str, ...]:
    notes = [in_words(study, participants) for study in studies]
    answers = [
        f"{study.title or f'Study {at}'}: {sentence}"
        for at, (study, sentences) in enumerate(zip(studies, notes, strict=True), 1)
        for sentence in sentences[1:]
    ]
    return (*notes[0][:1], *answers)


def _added(amounts: Iterable[float]) -> float:
    return float(sum(map(numbers.decimal, amounts)))
