"""Why there is no study: the conditions that clash, and a proof that a person can follow."""

import math
from collections.abc import Iterator
from dataclasses import replace

from planner.answer.answers import Answer, Infeasible, Undecided
from planner.answer.described import assuming
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import (
    TOLERANCE,
    Problem,
    is_computed,
    notes_on_none,
    problem_of,
)
from planner.answer.proof.certificate import is_covered, proved_none
from planner.answer.proof.plan import Proof
from planner.answer.search.find import best_aim, feasible, most_room, reader
from planner.libraries import np
from planner.mechanisms import LaplaceMean, kinds
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.floor import PROOF_ROOM
from planner.model import (
    Accuracy,
    Budget,
    Condition,
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    EpsilonAtMost,
    MaxParticipants,
    Study,
)
from planner.numbers import WHOLE_LIMIT, round_down
from planner.wording import money, persons, plain, several

WHOLE_NUMBER = "a whole number of participants"
_ABOUT_DELTA = (Delta, DeltaAtMost, DeltaTimesNAtMost)
_PARTS = 4001  # of a person that are looked at
_FARTHER, _FARTHER_BY = 2, 200
"""How far beyond a cap on people a proof that looks at each size goes to say how many it takes."""


def infeasible(study: Study, problem: Problem, prove: bool, little: bool = False) -> Answer:
    """The conflict with its proof; undecided where none is found, `little` being tried or much."""
    clash = conflict(problem)
    if is_computed(study) and clash.goals:
        return _not_found(study, problem, clash, prove)
    return _refuted(study, clash, prove, little)


def _not_found(study: Study, problem: Problem, clash: Problem, prove: bool) -> Answer:
    """A study that is computed: undecided near the edge of what is possible."""
    named, notes = labels(clash), notes_on_none(study)
    if said := _too_few(study) or _too_dear(study, clash):
        return Infeasible(study, named, Proof("floats", False, said), notes)
    said = f"No study was found that satisfies {several(list(named))}."
    if not prove:
        return Infeasible(study, named, Proof("floats", False, said), notes)
    said += (
        " Tests and comparisons of two groups are computed, and that there is none is not proved."
    )
    return Undecided(study, Proof("floats", False, said), notes)


def _too_few(study: Study) -> str:
    """That so few people as a cap allows do not do with any ε; empty where some do.

    Of people who randomise their answers it is not said, as their number ripples.
    """
    if not kinds.is_curated(study.mechanism):
        return ""
    problem = problem_of(study)
    floor, (_, delta) = problem.goals[0].floor, problem.delta_bounds
    most = max(min(r.participants_ceiling, WHOLE_LIMIT) for r in problem.regions(0.0))
    if most > _MOST_LOOKED_AT:
        return ""
    sizes = {int(n) for n in np.rint(np.geomspace(1, max(most, 1), _SIZES))}
    sizes |= set(range(max(int(most) - _NEAR_CAP, 1), int(most) + 1))
    if any(np.isfinite(floor.epsilon(float(n), delta)) for n in sizes):
        return ""
    people = "one person does" if most <= 1 else f"{persons(int(most))} do"
    return f"Computed, but not proved: {people} not do, however large ε is."


def _too_dear(study: Study, clash: Problem) -> str:
    """That what costs least is over a budget by more than a search may miss; else empty."""
    budgets = [condition for condition in clash.conditions if isinstance(condition, Budget)]
    least, _ = _least_cost(clash.without(*budgets)) if budgets else (0.0, 0)
    if least == math.inf or least <= (1 + _SPARE) * min((b.money for b in budgets), default=0.0):
        return ""
    about = f"{plain(round_down(least, _SAID))} {study.currency}".rstrip()
    return f"Computed, but not proved: the cheapest study that was found costs about {about}."


_MOST_LOOKED_AT, _SIZES, _NEAR_CAP = 10**7, 12, 8
"""How many sizes up to a cap are looked at, and those next to it; none where it is over the first.
"""
_QUICK = 20_000, 3_000
"""Of more people, with Gaussian noise of the second, a stronger claim takes long to prove."""
_FEW_BOXES = 150  # of a claim that is stronger than what is asked
_SPARE = 0.05
"""By what part under the least cost an amount lies of which a refutation is short."""
_SAID = 3
"""Digits of a cost that is known about."""


def _refuted(study: Study, clash: Problem, prove: bool, little: bool) -> Answer:
    """The study of one question as infeasible, where the checker refutes it; else undecided."""
    named, notes = labels(clash), notes_on_none(study)
    plainly = f"No number of participants and no ε satisfy {several(list(named))}."
    if not prove:
        return Infeasible(study, named, Proof("floats", False, plainly), notes)
    few = replace(study, conditions=tuple(c for c in study.conditions if c in clash.conditions))
    claims: list[tuple[Study, str, str, int | None]] = []
    if not little:
        claims = [(few, *claim, _FEW_BOXES) for claim in _claims(study, clash)]
    claims.append((few, "", plainly, None))
    together = (
        f"No number of participants and no ε meet all conditions; {several(list(named))} clash."
    )
    if few != study:
        claims.append((study, "", together, None))
    if not clash.goals and not is_covered(few):  # whatever is asked
        few = replace(few, mechanism=LaplaceMean("hoeffding"), target=Accuracy(0.5, 0.5))
        claims = [(few, "", plainly, None)]
    for of, line, said, boxes in claims:
        if proved_none(of, line, boxes):
            statement = f"{said[:-1]}{assuming(study)}."
            return Infeasible(study, named, Proof("certificate", True, statement), notes)
    if clash.goals and (said := _too_few(study)):
        return Infeasible(study, named, Proof("floats", False, said), notes)
    return Undecided(study, Proof("certificate", False, _undecided(study, clash)), notes)


def _claims(study: Study, clash: Problem) -> Iterator[tuple[str, str]]:
    """The clash with one of its amounts loosened: a line of a certificate, and what that says."""
    for claim, statement in _stronger_claims(clash, study.currency):
        for changed in set(claim.conditions) - set(clash.conditions):
            yield f"conditions.{changed.key} = {next(iter(vars(changed).values()))!r}", statement


def _undecided(study: Study, clash: Problem) -> str:
    """What was found of a study that is neither planned nor refuted."""
    reason = "No study was found, but the checker of certificates does not prove that none exists."
    budgets = [c for c in clash.conditions if isinstance(c, Budget)]
    least, _ = _least_cost(clash.without(*budgets)) if budgets else (math.inf, 0)
    if not math.isfinite(least):
        return reason
    found = f" The cheapest that was found without the budget costs {money(least, study.currency)}"
    amount = round_down((1 - 2 * _SPARE) * least, 3)
    if proved_none(study, f"conditions.budget = {amount!r}", _FEW_BOXES):
        return f"{reason}{found}; {plain(amount)} is proved to be too little."
    return f"{reason}{found}."


def conflict(problem: Problem) -> Problem:
    """The problem without the conditions that it is infeasible without as well.

    Side conditions are dropped first, so that accuracy and budget are blamed where they clash.
    One bound on δ stays as long as accuracy depends on δ: with δ near 1 all answers are accurate.
    """
    last = (Budget, Goal, *_ABOUT_DELTA)

    def rank(condition: Condition) -> int:
        return next((at for at, kind in enumerate(last, 1) if isinstance(condition, kind)), 0)

    for condition in sorted(problem.conditions, key=rank):
        bounds = [c for c in problem.conditions if isinstance(c, _ABOUT_DELTA)]
        if problem.uses_delta and bounds == [condition]:
            continue
        fewer = problem.without(condition)
        if not (feasible(fewer) or _may_be_larger(fewer)):
            problem = fewer
    return problem


def _may_be_larger(problem: Problem) -> bool:
    """Whether a study may exist that takes more people than are looked at."""
    regions = problem.regions(*problem.delta_bounds)
    return any(r.participants_ceiling > WHOLE_LIMIT and r.n_epsilon_room() > 0 for r in regions)


def labels(clash: Problem) -> tuple[str, ...]:
    """The clashing conditions, and the whole number of people where only that is in the way."""
    phrases = tuple(condition.label for condition in clash.conditions)
    return (*phrases, WHOLE_NUMBER) if _fits_between(clash) else phrases


def _fits_between(clash: Problem) -> bool:
    """Whether a fraction of a person would make the study feasible (at a fixed δ)."""
    low, high = clash.delta_bounds
    if clash.saw_toothed or low > high or (clash.uses_delta and low < high):
        return False
    for region in clash.regions(low):
        room, n = most_room(region)
        parts = np.linspace(max(1.0, n - 1.0), n + 1.0, _PARTS)
        if room > 0 and reader(region)(parts).allowed.any():
            return True
    return False


def _stronger_claims(clash: Problem, currency: str) -> Iterator[tuple[Problem, str]]:
    """The clash with one of its amounts loosened as far as it allows, and what that says."""
    for condition in clash.conditions:
        loosened = stronger(clash, condition, currency)
        if loosened is not None:
            claim, words = loosened
            others = [c.label for c in clash.conditions if c is not condition]
            yield clash.with_conditions(claim), f"Every study with {several(others)} {words}."


def stronger(clash: Problem, condition: Condition, currency: str) -> tuple[Condition, str] | None:
    """The condition loosened as far as the clash allows, and what that says."""
    rest = clash.without(condition)
    if not rest.conditions:
        return None
    match condition:
        case Budget(given):
            amount = _short_between(given, *_least_cost(rest), clash)
            if not amount:
                return None
            cost = f"{plain(amount)} {currency}".rstrip()
            return Budget(amount), f"costs more than {cost}, which exceeds {condition.label}"
        case MaxParticipants(given):
            if clash.saw_toothed:  # each size may have to be excluded by itself
                rest = rest.with_conditions(MaxParticipants(_FARTHER * given + _FARTHER_BY))
            fewest = best_aim(rest, "participants", TOLERANCE)
            if fewest is None:
                return None
            people = max(int(fewest.value) - 1, given)
            words = f"needs more than {plain(people)} participants, which exceeds {plain(given)}"
            return MaxParticipants(people), words
        case EpsilonAtMost(given):
            lowest = best_aim(rest, "epsilon", TOLERANCE)
            epsilon = lowest and _short_between(given, lowest.value, lowest.participants, clash)
            if not epsilon:
                return None
            words = f"needs an ε of more than {plain(epsilon)}, which exceeds {plain(given)}"
            return EpsilonAtMost(epsilon), words
    return None


def _least_cost(problem: Problem) -> tuple[float, int]:
    """The least cost of any study, and its N; ∞ if there is none."""
    aim = best_aim(problem, "cost", TOLERANCE)
    return (aim.value, aim.participants) if aim else (math.inf, 0)


def _short_between(given: float, least: float, participants: int, clash: Problem) -> float | None:
    """A number with few digits over `given` and not over `least`.

    At least six digits; three, and some per cent lower, where δ is free or a proof needs room, as
    in large studies: there `least` is known to a tolerance only, and a proof close to it takes many
    cells.
    """
    low, high = clash.delta_bounds
    counted = any(isinstance(goal.floor, CountFloor) for goal in clash.goals)
    if counted and participants > _QUICK[clash.uses_delta]:
        return None
    room = max((goal.floor.ripple(participants).spare for goal in clash.goals), default=0.0)
    if clash.saw_toothed:
        room = max(room, _SPARE)
    elif clash.uses_delta and low < high:
        room = max(room, PROOF_ROOM)
    fewest, least = (3, (1 - room) * least) if room else (6, least)
    candidates = (round_down(least, digits) for digits in range(fewest, 17) if least < math.inf)
    return next((number for number in candidates if number > given), None)
