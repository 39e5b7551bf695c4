"""An answer in words: its headline, rows and cells, used by every place that shows it.

A row is a name and words; cells are for tables of several studies.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from planner.answer.answers import Answer, Infeasible, Plan, StrataPlan, TotalPlan, Undecided
from planner.answer.closed_form import ClosedFormPlan, closed_form_plan
from planner.answer.problem.problem import exactly, problem_of
from planner.answer.proof.certificate import uncovered
from planner.answer.strata.together import ALL_PEOPLE
from planner.answer.with_more import with_more_people
from planner.decisions.changes import Change
from planner.explanation.card import card_words
from planner.explanation.derivations import rejection
from planner.explanation.question import labels
from planner.explanation.questions import question_rows
from planner.explanation.results import strata, sums
from planner.explanation.results.changes import relaxations_in_words, tightenings_in_words
from planner.explanation.results.payment import paid_words
from planner.mechanisms import kinds
from planner.mechanisms.noisy_counts import sizes_of
from planner.model import Budget, MaxHarm, MaxParticipants, MinParticipants, Study
from planner.numbers import round_up
from planner.show import Parts
from planner.wording import (
    at_least,
    at_most,
    money,
    money_between,
    one_less,
    persons,
    plain,
    points,
    several,
)

Rows = list[tuple[str, str]]
CHECKED = "checked"
"""What stands for a proof that is not shown."""
_MORE = 0.1
"""The part of people more with which ε is looked at; it is said where ε is less by as much."""
CELLS = ("ε", "people", "each is paid", "cost")
"""Names of the columns in which plans are compared."""


def headline(answer: Answer) -> str:
    """The verdict and the plan, or the conflict, in one sentence."""
    if isinstance(answer, Plan):
        epsilon, people, paid, cost = plan_cells(answer)
        if answer.study.costs_nothing:
            return f"Feasible with {people} people at ε = {epsilon}; nobody is paid."
        each = f"{paid} each" if answer.compensation else "nobody is paid"
        return f"Feasible with {people} people, {each}, {cost} in total."
    if isinstance(answer, StrataPlan | TotalPlan):
        return strata.headline(answer)
    if isinstance(answer, Infeasible):
        bound = " by this bound on its accuracy" if planned_by_bound(answer.study) else ""
        clash = "combines" if answer.conflict[1:] else "meets"
        return f"Infeasible{bound}: no study {clash} {conflict(answer)}."
    return "Undecided: we could prove neither that a study exists nor that none exists."


def planned_by_bound(study: Study) -> bool:
    """Whether the accuracy is computed by a bound where the exact analysis could compute it."""
    return exactly(study) is not None


def conflict(answer: Infeasible) -> str:
    """The conditions that conflict, as a list in a sentence."""
    phrases = labels(answer.study)
    return several([phrases.get(label, label) for label in answer.conflict])


def plan_cells(answer: Answer, with_currency: bool = True) -> tuple[str, ...]:
    """ε, people, the payment to each and the cost; "-" where there is no plan."""
    if not isinstance(answer, Plan | StrataPlan | TotalPlan):
        return ("-",) * len(CELLS)
    people = plain(answer.participants)
    cost = money(answer.cost, answer.study.currency if with_currency else "")
    if not answer.cost:
        cost = "nothing"
    if not isinstance(answer, Plan):
        paid = "by stratum" if answer.cost else "nothing"
        return at_most(answer.epsilon), people, paid, cost
    paid = paid_words(answer, with_currency) if answer.compensation else "nothing"
    return plain(answer.epsilon), people, paid, cost


def invited(answer: Answer) -> str:
    """How many people are to be invited in all; "-" where all take part, or there is no plan."""
    invitations = getattr(answer, "invitations", None)
    return "-" if invitations is None else plain(invitations)


def lines(answer: Answer) -> list[dict[str, Any]]:
    """A row of values for each stratum or question of a plan, or for the answer as a whole."""
    if isinstance(answer, StrataPlan | TotalPlan):
        names = ("participants", "invitations", "cost", "failure")
        of_all = {name: getattr(answer, name) for name in names}
        if isinstance(answer, TotalPlan):
            target = answer.study.accuracy
            error: float | None = target.in_unit(target.error)
        else:
            error = answer.total_error
        return [*Parts(answer.strata).lines(), {"name": ALL_PEOPLE, **of_all, "error": error}]
    if isinstance(answer, Plan):
        return Parts(answer.questions or (answer,)).lines()
    return [{"name": answer.study.title, "verdict": answer.verdict}]


def answer_rows(
    answer: Answer,
    changes: Sequence[Change] = (),
    left: Sequence[Change] = (),
    in_full: bool = False,
) -> Rows:
    """What an answer says to those who decide."""
    rows: Rows = []
    if isinstance(answer, StrataPlan):
        rows += strata.rows(answer)
    if isinstance(answer, TotalPlan):
        rows += strata.rows_of_total(answer)
    if isinstance(answer, Plan):
        chosen = [("by", kinds.words(answer.study.mechanism))] if answer.alternatives else []
        achieved = achieved_rows(answer) if in_full else []
        rows += chosen + plan_rows(answer) + achieved + question_rows(answer, in_full)
        rows += _unused(answer)
        rows += [("other", f"{by}: {plan}") for by, plan in other_rows(answer)]
    by_hand = closed_form_plan(answer.study)
    if in_full and by_hand and not isinstance(answer, Undecided):
        rows.append(("by hand", _by_hand(by_hand, answer.study.currency)))
    if isinstance(answer, Infeasible):
        rows.append(("conflict", conflict(answer)))
    rows += [("relax", words) for words in relaxations_in_words(changes, answer.study)]
    rows += [("tighten", words) for words in tightenings_in_words(left, answer.study)]
    notes = [*answer.notes, *_with_more_people(answer)]
    return rows + [_proof_row(answer, in_full)] + [("note", note) for note in notes]


def _with_more_people(answer: Answer) -> Iterator[str]:
    """That a few more people need a smaller ε, where the fewest are planned as none costs money."""
    if not isinstance(answer, Plan | StrataPlan | TotalPlan) or not answer.study.costs_nothing:
        return
    people, epsilon = with_more_people(answer, _MORE)
    if epsilon < answer.epsilon * (1 - _MORE):
        least = at_most(epsilon, 2)
        yield (
            f"With {plain(people - answer.participants)} more, {persons(people)}, an ε of "
            f"about {least} is enough: --set epsilon_at_most={least}."
        )


def _proof_row(answer: Answer, in_full: bool) -> tuple[str, str]:
    """Whether the answer is proved; of a plan what exactly where that is asked for."""
    if answer.proof.checked and answer.verdict == "feasible" and not in_full:
        return "proof", CHECKED
    name, why = "proof" if answer.proof.checked else "not proved", ""
    if isinstance(answer, Plan) and answer.proof.method == "floats":
        what = uncovered(answer.study)
        why = f" The checker has no rule for {what}." if what else ""
    method = f" ({answer.proof.method})" if in_full else ""
    return name, f"{answer.proof.statement}{method}{why}"


def plan_rows(plan: Plan) -> Rows:
    """The plan in numbers."""
    epsilon, people, paid, cost = plan_cells(plan)
    each = "each is paid"
    promised = [] if plan.study.power else [("accuracy", plan.study.promise)]
    return [
        *promised,
        ("participants", f"{people}{_of_each(plan.study)}"),
        *_in_groups(plan),
        *([("invited", plain(plan.invitations))] if plan.invitations is not None else []),
        ("ε", epsilon),
        *([("δ", plain(plan.delta))] if plan.delta else []),
        *([("card", card_words(plan.card))] if plan.card else []),
        (each, paid if plan.compensation else "nothing: nobody is paid"),
        *([] if plan.study.costs_nothing else [("total cost", cost), *sums.rows(plan)]),
        *([_achieved(plan), ("the test", rejection(plan))] if plan.study.power else []),
    ]


def _of_each(study: Study) -> str:
    """How many records count as those of one person, and what that means for ε."""
    most = study.records.of_each
    if most == 1:
        return ""
    return f" records, at most {most} of each person, who is promised {most} times this ε"


def achieved_rows(plan: Plan) -> Rows:
    """What the plan achieves of what is asked for, and the least cost of such studies."""
    end = "reached by a study" if plan.attained else "approached but not reached"
    if plan.study.costs.smallest_coin:
        end = "with payments rounded up to coins"
    achieved = [] if plan.study.power else [_achieved(plan)]
    if plan.study.costs_nothing:
        return achieved
    return [*achieved, ("least cost", f"{money(plan.least_cost, plan.study.currency)}, {end}")]


def room_rows(plan: Plan) -> Rows:
    """Each condition except the target, and the room that the plan leaves in it."""
    phrases = labels(plan.study)
    currency = plan.study.currency
    in_money = {c.label for c in plan.study.conditions if isinstance(c, Budget | MaxHarm)}
    budget = plan.study.find(Budget)
    rows = []
    for label, room in plan.slack.items():
        if label == plan.study.target.label:  # what is achieved says it
            continue
        unit = f" {currency}" if label in in_money and currency else ""
        room = max(room, 0.0)
        left = f"{plain(room) if room.is_integer() else at_least(room, 6)}{unit}"
        if budget is not None and label == budget.label:
            left = money_between(budget.money, plan.cost, currency)
        rows.append((phrases.get(label, label), f"{left} left"))
    return rows


def _unused(plan: Plan) -> Rows:
    """The money and the people that the plan leaves, and the room in other conditions, in short."""
    short = {c.label: "" for c in plan.study.conditions if isinstance(c, Budget)} | {
        c.label: f" of {plain(c.n)} participants"
        for c in plan.study.conditions
        if isinstance(c, MaxParticipants)
    }
    phrases = labels(plan.study)
    fewest = [phrases[c.label] for c in plan.study.conditions if isinstance(c, MinParticipants)]
    named = {phrases.get(label, label): unit for label, unit in short.items()}
    rooms = [
        f"{room.removesuffix(' left')}{named[label]}" if label in named else f"{label}: {room}"
        for label, room in room_rows(plan)
        if label not in fewest
    ]
    return [("unused", "; ".join(rooms))] if rooms else []


def other_rows(plan: Plan) -> Rows:
    """The other mechanisms that the study may choose, and the plan by each."""
    return [(kinds.words(other.study.mechanism), _in_short(other)) for other in plan.alternatives]


def _in_short(answer: Answer) -> str:
    if not isinstance(answer, Plan):
        return answer.verdict
    epsilon, people, _, cost = plan_cells(answer)
    plan = f"{people} people at ε = {epsilon}"
    return plan if answer.study.costs_nothing else f"{cost} with {plan}"


def _in_groups(plan: Plan) -> Rows:
    if plan.study.groups == 1:
        return []
    ratio = getattr(plan.study.target, "ratio", 1.0)
    first, second = sizes_of(plan.participants, ratio)
    if first == second:
        return [("in each group", plain(first))]
    return [("in the groups", f"{plain(first)} in the first, {plain(second)} in the second")]


def _achieved(plan: Plan) -> tuple[str, str]:
    test = plan.study.power
    if test:
        return (
            "power",
            f"{at_least(100 * (plan.power or 0.0), 4)} % at {test.at}, "
            f"{points(test.power)} % asked for",
        )
    allowed = problem_of(plan.study).goals[0].floor.allowed
    return (
        "confidence",
        f"{one_less(round_up(plan.failure or 0.0, 4))}, {one_less(float(allowed))} asked for",
    )


def _by_hand(plan: ClosedFormPlan, currency: str) -> str:
    """Hsu14's closed plan in a sentence."""
    verdict = "within the budget" if plan.holds else "over the budget"
    return (
        f"ε = T/6 = {at_most(plan.epsilon, 4)} and {persons(plan.participants)} cost "
        f"{money(plan.cost, currency)}: {verdict} (Hsu14 eqs 6-8)"
    )
