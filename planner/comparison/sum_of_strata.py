"""One answer for all people of a stratified sample, without privacy.

By Hoeffding's lemma the weighted sum of the strata's means is off by T with a probability of at
most 2·exp(−T²/(4V)), V = Σ W_g²/(8n_g). Without privacy the sizes are those of least cost at which
V is T²/(4·ln(2/α)): each is the best at one price of V, as survey planners allocate (Neyman 1934).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.answer.answers import TotalPlan
from planner.answer.strata.together import plans_of
from planner.libraries import scipy
from planner.mechanisms.sample import Sample
from planner.model import MaxParticipants, MinParticipants, Study
from planner.model.strata import weights
from planner.numbers import WHOLE_LIMIT

_PRICES = (1e-12, 1e30)
"""Of V: cells are halved between these."""


class _Part(NamedTuple):
    """A stratum.

    Attributes:
        weight: W.
        sample: how its people are drawn.
        price: what one of them costs [money].
        least: how many of them take part at least.
        most: and at most.
    """

    weight: float
    sample: Sample
    price: float
    least: float
    most: float

    def used(self, participants: float) -> float:
        """What so many people take of V."""
        return self.weight**2 / (8 * float(self.sample.people(participants)))

    def size(self, price: float) -> float:
        """The size at which its cost and what it takes of V are least together."""
        ends = math.log(self.least), math.log(self.most)
        if ends[1] - ends[0] < 1e-12:
            return self.most

        def cost(log: float) -> float:
            return self.price * math.exp(log) + price * self.used(math.exp(log))

        found = scipy.optimize.minimize_scalar(cost, bounds=ends, method="bounded").x
        return math.exp(min((float(found), *ends), key=cost))


def without_privacy(plan: TotalPlan, exposure: float) -> tuple[int, float] | None:
    """How many people a study that is not private takes, and its cost; None if none will do."""
    parts = []
    for one, weight in zip(plans_of(plan), weights(plan.study), strict=True):
        owed = one.study.individual.compensation_exposed(exposure)
        price = float(one.study.costs.total(1, owed))
        least = _least(one.study)
        most = max(_most(one.study), least)
        parts.append(_Part(float(weight), one.study.sampling.sample, price, least, most))
    return _cheapest(plan, parts)


def _least(study: Study) -> float:
    """How many people of a stratum take part at least."""
    fewest = study.find(MinParticipants)
    return max(1.0, fewest.n if fewest else 1.0)


def _most(study: Study) -> float:
    own = study.find(MaxParticipants)
    return min(study.sampling.most_participants, own.n if own else math.inf, WHOLE_LIMIT)


def _cheapest(plan: TotalPlan, parts: Sequence[_Part]) -> tuple[int, float] | None:
    """The people and the cost of the cheapest sizes within V, in whole people."""
    target = plan.study.accuracy
    most = target.error**2 / (4 * math.log(2 / target.failure))

    def sizes(price: float) -> list[float]:
        return [part.size(price) for part in parts]

    def used(of: Sequence[float]) -> float:
        return sum(part.used(n) for part, n in zip(parts, of, strict=True))

    if any(part.least > part.most for part in parts) or used([part.most for part in parts]) > most:
        return None
    low, high = _PRICES
    while high > low * (1 + 1e-6):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if used(sizes(middle)) <= most else (middle, high)
    whole = [
        min(math.ceil(n - 1e-6), part.most) for n, part in zip(sizes(high), parts, strict=True)
    ]
    cost = sum(part.price * n for part, n in zip(parts, whole, strict=True))
    return int(sum(whole)), cost + plan.study.costs.overhead
