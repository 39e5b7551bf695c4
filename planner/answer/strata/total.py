"""One answer for all people from a stratified sample: how many of each stratum, and which noise.

With weights W_g the answer is Σ W_g·(mean of stratum g) with one noise of scale b: a person of
stratum g moves it by W_g/N_g, and loses W_g/(N_g·b). The moments of a sample are at most those of
Hoeffding's lemma. So the answer is off by T or more with a probability of at most

    2·exp(−λT + Σ λ²W_g²/(8n_g))/(1 − λ²b²), for every λ.

The cheapest sizes and noise are sought in floats; the bound is proved in balls at those printed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import TotalPlan, Undecided
from planner.answer.proof.plan import Proof
from planner.answer.strata.proof_of_total import proof_of_total, width_of, wrong_of_total
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of
from planner.libraries import np, scipy
from planner.model import Budget, MaxParticipants, Study
from planner.model.strata import Stratum, study_of_stratum, weights
from planner.numbers import WHOLE_LIMIT, Array, decimal, round_down
from planner.wording import money

_DIGITS = 7
"""Of noise and λ."""
_LARGEST_PART = 1 - 1e-9
"""Of λ times a scale: at 1 the bound is infinite."""
_START, _STARTS = 0.5, (2.0, 32.0)
"""The ε that a search starts with, and how many times what a sample alone needs."""
_MOST_KINDS = 60
"""Of strata: the search takes twenty seconds for these, and four times that for twice as many."""
_ROOM = 1e-6
"""By what part the bound is kept below α while it is sought: for rounding when results are
published, which moves the error by far less."""


class _Kind(NamedTuple):
    """Strata alike, of one weight.

    Attributes:
        study: of one of them by itself: its people, costs, sampling and conditions.
        weight: W_g of each.
        strata: how many there are.
    """

    study: Study
    weight: float
    strata: int


class _Choice(NamedTuple):
    """Sizes and noise, of each kind of stratum.

    Attributes:
        sizes: N_g.
        scale: b.
    """

    sizes: Array
    scale: float


@dataclass(frozen=True)
class _Sample:
    """A stratified sample as the bound reads it.

    Attributes:
        kinds: of its strata.
        error: T, as a part of the range.
        failure: α.
        most: how many people may take part in all.
    """

    kinds: tuple[_Kind, ...]
    error: float
    failure: float
    most: float

    @property
    def weights(self) -> Array:
        return np.array([kind.weight for kind in self.kinds])

    @property
    def counts(self) -> Array:
        """How many strata there are of each kind."""
        return np.array([kind.strata for kind in self.kinds], float)

    def losses(self, of: _Choice) -> Array:
        """The ε of each stratum's people."""
        return np.asarray(self.weights / (of.sizes * of.scale))

    def cost(self, of: _Choice) -> float:
        """What all strata cost [money]."""
        losses, total = self.losses(of), 0.0
        for kind, n, loss in zip(self.kinds, of.sizes.tolist(), losses.tolist(), strict=True):
            owed = kind.study.individual.compensation(loss, 0.0)
            total += kind.strata * float(kind.study.costs.total(n, owed))
        return total

    def bound(self, of: _Choice) -> tuple[float, float]:
        """The logarithm of the bound at its best λ, and this λ; about."""
        people = [
            float(kind.study.sampling.sample.people(n))
            for kind, n in zip(self.kinds, of.sizes.tolist(), strict=True)
        ]
        moments = float(np.sum(self.counts * self.weights**2 / (8 * np.array(people))))
        largest = _LARGEST_PART / of.scale

        def logarithm(part: float) -> float:
            at = part * largest
            noise = math.log1p(-((at * of.scale) ** 2))
            return math.log(2) - at * self.error + at**2 * moments - noise

        found = scipy.optimize.minimize_scalar(
            logarithm, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-9}
        )
        return float(found.fun), float(found.x) * largest

    def room(self, of: _Choice) -> float:
        """By how much the logarithm of α is over that of the bound."""
        return math.log(self.failure) - _ROOM - self.bound(of)[0]


def solve_total(study: Study, prove: bool) -> TotalPlan | Undecided:
    """Plan one answer for all people of a study with strata."""
    if any(_alone(study, one).costs.total(1, 0.0) <= 0 for one in study.strata):
        reason = "Where a person costs nothing but the compensation, more people always cost less."
        return _undecided(study, f"{reason} Give per_person in [costs], or to each stratum.")
    sample = _sample(study)
    if len(sample.kinds) > _MOST_KINDS:
        raise ValueError(
            f"one answer for all people is planned of at most {_MOST_KINDS} different strata, and "
            f"these are {len(sample.kinds)}; join some, or give each an error of its own"
        )
    plan = _plan(study, sample)
    if plan is None:
        return _undecided(study, "No sizes and no noise were found that keep to all conditions.")
    wrong = next(iter(wrong_of_total(plan)), "") if prove else ""
    if wrong:
        budget = study.find(Budget)
        if budget is not None and decimal(plan.cost) > decimal(budget.money):
            wrong = f"The cheapest that was found costs {money(plan.cost, study.currency)}."
        return _undecided(study, f"{wrong} That there is no other study is not proved.")
    return replace(plan, proof=proof_of_total(plan, prove))


def in_proportion(
    plan: TotalPlan, shares: Sequence[Fraction]
) -> tuple[tuple[int, ...], float] | None:
    """The cheapest sizes in fixed proportions, and their cost [money]."""
    study, sample = plan.study, _sample(plan.study)
    keys = [
        (_alone(study, stratum), float(weight))
        for stratum, weight in zip(study.strata, weights(study), strict=True)
    ]
    parts = {key: float(share) for key, share in zip(keys, shares, strict=True)}
    fixed = np.array([parts[kind.study, kind.weight] for kind in sample.kinds])
    found = _cheapest(sample, fixed)
    if found is None:
        return None
    sizes = np.maximum(np.round(found.sizes), 1.0)
    found = _with_noise(sample, found._replace(sizes=sizes))
    if found is None:
        return None
    of = {(k.study, k.weight): int(n) for k, n in zip(sample.kinds, sizes.tolist(), strict=True)}
    return tuple(of[key] for key in keys), sample.cost(found) + study.costs.overhead


def _sample(study: Study) -> _Sample:
    found: dict[tuple[Study, float], int] = {}
    for stratum, weight in zip(study.strata, weights(study), strict=True):
        key = _alone(study, stratum), float(weight)
        found[key] = found.get(key, 0) + 1
    kinds = tuple(_Kind(*key, count) for key, count in found.items())
    cap = study.find(MaxParticipants)
    # sizes are rounded up to whole people
    most = math.inf if cap is None else max(cap.n - len(study.strata), len(study.strata))
    return _Sample(kinds, study.accuracy.error, study.accuracy.failure, most)


def _largest(kind: _Kind) -> float:
    own = kind.study.find(MaxParticipants)
    return min(kind.study.sampling.most_participants, math.inf if own is None else own.n)


def _plan(study: Study, sample: _Sample) -> TotalPlan | None:
    """The cheapest plan; None where none is found."""
    found = _cheapest(sample)
    if found is None:
        return None
    sizes = np.array([
        min(math.ceil(n - 1e-6), _largest(kind))
        for n, kind in zip(found.sizes.tolist(), sample.kinds, strict=True)
    ])  # fmt: skip
    found = _with_noise(sample, found._replace(sizes=sizes))
    if found is None:
        return None
    scale = round_down(found.scale, _DIGITS)
    losses = sample.losses(found._replace(scale=scale)) * (1 + 1e-14)
    shares = {}
    for kind, n, loss in zip(sample.kinds, sizes.tolist(), losses.tolist(), strict=True):
        shares[kind.study, kind.weight] = StratumShare.of(kind.study, kind.weight, int(n), loss)
    strata = tuple(
        replace(shares[_alone(study, stratum), float(weight)], name=stratum.name)
        for stratum, weight in zip(study.strata, weights(study), strict=True)
    )
    total = decimal(study.costs.overhead) + sum((decimal(s.cost) for s in strata), Fraction(0))
    return TotalPlan(
        study, strata, study.accuracy.failure, sum(one.participants for one in strata),
        float(total), scale * width_of(study), round_down(sample.bound(found)[1], _DIGITS),
        Proof("floats", False, ""),
    )  # fmt: skip


def _alone(study: Study, stratum: Stratum) -> Study:
    return replace(study_of_stratum(study, stratum, failure_of(study)), title="")


def _cheapest(sample: _Sample, fixed: Array | None = None) -> _Choice | None:
    """About the cheapest sizes and noise, not yet whole; None where none is found."""
    found = [_from(sample, times, fixed) for times in _STARTS]
    fit = [choice for choice in found if choice is not None]
    return min(fit, key=sample.cost, default=None)


def _from(sample: _Sample, times: float, fixed: Array | None) -> _Choice | None:
    kinds, count = sample.kinds, len(sample.kinds)
    alone = times * math.log(2 / sample.failure) / (2 * sample.error**2)
    largest = np.array([math.log(min(_largest(kind), WHOLE_LIMIT)) for kind in kinds])
    noise = np.log([1 / (alone * _START)])
    start = np.minimum(np.log(alone * sample.weights), largest)
    if fixed is not None:  # the number of all people alone is sought
        count, largest = 1, np.min(largest - np.log(fixed), keepdims=True)
        start = np.minimum(np.log([alone]), largest)

    def choice(x: Array) -> _Choice:
        sizes, rest = np.exp(x[:count]), np.exp(x[count:])
        sizes = sizes if fixed is None else sizes * fixed
        return _Choice(sizes, float(rest[0]))

    limits = [{"type": "ineq", "fun": lambda x: sample.room(choice(x))}]
    if sample.most < math.inf:

        def places(x: Array) -> float:
            return math.log(sample.most / float(np.sum(sample.counts * choice(x).sizes)))

        limits.append({"type": "ineq", "fun": places})
    found = scipy.optimize.minimize(
        lambda x: math.log(max(sample.cost(choice(x)), 1e-300)),
        np.concatenate([start, noise]),
        method="SLSQP",
        bounds=[(0.0, end) for end in largest] + [(-40.0, 5.0)] * len(noise),
        constraints=limits,
        options={"maxiter": 500, "ftol": 1e-12},
    )
    best = choice(found.x)
    return best if sample.room(best) > -1e-6 else None


def _with_noise(sample: _Sample, of: _Choice) -> _Choice | None:
    """The same sizes with the most noise, all of it changed by one factor."""

    def scaled(factor: float) -> _Choice:
        return of._replace(scale=of.scale * factor)

    low, high = 2.0**-20, 2.0**20
    if sample.room(scaled(low)) < 0:
        return None
    while high > low * (1 + 1e-12):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if sample.room(scaled(middle)) >= 0 else (low, middle)
    return scaled(low)


def _undecided(study: Study, reason: str) -> Undecided:
    return Undecided(study, Proof("search", False, reason))
