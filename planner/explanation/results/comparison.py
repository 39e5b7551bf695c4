"""The private study beside the one that is not private and the one without a curator, in words."""

from typing import Any

from planner.answer.answers import Answer, Plan, Undecided
from planner.comparison.by_hand import ByHand
from planner.comparison.compare import Comparison
from planner.comparison.curator import Trust
from planner.comparison.sizes import Bracket
from planner.explanation.results.payment import paid_words
from planner.wording import at_least, at_most, money, money_between, payment, persons, plain

VERDICTS = {
    "private": "the private study is cheaper",
    "non-private": "the study that is not private is cheaper",
    "equal": "both studies cost the same",
    "open": "the bounds do not decide which is cheaper",
    "infeasible": "no private study exists at any budget",
    "undecided": "undecided",
}
_HOW = {
    "paper": ", by Hsu14's bound",
    "hoeffding": ", by Hoeffding's bound",
}


def title(comparison: Comparison) -> str:
    """The study, how its accuracy is computed, and which study is cheaper."""
    how = _HOW.get(getattr(comparison.study.mechanism, "analysis", ""), "")
    return f"{comparison.study.title or 'Study'}{how}: {verdict(comparison)}"


def verdict(comparison: Comparison) -> str:
    """What privacy costs or saves; of studies that cost nothing, how many people each takes."""
    private, sizes = comparison.private, comparison.participants
    if comparison.study.costs_nothing and isinstance(private, Plan) and sizes:
        return people_of_both(private.participants, sizes)
    cost = comparison.cost
    if not isinstance(private, Plan) or not cost or not 0 < cost.least == cost.most:
        return VERDICTS[comparison.verdict]
    currency, cheaper = comparison.study.currency, private.cost < cost.least
    low, high = sorted((private.cost, cost.least))
    if low == high:
        return VERDICTS["equal"]
    percent = at_most(100 * (high - low) / cost.least, 3)
    words = f"{money_between(high, low, currency)}{'' if cheaper else ' more'} ({percent} %)"
    return f"privacy {'saves' if cheaper else 'costs'} {words}"


def people_of_both(private: int, without: Bracket) -> str:
    """How many people the private study takes, and the one that is not private."""
    if private == without.least == without.most:
        both = "the private study and the one that is not private both take"
        return f"{both} {persons(private)}"
    more = 100 * (private / without.most - 1)
    words = f", {at_most(more, 2)} % more than" if more > 0 else ","
    return (
        f"the private study takes {persons(private)}{words} the one that is not private, "
        f"{between(plain(int(without.least)), plain(int(without.most)))}"
    )


def columns(comparison: Comparison) -> tuple[str, ...]:
    """The studies side by side: the private one, or up to three, and the one without privacy."""
    by_trust = ("private with a curator", "private without a curator")
    sides = by_trust if comparison.trust else ("private",)
    return (*sides, "not private")


def rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """ε, participants, payment and cost: a name, and a cell for each of `columns`."""
    trust = comparison.trust
    private = (trust.curator, trust.no_curator) if trust else (comparison.private,)
    sides = [*map(_cells, private), _cells_without_privacy(comparison)]
    names = ("ε", "participants", "each is paid", "total cost")
    named = [(name, *cells) for name, *cells in zip(names, *sides, strict=True)]
    return named[:2] if comparison.study.costs_nothing else named


def _cells(answer: Answer | None) -> tuple[str, ...]:
    if not isinstance(answer, Plan):
        return ("not known" if isinstance(answer, Undecided) else "impossible",) * 4
    currency = answer.study.currency
    return (
        plain(answer.epsilon),
        plain(answer.participants),
        paid_words(answer),
        money(answer.cost, currency),
    )


def _cells_without_privacy(comparison: Comparison) -> tuple[str, ...]:
    currency = comparison.study.currency
    others = without = "not known"
    exposed = payment(comparison.compensation, currency)
    sizes, cost = comparison.participants, comparison.cost
    if sizes and cost:
        others = between(plain(int(sizes.least)), plain(int(sizes.most)))
        without = between(money(cost.least, currency), money(cost.most, currency))
    return "no noise", others, exposed, without


def side_by_side(comparison: Comparison) -> list[dict[str, Any]]:
    """The studies in numbers, a row for each of `columns`; sizes and costs lie between two ends."""
    trust = comparison.trust
    plans = (trust.curator, trust.no_curator) if trust else (comparison.private,)
    sizes, cost = comparison.participants, comparison.cost
    exposed = _numbers(None, None, sizes, comparison.compensation, cost)
    rows = [*map(_numbers_of, plans), exposed]
    return [{"study": name, **row} for name, row in zip(columns(comparison), rows, strict=True)]


def _numbers_of(answer: Answer | None) -> dict[str, Any]:
    """A private study as numbers; None where there is no plan."""
    if not isinstance(answer, Plan):
        return _numbers(None, None, None, None, None)
    size, cost = answer.participants, answer.cost
    return _numbers(
        answer.epsilon, answer.delta, Bracket(size, size), answer.compensation, Bracket(cost, cost)
    )


def _numbers(
    epsilon: float | None,
    delta: float | None,
    participants: Bracket | None,
    compensation: float | None,
    cost: Bracket | None,
) -> dict[str, Any]:
    return {
        "epsilon": epsilon,
        "delta": delta,
        "participants_least": participants.least if participants else None,
        "participants_most": participants.most if participants else None,
        "compensation": compensation,
        "cost_least": cost.least if cost else None,
        "cost_most": cost.most if cost else None,
    }


def all_rows(comparison: Comparison) -> list[tuple[str, str]]:
    """Rows that name both studies' numbers, then the sentences."""
    names = columns(comparison)
    sides = [
        (name, "; ".join(f"{cell} {side}" for cell, side in zip(cells, names, strict=True)))
        for name, *cells in rows(comparison)
    ]
    return [*sides, *(("note", words) for words in in_words(comparison))]


def in_words(comparison: Comparison) -> list[str]:
    """What decides which study is cheaper, then the notes, in sentences."""
    return [*decisive(comparison), *notes(comparison)]


def decisive(comparison: Comparison) -> list[str]:
    """The exposure from which on the private study is cheaper, and the price of trust."""
    if comparison.study.costs_nothing:
        return []
    percent = at_most(100 * comparison.exposure, 3)
    sentences = [
        f"A study that is not private is assumed to expose {percent} % of its people: their "
        "records become known."
    ]
    if comparison.over_budget:
        sentences.insert(0, comparison.over_budget)
    if comparison.break_even_exposure:
        sentences += _exposure_sentences(comparison.break_even_exposure)
    return sentences + (_trust_sentences(comparison.trust) if comparison.trust else [])


def notes(comparison: Comparison) -> list[str]:
    """At which breach the others are cheaper, and what is assumed."""
    sentences = []
    if comparison.trust:
        sentences += _breach_sentences(comparison.trust)
    if comparison.by_hand:
        sentences.append(_by_hand(comparison.by_hand, comparison.study.currency))
    said_before = comparison.over_budget
    return [*sentences, *(note for note in comparison.notes if note != said_before)]


def between(low: str, high: str) -> str:
    """Two ends as "116 to 738", or the one number that both are."""
    return low if low == high else f"{low} to {high}"


def _trust_sentences(trust: Trust) -> list[str]:
    """What the study without a curator costs more, or less."""
    with_, without = trust.curator, trust.no_curator
    if not (isinstance(with_, Plan) and isinstance(without, Plan)) or trust.money is None:
        return []
    currency = with_.study.currency
    low, high = sorted((with_.cost, without.cost))
    dearer = "without" if trust.money > 0 else "with"
    times = f", {high / low:.3g} times as much" if low > 0 else ""
    more = money_between(high, low, currency)
    return [f"The private study {dearer} a curator costs {more} more{times}."]


def _breach_sentences(trust: Trust) -> list[str]:
    """The breach from which on the study without a curator is cheaper."""
    if not trust.breach:
        return []
    return [
        f"To do without a curator pays only if the records that a curator holds become known "
        f"with a probability of {at_most(100 * trust.breach, 3)} % or more."
    ]


def _exposure_sentences(even: Bracket) -> list[str]:
    low, high = 100 * even.least, 100 * even.most
    if low > 100:
        return ["Whatever proportion is exposed, the study that is not private is cheaper."]
    if high <= 0:
        return ["Whatever proportion is exposed, the private study is cheaper."]
    if f"{low:.2g}" == f"{high:.2g}":
        return [f"The private study is cheaper if more than about {high:.2g} % are exposed."]
    private = f"The private study is cheaper if more than {at_most(high, 3)} % are exposed"
    other = f"if less than {at_least(low, 3)} % are exposed"
    if high >= 100:
        return [f"The study that is not private is cheaper {other}."]
    return [f"{private}, the study that is not private {other}." if low > 0 else f"{private}."]


def _by_hand(plan: ByHand, currency: str) -> str:
    """Hsu14's own comparison, in sentences."""
    sign = "≤" if plan.cheaper else ">"
    words = "so the private study is cheaper" if plan.cheaper else "so nothing follows"
    return (
        f"By hand: N′ ≥ {at_least(plan.participants)} people without privacy (Hsu14 eq. 10) "
        f"cost {money(plan.cost, currency)}, the closed private plan "
        f"{money(plan.private_cost, currency)}; eq. 9 reads {at_most(plan.epsilon, 4)} "
        f"{sign} {at_least(plan.epsilon_ceiling, 4)}, {words}. It holds for an exposure of "
        f"{at_most(100 * plan.break_even_exposure, 3)} % or more."
    )
