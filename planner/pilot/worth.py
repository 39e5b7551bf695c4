"""How much a larger pilot is worth: the cost of a plan that holds for most plausible spreads.

A posted payment for a base cost E with N people costs more the fewer accept. Of the spreads that a
pilot leaves plausible, a proportion, such as 90 %, have at least F₉₀(E), the quantile of F(E) over
the spreads. So the plan that holds for 90 % of them is the posted payment of people with the law
F₉₀. A pilot n times as large leaves a covariance n times as small.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from planner import checks
from planner.answer.answers import Given, study_of
from planner.decisions.posted_payment import posted_payment
from planner.libraries import np, scipy
from planner.model import Budget, Individual, People, Study
from planner.model.spread import Spread
from planner.numbers import Array
from planner.pilot.answers import Answers
from planner.pilot.estimate import Estimate
from planner.pilot.log_normal import Fit, Plausible, plausible
from planner.pilot.release import Release
from planner.show import Shown

HUNDRED = 100
"""Answers that are added at a time."""
_DRAWS, _SEED = 2_000, 43
"""Plausible spreads, the same for all sizes: a quantile of 0.9 of so many has an error of 0.007."""
_SIZES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Sizes that are shown, as multiples of the pilot's."""
_MOST_TIMES = 64
"""A pilot so many times as large leaves an eighth of the uncertainty: more is not looked at."""
_SOME = 0.01
"""A proportion who must accept, which a posted payment replaces."""
_END = 1e-12
"""The smallest base cost, as a part of the median, at which a quantile is looked for; the largest
is its inverse. Beyond lie no proportions that a study can use."""


class Size(NamedTuple):
    """What a pilot of some size is worth.

    Attributes:
        answers: the people who answer.
        cost: of the plan that holds for most spreads that such a pilot leaves plausible [money].
    """

    answers: int
    cost: float


@dataclass(frozen=True, repr=False)
class Worth(Shown):
    """The worth of a larger pilot.

    Attributes:
        study: the study that is planned.
        answers: the people who answered the pilot.
        per_answer: what a further answer costs [money].
        probability: the proportion of plausible spreads for which each plan holds [(0, 1)].
        sizes: the cost for some sizes of the pilot, ascending.
        known: the cost of the plan if the estimated spread were the true one [money].
        enough: the size from which on the next hundred answers cost more than they save; None
            where that is more than 64 times the pilot.
        saved: what the next hundred answers save at the present size [money].
    """

    study: Study
    answers: int
    per_answer: float
    probability: float
    sizes: tuple[Size, ...]
    known: float
    enough: int | None
    saved: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "answers": self.answers,
            "per_answer": self.per_answer,
            "probability": self.probability,
            "sizes": [size._asdict() for size in self.sizes],
            "known": self.known,
            "enough": self.enough,
            "saved": self.saved,
        }


def worth(estimate: Estimate, study: Given, per_answer: float, probability: float = 0.9) -> Worth:
    """How much a larger pilot is worth to a study with a posted payment, about those who accept.

    Args:
        estimate: what the pilot shows; the spread is taken to be log-normal.
        study: what is planned; its base costs are replaced by those of the pilot.
        per_answer: what a further answer costs [money, > 0].
        probability: the proportion of plausible spreads for which each plan is to hold [(0, 1)].

    Raises:
        ValueError: an argument is outside its range, the study has no posted payment, or no payment
            makes it feasible.
    """
    checks.positive("per_answer", per_answer)
    checks.probability("probability", probability)
    if isinstance(estimate.pilot, Release):
        raise ValueError(
            "what a larger pilot is worth follows from the answers; give an estimate without noise"
        )
    asked, answers = study_of(study), estimate.pilot.base
    found = _Plans(asked, answers, probability)
    now = answers.people
    known = found.cost(Cautious.known(estimate.log_normal))

    def saved(size: int) -> float:
        return found.at(size) - found.at(size + HUNDRED)

    sizes = tuple(Size(round(now * by), found.at(round(now * by))) for by in _SIZES)
    enough = _first(lambda k: saved(now + HUNDRED * k) <= HUNDRED * per_answer, now)
    return Worth(
        asked, now, per_answer, probability, sizes, known,
        None if enough is None else now + HUNDRED * enough, saved(now),
    )  # fmt: skip


def _first(holds: Callable[[int], bool], now: int) -> int | None:
    """The first number of hundreds from which on it holds, by halving; None where there is none.

    What a hundred answers save falls with the size of the pilot.
    """
    low, high = -1, 0
    while not holds(high):
        low, high = high, 2 * high + 1
        if now + HUNDRED * high > _MOST_TIMES * now:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


class _Plans:
    """The posted payments of a study for pilots of all sizes; each is planned once."""

    def __init__(self, study: Study, answers: Answers, probability: float) -> None:
        conditions = tuple(c for c in study.conditions if not isinstance(c, Budget))
        self._study = replace(study.unrounded, conditions=conditions)
        self._answers, self._probability = answers, probability
        self._plausible = plausible(answers)
        self._costs: dict[int, float] = {}

    def at(self, size: int) -> float:
        """The cost of the plan that holds for most spreads, with a pilot of this size [money]."""
        if size not in self._costs:
            spread = Cautious.of(self._plausible, self._answers, size, self._probability)
            self._costs[size] = self.cost(spread)
        return self._costs[size]

    def cost(self, spread: "Cautious") -> float:
        """The cost of the posted payment to people with these base costs [money]."""
        person = self._study.individual
        people = People(spread, _SOME)
        paid = Individual.of_people(
            people, person.worst_cost, person.capped, person.family, person.breach
        )
        posted = posted_payment(replace(self._study, individual=paid))
        if posted.plan is None:
            raise ValueError(
                "no payment makes this study feasible, even without a budget; see planner payment"
            )
        return posted.plan.cost


class Cautious(Spread):
    """The proportion who accept that most of some log-normal spreads have at least."""

    name, estimated = "cautious", True

    def __init__(self, spreads: Array, middle: float, scale: float, quantile: float) -> None:
        """Spreads (1 − never)·Φ(b·x − a) with x = (ln cost − middle)/scale.

        Args:
            spreads: rows of a, b and never [shape (spreads, 3)].
            middle: see above.
            scale: see above [> 0].
            quantile: of the proportions, over the spreads [[0, 1]].
        """
        self._a, self._b, self._never = spreads.T
        self._middle, self._scale, self._quantile = middle, scale, quantile
        self.low = 0.0
        self.high = float("inf")

    @classmethod
    def of(cls, spreads: Plausible, answers: Answers, size: int, probability: float) -> "Cautious":
        """The spreads that a pilot of some size leaves plausible, if this one's are the best."""
        rng = np.random.default_rng(_SEED)
        smaller = (answers.people / size) ** 0.5
        root = np.linalg.cholesky(spreads.covariance)
        drawn = spreads.best + smaller * rng.standard_normal((_DRAWS, 2)) @ root.T
        never = np.zeros(_DRAWS)
        if answers.refused.size:
            refused = answers.never * size
            never = rng.beta(refused + 0.5, size - refused + 0.5, _DRAWS)
        rows = np.column_stack([drawn, never])
        return cls(rows[drawn[:, 1] > 0], spreads.middle, spreads.scale, 1 - probability)

    @classmethod
    def known(cls, fitted: Fit) -> "Cautious":
        """The one spread that was estimated."""
        row = np.array([[0.0, 1.0, fitted.never]])
        return cls(row, float(np.log(fitted.median)), float(np.log(fitted.spread)), 0.5)

    def share_up_to(self, value: float) -> float:
        """The quantile of the proportions of the spreads."""
        if value <= 0:
            return 0.0
        x = (np.log(value) - self._middle) / self._scale
        shares = (1 - self._never) * scipy.special.ndtr(self._b * x - self._a)
        return float(np.quantile(shares, self._quantile))

    def quantile(self, share: Any) -> Any:
        """The base cost at which the quantile of the proportions is this, by a bracketed search."""
        if np.ndim(share):
            return np.array([self.quantile(one) for one in share])
        middle = float(np.exp(self._middle))
        low, high = np.log(middle * _END), np.log(middle / _END)
        if share >= self.share_up_to(np.exp(high)):
            return float("inf")
        if share <= self.share_up_to(np.exp(low)):
            return 0.0
        root = scipy.optimize.brentq(
            lambda log_cost: self.share_up_to(float(np.exp(log_cost))) - share, low, high
        )
        return float(np.exp(root))
