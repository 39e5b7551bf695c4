"""How people are paid in one study, in a sentence."""

from planner.model import Delta, Study
from planner.wording import money, plain


def payment_words(study: Study) -> str:
    """The compensation of this study: its formula with the study's numbers."""
    person, costs = study.individual, study.costs
    if person.listed_events:
        words = "the cost of each event times how much its probability can rise, added up"
    else:
        words = _by_cost(study)
        if person.capped:
            words = f"{words}, at most W"
        known = [("E", person.base_cost), ("W", person.worst_cost)]
        given = [f"{name} = {money(x, study.currency)}" for name, x in known if x is not None]
        words = f"{words}, with {' and '.join(given)}"
    if costs.incentive:
        words += f"; at least the incentive of {money(costs.incentive, study.currency)}"
    if costs.smallest_coin:
        words += f"; rounded up to multiples of {money(costs.smallest_coin, study.currency)}"
    return f"In this study: {words}."


def _by_cost(study: Study) -> str:
    """The formula of people who are paid by expected cost."""
    person = study.individual
    chosen = study.mechanism.alternatives or [study.mechanism]
    delta = "δ" if study.find(Delta) or any(one.approximate for one in chosen) else ""
    if person.breach:
        delta = f"({delta} + {plain(person.breach)})" if delta else plain(person.breach)
    more = f"{delta}W" if delta else ""
    if person.family == 1:
        return f"(e^ε − 1)E{f' + {more}' * bool(more)}"
    base = f"(E + {more}/(e^ε − 1))" if more else "E"
    return f"(e^(gε) − 1){base} for families of g = {plain(person.family)}"
