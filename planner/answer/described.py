"""A plan with everything that follows from its ε, δ and N.

To the answer of one question it adds noise of some kind and scale.
"""

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import inf
from typing import NamedTuple

from planner.answer.accepting import in_words
from planner.answer.answers import Plan, card_of
from planner.answer.problem.problem import Problem, is_computed, problem_of
from planner.answer.proof.plan import Proof
from planner.answer.question_plan import question_plans
from planner.answer.sample_plan import invitations, sample_notes
from planner.mechanisms import Mechanism, kinds
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.floor import Floor
from planner.mechanisms.many_people import LARGE
from planner.mechanisms.randomized_response import ReportsFloor
from planner.model import Choice, Study
from planner.numbers import decimal
from planner.privacy.gaussian import certain_scale
from planner.wording import at_most, money, persons, plain

_DIGITS = 15  # decimals of so many digits are told apart by doubles


_BOUNDED = (
    "Of so many people counts are not summed: the probability of a larger error is a bound for "
    "all proportions at once. Sums might do with a few per cent less ε."
)
_UNLIMITED = (
    "Nobody is paid and nothing limits ε, so these are nearly the fewest people, with little "
    "privacy. Give the ε that you have (epsilon_at_most), or the people that you have "
    "(max_participants) and the least ε with them (--minimise epsilon)."
)


class LeastCost(NamedTuple):
    """The infimum of the cost over all studies that keep to the conditions.

    Attributes:
        value: the infimum [money].
        attained: whether a study attains it.
    """

    value: float
    attained: bool


def _bounded(floor: Floor, participants: int) -> bool:
    """Whether the failure of so many people is a bound, where that of fewer is a sum."""
    if isinstance(floor, CountFloor):
        return participants > floor.noisy.summed_at_most
    return isinstance(floor, ReportsFloor) and participants > LARGE


def _unlimited(problem: Problem, mechanism: Mechanism, choice: Choice) -> bool:
    """Whether nothing keeps ε from being larger at the plan's N and δ: no condition, no card."""
    _, delta, participants = choice
    given = getattr(mechanism, "probability", None) is not None
    return not given and all(
        condition.epsilon_ceiling(participants, delta, person, problem.costs) == inf
        for condition in problem.conditions
        for person in problem.individual.pieces
    )


def slack_of(study: Study, choice: Choice) -> dict[str, float]:
    """The room left in each condition, in its own unit."""
    return {
        condition.label: float(condition.slack(choice, study.individual, study.costs))
        for condition in problem_of(study).conditions
    }


def described(
    study: Study,
    minimise: str,
    choice: Choice,
    least: LeastCost,
    proved: bool,
    notes: tuple[str, ...] = (),
) -> Plan:
    """The plan of a study with what it costs, achieves and leaves, and with what to run."""
    problem = problem_of(study)
    owed = study.individual.compensation(choice.epsilon, choice.delta)
    compensation = study.costs.payment(owed)
    cost = study.costs.total_of(choice.participants, owed)
    goal = problem.goals[0]
    any_epsilon = choice.epsilon <= 2 * goal.floor.regularity.stands_for_any
    if any_epsilon:
        notes = (
            *notes,
            f"At this size the reader's prior knowledge is enough, so every ε works; the plan uses "
            f"ε = {plain(choice.epsilon)}, and the least cost is approached but not reached.",
        )
    if cost == inf:
        notes = (
            *notes,
            "At this ε the compensation is too large for a floating-point number; give a budget, a "
            "max_harm or an epsilon_at_most.",
        )
    if (
        minimise != "epsilon"
        and study.costs_nothing
        and _unlimited(problem, study.mechanism, choice)
    ):
        notes = (*notes, _UNLIMITED)
    achieved = goal.floor.achieved(choice.epsilon, choice.participants, choice.delta)
    always = goal.floor.always_from(choice.epsilon, choice.participants, choice.delta)
    delta = f", δ = {plain(choice.delta)}" if choice.delta else ""
    noise = noise_of(study, choice)
    promised = at_most(achieved, 4) if is_computed(study) else plain(goal.floor.allowed)
    method = "certificate" if proved else "floats"
    costs = f"the study costs at most {money(cost, study.currency)}, "
    if study.costs_nothing:
        costs = ""
    statement = (
        f"{_HOW[method]} at ε = {plain(choice.epsilon)}{delta} and "
        f"N = {plain(choice.participants)}: "
        f"{goal.target.promise(promised)}, {costs}and every condition holds{assuming(study)}."
    )
    return Plan(
        study=study,
        minimise=minimise,
        epsilon=choice.epsilon,
        delta=choice.delta,
        participants=choice.participants,
        compensation=compensation,
        cost=cost,
        failure=achieved,
        slack=slack_of(study, choice),
        least_cost=min(least.value, cost),
        attained=least.attained and not any_epsilon,
        proof=Proof(method, proved, statement),
        notes=(
            *notes,
            *_drop_out_note(choice.participants, always, study.most_participants),
            *([_FEWER] if goal.floor.fewer_unproved(choice.participants) else []),
            *([_BOUNDED] if _bounded(goal.floor, choice.participants) else []),
            *_people_note(study, choice),
            *sample_notes(study, choice),
        ),
        always_from=always,
        questions=question_plans(study, choice),
        card=card_of(study, choice),
        invitations=invitations(study, choice.participants),
        noise=noise.kind,
        scale=noise.scale,
    )


_HOW = {
    "certificate": "Proved: the checker of certificates accepts this plan",
    "floats": "Computed, but not proved",
}
"""How a plan is known, by the method of its proof."""
_FEWER = "Fewer people may be enough and may cost less, but for so few the accuracy is not proved."


def _drop_out_note(participants: int, always: int, most: float) -> tuple[str, ...]:
    if always == participants:
        return ()
    note = f"{persons(participants)} suffice, but as counts are whole, a few more or fewer may not."
    if always > most:
        return (note,)
    return (
        f"{note} At this ε every study of {persons(always)} or more suffices; recruit that "
        "many if some may drop out.",
    )


def _people_note(study: Study, choice: Choice) -> tuple[str, ...]:
    if study.individual.people is None:
        return ()
    return tuple(in_words(study, choice.participants))


def assuming(study: Study) -> str:
    """What the proof takes for granted, as the end of its statement."""
    return f", assuming {' and '.join(study.assumed)}" if study.assumed else ""


class Noise(NamedTuple):
    """The noise on the answer of one question.

    Attributes:
        kind: "laplace", "geometric" or "gaussian"; without a curator "answer", as people report it;
            empty where several questions are asked, or the mechanism adds none.
        scale: in the unit of the answer, rounded up: of Gaussian noise its standard deviation; None
            where none is added.
    """

    kind: str = ""
    scale: float | None = None


def noise_of(study: Study, choice: Choice) -> Noise:
    """The noise of a plan: the least that its ε and δ allow."""
    mechanism = study.mechanism
    if study.survey is not None:
        return Noise()
    if not kinds.is_curated(mechanism):
        return Noise("answer")
    added = kinds.adds(mechanism)
    if not added:
        counted = kinds.is_count(mechanism) or study.power is not None
        return Noise("geometric", _up(1 / decimal(choice.epsilon))) if counted else Noise()
    low, high = study.target.values or (0.0, 1.0)
    counted = choice.participants // study.groups
    each = (decimal(high) - decimal(low)) / counted
    if added != "gaussian":
        return Noise(added, _up(each / decimal(choice.epsilon)))
    most = certain_scale(decimal(choice.epsilon), decimal(choice.delta))
    return Noise("gaussian", _up(each * most))


def _up(x: Fraction) -> float:
    context = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    return float(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
