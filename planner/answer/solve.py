"""From a study to a proven answer: the solver proposes, the proof disposes (design idea 4)."""

from itertools import product
from math import inf
from typing import get_args

from planner.answer.acceptance import in_words
from planner.answer.answers import Answer, AnyAnswer, Given, Infeasible, Plan, Undecided
from planner.answer.card import card_of
from planner.answer.choose import best_of
from planner.answer.noise import noise_of
from planner.answer.problem.problem import (
    FREE_DELTA_SHARE,
    Problem,
    each,
    needs_delta_cap,
    problem_of,
)
from planner.answer.proof.conflict import conflict, labels, proof_of_none
from planner.answer.proof.each_size import FEW_SIZES, MANY_SIZES
from planner.answer.proof.plan import Proof, holds, printable_plan
from planner.answer.question_plan import question_plans
from planner.answer.sample_plan import invitations, pool, sample_notes
from planner.answer.search.convex import Aim, Objective
from planner.answer.search.delta import best_aim
from planner.model import Choice, Study
from planner.numbers import WHOLE_LIMIT
from planner.wording import at_most, money, plain


def solve(
    study: Given,
    minimise: Objective = "cost",
    prove: bool = True,
    tolerance: float = 0.01,
) -> Answer:
    """Plan a study, or prove that it is infeasible.

    Args:
        study: the study; of an answer to the same, checked as asked, the answer is itself.
        minimise: what the plan makes least: "cost", "participants" or "epsilon".
        prove: whether to check the verdict in ball arithmetic.
        tolerance: how far the plan's cost may lie above an infimum that is not attained
            [fraction of the infimum, > 0].

    Returns:
        A `Plan`, `Infeasible` or `Undecided`. Plans have at most 2^53 participants; a study that
        needs more is undecided. Where δ is free, the plan is optimal to about 1e-4.

    Raises:
        ValueError: `minimise` or `tolerance` is outside its range.
    """
    if minimise not in get_args(Objective):
        raise ValueError(
            f"minimise = {minimise!r} is not an objective; give cost, participants or epsilon"
        )
    if not 0 < tolerance < float("inf"):
        raise ValueError(f"tolerance = {tolerance!r} is not above 0; give a fraction such as 0.01")
    if isinstance(study, AnyAnswer):
        if getattr(study, "minimise", minimise) == minimise and study.proof.checked >= prove:
            return study
        study = study.study
    if study.mechanism.alternatives:
        answers = [solve(one, minimise, prove, tolerance) for one in each(study)]
        return best_of(study, answers, minimise)
    problem = problem_of(study)
    proposal = propose(problem, minimise, prove, tolerance)
    if proposal is None:
        return _infeasible(study, problem, prove)
    cheapest, aim, plan = proposal
    unbounded = minimise == "epsilon" and not aim.attained
    on_cheapest = unbounded or aim is cheapest
    notes = _notes(study, cheapest, on_cheapest, tolerance, unbounded)
    if plan is None:
        reason = "A study seems to exist, but we could not prove one with a printable ε."
        return Undecided(study, Proof("ball arithmetic", False, reason), notes)
    # the region's conditions are proved; its budget may replace a larger one
    region = (cheapest if unbounded else aim).region
    if prove and not holds(problem.without(*region.conditions), plan):
        reason = "The plan that was found did not pass the check of every condition."
        return Undecided(study, Proof("ball arithmetic", False, reason), notes)
    return _feasible(study, problem, minimise, plan, cheapest, prove, notes)


def answer_to(given: Given, prove: bool = True) -> Answer:
    """The answer to a study; of an answer itself, whatever it minimises."""
    return solve(given, prove=prove) if isinstance(given, Study) else given


def chosen(study: Study) -> Study:
    """The study with the mechanism of its cheapest plan; with its first where there is no plan."""
    if not study.mechanism.alternatives:
        return study
    answer = solve(study)
    return answer.study if isinstance(answer, Plan) else each(study)[0]


def propose(
    problem: Problem, minimise: Objective, prove: bool, tolerance: float
) -> tuple[Aim, Aim, Choice | None] | None:
    """The cheapest aim, the best aim by `minimise`, and its plan if one is printable; or None."""
    cheapest = best_aim(problem, "cost", tolerance)
    if cheapest is None:
        return None
    aim = cheapest if minimise == "cost" else best_aim(problem, minimise, tolerance) or cheapest
    unbounded = minimise == "epsilon" and not aim.attained
    return cheapest, aim, _proven_plan(problem, cheapest if unbounded else aim, prove)


def _proven_plan(problem: Problem, aim: Aim, prove: bool) -> Choice | None:
    """A proven plan at the aim's N, or at the nearest larger N that has a printable one."""

    def at(n: int) -> Choice | None:
        if not 1 <= n <= min(aim.region.participants_ceiling, WHOLE_LIMIT):
            return None
        return printable_plan(problem, aim.region, n, prove)

    def plan(offset: int) -> Choice | None:
        return at(aim.participants + aim.step * offset)

    near = next(filter(None, map(at, (aim.participants, *aim.others))), None)
    if near is not None:
        return near
    proven, failed, offset = None, 0, 1
    while proven is None and offset <= WHOLE_LIMIT:
        proven = plan(offset)
        if proven is None:
            failed, offset = offset, 2 * offset
    while proven is not None and offset - failed > 1:
        middle = (failed + offset) // 2
        nearer = plan(middle)
        proven, offset, failed = (nearer, middle, failed) if nearer else (proven, offset, middle)
    return proven


def _feasible(
    study: Study,
    problem: Problem,
    minimise: str,
    plan: Choice,
    cheapest: Aim,
    prove: bool,
    notes: tuple[str, ...],
) -> Plan:
    """The plan with its cost, accuracy, slack, proof and notes."""
    compensation = study.individual.compensation(plan.epsilon, plan.delta)
    cost = study.costs.total(plan.participants, compensation)
    goal = problem.goals[0]
    any_epsilon = plan.epsilon <= 2 * goal.floor.stand_in
    if any_epsilon:
        notes = (
            *notes,
            f"At this size the reader's prior knowledge is enough, so every ε works; the plan uses "
            f"ε = {plain(plan.epsilon)}, and the least cost is approached but not reached.",
        )
    if cost == inf:
        notes = (
            *notes,
            "At this ε the compensation is too large for a floating-point number; give a budget, a "
            "max_harm or an epsilon_at_most.",
        )
    achieved = goal.floor.achieved(plan.epsilon, plan.participants, plan.delta)
    always = goal.floor.always_from(plan.epsilon, plan.participants, plan.delta)
    slack = {
        condition.label: float(condition.slack(plan, study.individual, study.costs))
        for condition in problem.conditions
    }
    delta = f", δ = {plain(plan.delta)}" if plan.delta else ""
    noise = noise_of(study, plan)
    how = "Checked in ball arithmetic" if prove else "Computed, but not proved"
    statement = (
        f"{how} at ε = {plain(plan.epsilon)}{delta} and N = {plain(plan.participants)}: "
        f"{goal.target.promise(at_most(achieved, 4))}, the study costs "
        f"at most {money(cost, study.currency)}, and every condition holds"
        f"{_assuming(study)}."
    )
    return Plan(
        study=study,
        minimise=minimise,
        epsilon=plan.epsilon,
        delta=plan.delta,
        participants=plan.participants,
        compensation=compensation,
        cost=cost,
        failure=None if study.expected_loss else achieved,
        loss=achieved if study.expected_loss else None,
        slack=slack,
        least_cost=min(cheapest.value, cost),
        attained=cheapest.attained and not any_epsilon,
        proof=Proof("ball arithmetic at the plan" if prove else "floats", prove, statement),
        notes=(
            *notes,
            *_drop_out_note(plan.participants, always),
            *_people_note(study, plan),
            *sample_notes(study, plan),
        ),
        always_from=always,
        questions=question_plans(study, plan),
        card=card_of(study, plan),
        invitations=invitations(study, plan.participants),
        pool=pool(study, plan),
        noise=noise.kind,
        scale=noise.scale,
    )


def _drop_out_note(participants: int, always: int) -> tuple[str, ...]:
    """A note where a few people more or fewer may not suffice."""
    if always == participants:
        return ()
    return (
        f"{plain(participants)} people suffice, but as counts are whole, a few more or fewer may "
        f"not. At this ε every study of {plain(always)} people or more suffices; recruit that many "
        "if some may drop out.",
    )


def _people_note(study: Study, plan: Choice) -> tuple[str, ...]:
    """Notes on refusals where people differ."""
    if study.individual.people is None:
        return ()
    return tuple(in_words(study, plan.participants))


def _infeasible(study: Study, problem: Problem, prove: bool) -> Answer:
    """The conflict with its proof; undecided where there is no proof."""
    clash = conflict(problem)
    # a dropped condition may make the proof finite, or short
    efforts = (FEW_SIZES, MANY_SIZES) if problem.saw_toothed else (MANY_SIZES,)
    for sizes, of in product(efforts, dict.fromkeys((clash, problem))):
        proof = proof_of_none(of, study.currency, prove, sizes)
        if proof is not None:
            said = f"{proof.statement[:-1]}{_assuming(study)}."
            return Infeasible(study, labels(of), proof._replace(statement=said), _delta_note(study))
    reason = "No study was found, but we could not prove that none exists."
    regions = problem.regions(*problem.delta_bounds)
    if any(r.participants_ceiling > WHOLE_LIMIT and r.signal_room() > 0 for r in regions):
        reason += f" If there is one, it may take more than {WHOLE_LIMIT:,} participants."
    return Undecided(study, Proof("ball arithmetic", False, reason), _delta_note(study))


def _assuming(study: Study) -> str:
    """What the proof takes for granted of the sample, as the end of its statement."""
    assumption = study.sampling.assumption
    return f", {assumption}" if assumption else ""


def _delta_note(study: Study) -> tuple[str, ...]:
    """A note where δ has no cap of its own."""
    if not needs_delta_cap(study):
        return ()
    return (
        f"δ is free and has no cap, so δ·N is capped at {FREE_DELTA_SHARE}; "
        "set delta_times_n_at_most or delta_at_most to choose another cap.",
    )


def _notes(
    study: Study, cheapest: Aim, is_cheapest: bool, tolerance: float, unbounded: bool
) -> tuple[str, ...]:
    """Notes on δ, on the objective and on an infimum that is not attained."""
    notes = list(_delta_note(study))
    if unbounded:
        notes.append(
            "Recruiting more people makes ε arbitrarily small, so there is no smallest ε; set "
            "max_participants. The plan shown is the cheapest."
        )
    if is_cheapest and not cheapest.attained:
        notes.append(
            f"No study costs as little as {money(cheapest.value, study.currency)}, but larger "
            "studies with a smaller ε come arbitrarily close; the plan is the smallest affordable "
            f"study within {100 * tolerance:.4g} % of it."
        )
    return tuple(notes)
