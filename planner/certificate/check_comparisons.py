"""Rules about comparisons.

They are about the difference of two groups of equal size (`target.kind = difference`), estimated or
tested, and about the test of one proportion (`power`).
After the claim of a plan of a test stands `threshold 237 0.145`: it rejects if the noisy count is
over 237, and with probability 0.145 if it is 237.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb, arb_poly

if not (TYPE_CHECKING or __package__):  # run alone, from the folder of these files
    import check
    import check_bounds
    import check_counts
    from check import ENDLESS, HALF, Box, RefusedError, ball, decimal, spend
    from check_people import reached
else:
    from planner.certificate import check, check_bounds, check_counts
    from planner.certificate.check import ENDLESS, HALF, Box, RefusedError, ball, decimal, spend
    from planner.certificate.check_people import reached

TEST = "count-test"
FEW = 2_000  # people, of whom a pair less is summed up; of more it would take long
_ASKED = (
    "null", "alternative", "baseline", "change", "power", "significance", "sides", "baseline_range"
)  # fmt: skip
"""What a test is asked; no rule is about a margin."""


class Threshold(NamedTuple):
    """A test rejects if the noisy count is over a level, and by chance if it is there."""

    level: int
    chance: Fraction


class Comparison(check.Study):
    """A study of two groups of equal size, or a test of one proportion."""

    def __init__(self, lines: list[str], changed: str = "") -> None:
        given = dict(line.partition(" = ")[::2] for line in lines)
        repeated = len(given) < len(lines)
        given |= dict([changed.partition(" = ")[::2]] if changed else [])
        self.groups = {"difference": 2, "power": 1}.get(given.pop("target.kind", ""), 0)
        asked = {name: given.pop(f"target.{name}", "") for name in _ASKED}
        self.tests = given.get("mechanism.kind") == TEST
        known = bool(self.groups) and not repeated
        if self.tests:
            known &= not {"target.error", "target.failure", "mechanism.analysis"} & given.keys()
            known &= self._reads(asked)
            rare = min(self.significance, 1 - self.beta) if known else HALF
            given |= {"mechanism.kind": "laplace-mean", "target.error": "1"}
            given["target.failure"] = f"{rare.numerator}/{rare.denominator}"
        else:
            known &= self.groups == 2 and not any(asked.values())
        super().__init__([f"{key} = {text}" for key, text in given.items()])
        self.law = check_counts.counts
        known &= self.low == 0 and self.high == 1 and not self.uses_delta
        if not known:
            raise RefusedError("no rule is about such a comparison")
        self.rules = TESTS if self.tests else ESTIMATES
        self.error /= 1 if self.tests else 2

    def _reads(self, asked: dict[str, str]) -> bool:
        """Read what a test is asked: whether it is one that rules are about.

        Counted are the people of the first group who have the property, and those of the second who
        have not, each with a probability of its own. Where both groups have the proportion p it is
        that of p and 1 − p, and the test rejects most for the p nearest to 1/2 (see `powerless`).
        """
        names = ("baseline", "change") if self.groups == 2 else ("null", "alternative")
        kept = {"power", "significance", "sides", *names, *["baseline_range"] * (self.groups == 2)}
        if not {name for name, text in asked.items() if text} <= kept:
            return False
        start, to, self.beta, alpha, sides = (
            decimal(asked[name]) for name in (*names, "power", "significance", "sides")
        )
        self.significance, end = alpha / sides, start + to if self.groups == 2 else to
        low, high = map(decimal, (asked["baseline_range"] or "0,1").split(","))
        common = min(max(HALF, low), high)
        null, alternative = (start, start), (end, end)
        if self.groups == 2:
            null, alternative = (common, 1 - common), (end, 1 - start)
        if end < start:  # then those who are not counted are
            null, alternative = ((1 - first, 1 - second) for first, second in (null, alternative))
        self.null, self.alternative = null, alternative
        known = sides in (1, 2) and start != end and 0 < self.significance < self.beta < 1
        known &= 0 <= low <= min(start, end) <= max(start, end) <= high <= 1
        return known and (self.groups == 1 or alpha < HALF < self.beta)

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Whether a plan is accurate, or its test has the power and the significance."""
        n, epsilon, delta = plan
        people = n // self.groups * self.groups
        if people < self.groups or delta:
            return False
        if not self.tests:
            if not self.exact:
                bound = check_bounds.by_bound(self, ball(people), ball(people * epsilon))[1]
                return not lines and enough(self, people) and bool(bound <= self.alpha)
            exact = check_counts.accurate(self, people, epsilon, delta)
            return not lines and enough(self, people) and exact
        word, *read = lines[0].split(" ") if len(lines) == 1 else [""]
        if word != "threshold" or len(read) != 2:
            return False
        threshold, rate = threshold_of(*read), ball(epsilon)
        size, power = (
            rejects(counted(self, people, shares), threshold, rate)
            for shares in (self.null, self.alternative)
        )
        sure = self.groups == 1 or 2 * threshold.level > people
        return bool(sure and size <= ball(self.significance) and power >= ball(self.beta))


def enough(study: Comparison, people: int) -> bool:
    """Whether a difference is off the most where both groups are counted with one probability.

    So it is without noise (Hoeffding 1956), by a bound (Hoeffding 1963), and with Laplace noise
    where a pair less is over an edge with probability 1/4 at most, an edge NT/2 − 2 over its mean:
    where 2(NT/2 − 2)² ≥ N·ln 4, or where the binomial count is at every mean whose edge is whole.
    """
    room, size = people * study.error - 2, people - 2
    if not study.exact or (room > 0 and 2 * ball(room**2) >= people * arb(4).log()):
        return True
    most = ball(Fraction(1, 4))
    return (
        room >= 1
        and people <= FEW
        and all(
            ball((c - room) / size).beta_lower(c, size - c + 1, regularized=True) <= most
            for c in range(math.ceil(room), size + 1)
        )
    )


def threshold_of(level: str, chance: str) -> Threshold:
    """A threshold that is a whole number and a probability."""
    threshold = decimal(level), decimal(chance)
    if threshold[0].denominator != 1 or not 0 <= threshold[1] <= 1:
        raise RefusedError(f"{level[:40]} {chance[:40]} is no threshold")
    return Threshold(int(threshold[0]), threshold[1])


def counted(study: Comparison, people: int, shares: tuple[Fraction, Fraction]) -> check_counts.Law:
    """The law of the number of people counted; of two groups, half of them with either share."""
    if shares[0] == shares[1]:
        return check_counts.counts(study, people, shares[0])
    (first, chances, rest), (start, others, more) = (
        check_counts.counts(study, people // 2, share) for share in shares
    )
    spend(len(chances) * len(others) // 8)
    return first + start, list(arb_poly(chances) * arb_poly(others)), rest + more


def rejects(law: check_counts.Law, threshold: Threshold, rate: arb) -> arb:
    """The probability to reject with geometric noise of a rate, enclosed."""
    level, chance = threshold
    at, over = (reached(law, edge, (rate, rate)) for edge in (level, level + 1))
    return over + ball(chance) * (at - over)


def on_even(rule: Callable[..., bool]) -> Callable[..., bool]:
    """A rule of one proportion: of an odd number of people in two groups one is left out."""

    def rule_of_groups(study: Comparison, box: Box, *witness: str) -> bool:
        box = even(box)
        return not box.people[1] or rule(study, box, *witness)

    return rule_of_groups


def even(box: Box) -> Box:
    """The box of even numbers of people, with the same ε."""
    first, last = box.people
    last = last if last == ENDLESS else last // 2 * 2
    sizes, signal = (min(max(first // 2 * 2, 2), last), last), (Fraction(0), box.signal[1])
    return box._replace(people=sizes, signal=signal, epsilon=box.epsilons())


def little_signal(study: Comparison, box: Box) -> bool:
    """Little signal: N(e^ε − 1) is at least s/d, whatever private test of N people it is.

    Draw N of M people by lot: a test that is ε-private for them is ρ-private for all, with
    M(e^ρ − 1) = N(e^ε − 1) (Awan and Slavković 2018). On the way to the alternative a person is
    counted with d more, on average, so of ever more people Md records change, and each moves the
    chance φ to reject to min(e^ρ·φ, 1 − e^(−ρ)(1 − φ)) at most. From α to the power that takes s.
    """
    signal, first = box.most_signal(), box.people[0]
    change = (sum(study.alternative) - sum(study.null)) / 2
    low, high = ball(2 * study.significance), ball(2 - 2 * study.beta)
    needed = -(low.log() if low <= 1 else -(2 - low).log())
    needed -= high.log() if high <= 1 else -(2 - high).log()
    if signal == ENDLESS:
        return False
    return bool((ball(signal / first).expm1()) * first * ball(change) < needed)


def powerless(study: Comparison, box: Box, level: str, chance: str) -> bool:
    """Power: no test of the box has it, by a threshold that rejects too often at the null value.

    One proportion: the power grows with N and ε (Awan and Slavković 2018, Theorem 4.9), and a test
    of its significance rejects no more often than this threshold, of the most people.
    Two groups of one proportion: the difference of their counts is a sum of N/2 numbers 1 and −1,
    symmetric and unimodal, so that with more of them, or with noise, it is over an edge over 0 more
    often. So in the whole box the null hypothesis is rejected too often at this threshold of the
    fewest people with the most ε. The difference of a pair at the alternative has a law in
    proportion to s(x)·ρ^x, s symmetric and unimodal, ρ ≥ 1: with more pairs it is over such an edge
    more often too. Over ε see `over_at_most`.
    """
    threshold, (first, last), (low, high) = threshold_of(level, chance), box.people, box.epsilons()
    if last == ENDLESS:
        return False
    few, many = (n // study.groups * study.groups for n in (max(first, study.groups), last))
    if many < study.groups:
        return True
    few, rate = few if study.groups == 2 else many, ball(high)
    size = rejects(counted(study, few, study.null), threshold, rate)
    if not size >= ball(study.significance):
        return False
    moved = threshold._replace(level=threshold.level + (many - few) // 2)
    law = counted(study, many, study.alternative)
    if study.groups == 1:
        return bool(rejects(law, moved, rate) < ball(study.beta))
    over = 2 * threshold.level > few
    return bool(over and over_at_most(law, moved, ball(low), rate) < ball(study.beta))


def over_at_most(law: check_counts.Law, threshold: Threshold, low: arb, high: arb) -> arb:
    """What no rate of noise between two has more than, to be over a threshold c.

    With f the chances, b_j = f(c + j) − f(c − 1 − j) and t = e^−ε the noisy count is c or more with
    Pr[K ≥ c] − t/(1 + t)·Σ b_j·t^j. The derivative of what is subtracted is, but for (1 + t)²,
    Σ b_j·((1 + j)t^j + j·t^(j + 1)). If b_j ≥ 0 up to some j and b_j ≤ 0 beyond, its coefficients
    change sign once. So it rises and then falls with t (Descartes), and the chance is no more than
    at either end, or 1/2 at t = 1. Other b_j are put 0, and what that changes is added.
    """
    (first, chances, rest), (level, chance) = law, threshold
    reach = max(first + len(chances) - level, level + 1 - first) + 1

    def at(count: int) -> arb:
        return chances[count - first] if 0 <= count - first < len(chances) else arb(0)

    def gap(edge: int, j: int) -> arb:
        return at(edge + j) - at(edge - 1 - j)

    share = ball(chance)
    gaps = [share * gap(level, j) + (1 - share) * gap(level + 1, j) for j in range(reach)]
    turn = next((j for j, b in enumerate(gaps) if b < 0), reach)
    before = sum(((-b).max(arb(0)) for b in gaps[:turn]), arb(0))
    after = arb_poly([arb(0)] * turn + [b.max(arb(0)) for b in gaps[turn:]])

    def end(rate: arb) -> arb:
        t = (-rate).exp()
        return rejects(law, threshold, rate) + t / (1 + t) * after(t)

    least = (1 + after(1)) / 2 if low == 0 else end(low)
    return end(high).max(least) + before + rest


ESTIMATES: dict[str, Any] = {
    "limits": check.over_limits,
    "bound": on_even(check_bounds.over_bound),
}
ESTIMATES |= {
    "noise-alone": on_even(check_counts.noise_alone),
    "one-mean": on_even(check_counts.one_mean),
}
ESTIMATES |= {"mean-half": on_even(check_counts.mean_half)}
TESTS: dict[str, Any] = {"limits": check.over_limits, "power": powerless}
TESTS |= {"little-signal": little_signal}
