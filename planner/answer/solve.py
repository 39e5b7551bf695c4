"""From a study to a proven answer: the solver proposes, the proof disposes (design idea 4).

A study with a choice of mechanisms is planned with each, and answered with the best.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from planner.answer.answers import (
    Answer,
    AnyAnswer,
    Given,
    Infeasible,
    Plan,
    Undecided,
    study_of,
)
from planner.answer.described import LeastCost, described
from planner.answer.problem.problem import TOLERANCE, Problem, delta_note, each, problem_of
from planner.answer.proof.conflict import infeasible
from planner.answer.proof.plan import Proof, any_plan, holds, printable_plan
from planner.answer.search.convex import Aim, Objective
from planner.answer.search.delta import best_aim, roomiest
from planner.answer.search.grids import alike
from planner.answer.search.payment_rounding import with_rounded_payments
from planner.answer.search.saw_tooth import most_room
from planner.answer.strata.solve import solve_strata
from planner.answer.strata.total import solve_total
from planner.mechanisms import AddedNoise
from planner.model import Choice, Study
from planner.model.strata import for_all_alone
from planner.numbers import WHOLE_LIMIT
from planner.wording import money

if TYPE_CHECKING:
    from planner.answer.search.convex import Objective


def solve(
    study: Given,
    minimise: Objective = "cost",
    prove: bool = True,
    tolerance: float = TOLERANCE,
) -> Answer:
    """Plan a study, or prove that it is infeasible.

    Args:
        study: the study, or an answer: one to the same question is returned as it is.
        minimise: what the plan makes least: "cost", "participants" or "epsilon"; of a study with
            strata "cost".
        prove: whether to check the verdict in ball arithmetic.
        tolerance: how far the plan's cost may lie above an infimum that is not attained
            [fraction of the infimum, > 0].

    Returns:
        A `Plan`, `Infeasible` or `Undecided`. Plans have at most 2^53 participants; a study that
        needs more is undecided. Where δ is free, the plan is optimal to about 1e-4; with an exact
        analysis and more than 131,072 people to about 1e-5, as not every neighbour is looked at.

    Raises:
        ValueError: `minimise` or `tolerance` is outside its range.
    """
    if minimise not in get_args(Objective):
        raise ValueError(
            f"minimise = {minimise!r} is not an objective; give cost, participants or epsilon"
        )
    if not 0 < tolerance < float("inf"):
        raise ValueError(f"tolerance = {tolerance!r} is not above 0; give a fraction such as 0.01")
    if (
        isinstance(study, AnyAnswer)
        and getattr(study, "minimise", minimise) == minimise
        and study.proof.checked >= prove
    ):
        return study
    study = study_of(study)
    if study.strata:
        _refuse_objective(minimise)
        if for_all_alone(study):
            return solve_total(study, prove)
        return solve_strata(study, lambda one, sure: solve(one, "cost", sure, tolerance), prove)
    plans: dict[Study, Answer | None] = {
        one: _planned(one, minimise, prove, tolerance) for one in each(study)
    }
    # where one mechanism has a plan, that another has none is proved if that is quick
    little = any(isinstance(answer, Plan) for answer in plans.values())
    answers = [
        answer or infeasible(one, problem_of(one), prove, little) for one, answer in plans.items()
    ]
    return best_of(study, answers, minimise) if study.mechanism.alternatives else answers[0]


def _refuse_objective(minimise: Objective) -> None:
    """Refuse an objective that strata have not."""
    if minimise != "cost":
        raise ValueError(f"a study with strata is planned for the least cost, not {minimise}")


def has_plan(study: Study, prove: bool = True) -> bool:
    """Whether `solve` finds a plan; that there is none is not proved."""
    return any(_has_plan(one, prove) for one in each(study))


def _has_plan(study: Study, prove: bool) -> bool:
    if study.costs.smallest_coin:
        return isinstance(_planned(study, "cost", prove, 0.01), Plan)
    problem = problem_of(study)
    proposal = propose(problem, "cost", prove, 0.01)
    if proposal is None:
        return False
    _, aim, plan = proposal
    others = problem.without(*aim.region.conditions)
    return plan is not None and (not prove or holds(others, plan))


def roomy_plan(problem: Problem, prove: bool = True) -> Choice | None:
    """A plan with the most room, at a fixed δ where accuracy saw-tooths; None where none is found.

    It shows that there is one: the cheapest takes longer to find.
    """
    tried = 0
    for certain in (False, True):  # of a handful of people the approximate floor may be far off
        room, n = roomiest(problem, certain)
        if room < 1 or n == tried:
            return None
        tried = n
        for region in problem.regions(problem.delta_bounds[0]):
            plan = any_plan(problem, region, n, prove)
            if plan and holds(problem.without(*region.conditions), plan, prove):
                return plan
    return None


def fewest(problem: Problem) -> int | None:
    """The smallest number of participants of a proven plan; None where none was found."""
    aim = best_aim(problem, "participants", 0.01)
    if aim is None:
        return None
    plan = _nearest(aim, lambda n: any_plan(problem, aim.region, n))
    others = problem.without(*aim.region.conditions)
    return int(plan.participants) if plan and holds(others, plan) else None


def _planned(study: Study, minimise: Objective, prove: bool, tolerance: float) -> Answer | None:
    """The plan by the study's one mechanism, or undecided; None where none was found."""
    problem = problem_of(study)
    proposal = propose(problem, minimise, prove, tolerance)
    cheapest, aim, plan = proposal or (None, None, None)
    if cheapest is None or aim is None or plan is None:
        return None
    unbounded = minimise == "epsilon" and not aim.attained
    on_cheapest = unbounded or aim is cheapest
    notes = _notes(study, cheapest, on_cheapest, tolerance, unbounded)
    # the region's conditions are proved; its budget may replace a larger one
    region = (cheapest if unbounded else aim).region
    if prove and not holds(problem.without(*region.conditions), plan):
        reason = "The plan that was found did not pass the check of every condition."
        return Undecided(study, Proof("ball arithmetic", False, reason), notes)
    if study.costs.smallest_coin:
        return _with_rounded_payments(study, problem, cheapest, plan, minimise, prove, notes)
    least = LeastCost(cheapest.value, cheapest.attained)
    return described(study, minimise, plan, least, prove, notes)


def _with_rounded_payments(
    study: Study,
    problem: Problem,
    cheapest: Aim,
    exact: Choice,
    minimise: Objective,
    prove: bool,
    notes: tuple[str, ...],
) -> Answer:
    """The plan with payments rounded up to coins, or why we know of none."""

    def proven(capped: Problem, aim: Aim) -> Choice | None:
        return _proven_plan(capped, aim, prove)

    coin = money(study.costs.smallest_coin, study.currency)
    plan, cost, fits = with_rounded_payments(problem, study.costs, exact, minimise, proven)
    if not fits:
        owed = study.individual.compensation(exact.epsilon, exact.delta)
        total = study.unrounded.costs.total(exact.participants, owed)
        reason = (
            f"With exact payments a study costs {money(total, study.currency)}; with payments "
            f"rounded up to {coin} the cheapest that we found costs {money(cost, study.currency)}, "
            "which does not keep to every condition. We could not prove that none does."
        )
        return Undecided(study, Proof("search", False, reason), notes)
    return described(study, minimise, plan, LeastCost(cheapest.value, False), prove, notes)


def answer_to(given: Given, prove: bool = True) -> Answer:
    """The answer to a study; of an answer itself, whatever it minimises."""
    return given if isinstance(given, AnyAnswer) else solve(given, prove=prove)


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
    """A proven plan at the aim's N, or at the nearest larger N that has a printable one.

    At an edge only a plan with all the room that there is may be proved: that is tried last.
    """

    def at(n: int) -> Choice | None:
        if not 1 <= n <= min(aim.region.participants_ceiling, WHOLE_LIMIT):
            return None
        return printable_plan(problem, aim.region, n, prove)

    plan = _nearest(aim, at)
    if plan is None and problem.on_grids:
        _, roomiest_n = most_room(aim.region)
        return any_plan(problem, aim.region, roomiest_n)
    return plan


def _nearest(aim: Aim, at: Callable[[int], Choice | None]) -> Choice | None:
    """The plan at the aim's N, or at one that is as good, or at the nearest beyond that has one.

    Of large studies neighbours are alike, and not all of them are looked at.
    """
    step = aim.step * alike(aim.participants)

    def plan(offset: int) -> Choice | None:
        return at(aim.participants + step * offset)

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


def _notes(
    study: Study, cheapest: Aim, is_cheapest: bool, tolerance: float, unbounded: bool
) -> tuple[str, ...]:
    """Notes on δ, on the objective and on an infimum that is not attained."""
    notes = list(delta_note(study))
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
        notes.append(
            "Here a person costs nothing but the compensation, so more people always cost less; "
            "give per_person in [costs], what it costs to find and ask each of them."
        )
    return tuple(notes)


def with_all(answer: Answer) -> Study:
    """The study of an answer, with every noise that it was to choose from."""
    mechanism = answer.study.mechanism
    if not (isinstance(answer, Plan) and answer.alternatives and isinstance(mechanism, AddedNoise)):
        return answer.study
    return answer.study.by(replace(mechanism, noise="best"))


def best_of(study: Study, answers: list[Answer], minimise: "Objective") -> Answer:
    """The best of the plans by each mechanism, or why none exists."""
    plans = [answer for answer in answers if isinstance(answer, Plan)]
    if plans:
        best = min(plans, key=lambda plan: float(getattr(plan, minimise)))
        return replace(best, alternatives=tuple(a for a in answers if a is not best))
    statement = " ".join(f"By {a.study.mechanism.words}: {a.proof.statement}" for a in answers)
    checked = all(answer.proof.checked for answer in answers)
    methods = sorted({answer.proof.method for answer in answers})
    proof = Proof("; ".join(methods), checked, statement)
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    if not all(isinstance(answer, Infeasible) for answer in answers):
        return Undecided(study, proof, notes)
    labels = [label for a in answers if isinstance(a, Infeasible) for label in a.conflict]
    return Infeasible(study, tuple(dict.fromkeys(labels)), proof, notes)
