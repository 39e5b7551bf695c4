"""What trust in a curator is worth: the study with one who holds the records, and without.

Without a curator each person randomises their own answer, which takes more people or more ε. With
one, the records may become known all the same (`Individual.breach`), and each person is paid for
that. The curator's cost is the least of N·((e^ε − 1)E + breach·W + cost of recruiting), which is
concave in the breach and grows with it, so there is one breach at which both studies cost the same.
"""

from dataclasses import dataclass, replace
from typing import Any

from planner.answer.answers import Answer, Plan
from planner.answer.solve import solve
from planner.mechanisms import LaplaceMean, Mechanism, RandomizedResponse, kinds
from planner.model import Delta, DeltaAtMost, DeltaTimesNAtMost, Study

_STEPS = 60  # a guard: Newton's steps double the digits, so that a handful is enough
_CLOSE = 1e-12  # of the breach: thousands of roundings of a cost, and far below what is shown


@dataclass(frozen=True)
class Trust:
    """The price of trust: the study with a curator beside the one without.

    Attributes:
        curator: the study with a curator.
        no_curator: the study without.
        money: by how much the latter is dearer [money]; None unless both have a plan.
        people: how many more people it takes; None likewise.
        breach: the probability of a breach from which on no curator is cheaper [[0, 1]]; None where
            there is none, or where it is not computed: without a worst cost, or both plans.
        participants: of the study with a curator there.
    """

    curator: Answer
    no_curator: Answer
    money: float | None = None
    people: int | None = None
    breach: float | None = None
    participants: int | None = None

    def to_dict(self) -> dict[str, Any]:
        sides = {"curator": self.curator, "no_curator": self.no_curator}
        return {
            **{name: _in_short(answer) for name, answer in sides.items()},
            "money": self.money,
            "people": self.people,
            "breach": self.breach,
            "participants_at_breach": self.participants,
        }


def price_of_trust(study: Study, private: Answer) -> Trust | None:
    """A study beside its counterpart; None where no other way to ask is known."""
    other = counterpart(study)
    if other is None:
        return None
    answers = private, solve(other)
    curator, none = answers if kinds.is_curated(study.mechanism) else answers[::-1]
    if not (isinstance(curator, Plan) and isinstance(none, Plan)):
        return Trust(curator, none)
    breach, participants = _break_even(curator.study.unrounded, none)
    return Trust(
        curator,
        none,
        none.cost - curator.cost,
        none.participants - curator.participants,
        breach,
        participants,
    )


def counterpart(study: Study) -> Study | None:
    """The same study with a curator where it has none, and without where it has one."""
    published = kinds.adds(study.mechanism) or not kinds.is_curated(study.mechanism)
    alone = study.sampling.person_by_person or not kinds.is_curated(study.mechanism)
    if study.groups == 2 or not published or not alone:  # reports are of people drawn one by one
        return None
    other = without_delta(study)
    if study.target.deviation is not None:  # of randomised answers it says nothing
        other = replace(other, target=replace(other.accuracy, deviation_at_most=None))
    return other.by(_other(study))


def _other(study: Study) -> Mechanism:
    """The mechanism of the counterpart, by the same analysis.

    By Hoeffding's bound for reports of people drawn from a finite population.
    """
    mechanism = study.mechanism
    exact = getattr(mechanism, "analysis", "exact") == "exact"
    exact = exact and (study.sampling.sample.simple or not kinds.is_curated(mechanism))
    kind = RandomizedResponse if kinds.is_curated(mechanism) else LaplaceMean
    mean_range = getattr(mechanism, "mean_range", (0.0, 1.0))
    return kind(analysis="exact" if exact else "hoeffding", mean_range=mean_range)


def without_delta(study: Study) -> Study:
    """The study without what it says of δ, which neither counterpart uses."""
    said = (Delta, DeltaAtMost, DeltaTimesNAtMost)
    return replace(study, conditions=tuple(c for c in study.conditions if not isinstance(c, said)))


def _break_even(curator: Study, none: Plan) -> tuple[float | None, int | None]:
    """The breach at which the study with a curator costs as much as the one without, and its N.

    By Newton's method: the cost is concave in the breach, with the slope N·W (Danskin), so after
    the first step it comes from below. N is whole, so it ends.
    """
    person, plan = curator.individual, none
    if not person.worst_cost:
        return None, None
    breach = min(1.0, none.least_cost / (none.participants * person.worst_cost)) / person.family
    for _ in range(_STEPS):
        risky = person.with_breach(min(breach, 1 - 2**-53))
        answer = risky and solve(replace(curator, individual=risky), prove=False)
        if not isinstance(answer, Plan):
            return None, None
        plan = answer
        slope = plan.participants * person.worst_cost * person.family
        step = (none.least_cost - plan.least_cost) / slope
        if abs(step) <= _CLOSE * breach:
            return breach, plan.participants
        breach += step
        if not 0 < breach * person.family < 1:  # no curator is dearer, or cheaper, at every breach
            return (None, None) if breach > 0 else (0.0, plan.participants)
    return breach, plan.participants


def _in_short(answer: Answer) -> dict[str, Any]:
    fields = ("epsilon", "delta", "participants", "compensation", "cost", "least_cost")
    plan = {name: getattr(answer, name) for name in fields} if isinstance(answer, Plan) else None
    return {
        "mechanism": kinds.words(answer.study.mechanism),
        "verdict": answer.verdict,
        "plan": plan,
    }
