"""From a study to a proven answer: the solver proposes, the proof disposes (design idea 4).

A study with a choice of mechanisms is planned with each, and answered with the best.
"""

import math
from dataclasses import replace
from typing import get_args

from planner.answer.answers import (
    Answer,
    AnyAnswer,
    Given,
    Infeasible,
    Plan,
    TotalPlan,
    Undecided,
    study_of,
)
from planner.answer.described import LeastCost, described
from planner.answer.problem.goal import without_room
from planner.answer.problem.problem import (
    TOLERANCE,
    Problem,
    delta_note,
    each,
    is_computed,
    problem_at_edge,
    problem_of,
)
from planner.answer.proof.certificate import is_covered, proved_plan
from planner.answer.proof.conflict import infeasible
from planner.answer.proof.plan import Proof, Prover, any_plan, printable_plan
from planner.answer.search.find import (
    Aim,
    Objective,
    best_aim,
    exactly,
    reader,
    roomiest,
)
from planner.answer.strata.solve import (
    about_least_cost,
    fewest_participants,
    least_cost,
    solve_strata,
)
from planner.answer.strata.total import solve_total
from planner.libraries import np
from planner.mechanisms import AddedNoise, kinds
from planner.model import Choice, Study
from planner.model.strata import for_all_alone
from planner.numbers import WHOLE_LIMIT, first
from planner.wording import money

_MOST_FOR_ROOM = 5e-4
"""What the room that keeps proofs short may cost, as a part."""
_FEW_PEOPLE = 500
"""Of so few a limit is proved."""
_MOST_SIZES = 8
"""Sizes beside the best that are tried where no plan at it can be printed or proved."""


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
        prove: whether the checker of certificates is to prove the verdict.
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
    plans: dict[Study, Answer | None] = {}
    for one in each(study):
        plans[one] = _planned(one, minimise, prove, tolerance)
    # where one mechanism has a plan, that another has none is proved if that is quick
    little = any(isinstance(answer, Plan) for answer in plans.values())
    answers = [
        answer or infeasible(one, problem_of(one), prove, little) for one, answer in plans.items()
    ]
    return best_of(study, answers, minimise) if len(answers) > 1 else answers[0]


def least_cost_of_strata(study: Study, about: bool = False) -> float:
    """The least cost of a study with strata, not proved; ∞ where no plan is found.

    About: by the smooth guess of accuracy, where there is one.
    """
    if for_all_alone(study):
        answer = solve_total(study, False)
        return answer.cost if isinstance(answer, TotalPlan) else math.inf
    cost = about_least_cost if about else least_cost
    return cost(study, lambda one, prove: solve(one, "cost", prove))


def fewest_of_strata(study: Study, about: bool = False) -> float:
    """The fewest people of a study with strata that have answers of their own; as the cost."""
    return fewest_participants(study, lambda one, prove: solve(one, "cost", prove), about)


def _refuse_objective(minimise: Objective) -> None:
    """Refuse an objective that strata have not."""
    if minimise != "cost":
        instead = "planner limit STUDY epsilon says the least there is"
        if minimise == "participants":
            instead = "cap them by max_participants in [conditions]"
        raise ValueError(
            f"a study with strata is planned for the least cost, not {minimise}; {instead}"
        )


def has_plan(study: Study, prove: bool = True) -> bool:
    """Whether `solve` finds a plan, proved where rules of the checker are about the study.

    That there is none is not proved.
    """
    return any(_has_plan(one, prove) for one in each(study))


def _has_plan(study: Study, prove: bool) -> bool:
    for problem in _problems(study):
        aim = best_aim(problem, "cost", TOLERANCE)
        if aim:
            break
    else:
        return False
    prove = prove and not is_computed(study)
    plan, proved = _plan_near(study, problem, aim, prove)
    checked = prove and is_covered(study)
    return plan is not None and (proved or not checked)


def has_room(study: Study, near: int = 0) -> bool:
    """Whether there is a plan where a study has the most room; the cheapest takes longer to find.

    The best size of a study that is nearly the same is tried first, where one is known. Of few
    people it is proved, as floats may pass over the proportion that is off most often, and a proof
    is short; a bound for any values is for all means at once.
    """
    problem = problem_at_edge(study)
    of_values = getattr(study.target, "values", None) is not None

    def planned(n: int) -> bool:
        proves = _prover(study) if n <= _FEW_PEOPLE and not of_values else None
        regions = problem.regions(problem.delta_bounds[0])
        return any(any_plan(problem, region, n, proves) for region in regions)

    if near and planned(near):
        return True
    room, n = roomiest(problem, near=near)
    return room >= 1 and planned(n)


def fewest(study: Study) -> int | None:
    """The smallest number of participants of a plan; None without one.

    Plans of closed formulas are proved; others take long to prove.
    """
    problem = problem_at_edge(study)
    aim = best_aim(problem, "participants", TOLERANCE)
    if aim is not None and is_computed(study):
        aim = exactly(aim, "participants")
    if aim is None:
        return None
    proves = None if problem.on_grids else _prover(study)
    if any_plan(problem, aim.region, aim.participants, proves):  # perhaps over the least ε
        return aim.participants
    plan, proved = _plan_near(study, problem, aim, proves is not None)
    return int(plan.participants) if plan and (proved or proves is None) else None


def _prover(study: Study) -> Prover | None:
    """What proves plans of a study: the checker of certificates; None where it has no rules."""
    return (lambda choice: bool(proved_plan(study, choice))) if is_covered(study) else None


def _plan_near(study: Study, problem: Problem, aim: Aim, prove: bool) -> tuple[Choice | None, bool]:
    """A plan at the aim's N or at one that is nearly as good, and whether it is proved.

    A plan that the checker does not accept is computed, not proved.
    """
    proves = _prover(study) if prove else None
    sizes = (aim.participants, *aim.others[:_MOST_SIZES])
    plans = (printable_plan(problem, aim.region, n, proves) for n in sizes)
    plan = next(filter(None, plans), None)
    if plan is not None:
        return plan, proves is not None
    if proves is None:
        larger = not problem.saw_toothed or is_computed(study)
        return (_beyond if larger else _roomiest)(problem, aim, None), False
    if not problem.saw_toothed and (plan := _beyond(problem, aim, proves)):
        return plan, True
    if plan := _roomiest(problem, aim, proves):
        return plan, True
    plans = (printable_plan(problem, aim.region, n) for n in sizes)
    return next(filter(None, plans), None), False


def _roomiest(problem: Problem, aim: Aim, proves: Prover | None) -> Choice | None:
    """The plan at an edge where a study has the most room; it is dearer by little."""
    if problem.goals[0].floor.leaves_room:
        return None
    room, n = roomiest(problem)
    return any_plan(problem, aim.region, n, proves) if room >= 1 else None


def _beyond(problem: Problem, aim: Aim, proves: Prover | None) -> Choice | None:
    """The plan at the nearest larger N that has a printable one, of those that are looked at."""
    last = min(aim.region.participants_ceiling, WHOLE_LIMIT)

    def at(offset: int) -> Choice | None:
        n = aim.participants + offset
        return printable_plan(problem, aim.region, n, proves) if n <= last else None

    offset = next((2**k for k in range(54) if at(2**k)), 0)
    return at(first(lambda k: at(k) is not None, offset // 2 + 1, offset)) if offset else None


def _problems(study: Study) -> tuple[Problem, ...]:
    """The problem, and for an edge the one without the room that proofs are short with."""
    problem, at_edge = problem_of(study), problem_at_edge(study)
    return (problem, at_edge) if at_edge != problem and not is_computed(study) else (problem,)


def _planned(study: Study, minimise: Objective, prove: bool, tolerance: float) -> Answer | None:
    """The plan by the study's one mechanism; None where none was found."""
    cheapest: Aim | None = None
    computed = is_computed(study)
    # where nothing costs money, the cheapest study is that of the fewest people
    sought: Objective = "participants" if computed and study.costs_nothing else "cost"
    for problem in _problems(study):
        roomy, cheapest = cheapest, best_aim(problem, sought, tolerance)
        if cheapest and cheapest.value <= _least_cost(cheapest, problem) * (1 + _MOST_FOR_ROOM):
            break
    if cheapest is None:
        return None
    if computed:
        cheapest = _by_exact_floors(problem, cheapest, sought, tolerance) or cheapest
    aim = cheapest
    if minimise not in ("cost", sought):
        aim = best_aim(problem, minimise, tolerance) or cheapest
        if computed and minimise == "participants":
            aim = exactly(aim, minimise) or aim
    unbounded = minimise == "epsilon" and not aim.attained
    sure = prove and not computed
    plan, proved = _plan_near(study, problem, cheapest if unbounded else aim, sure)
    # an edge may be beyond what is proved
    if roomy and sure and not proved and minimise == "cost" and is_covered(study):
        dearer, proved = _plan_near(study, problem_of(study), roomy, sure)
        plan = dearer if proved else plan
    if plan is None:
        return None
    notes = _notes(study, cheapest, unbounded or aim is cheapest, tolerance, unbounded)
    attained = cheapest.attained and not study.costs.smallest_coin
    least = LeastCost(0.0 if sought != "cost" else _least_cost(cheapest, problem), attained)
    return described(study, minimise, plan, least, proved, notes)


def _by_exact_floors(
    problem: Problem, cheapest: Aim, sought: Objective, tolerance: float
) -> Aim | None:
    """The best of a few sizes by exact floors; None where none of them is allowed.

    Those of the aim, and where few people more are allowed the roomiest and the largest too.
    """
    if found := exactly(cheapest, sought):
        return found
    most = cheapest.region.participants_ceiling
    if most > cheapest.participants + _FEW_PEOPLE:
        return None
    aims = (best_aim(problem, one, tolerance) for one in ("participants", "epsilon"))
    largest = cheapest._replace(participants=int(most), others=tuple(range(int(most) - 1, 0, -1)))
    read = (exactly(aim, sought) for aim in (*aims, largest) if aim is not None)
    return next(filter(None, read), None)


def _least_cost(cheapest: Aim, problem: Problem) -> float:
    """The least cost, of sizes about the best, without the room that proofs are short with."""
    if not cheapest.attained or not problem.goals[0].floor.leaves_room:
        return cheapest.value
    region = replace(cheapest.region, conditions=without_room(cheapest.region.conditions))
    sizes = reader(region)(np.array([[cheapest.participants, *cheapest.others[:_MOST_SIZES]]]))
    return min(cheapest.value, float(sizes.cost.min()))


def answer_to(given: Given, prove: bool = True) -> Answer:
    """The answer to a study; of an answer itself, whatever it minimises."""
    return given if isinstance(given, AnyAnswer) else solve(given, prove=prove)


def chosen(study: Study) -> Study:
    """The study with the mechanism of its cheapest plan; with its first where there is no plan."""
    if len(kinds.choices(study.mechanism)) == 1:
        return study
    answer = solve(study)
    return answer.study if isinstance(answer, Plan) else each(study)[0]


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
    statement = " ".join(
        f"By {kinds.words(a.study.mechanism)}: {a.proof.statement}" for a in answers
    )
    checked = all(answer.proof.checked for answer in answers)
    methods = sorted({answer.proof.method for answer in answers})
    proof = Proof("; ".join(methods), checked, statement)
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    if not all(isinstance(answer, Infeasible) for answer in answers):
        return Undecided(study, proof, notes)
    labels = [label for a in answers if isinstance(a, Infeasible) for label in a.conflict]
    return Infeasible(study, tuple(dict.fromkeys(labels)), proof, notes)
