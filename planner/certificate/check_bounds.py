"""Rules about bounds.

They are about analyses that are one formula: the paper's bound and Hoeffding's on a mean, MWEM with
and without δ, the net mechanism, and a noisy count of the participants themselves; and about the
mean of any values, by a convex function that no sum of values passes more often than a count does.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from flint import arb, arb_poly

from planner.certificate import check, check_counts
from planner.certificate.check import ENDLESS, HALF, Box, RefusedError, ball, decimal
from planner.certificate.check_counts import Law

MOST_CELLS, MOST_HALVINGS = 2_000, 40  # of a range of means, before a rule gives up
QUERIES, COUNT = ("mwem", "mwem-approximate", "net"), "geometric-count"
MOST_FAILURE = Fraction(6, 10)
"""Up to this α, which is under e^(−1/2), Hoeffding's accurate studies are known to be convex."""


class Formula(check.Study):
    """A study whose accuracy is one formula in N, y = N·ε and δ."""

    def __init__(self, given: dict[str, str]) -> None:
        self.formula = given.get("mechanism.kind", "")
        keys = "mechanism.universe_size", "mechanism.queries"
        sizes = [decimal(given.pop(key, "0")) for key in keys]
        constant = given.pop("mechanism.constant", "derived")
        keys = ("sampling.clusters_of", "sampling.design_effect")
        clusters, design = (decimal(given.pop(key, "1")) for key in keys)
        self.each = clusters * design
        by_bound = self.formula == "laplace-mean"
        if not by_bound:
            with_delta = self.formula == "mwem-approximate"
            given["mechanism.kind"] = "gaussian-mean" if with_delta else "laplace-mean"
        super().__init__(given)
        self.records, self.queries = map(int, sizes)
        self.printed, self.rules = constant == "printed", RULES
        known = by_bound and not self.exact and not any(sizes)
        known &= self.each == 1 or self.analysis == "hoeffding"
        known &= clusters.denominator == 1 <= clusters and design >= 1
        if self.formula in QUERIES:
            whole = all(x.denominator == 1 and x <= check.MOST_PEOPLE for x in sizes)
            known = whole and self.records >= 2 and self.queries >= 1 and self.each == 1
        elif self.formula == COUNT:
            known = not any(sizes) and self.each == 1
        if not known or constant not in ("derived", "printed"):
            raise RefusedError("no rule is about such a study")
        self.least_signals: dict[Any, arb] = {}

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        n, epsilon, delta = plan
        return not lines and off(self, n, n * epsilon, epsilon, delta)[1] <= self.alpha


def off(study: Formula, n: Any, signal: Any, epsilon: Any, delta: Any) -> tuple[arb, arb]:
    """The failure by the formula, enclosed by two balls; it falls with N, N·ε and δ."""
    if study.formula == "laplace-mean":
        counted = n / study.each if n < ENDLESS else n  # clusters and designs count as fewer people
        return by_bound(study, ball(counted), ball(signal))
    if study.formula == COUNT:
        least, e = math.ceil(n * study.error) if n < ENDLESS else n, ball(epsilon)
        rate = ball(signal * study.error) + e if least == ENDLESS else e * least  # ⌈NT⌉ ≤ NT + 1
        return (2 * (-rate).exp() / (1 + (-e).exp()),) * 2
    if study.formula == "mwem-approximate" and not delta:
        return arb(1), arb(1)
    enough = 0 if needed(study, delta) <= ball(signal) else 1
    missed = 1 if needed(study, delta) > ball(signal) else 0
    return arb(missed), arb(enough)


def needed(study: Formula, delta: Any) -> arb:
    """The least y = N·ε, enclosed.

    MWEM: 128·ln|X|·b/T³ (Hsu14 §5.3), with δ 64·√(ln|X|·ln(1/δ))·b/T² (§8.2, which prints 8), b =
    ln(32|C|ln|X|/(αT²)). Net: 2(A/s² + B)/((1 − s)T), A = ln(2|C|)ln|X|/(2T²), B = ln|X| + ln(1/α),
    least at the one root of s³ + 3ps − 2p = 0, p = A/B, which is 2√p·sinh(asinh(1/√p)/3).
    """
    if delta in study.least_signals:
        return study.least_signals[delta]
    t, alpha, size = ball(study.error), study.alpha, arb(study.records).log()
    if study.formula == "net":
        a, b = arb(2 * study.queries).log() * size / (2 * t**2), size - alpha.log()
        root = (a / b).sqrt()
        s = 2 * root * ((1 / root).asinh() / 3).sinh()
        least = 2 * (a / s**2 + b) / ((1 - s) * t)
    else:
        bits = (32 * study.queries * size / (alpha * t**2)).log()
        least = 128 * size * bits / t**3
        if study.formula == "mwem-approximate":
            factor = (8 if study.printed else 64) * (-size * ball(delta).log()).sqrt()
            least = factor * bits / t**2 if delta else arb.pos_inf()
    study.least_signals[delta] = least
    return least


def by_bound(study: check.Study, n: arb, signal: arb) -> tuple[arb, arb]:
    """The bound of an analysis that is not exact, enclosed; y is N·ε.

    Hoeffding's: min over s of 2e^(−2N(sT)²) + e^(−(1 − s)Ty), over 1 up to `start`, and convex
    beyond, so over its tangents; the paper's: 2e^(−NT²/12) + e^(−Ty/2) (Hsu14 eq. 5).
    """
    t, one, paper = ball(study.error), arb(1), study.analysis == "paper"
    if paper or not (n.is_finite() and signal.is_finite()):  # then the best s is at an end
        part, share = (one / 12, one / 2) if paper else (2 * one, one)
        return (2 * (-n * t**2 * part).exp() + (-t * signal * share).exp(),) * 2
    start = (arb(3) / (10 * n)).sqrt() / t
    low, high, value, slope, s = arb(start.upper()), one, one, arb(0), one
    for _ in range(60 if low < 1 else 0):
        s = arb(((low + high) / 2).mid())
        sample, noise = 2 * (-2 * n * (s * t) ** 2).exp(), ((s - 1) * t * signal).exp()
        value, slope = sample + noise, t * signal * noise - 4 * n * s * t**2 * sample
        low, high = (low, s) if slope > 0 else (s, high)
    return (value + (slope * (1 - s)).min(slope * (start - s))).min(one), value.min(one)


def too_little(study: Formula, box: Box) -> bool:
    """Formula: the failure is too high at the most people, N·ε, ε and δ of the box."""
    most = box.people[1], box.most_signal(), box.epsilons()[1], box.delta[1]
    return bool(off(study, *most)[0] > study.alpha)


def tangent(study: Formula, box: Box, *witness: str) -> bool:
    """Tangent: no study of the box that is accurate keeps to the budget.

    N(e^(y/N) − 1)E and the like are convex in N and y, as e^ε − 1 is convex and 0 at 0; where they
    are capped, full payment is a case of its own. Accurate studies have g(N, y) ≤ 0, g convex: the
    paper's bound less α; needed(δ) − y; or, with parts β + γ ≤ α of the failure,
    √(ln(2/β)/(2N)) + ln(1/γ)/y − T, which is convex for β ≤ 2e^(−2/3) and γ ≤ e^(−1/2). So for any
    prices λ, ν ≥ 0 the cost is at least L = cost + λg + ν(β + γ − α), which lies over its tangent
    at the N, y and β that are named.
    """
    n, y, price, *part = (decimal(text) for text in witness)
    (first, last), least, delta = box.people, box.signal[0], box.delta[0]
    if not (n >= 1 and y > 0 <= price and study.formula != COUNT and first <= last):
        return False
    g, by_n, by_y, beside = constraint(study, box, n, y, price, *part)
    e, size = ball(y / n), ball(n)
    owed, more = owing(study, e, delta)
    each = study.per_person + study.per_invitation  # one more takes one more invitation at least
    level = ball(study.running(first) + (n - first) * each) + size * owed + ball(price) * g - beside
    rise_n = owed - e * more + ball(each) + ball(price) * by_n
    rise_y = more + ball(price) * by_y
    if not rise_y >= 0 or (last == ENDLESS and not rise_n >= 0):
        return False
    aside = [rise_n * ball(end - n) for end in (first, last) if end < ENDLESS]
    total = level + aside[0].min(aside[-1]) + rise_y * ball(least - y)
    if study.capped:
        total = total.min(ball(study.total(first, study.worst_cost)))
    return bool(total > ball(study.budget))


def owing(study: Formula, e: arb, delta: Fraction) -> tuple[arb, arb]:
    """What a person is owed at ε without a cap, and its derivative (Hsu14 Definition 13; §9.2)."""
    family, base, worst = int(study.family), ball(study.base_cost), ball(study.worst_cost)
    sure = (min(1, family * study.breach) + family * delta) * study.worst_cost
    owed, more = ball(sure) + (family * e).expm1() * base, family * (family * e).exp() * base
    for j in range(1, family):
        owed += ball(delta) * worst * (j * e).expm1()
        more += ball(delta) * worst * j * (j * e).exp()
    return owed, more


def constraint(
    study: Formula, box: Box, n: Fraction, y: Fraction, price: Fraction, *part: Fraction
) -> tuple[arb, arb, arb, arb]:
    """The g of `tangent` at N, y and β, its slopes in N and y, and what β and γ may lower L by."""
    t, size, signal, none = ball(study.error), ball(n / study.each), ball(y), arb(0)
    if study.formula in QUERIES:
        return needed(study, box.delta[1]) - signal, none, arb(-1), none
    if study.analysis == "paper":
        sample, noise = 2 * (-size * t**2 / 12).exp(), (-t * signal / 2).exp()
        return sample + noise - study.alpha, -sample * t**2 / 12, -noise * t / 2, none
    beta = part[0] if part else Fraction(0)
    gamma = study.failure - beta
    if not (0 < beta < study.failure <= MOST_FAILURE):
        raise RefusedError("a tangent to Hoeffding's bound needs a part of a failure up to 0.6")
    deviate, bits = ((2 / ball(beta)).log() / (2 * size)).sqrt(), -ball(gamma).log()
    by_beta, by_gamma = -1 / (4 * size * ball(beta) * deviate), -1 / (ball(gamma) * signal)
    nu = ball(price) * (-by_beta).max(-by_gamma)  # with it L rises with β and γ, from 0
    rises = (nu + ball(price) * by_beta) * ball(beta) + (nu + ball(price) * by_gamma) * ball(gamma)
    return deviate + bits / signal - t, -deviate / (2 * ball(n)), -bits / signal**2, rises


RULES: dict[str, Any] = {"limits": check.over_limits, "bound": too_little, "tangent": tangent}


class OneMean(check.Study):
    """The mean of any values, of people or of clusters; a deviation may be known of them.

    After the claim of a plan stands `touch 1.9`: where a tangent touches (see `majorant`), or
    `parabola 2 0`: where a parabola begins and where its tangent touches (see `limited`).
    """

    def __init__(self, given: dict[str, str]) -> None:
        keys = ("sampling.clusters_of", "sampling.design_effect", "target.deviation_at_most")
        clusters, design, deviation = (decimal(given.pop(key, "1")) for key in keys)
        given.pop("mechanism.values", "")
        super().__init__(given)
        self.law, self.rules = check_counts.counts, check_counts.RULES
        self.each, self.deviation = clusters * design, min(deviation, HALF)
        if self.deviation < HALF:
            self.rules = check_counts.RULES | {"one-mean": at_rare_mean}
            del self.rules["mean-half"]
        if self.middle * (1 - self.middle) > self.deviation**2:  # values 0 and 1 deviate no more
            self.middle = max(self.low, min(self.middle, self.deviation**2))
        rare = self.middle * (1 - self.middle) <= self.deviation**2
        if self.each > 1:
            self.rules = {name: on_counted(rule) for name, rule in self.rules.items()}
        if not rare or (self.each > 1 and self.uses_delta):
            self.rules = {}
        self.rules = self.rules | {"limits": check.over_limits}
        known = self.exact and clusters.denominator == 1 <= clusters and design >= 1
        if not (known and deviation > 0):
            raise RefusedError("no rule is about such a study")

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Clusters: N people count as ⌊N/m⌋ values (Marshall and Olkin 1979, 11.B)."""
        n, epsilon, delta = plan
        word, *numbers = lines[0].split(" ") if len(lines) == 1 else [""]
        point = Box((n, n), (n * epsilon, n * epsilon), (epsilon, epsilon), (delta, delta))
        most, least = check_counts.rates(self, point)
        values = max(math.floor(n / self.each), 1)
        rate = most.union(least) * n / values
        if word == "touch" and len(numbers) == 1:
            return any_values(self, values, rate, decimal(numbers[0]))
        known = word == "parabola" and len(numbers) == 2
        return known and limited(self, values, rate, *map(decimal, numbers))


def at_rare_mean(study: OneMean, box: Box, witness: str) -> bool:
    """One mean of values 0 and 1 that deviate no more than is known."""
    mean = decimal(witness)
    return mean * (1 - mean) <= study.deviation**2 and check_counts.one_mean(study, box, witness)


def on_counted(rule: Callable[..., bool]) -> Callable[..., bool]:
    """A rule about as many values as the people of a box count as, with the same N·ε."""

    def holds(study: OneMean, box: Box, *witness: str) -> bool:
        few, many = (
            end if end == ENDLESS else max(math.floor(end / study.each), 1) for end in box.people
        )
        signal, free = (box.signal[0], box.most_signal()), (Fraction(0), ENDLESS)
        return rule(study, Box((few, many), signal, free, box.delta), *witness)

    return holds


def any_values(one: check.Study, n: int, rate: arb, touch: Fraction) -> bool:
    """Whether f ≤ E φ(K) ≤ α at every mean, for the sum of N values; see `majorant`.

    E φ(K) = F(μ, x) is convex in μ and in the edge x. So on a cell it is at most the largest of its
    values at the ends and of the mean of F(low, x at high) and F(high, x at low).
    """
    zero = Fraction(0)
    law = lru_cache(4)(lambda at: check_counts.counts(one, n, at))  # long: few are kept

    @cache
    def off(at: Fraction, moved: Fraction) -> arb:
        sides = ((at, one.error + moved), (1 - at, one.error - moved))
        parts = (majorant(one, law(x), n, rate, touch, n * x, n * up) for x, up in sides)
        return sum(parts, arb(0))

    cells = [(one.low, HALF if one.low + one.high == 1 else one.high)]
    while cells and touch >= 0:
        low, high = cells.pop()
        if not (off(low, zero) <= one.alpha and off(high, zero) <= one.alpha):
            return False
        if low < high and not (off(low, high - low) + off(high, low - high)) / 2 <= one.alpha:
            cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return not cells


def majorant(
    one: check.Study, law: Law, n: int, rate: arb, touch: Any, average: Fraction, up: Fraction
) -> arb:
    """E φ(K) with an edge x that is `up` over Nμ, enclosed from above.

    φ is over q(s) = Pr[s + Z ≥ x] and convex: the tangent ℓ of q at x + touch/rate from x on,
    before x the larger of ℓ and q, which cross once. A sum S of N values in [0, 1] of mean μ has
    E φ(S) ≤ E φ(K) (Hoeffding 1956, Theorem 3), so that Pr[S + Z ≥ x] ≤ E φ(K).
    """
    (first, chances, rest), (back, steep) = law, check_counts.tails(one, ball(touch))
    left, level, slope = average + up - first, 1 - back - ball(touch) * steep, rate * steep
    edge, whole = ball(left), math.ceil(left)

    def line(j: int) -> arb:  # less what noise carries over the edge
        return level - slope * (edge - j) - check_counts.tails(one, rate * (edge - j))[0]

    turn = bisect_left(range(len(chances)), True, key=lambda j: j >= whole or line(j) >= 0)
    if turn and not line(turn - 1) <= 0:
        return arb.pos_inf()
    over = arb_poly(chances[turn:])
    beyond = (level - slope * (edge - turn)) * over(1) + slope * over.derivative()(1)
    return carried(one, chances[:turn], rate, left) + beyond + rest * (1 + slope * n)


def carried(one: check.Study, chances: list[arb], rate: arb, left: Fraction) -> arb:
    """How often noise carries counts over an edge that lies `left` beyond the first of them."""
    if one.uses_delta:
        tails = (check_counts.upper_tail(rate * ball(left - j)) for j in range(len(chances)))
        return sum((x * tail for x, tail in zip(chances, tails, strict=True)), arb(0))
    nearest = (-rate * ball(left - len(chances) + 1)).exp() / 2
    return nearest * arb_poly(chances[::-1])((-rate).exp())


def limited(one: OneMean, n: int, rate: arb, begins: Fraction, touches: Fraction) -> bool:
    """Whether f ≤ α at every mean for N values whose standard deviation is s at most.

    With β = 1 − μ, w the smaller of s² and μ(1 − μ), p = w/(β² + w), d = β + w/β and K ~ Bin(N, p),
    E φ(S − Nμ) ≤ E φ(d(K − Np)) for every φ whose second derivative never falls (Bentkus 2004,
    Lemma 4.3), and that grows with β and w: on a cell of means the largest of both count. φ is q up
    to a distance before the edge, then a parabola without a jump of the slope; see `bend`.
    """
    bent = bend(one, ball(begins), ball(touches))
    cells, done = [(one.low, one.high)], 0
    while cells and begins >= (1 if one.uses_delta else 0) and touches >= 0:
        low, high = cells.pop()
        inner = min(max(HALF, low), high)
        spread, done = min(inner * (1 - inner), one.deviation**2), done + 1
        sides = ((1 - low, spread), (high, spread))
        parts = (parabola(one, n, rate, begins, bent, *side) for side in sides)
        if sum(parts, arb(0)) <= one.alpha:
            continue
        if (high - low) * 2**MOST_HALVINGS < 1 or done > MOST_CELLS:
            return False
        cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return not cells


def bend(one: OneMean, begins: arb, touches: arb) -> tuple[arb, arb, arb]:
    """The value, slope and second derivative of the parabola where it begins, in units of noise.

    It bends at least as q does up to there: q″ of Laplace noise grows up to the edge, that of
    Gaussian noise up to a deviation before it, and no parabola begins later. And it lies over the
    tangent of q that touches beyond the edge, where q is concave.
    """
    (value, slope), (back, steep) = (check_counts.tails(one, x) for x in (begins, touches))
    apart = value - (1 - back - steep * (touches + begins))
    least = check_counts.tails(one, arb(1))[1] if one.uses_delta else slope
    over = (slope - steep) ** 2 / (2 * apart) if apart > 0 else arb.pos_inf()
    return value, slope, over.max(least)


def parabola(
    one: OneMean, n: int, rate: arb, begins: Fraction, bent: Any, above: Fraction, spread: Fraction
) -> arb:
    """E φ of `limited`, enclosed from above; the parabola is over q on both of its sides."""
    value, slope, more = bent
    share = spread / (above**2 + spread) if above > 0 else Fraction(0)
    wide = above + spread / above if above > 0 else Fraction(1)
    first, chances, rest = check_counts.counts(one, n, share)
    left = n * one.error / wide + n * share - first  # to the edge, in counts

    def y(j: int) -> arb:
        return ball(begins) - rate * ball(wide * (left - j))

    def at(j: int) -> arb:
        return value + y(j) * (slope + more * y(j) / 2)

    # from here on φ may be the parabola
    turn = bisect_left(range(len(chances)), True, key=lambda j: not y(j) < 0)
    total = carried(one, chances[:turn], rate * ball(wide), left)
    total += sum((x * at(j) for j, x in enumerate(chances[turn:], turn)), arb(0))
    return total + rest * at(n - first).max(arb(1))
