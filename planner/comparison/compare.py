"""The private study compared with one that is not private (Hsu14 §6), and without a curator.

Without privacy there is no noise, so fewer people suffice; but a fraction of them, the exposure φ,
is exposed, and each is paid φW for that. In a family of g each bears the harm from all g records:
one or more of them are exposed with probability at most gφ, so each is paid min(1, gφ)W, as gδW is
owed at ε = 0. The size without privacy lies between two bounds (`chernoff`); every comparison here
holds for all sizes between them.

The compensation of the scenarios' people, beside the harm itself.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from planner.answer.answers import Answer, Given, Plan, study_of
from planner.answer.problem.problem import exactly, refuse_strata
from planner.answer.solve import chosen, solve
from planner.comparison.by_hand import ByHand, by_hand
from planner.comparison.curator import Trust, price_of_trust
from planner.comparison.sizes import Bracket, without_privacy
from planner.model import Budget, Costs, Individual, MaxHarm, MaxParticipants, Study
from planner.show import Shown
from planner.wording import money, plain

PAPER_EXPOSURE = 0.002
"""φ = 1/500, as in Hsu14 §6."""

Verdict = Literal["private", "non-private", "equal", "open", "infeasible", "undecided"]


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """The comparison of a study with and without privacy.

    Attributes:
        study: the study, without its budget.
        exposure: φ, fraction of the people whom a study that is not private exposes [[0, 1]].
        private: the cheapest private study, without a budget.
        participants: N′, bounds on the smallest size without privacy.
        compensation: what each person is paid without privacy, in whole coins: φW (of families
            and of people who list events, see `Individual.compensation_exposed`), or the incentive
            where that is more [money].
        cost: the cost of the study that is not private, at both ends of its size [money].
        verdict: which is cheaper, "private" or "non-private"; "equal" where neither costs
            anything more than the other; "open" where that depends on the
            size between the bounds, "infeasible" where no private study exists at any budget.
        break_even_exposure: below `least` the study that is not private is cheaper, above `most`
            the private one; None without a private plan, or if the worst cost is 0.
        by_hand: the comparison by eqs 9 and 10, where they apply.
        trust: the study with a curator beside the one without, for one proportion; else None.
        notes: further remarks, in sentences.
        over_budget: of the notes that some of these studies cost more than the budget, or all; else
            empty.
    """

    study: Study
    exposure: float
    private: Answer
    participants: Bracket | None
    compensation: float
    cost: Bracket | None
    verdict: Verdict
    break_even_exposure: Bracket | None
    by_hand: ByHand | None
    trust: Trust | None
    notes: tuple[str, ...]
    over_budget: str = ""

    def to_dict(self) -> dict[str, Any]:
        return to_dict(self)


def compare(study: Given, exposure: float = PAPER_EXPOSURE) -> Comparison:
    """Compare the cheapest private study with one that is not private.

    Args:
        study: the study, or its answer; its budget is ignored, all else is kept.
        exposure: φ, fraction of the people whom a study that is not private exposes [[0, 1]].

    Raises:
        ValueError: the exposure is outside its range, or the individual has no worst cost.

    Source: Hsu14 §6.
    """
    given, study = study, chosen(study_of(study))
    refuse_strata(study)
    refuse_exposure(exposure)
    owed = study.individual.compensation_exposed(exposure)
    unlimited = replace(
        study, conditions=tuple(c for c in study.conditions if not isinstance(c, Budget))
    )
    if study_of(given) == unlimited or _is_cheapest(given):  # then it is without a budget, too
        private = solve(given)
        trust = price_of_trust(unlimited, private)
    else:
        private, trust = _at_any_budget(unlimited)
    sizes, notes = without_privacy(unlimited, private)
    cost = Bracket(*(unlimited.costs.total(n, owed) for n in sizes)) if sizes else None
    verdict: Verdict = "infeasible" if private.verdict == "infeasible" else "undecided"
    exposures = None
    if isinstance(private, Plan) and sizes and cost:
        verdict = cheaper(private.cost, private.least_cost, cost)
        if study.individual.worst_cost:
            exposures = _break_even_exposure(private, sizes)
    notes += _conditions_without_privacy(unlimited, sizes, owed)
    sides = (trust.curator, trust.no_curator) if trust else (private,)
    costs = [side.cost for side in sides if isinstance(side, Plan)]
    over_budget = _budget_ignored(study, [*costs, cost.most] if cost else costs)
    return Comparison(
        study=unlimited,
        exposure=exposure,
        private=private,
        participants=sizes,
        compensation=float(unlimited.costs.payment(owed)),
        cost=cost,
        verdict=verdict,
        break_even_exposure=exposures,
        by_hand=by_hand(unlimited, exposure),
        trust=trust,
        notes=(*notes, over_budget) if over_budget else notes,
        over_budget=over_budget,
    )


def _is_cheapest(given: Given) -> bool:
    """Whether it is the cheapest plan of all, and not one within 1 % of what none costs."""
    if not isinstance(given, Plan) or given.minimise != "cost":
        return False
    return given.attained or given.study.costs.smallest_coin > 0


def refuse_exposure(exposure: float) -> None:
    """Refuse an exposure outside its range."""
    if not 0 <= exposure <= 1:
        raise ValueError(
            f"exposure = {exposure!r} is not allowed; give a fraction of the people, at least 0 "
            "and at most 1, such as 0.002"
        )


@lru_cache(maxsize=32)
def _at_any_budget(study: Study) -> tuple[Answer, Trust | None]:
    """The answer to a study without a budget, and what trust is worth; kept for other budgets."""
    private = solve(study)
    return private, price_of_trust(study, private)


def _budget_ignored(study: Study, costs: list[float]) -> str:
    """A sentence where studies cost more than the budget; else empty."""
    budget = study.find(Budget)
    if budget is None or max(costs, default=0.0) <= budget.money:
        return ""
    over = "all" if min(costs) > budget.money else "some"
    words = f"{plain(budget.money)} {study.currency}".rstrip()
    return f"The budget of {words} is ignored here; {over} of these studies cost more."


def _conditions_without_privacy(
    study: Study, sizes: Bracket | None, owed: float
) -> tuple[str, ...]:
    """Notes on which of the study's other conditions the study that is not private would meet."""
    notes = []
    most, family = study.records.of_each, study.individual.family
    if family == most > 1:
        notes.append(
            f"Each person bears the harm from up to {most} records, so without privacy, too, each "
            "is paid for the exposure of any of them."
        )
    elif family > 1:
        notes.append(
            f"Each member of a family of {family} bears the harm from all {family} records, so "
            "without privacy, too, each is paid for the exposure of any of them."
        )
    cap, harm = study.find(MaxParticipants), study.find(MaxHarm)
    if cap is not None and sizes is not None:
        sufficient = "enough" if cap.n >= sizes.most else "perhaps enough"
        sure = "too low" if cap.n < sizes.least else sufficient
        notes.append(f"Without privacy, the cap of {plain(cap.n)} participants is {sure}.")
    if harm is not None and owed > harm.money:
        notes.append(
            f"Without privacy the harm per person is {money(owed, study.currency)}, which exceeds "
            f"{harm.label}."
        )
    return tuple(notes)


def cheaper(private: float, least: float, cost: Bracket) -> Verdict:
    """Which study is cheaper.

    Args:
        private: what the plan costs [money].
        least: the least that private studies cost.
        cost: what the study that is not private costs, at both ends.
    """
    if private == cost.least == cost.most:
        return "equal"
    if private < cost.least:
        return "private"
    return "non-private" if least > cost.most else "open"


def _break_even_exposure(plan: Plan, sizes: Bracket) -> Bracket:
    """The φ at which N′(φW + per person) + overhead equals the cost of the private study.

    Above 1 where no exposure makes the study that is not private cost as much.
    """

    def exposure(cost: float, size: float) -> float:
        left = _left(plan.study.costs, cost, size)
        return plan.study.individual.exposure_owing(left)

    return Bracket(exposure(plan.least_cost, sizes.most), exposure(plan.cost, sizes.least))


def _left(costs: Costs, cost: float, size: float) -> float:
    """What is left of a cost for the exposure of each person; 0 where an incentive takes it."""
    left = float(costs.left_per_person(cost, size))
    return max(0.0, left) if left >= costs.incentive else 0.0


def to_dict(comparison: Comparison, exact: Comparison | None = None) -> dict[str, Any]:
    """The comparison as plain data, in the shape that `planner compare --json` prints."""
    private = None
    if isinstance(comparison.private, Plan):
        fields = ("epsilon", "delta", "participants", "compensation", "cost", "least_cost")
        private = {name: getattr(comparison.private, name) for name in fields}

    def ends(value: Bracket | ByHand | None) -> dict[str, Any] | None:
        return value._asdict() if value is not None else None

    return {
        "title": comparison.study.title,
        "exposure": comparison.exposure,
        "verdict": comparison.verdict,
        "private": private,
        "non_private": {
            "participants": ends(comparison.participants),
            "compensation": comparison.compensation,
            "cost": ends(comparison.cost),
        },
        "break_even_exposure": ends(comparison.break_even_exposure),
        "by_hand": ends(comparison.by_hand),
        "trust": comparison.trust.to_dict() if comparison.trust else None,
        "notes": list(comparison.notes),
        "exact": to_dict(exact) if exact else None,
    }


class Paid(NamedTuple):
    """One plan, and its compensation.

    Attributes:
        plan: which plan: "cheapest", or "fewest people" at any cost.
        participants: N.
        epsilon: ε.
        cost: (e^ε − 1)E, the paper's [money].
        harm: c·(1 − p), the harm itself, which no compensation need exceed [money].
    """

    plan: str
    participants: int
    epsilon: float
    cost: float
    harm: float


@cache
def _fewest(study: Study) -> Answer:
    """The smallest study, without a proof."""
    return solve(study, minimise="participants", prove=False)


def paid(study: Study) -> list[Paid]:
    """The compensation of the study's individual, who fears one event, with the exact analysis.

    Raises:
        ValueError: the individual has no event.
    """
    person = study.individual
    if not person.fears:
        raise ValueError("the individual has no event; give one")
    event = person.fears[0]
    exact = exactly(study) or study
    rows = []
    # without a budget the size is the same whatever people fear
    others = tuple(c for c in exact.conditions if not isinstance(c, Budget))
    for_all = replace(exact, conditions=others, individual=Individual(0.0, 0.0), title="")
    plans = {"cheapest": solve(exact, prove=False), "fewest people": _fewest(for_all)}
    for words, plan in plans.items():
        if not isinstance(plan, Plan):
            continue
        at = (plan.epsilon, plan.delta)
        rows.append(
            Paid(
                words,
                plan.participants,
                plan.epsilon,
                cost=person.compensation(*at),
                harm=event.cost * (1 - event.probability),
            )
        )
    return rows
