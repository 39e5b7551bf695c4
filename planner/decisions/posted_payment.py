"""The posted payment: one amount offered to everybody invited, with the least total cost.

A proportion s of the people accepts (e^ε − 1)·F⁻¹(s), where F is the law of base costs. A larger
payment costs more for each participant, and takes fewer invitations. So each proportion is a study,
and the best one is searched for; the study at it is planned and proved like every other.

Those who refuse are 1 − s, and may differ in any way. The answer is about those who accept; or it
is about all people, and then the published answer a is corrected to s·a + (1 − s)/2, which is off
by at most s·T' + (1 − s)/2 where a is off by T' (see `planner.answer.accepting`). So
T' = (T − (1 − s)/2)/s is planned for.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from planner.answer.accepting import some_means
from planner.answer.answers import Answer, Given, Plan, study_of
from planner.answer.solve import solve
from planner.libraries import np, scipy
from planner.mechanisms import kinds
from planner.model import Accuracy, Budget, MaxHarm, Study
from planner.model.invitations import most_of
from planner.model.people import Groups, People
from planner.numbers import decimal, round_down
from planner.show import Shown

About = Literal["accepting", "all"]
Verdict = Literal["feasible", "infeasible", "undecided"]
_SMALL = tuple(0.05 / 2**k for k in range(11, 0, -1))
_LARGE = tuple(k / 40 for k in range(2, 40))
"""Where proportions are looked at first, as parts of all that are possible: near the best one the
cost is flat, so that a coarse grid finds its valley; a search by golden section finds the bottom.
"""
_OF_VALLEY = 3
"""Digits of the width of that valley to which its bottom is found: the cost is flat there, so that
a thousandth of the width changes a millionth of what the whole width does."""
_OF_ERRORS = 12
"""Digits of errors and of costs in parts of a proof, rounded toward what is to be proved."""
_TIMES = tuple(1.23**k for k in range(-6, 7))
"""Payments of a picture, as multiples of the best one: from 0.29 to 3.5."""
_SOME = 8
"""Shares looked at for each of them: so many golden sections are a fiftieth of the range, and the
cost is flat at its bottom."""
_NO_STUDY = 1e100
"""In place of an infinite cost, with which a search by parabolas cannot compute."""
_MOST_STUDIES = 200
"""Observed proportions looked at, and parts of a proof that no proportion is feasible."""
_HALF = 0.5
"""By how much an answer of 1/2 that nobody was asked for can be off."""


class Offer(NamedTuple):
    """The best study at one proportion of people who accept.

    Attributes:
        accepting: the proportion [(0, 1]].
        payment: what each participant is offered [money].
        cost: of the study without its budget, and with payments that are not rounded [money].
        participants: N.
        epsilon: ε.
    """

    accepting: float
    payment: float
    cost: float
    participants: int
    epsilon: float


@dataclass(frozen=True, repr=False)
class PostedPayment(Shown):
    """The payment offered to everybody invited, with the least total cost.

    Attributes:
        asked: the study as given.
        about: whom the answer is about: those "accepting", or "all" people.
        verdict: "feasible"; "infeasible" where that is proved of every payment; else "undecided".
        answer: the answer to the study at the best proportion, of which a plan is proved.
        offers: the best study at each proportion that was looked at, by ascending proportion;
            those that are feasible without the budget.
        statement: what is proved of all payments, in a sentence.
    """

    asked: Study
    about: About
    verdict: Verdict
    answer: Answer
    offers: tuple[Offer, ...]
    statement: str

    @property
    def plan(self) -> Plan | None:
        return self.answer if isinstance(self.answer, Plan) else None

    @property
    def accepting(self) -> float:
        """The proportion of people who accept the payment [(0, 1]]."""
        people = self.answer.study.individual.people
        assert people is not None  # each study looked at has people
        return people.accepting

    @property
    def payment(self) -> float | None:
        """What everybody is offered [money]; None without a plan."""
        return None if self.plan is None else self.plan.compensation

    @property
    def invitations(self) -> int | None:
        """How many to invite; None without a plan."""
        if self.plan is None:
            return None
        return int(self.plan.study.costs.invitations(self.plan.participants))

    @cached_property
    def over_payment(self) -> tuple[Offer, ...]:
        """The best study at each of some payments, without the budget, by ascending payment.

        Where everybody is paid p, those with a base cost of E need an ε at which that is enough; so
        each proportion is a study of the fewest people at most so much harm, and the best is
        looked for.
        """
        best = min(self.offers, key=lambda offer: offer.cost, default=None)
        if best is None or not best.payment:
            return ()
        free = _free(self.asked)
        found = [_at_payment(free, self.about, best, best.payment * by) for by in _TIMES]
        return tuple(offer for offer in found if offer is not None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "about": self.about,
            "payment": self.payment,
            "accepting": self.accepting,
            "invitations": self.invitations,
            "statement": self.statement,
            "answer": self.answer.to_dict(),
            "offers": [offer._asdict() for offer in self.offers],
        }


def posted_payment(study: Given, about: About = "accepting") -> PostedPayment:
    """The payment with the least total cost with which a study is still accurate.

    Args:
        study: one of people who differ; the proportion of them who must accept is ignored.
        about: whom the answer is about: those "accepting" the payment, or "all" people, where the
            error includes how far those who refuse can move the answer.

    Raises:
        ValueError: everyone has the same base cost, invitations cost nothing, or the study's answer
            cannot be about all people.
    """
    asked = study_of(study)
    _check(asked, about)
    free = _free(asked)
    offers: dict[float, Offer] = {}

    def cost(share: float) -> float:
        answer = solve(_at(free, share, about), prove=False)
        if not isinstance(answer, Plan):
            return math.inf
        n, epsilon = answer.participants, answer.epsilon
        offers[share] = Offer(share, answer.compensation, answer.cost, n, epsilon)
        return answer.cost

    share = _best_share(asked, about, cost)
    answer = solve(_at(asked, share, about))
    verdict: Verdict = answer.verdict  # type: ignore[assignment]
    statement = "The plan is proved at this payment; that no other costs less is searched for."
    if verdict == "infeasible":
        excluded = _every_share_excluded(asked, about)
        verdict = "infeasible" if excluded else "undecided"
        statement = (
            "The study is infeasible at this payment; that it is so at every other could not be "
            "proved."
        )
        if excluded:
            parts = "" if excluded == 1 else f", in {excluded} parts"
            statement = f"Every payment is proved infeasible{parts}."
    ordered = tuple(offers[one] for one in sorted(offers))
    return PostedPayment(asked, about, verdict, answer, ordered, statement)


def _free(study: Study) -> Study:
    """The study without its budget, and with payments that are not rounded."""
    conditions = tuple(c for c in study.conditions if not isinstance(c, Budget))
    return replace(study.unrounded, conditions=conditions)


def _at_payment(study: Study, about: About, best: Offer, payment: float) -> Offer | None:
    """The best study in which everybody is offered a payment; None where there is none."""
    offers: list[Offer] = []

    def cost(share: float) -> float:
        if not _possible(study, share, about):
            return math.inf
        at = _at(study, share, about)
        own = at.find(MaxHarm)
        harm = MaxHarm(payment if own is None else min(payment, own.money))
        others = (c for c in at.conditions if not isinstance(c, MaxHarm))
        answer = solve(replace(at, conditions=(*others, harm)), "participants", prove=False)
        if not isinstance(answer, Plan):
            return math.inf
        n, total = answer.participants, float(at.costs.total(answer.participants, payment))
        offers.append(Offer(share, payment, total, n, answer.epsilon))
        return total

    least, most = (max(1 - 2 * study.accuracy.error, 0.0), 1.0) if about == "all" else (0.0, 1.0)
    person = study.individual.accepted_by(best.accepting)
    assert person.people is not None  # as before
    alike = person.people.base_costs.share_up_to(person.base_cost * payment / best.payment)
    low, high = min(alike, best.accepting), max(alike, best.accepting)
    ends = (least + (low - least) / 2, high + (most - high) / 2)
    for share in (low, high):
        cost(share)
    if least < ends[0] < ends[1] < most:
        scipy.optimize.minimize_scalar(
            lambda share: min(cost(float(share)), _NO_STUDY),
            bounds=ends,
            method="bounded",
            options={"maxiter": _SOME},
        )
    return min(offers, key=lambda offer: offer.cost, default=None)


def _check(study: Study, about: str) -> None:
    """Refuse a study without a best payment."""
    if about not in get_args(About):
        raise ValueError(f"about = {about!r} is not allowed; give 'accepting' or 'all'")
    if study.strata:
        raise ValueError(
            "a posted payment is for a study without strata; choose one, or leave them"
        )
    people = study.individual.people
    study.individual.accepted_by(1.0 if people is None else people.accept)  # people must differ
    if about == "accepting":
        if not study.costs.per_invitation and study.sampling.population is None:
            raise ValueError(
                "invitations cost nothing, so it costs least to invite ever more people for ever "
                "less; give per_invitation in [costs], the cost of an invitation"
            )
        return
    if (
        study.target.kind != "accuracy"
        or study.survey is not None
        or kinds.is_count(study.mechanism)
    ):
        raise ValueError(
            "how far refusers move the answer is known of one proportion or mean; give such a "
            "target, or about = 'accepting'"
        )
    if not study.accuracy.error < _HALF:
        raise ValueError(
            f"error = {study.accuracy.error!r} about all people needs no study: a half is as "
            "close; give an error below 0.5, or about = 'accepting'"
        )
    if some_means(study) is not None:
        raise ValueError(
            "with mean_range nothing is claimed about all people; leave it out, or give about = "
            "'accepting'"
        )


def _best_share(study: Study, about: About, cost: Any) -> float:
    """The proportion of people who accept at which a study costs least.

    Where base costs are a list, the proportions of the list are looked at, at most so many of them;
    else a grid, and the valley around its best point.
    """
    people = study.individual.people
    assert people is not None  # `_check` has refused others
    spread = people.base_costs
    if spread.steps:
        shares = sorted({spread.share_up_to(base_cost) for base_cost in spread.steps})
        shares = shares[:: -(-len(shares) // _MOST_STUDIES)]
    else:
        most = spread.share_up_to(math.inf) if math.isinf(spread.high) else 1.0
        least = max(1 - 2 * study.accuracy.error, 0.0) if about == "all" else 0.0
        shares = [least + (most - least) * part for part in (*_SMALL, *_LARGE)]
    shares = [share for share in shares if _possible(study, share, about)]
    if not shares:
        raise ValueError(
            "so many people refuse every known payment that they can move the answer by more than "
            "the error; give a larger error, or about = 'accepting'"
        )
    costs = [cost(share) for share in shares]
    at = int(np.argmin(costs))
    if spread.steps or math.isinf(costs[at]):
        return shares[at]
    around = (shares[max(at - 1, 0)], shares[min(at + 1, len(shares) - 1)])
    digits = _OF_VALLEY + math.ceil(-math.log10(around[1] - around[0]))
    found = scipy.optimize.minimize_scalar(
        lambda share: min(cost(float(share)), _NO_STUDY),
        bounds=around,
        method="bounded",
        options={"xatol": 10.0**-digits},
    )
    chosen = round(float(found.x), digits)
    return chosen if cost(chosen) <= costs[at] else shares[at]


def _possible(study: Study, share: float, about: About) -> bool:
    """Whether a proportion can accept a payment, and those who refuse leave an error."""
    person = study.individual
    assert person.people is not None  # `_check` has refused others
    most = math.inf if person.worst_cost is None else person.worst_cost
    base_cost = person.people.base_costs.quantile(share)
    leaves_an_error = about != "all" or _error(study, share) > 0
    some = base_cost < math.inf and base_cost <= most and _takes_part(study, share)
    return some and leaves_an_error


def _takes_part(study: Study, share: float) -> bool:
    """Whether anybody of the population does where a proportion accepts, if all are invited."""
    people, sampling = study.sampling.population, study.sampling
    return people is None or most_of(people, sampling.response_rate * share, sampling.arrive) > 0


def _error(study: Study, share: float) -> float:
    """T', the error for those who accept, so that the answer about all is as accurate as asked."""
    refusing = 1 - decimal(share)
    planned = (decimal(study.accuracy.error) - refusing / 2) / decimal(share)
    return float(planned)


def _at(study: Study, share: float, about: About) -> Study:
    person = study.individual.accepted_by(share)
    return replace(_for(study, share, about), individual=person)


def _for(study: Study, share: float, about: About) -> Study:
    """The study with the error that is left where a proportion accepts."""
    changed: dict[str, Any] = {}
    if about == "all":
        target = study.accuracy
        error = round_down(target.in_unit(1.0) * _error(study, share), _OF_ERRORS)
        if target.values is None:
            changed["target"] = replace(target, error=error)
        else:
            changed["target"] = Accuracy.of_values(
                error, *target.values, target.failure, target.deviation_at_most
            )
    return replace(study, **changed) if changed else study


def _every_share_excluded(study: Study, about: About) -> int:
    """In how many parts of (0, 1] a study is proved infeasible at every proportion; 0 if it is not.

    In a part from low to high nobody is paid for less than the base cost at low, invites fewer than
    at high, or has a larger error: where the study with all three is infeasible, the part is.
    """
    assert study.individual.people is not None  # `_check` has refused others
    spread = study.individual.people.base_costs
    left, looked_at, parts = [(0.0, 1.0)], 0, 0
    while left:
        low, high = left.pop()
        looked_at += 1
        if _excluded(study, about, spread, low, high):
            parts += 1
            continue
        if looked_at >= _MOST_STUDIES:
            return 0
        middle = (low + high) / 2
        left += [(low, middle), (middle, high)]
    return parts


def _excluded(study: Study, about: About, spread: Any, low: float, high: float) -> bool:
    """Whether no proportion in (`low`, `high`] is feasible, by one study that is easier."""
    person = study.individual
    base_cost = float(spread.quantile(low)) if low else float(spread.low)
    most = math.inf if person.worst_cost is None else person.worst_cost
    if math.isinf(base_cost) or base_cost > most or (about == "all" and _error(study, high) <= 0):
        return True
    if not _takes_part(study, high):
        return True
    base_cost = max(round_down(base_cost, _OF_ERRORS), 0.0)
    if not base_cost and person.family > 1 and person.worst_cost:
        return False  # a family without a base cost has no payment
    accepting = math.ceil(decimal(high) * 10**_OF_ERRORS)  # a whole number of 10^12 people
    people = None
    if accepting < 10**_OF_ERRORS:
        refusing = float(Fraction(10**_OF_ERRORS - accepting, 10**_OF_ERRORS))
        accepting = accepting / 10**_OF_ERRORS
        two = Groups(((accepting, base_cost), (refusing, 2 * base_cost + 1)))
        people = People(two, accepting)
    easier = replace(
        _for(study, high, about),
        individual=replace(person, base_cost=base_cost, people=people),
    )
    return solve(easier).verdict == "infeasible"
