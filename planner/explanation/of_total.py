"""What one answer for all people of strata asks, in symbols and with the numbers of its plan."""

from typing import Any

from planner.answer.answers import Answer, TotalPlan
from planner.answer.strata.proof_of_total import as_planned
from planner.explanation.constraints import Constraint, constraints, put_in, symbol
from planner.explanation.mechanisms import formulas
from planner.explanation.participant import meaning
from planner.explanation.results.strata import alike, named
from planner.libraries import sympy
from planner.mechanisms import LaplaceMean
from planner.model import Budget, MaxParticipants
from planner.numbers import round_up
from planner.wording import plain

_DIGITS = 7
"""Of w in a formula."""


def constraints_of(answer: Answer) -> list[Constraint]:
    """Every condition of a study, accuracy first; of one answer for all people those of its plan.

    Raises:
        ValueError: the study has strata that are studies by themselves.
    """
    return _of_total(answer) if isinstance(answer, TotalPlan) else constraints(answer.study)


def meaning_of(plan: TotalPlan) -> list[str]:
    """What taking part means for a person of each stratum; what is the same of all at the end."""
    each = {named(names): meaning(one) for names, one in alike(plan)}
    first, *others = each.values()
    same = [said for said in first if all(said in other for other in others)]
    own = [f"{name}: {said}" for name, some in each.items() for said in some if said not in same]
    return own + same


def _of_total(plan: TotalPlan) -> list[Constraint]:
    """The accuracy, what the people of each stratum lose, and the conditions of all together."""
    study = plan.study
    found = [_accuracy(plan)]
    weight, people, loss, scale = (symbol(name) for name in ("W_g", "N_g", "epsilon_g", "b"))
    privacy = sympy.Ge(loss, weight / (people * scale), evaluate=False)
    width = _width(plan)
    for (names, one), share in zip(alike(plan), _firsts(plan), strict=True):
        own = {
            people: one.participants,
            loss: one.epsilon,
            weight: share.weight,
            scale: plan.scale / width,
        }
        found.append(
            Constraint(f"what people of {named(names)} lose", privacy, put_in(privacy, own))
        )
    budget, cap = study.find(Budget), study.find(MaxParticipants)
    if budget is not None:
        each = people * (symbol("r_g") + symbol("c_g"))
        costs = sympy.Le(_over_strata(each) + symbol("c_0"), symbol("B"), evaluate=False)
        spent = sum(share.cost for share in plan.strata)
        here = _numbers(spent + study.costs.overhead, budget.money)
        found.append(Constraint(budget.label, costs, here))
    if cap is not None:
        count = sympy.Le(_over_strata(people), symbol("N_max"), evaluate=False)
        found.append(Constraint(cap.label, count, _numbers(plan.participants, cap.n)))
    return found


def _accuracy(plan: TotalPlan) -> Constraint:
    """How seldom the answer is off, by the bound of one mean of any values."""
    target, spread = plan.study.accuracy, round_up(float(as_planned(plan).spread), _DIGITS)

    def bound(error: str) -> Any:
        phrase = formulas(LaplaceMean)["any"].name.replace("μ + T", f"μ + {error}")
        return sympy.Le(symbol(phrase), symbol("alpha"), evaluate=False)

    own = {symbol("T"): target.error, symbol("alpha"): plan.failure}
    return Constraint(target.label, bound("T/w"), put_in(bound(f"T/{plain(spread)}"), own))


def _over_strata(one: Any) -> Any:
    return sympy.Sum(one, (symbol("g"), 1, symbol("G")))


def _numbers(left: float, right: float) -> Any:
    return put_in(sympy.Le(symbol("x"), symbol("y"), evaluate=False),
                  {symbol("x"): left, symbol("y"): right})  # fmt: skip


def _firsts(plan: TotalPlan) -> list[Any]:
    by_name = {share.name: share for share in plan.strata}
    return [by_name[names[0]] for names, _ in alike(plan)]


def _width(plan: TotalPlan) -> float:
    low, high = plan.study.target.values or (0.0, 1.0)
    return high - low
