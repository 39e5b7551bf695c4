"""Plan a study with strata, or prove that no such study exists.

Groups of which everybody is in one cost no more privacy than one group: each person is asked once
(parallel composition). So each stratum is a study by itself, at its share of the failure
probability; their costs add up.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from planner.answer.answers import Infeasible, Plan, StrataPlan, Undecided
from planner.answer.described import slack_of
from planner.answer.problem.problem import each, problem_of
from planner.answer.proof.certificate import proved_none
from planner.answer.proof.plan import Proof, certain
from planner.answer.strata import together
from planner.answer.strata.least_costs import Solve, Strata
from planner.answer.strata.shares import over_least, room_over, slope
from planner.mechanisms import kinds
from planner.model import Budget, Choice, MaxParticipants, Study
from planner.model.strata import Stratum, study_of_stratum
from planner.numbers import decimal, round_up
from planner.wording import at_most, money, plain, quoted

_ROOM = 1e-9
"""By what part a sum of doubles may be off, far more than it is."""
_MOST_CELLS, _NARROW, _NARROWEST = 200, 1.25, 1.01
"""Of shares of the failure probability: before a proof is given up, and of which each is tried."""
_LEAST_GAP = 0.08
"""What a budget must lack, as a part of all costs, that an exact proof is tried: else it takes
minutes."""
_SPARE, _MOST_BOXES = 0.4, 300
"""Of what a budget lacks, the part by which proofs of strata pass what they are asked; and their
length."""
_OF_GAP = 0.9
"""Of what a budget lacks, the part that proofs of the strata may leave open."""
_MOST_PRICES = 40
"""Of a place among the participants, tried where these are too many."""
_HIGHEST_PRICE = 1e18
"""Of a place, in the currency: with it the fewest take part."""


def solve_strata(study: Study, solve: Solve, prove: bool) -> StrataPlan | Infeasible | Undecided:
    """Plan a study with strata, or prove that it is infeasible."""
    strata, shares = _split(study, solve)
    return _not_possible(strata, prove) if shares is None else _planned(strata, shares, prove)


def least_cost(study: Study, solve: Solve) -> float:
    """The least cost of a study with strata, not proved; ∞ where no plan is found."""
    strata, shares = _split(study, solve)
    if shares is None:
        return math.inf
    if not strata.price:
        return strata.least_cost(shares)
    answer = _planned(strata, shares, False)  # its cost is not that of places
    return answer.cost if isinstance(answer, StrataPlan) else math.inf


def about_least_cost(study: Study, solve: Solve) -> float:
    """The same by the smooth guess of accuracy, where there is one."""
    if study.survey is not None or study.costs_nothing or study.find(MaxParticipants):
        return least_cost(study, solve)
    strata = Strata(study, solve)
    split = strata.best_split(strata.failure)
    return split.cost + study.costs.overhead if split else math.inf


def room_in_failure(study: Study) -> float:
    """How many times all that strata must fail at least is in what they may, whatever they cost."""
    strata = Strata(study, lambda one, prove: _unproved(one, ""))
    return room_over(strata.counts, strata.least_failures, strata.failure)


def fewest_participants(study: Study, solve: Solve, about: bool = False) -> float:
    """The fewest people who take part in strata, at any cost; ∞ where no plan is found.

    About: by the smooth guess of accuracy, where there is one.
    """
    strata = Strata(study, solve, _HIGHEST_PRICE)
    split = strata.best_split(strata.failure)
    if split is None:
        return math.inf
    return split.cost / _HIGHEST_PRICE if about else strata.participants(split.shares)


def _split(study: Study, solve: Solve) -> tuple[Strata, list[float] | None]:
    """The strata with the failure probability of each at the best split; None where none is found.

    Where nothing costs money, the best is the one with the fewest people.
    """
    strata = Strata(study, solve, 1.0 if study.costs_nothing else 0.0)
    split = strata.best_split(strata.failure)
    shares = split and split.shares
    if study.survey is None and (shares is None or strata.least_cost(shares) == math.inf):
        # the costs that are split are a guess: at the edge some strata have no plan by it
        shares = over_least(strata.counts, strata.least_failures, strata.failure) or shares
    cap = study.find(MaxParticipants)
    if shares is not None and cap is not None:
        shares, strata = _within(cap.n, shares, strata)
    return strata, shares


def _within(most: int, shares: list[float], strata: Strata) -> tuple[list[float], Strata]:
    """Shares with which no more people than allowed take part, or else with the fewest.

    Each place has a price, which is no part of the cost: the higher it is, the fewer take part.
    """
    if strata.participants(shares) <= most:
        return shares, strata
    low, high, best = 0.0, _HIGHEST_PRICE, None
    for _ in range(_MOST_PRICES):
        price = high if best is None else _between(low, high)
        tried = Strata(strata.study, strata.solve, price)
        split = tried.best_split(tried.failure)
        found = split.shares if split else shares
        if tried.participants(found) > most:
            low = price
        else:
            best, high = (found, tried), price
        if best is None or high - low <= _ROOM + low / 1000:
            break
    return best or (found, tried)


def _between(low: float, high: float) -> float:
    """A price between two, which may be far apart."""
    return math.sqrt(low * high) if low else high / 1000


def _planned(
    strata: Strata, shares: list[float], prove: bool
) -> StrataPlan | Infeasible | Undecided:
    """The plan at these shares; or that it costs too much, or was not proved."""
    study, asked = strata.study, []
    for some, share in zip(strata.alike, shares, strict=True):
        own = one = study_of_stratum(study, some[0], share)
        if strata.price and (priced := strata.aim(some[0], share)):
            bounded = (*one.conditions, MaxParticipants(priced.participants))
            one = replace(one, conditions=_last(bounded))
        asked.append((some, one, own))
    budget = study.find(Budget)
    found = _finished(strata, asked, prove)
    if isinstance(found, StrataPlan) or budget is None:
        return found
    least = round(strata.least_cost(shares), 6)  # as doubles do not add up to the cent
    if strata.price:  # which is no part of the cost
        kept = tuple(one for one in study.conditions if one != budget)
        capped = _finished(Strata(replace(study, conditions=kept), strata.solve), asked, False)
        least = capped.cost if isinstance(capped, StrataPlan) else math.inf
    return _too_dear(strata, shares, least, budget, prove) if least > budget.money else found


def _finished(
    strata: Strata,
    asked: Sequence[tuple[list[Stratum], Study, Study]],
    prove: bool,
) -> StrataPlan | Undecided:
    """The plan of strata alike; or that it costs too much, or was not proved.

    Args:
        strata: all of them.
        asked: those alike, the study to be planned, and their own, without a cap on its people.
        prove: whether plans are proved.
    """
    study, plans = strata.study, {}
    for some, one, own in asked:
        plan = strata.solve(one, prove)
        if not isinstance(plan, Plan):
            return _unproved(study, f"The stratum {quoted(some[0].name)}: {plan.proof.statement}")
        slack = slack_of(own, Choice(plan.epsilon, plan.delta, plan.participants))
        for stratum in some:
            plans[stratum.name] = replace(plan, study=replace(own, title=stratum.name), slack=slack)
    found = tuple(plans[stratum.name] for stratum in study.strata)
    people = sum(plan.participants for plan in found)
    budget, cap = study.find(Budget), study.find(MaxParticipants)
    if cap is not None and people > cap.n:
        return _unproved(
            study,
            f"The fewest participants that were found are {plain(people)}, over {plain(cap.n)}.",
        )
    if any(math.isinf(plan.cost) for plan in found):
        return _unproved(study, "What was found costs more than any amount of money.")
    cost = together.cost(study, found)
    if budget is not None and cost > decimal(budget.money):
        words = money(float(cost), study.currency)
        return _unproved(study, f"The cheapest study that was found costs {words}.")
    if prove and not all(map(_cost_proved, plans.values())):
        return _unproved(study, "The costs of the strata were not proved.")
    failure = float(together.failure(found))
    error = together.total_error(study, found)
    proved = prove and all(plan.proof.checked for plan in found)
    proof = _proof(study, found, cost, proved)
    return StrataPlan(study, found, failure, people, float(cost), error, proof)


def _last(conditions: tuple[object, ...]) -> tuple:  # type: ignore[type-arg]
    return tuple({type(condition): condition for condition in conditions}.values())


def _cost_proved(plan: Plan) -> bool:
    """Whether a stratum is certain to cost no more than is added up for it."""
    if plan.study.costs_nothing:
        return True
    most = round_up(plan.cost, together.COST_DIGITS)
    problem = replace(problem_of(plan.study), costs=plan.study.costs)
    return certain(Budget(most), problem, Choice(plan.epsilon, plan.delta, plan.participants))


def _proof(study: Study, plans: tuple[Plan, ...], cost: Fraction, proved: bool) -> Proof:
    how = "Computed, but not proved, for"
    if proved:
        how = "The checker of certificates accepts"
    total = money(float(cost), study.currency)
    statement = (
        f"{how} each stratum as a study by itself. Strata are drawn by themselves, so the "
        "probability that the answer of any is off by its error or more is at most "
        f"{at_most(float(together.failure(plans)), 4)}."
    )
    if not study.costs_nothing:
        statement += f" Together the strata cost at most {total}, overhead included."
    return Proof("certificate of each stratum" if proved else "floats", proved, statement)


def _unproved(study: Study, reason: str) -> Undecided:
    return Undecided(study, Proof("search", False, reason))


def _not_possible(strata: Strata, prove: bool) -> Infeasible | Undecided:
    """Why no split is possible: a stratum that has no study with all of the failure probability."""
    for some in strata.alike:
        answer = strata.solve(study_of_stratum(strata.study, some[0], strata.failure), prove)
        if isinstance(answer, Infeasible):
            statement = (
                f"The stratum {quoted(some[0].name)} is infeasible even if all other answers "
                f"were certain: {answer.proof.statement}"
            )
            labels = (f"stratum {some[0].name}", strata.study.target.label)
            proof = Proof(answer.proof.method, answer.proof.checked, statement)
            return Infeasible(strata.study, labels, proof)
    return _unproved(strata.study, "No way to divide the confidence among strata was found.")


def _too_dear(
    strata: Strata, shares: list[float], cost: float, budget: Budget, prove: bool
) -> Infeasible | Undecided:
    """That every split costs more than the budget, proved by one price of the failure probability.

    With x_g = −ln(1 − α_g) and any price μ, the strata cost Σ c_g ≥ Σ(c_g + μx_g) − μx. Where on
    each cell (l, h] of shares a stratum with α_g at h costs more than t_g − μl, it costs more than
    t_g − μx_g at every share, so all cost more than Σt_g − μx.
    """
    strata = Strata(strata.study, strata.solve)  # without a price of places
    study, whole = strata.study, -math.log1p(-strata.failure) * (1 + _ROOM)
    left = budget.money - study.costs.overhead
    at = [-math.log1p(-share) for share in shares]
    costs = [partial(strata.cost, some[0]) for some in strata.alike]
    slopes = [slope(cost, x) for cost, x in zip(costs, at, strict=True)]
    price = sum(n * b for n, b in zip(strata.counts, slopes, strict=True)) / whole
    least = [cost(share) + price * x for cost, share, x in zip(costs, shares, at, strict=True)]
    levels = sum(n * t for n, t in zip(strata.counts, least, strict=True))
    gap = levels - price * whole - left
    lowered = [t * (1 - _OF_GAP * gap / levels) for t in least]
    proved = (
        prove
        and gap > (_LEAST_GAP if kinds.is_exact(study.mechanism) else 100 * _ROOM) * levels
        and all(
            _over(strata, some[0], t, price, whole, _SPARE * gap / levels)
            for some, t in zip(strata.alike, lowered, strict=True)
        )
    )
    conflict = (budget.label, study.target.label)
    words = (
        "However the probability of a larger error is divided among the strata, the study costs "
        f"more than {money(budget.money, study.currency)}; the cheapest that was found costs "
        f"{money(cost, study.currency)}."
    )
    if proved or not prove:
        method = "a price of larger errors, and each stratum infeasible below its part"
        return Infeasible(study, conflict, Proof(method if prove else "floats", prove, words))
    found = f"The cheapest study that was found costs {money(cost, study.currency)}."
    return _unproved(study, f"{found} That no study is within the budget was not proved.")


def _over(
    strata: Strata, one: Stratum, level: float, price: float, whole: float, spare: float
) -> bool:
    """Whether a stratum is certain to cost more than level − price·x at every share x.

    A proof is quick where there is money to spare, and then in fewer boxes.
    """
    cells, looked = [(0.0, whole)], 0
    while cells:
        low, high = cells.pop()
        looked += 1
        asked = level - price * low
        if asked <= 0:
            continue
        study = study_of_stratum(strata.study, one, round_up(-math.expm1(-high), 9))
        answer = strata.solve(study, False)
        costs = answer.cost if isinstance(answer, Plan) else math.inf
        wide = not low or high > _NARROW * low
        if costs > (1 + spare * wide) * asked:
            poor = replace(study, conditions=(*study.conditions, Budget(asked)))
            if all(proved_none(by, boxes=_MOST_BOXES) for by in each(poor)):
                continue
        if looked > _MOST_CELLS or (low and high < low * _NARROWEST):
            return False
        middle = math.sqrt(low * high) if low else high / 4
        cells += [(low, middle), (middle, high)]
    return True
