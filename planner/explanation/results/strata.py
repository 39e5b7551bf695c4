"""A plan with strata in words: each stratum, and all together."""

from dataclasses import replace

from planner.answer.accepting import refusing
from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.sample_plan import about_respondents, as_endless, named_together
from planner.answer.strata.proof_of_total import BOUNDS, is_provable
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of, plans_of
from planner.explanation.amounts import given, unit
from planner.explanation.results.payment import paid_words
from planner.model import Budget, MaxParticipants, Study
from planner.numbers import decimal, round_up
from planner.wording import (
    at_most,
    confidence,
    money,
    money_between,
    one_less,
    payment,
    persons,
    plain,
    several,
)

_MOST_NAMES = 4
"""Of strata alike that are named."""


def rows(plan: StrataPlan) -> list[tuple[str, str]]:
    """The strata, those alike in one row, and what they make together."""
    study = plan.study
    all_people = "the answers of the strata, weighted by their sizes: " + promised(
        study, plan.total_error or 0.0, failure_of(study)
    )
    return [
        *((named(names), words(one, len(names))) for names, one in alike(plan)),
        *([("all people", f"{all_people}, by a bound")] if plan.total_error else []),
        ("participants", f"{plain(plan.participants)} in {plain(len(plan.strata))} strata"),
        *_invited(plan),
        *_costs(plan),
        *_unused(plan),
        (
            "confidence",
            f"{one_less(round_up(plan.failure, 4))} that no answer of any stratum is off by its "
            f"error or more{study.of_which}",
        ),
        *_notes(plan),
    ]


def _notes(plan: StrataPlan | TotalPlan) -> list[tuple[str, str]]:
    studies = [one.study for one in plans_of(plan)]
    about = [
        *about_respondents(studies),
        *named_together({one.title: as_endless(one) for one in studies}),
        *named_together({one.title: refusing(one) for one in studies}),
    ]
    return [("note", words) for words in about]


def _invited(plan: StrataPlan | TotalPlan) -> list[tuple[str, str]]:
    return [("invited", plain(plan.invitations))] if plan.invitations is not None else []


def _unused(plan: StrataPlan | TotalPlan) -> list[tuple[str, str]]:
    study, left = plan.study, []
    if budget := study.find(Budget):
        left.append(money_between(budget.money, plan.cost, study.currency))
    if cap := study.find(MaxParticipants):
        left.append(f"{plain(cap.n - plan.participants)} of {plain(cap.n)} participants")
    return [("unused", "; ".join(left))] if left else []


def promised(study: Study, error: float, failure: float) -> str:
    """An error, in the unit of the answer, and how sure it is, both rounded up."""
    of = unit(study, "error")
    shown = 100 * decimal(error) if of else decimal(error)
    return f"± {at_most(float(shown))} {of}".rstrip() + f" at {confidence(round_up(failure, 3))}"


def alike(plan: StrataPlan | TotalPlan) -> list[tuple[list[str], Plan]]:
    """The strata whose plans are the same but for the name: their names, and the plan of one."""
    found: dict[tuple[object, ...], list[Plan]] = {}
    for one in plans_of(plan):
        found.setdefault((replace(one.study, title=""), *_key(one)), []).append(one)
    return [([one.study.title for one in some], some[0]) for some in found.values()]


def _key(plan: Plan) -> tuple[object, ...]:
    """What else two plans have alike."""
    return plan.participants, plan.epsilon, plan.delta, plan.cost


def by_title(plan: StrataPlan | TotalPlan) -> list[Plan]:
    """A plan for each kind of stratum, with the title of the study and the names of the strata."""
    found = []
    for names, one in alike(plan):
        title = ": ".join(filter(None, (plan.study.title, named(names))))
        found.append(replace(one, study=replace(one.study, title=title)))
    return found


def rows_of_total(plan: TotalPlan) -> list[tuple[str, str]]:
    """The strata, those alike in one row, and what is asked of all of them together."""
    return [
        *shares(plan),
        *_rows_of_answer(plan),
        ("participants", f"{plain(plan.participants)} in {_parts(plan)}"),
        *_invited(plan),
        *_costs(plan),
        *_unused(plan),
        *_notes(plan),
    ]


def _parts(plan: StrataPlan | TotalPlan) -> str:
    return f"{plain(len(plan.strata))} strata"


def _rows_of_answer(plan: TotalPlan) -> list[tuple[str, str]]:
    study, target = plan.study, plan.study.accuracy
    answer = promised(study, target.in_unit(target.error), plan.failure)
    noise = f"one noise on the weighted sum, of scale {at_most(plan.scale)}"
    return [
        ("all people", f"the proportion or mean of all: {answer}{study.of_which}"),
        ("made by", noise),
        ("bounded", f"by a bound for {BOUNDS[is_provable(study)]}, however strata differ"),
    ]


def shares(plan: TotalPlan) -> list[tuple[str, str]]:
    """What each stratum contributes, those alike in one row."""
    return [(named(names), _share(share, plan.study)) for share, names in alike_shares(plan)]


def alike_shares(plan: TotalPlan) -> list[tuple[StratumShare, list[str]]]:
    """The strata that contribute the same, and their names."""
    found: dict[StratumShare, list[str]] = {}
    for share in plan.strata:
        found.setdefault(replace(share, name=""), []).append(share.name)
    return list(found.items())


def _share(share: StratumShare, study: Study) -> str:
    currency = study.currency
    weight = f", weight {share.weight:.3g}"
    invited = f", {plain(share.invitations)} invited" if share.invitations is not None else ""
    paid = payment(share.compensation, currency)
    asked = f"{persons(share.participants)}{invited}{weight}; ε = {at_most(share.epsilon, 4)}"
    if study.costs_nothing:
        return asked
    each = f"each person is paid {paid}" if share.compensation else "nobody is paid"
    return f"{asked}, {each}; {money(share.cost, currency)}"


_COLUMNS = ("people", "to invite", "ε", "error", "confidence", "each is paid", "cost")


def columns(plan: StrataPlan | TotalPlan) -> list[str]:
    """The names of the columns of `cells`."""
    names = ("stratum", *_COLUMNS)
    return [name for name, used in zip(names, _used(_table(plan)), strict=True) if used]


def cells(plan: StrataPlan | TotalPlan) -> list[list[str]]:
    """The table of a plan with strata: a row for each, those alike in one; no empty columns."""
    table = _table(plan)
    used = _used(table)
    return [[cell for cell, kept in zip(row, used, strict=True) if kept] for row in table]


def _used(table: list[tuple[str, ...]]) -> list[bool]:
    return [any(column) for column in zip(*table, strict=True)]


def _table(plan: StrataPlan | TotalPlan) -> list[tuple[str, ...]]:
    currency = plan.study.currency
    if isinstance(plan, TotalPlan):
        return [
            _cells(named(names), share, ("", ""), currency) for share, names in alike_shares(plan)
        ]
    return [_cells(named(names), one, _promised(one), currency) for names, one in alike(plan)]


def _cells(
    names: str, one: Plan | StratumShare, promised: tuple[str, str], currency: str
) -> tuple[str, ...]:
    invited = "" if one.invitations is None else plain(one.invitations)
    paid = paid_words(one) if isinstance(one, Plan) else payment(one.compensation, currency)
    loss = at_most(one.epsilon, 4)
    return (names, plain(one.participants), invited, loss, *promised, paid,
            money(one.cost, currency))  # fmt: skip


def _promised(plan: Plan) -> tuple[str, str]:
    """The error of a stratum, of one question, and how sure its answers are."""
    survey = plan.study.survey
    if survey is not None:
        return "", one_less(round_up(survey.failure or 0.0, 4))
    target = plan.study.accuracy
    return given(plan.study, "error", target.error), one_less(round_up(target.failure, 4))


def headline(plan: StrataPlan | TotalPlan) -> str:
    """The plan in a sentence."""
    people = f"Feasible with {persons(plan.participants)} in {_parts(plan)}"
    if plan.study.costs_nothing:
        return f"{people}; nobody is paid."
    return f"{people}, {money(plan.cost, plan.study.currency)} in total."


def named(names: list[str]) -> str:
    """The names of strata alike, in words."""
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{plain(len(names) - _MOST_NAMES + 1)} more"]
    return several(names)


def _costs(plan: StrataPlan | TotalPlan) -> list[tuple[str, str]]:
    """What all strata cost, of which so much is for the study as a whole."""
    if plan.study.costs_nothing:
        return []
    overhead = plan.study.costs.overhead
    return [
        ("total cost", money(plan.cost, plan.study.currency)),
        *([("overhead", money(overhead))] if overhead else []),
    ]


def words(plan: Plan, count: int = 1) -> str:
    """One stratum: who is asked, at which ε, for which money, and what is promised."""
    study, each = plan.study, "each: " if count > 1 else ""
    of_all = study.sampling.population
    people = f"{persons(plan.participants)}" + (f" of {plain(of_all)}" if of_all else "")
    invited = f", {plain(plan.invitations)} invited" if plan.invitations is not None else ""
    asked = f"{each}{people}{invited}; ε = {at_most(plan.epsilon, 4)}"
    if study.costs_nothing:
        return f"{asked}; {_promise(plan)}"
    cost = money(plan.cost, study.currency)
    paid = f"each person is paid {paid_words(plan)}" if plan.compensation else "nobody is paid"
    return f"{asked}, {paid}; {_promise(plan)}; {cost}"


def _promise(plan: Plan) -> str:
    survey = plan.study.survey
    if survey is not None:
        return f"its answers fail with probability {at_most(survey.failure or 0.0, 4)}"
    target = plan.study.accuracy
    return promised(plan.study, target.in_unit(target.error), target.failure)
