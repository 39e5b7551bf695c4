"""Rules about one noisy count: the exact failure of a proportion with Laplace or Gaussian noise."""

import math
from fractions import Fraction
from functools import lru_cache
from operator import le, mul
from statistics import NormalDist
from typing import Any

from flint import arb, arb_poly

from planner.certificate import check
from planner.certificate.check import ENDLESS, HALF, Box, ball, decimal, ends, spend

LEFT_OUT, SUMMED, FAR, ONE_STEP = 30.0, 100_000, 12, 2_000
"""e^−30 of α is left out of sums; of more people a closed bound is tried first. Gaussian noise is
followed for 12 deviations. Of so few people means are not told apart in steps of 1/N."""
Law = tuple[int, list[arb], arb]
"""The first count, Pr[K = k] from there on, and what all other counts have together."""


class Count(check.Study):
    """A study of one proportion, of people drawn independently."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.law, self.rules = counts, RULES

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Whether the answer is accurate at every mean; no further lines are read."""
        return self.exact and not lines and accurate(self, *plan)


def accurate(study: Any, n: int, epsilon: Fraction, delta: Fraction, slope: Any = 0) -> bool:
    """Whether f, the failure, is at most α + slope·μ at every mean; strips of means are halved.

    A strip has the means m, m + 1/N, … up to a last one, and from each of them on a cell of means
    of width w. Of more than `ONE_STEP` people strips begin with cells of a whole step.
    Steps and slope: from step to step f lies under e^(Cx²/8) times its ends, x between the first
    and the last mean (`chord_at_steps`); in a cell |f′| ≤ B(f + p), so that f + p is at most
    √((f(a) + p)(f(b) + p))·e^(Bw/2) (`steepness`). With |f′| ≤ A it is (f(a) + f(b) + Aw)/2 at most
    (`drift`), on a whole strip too.
    Log-chord: where (ln of each term)″ ≥ −C, f·e^(Cx²/2) is a sum of log-convex functions of the
    mean, so on a cell f is at most e^(Cw²/8) times its chord. For Pr[K = k] C is N/m², m the
    least of μ and 1 − μ; moving edges add N²s, s = 2ε² of Laplace, 1/σ² of Gaussian noise.
    Stochastic order: Pr[K + Z ≥ x] grows with the mean, so the lowest upper edge is passed most
    often at the last mean, the highest lower edge at the first.
    """
    point = Box((n, n), (n * epsilon, n * epsilon), (epsilon, epsilon), (delta, delta))
    most = rates(study, point)[::-1]  # with these no rate between the two fails more often
    if n > SUMMED and large(study, n, most[0].union(most[1])) <= study.alpha:
        return True
    off = lru_cache(maxsize=None)(lambda mean: failing(study, n, mean, most))
    bent, p, r = (2 - study.uses_delta) * (n * most[1]) ** 2, spared(study), reach(study, n)
    strips = strips_of(study, n, slope)
    while strips:
        first, last, w = strips.pop()
        corners = (first, first + w, last, last + w)
        fails = [off(mean) for mean in corners]
        lines = [study.alpha + ball(slope * mean) for mean in corners]
        if not all(map(le, fails, lines)):
            return False
        low, high = corners[0], corners[3]
        least, up = min(low, 1 - high), n * (study.error - high + low)
        chord = (bent + ball(n / least**2 if least else ENDLESS)) * ball(high - low) ** 2 / 8
        grown = chord.exp()
        if low == high or (fails[0] * grown <= lines[0] and fails[3] * grown <= lines[3]):
            continue
        along = chord_at_steps(n, low, high, r) if first < last else arb(0)
        steepest, most_drift = (
            of(study, n, most[1], low).max(of(study, n, most[1], high)) for of in (steepness, drift)
        )
        if (fails[0] + fails[3] + most_drift * ball(high - low)) / 2 <= lines[0]:
            continue
        rise = steepest * ball(w) / 2
        ends = (fails[k].max(fails[k + 2]) * along.exp() + left_out(n, r) + p for k in (0, 1))
        if (next(ends) * next(ends)).sqrt() * rise.exp() <= lines[0] + p:
            continue
        if (
            not chord < 1
            and sum(passing(study, n, m, most, up) for m in (high, 1 - low)) <= lines[0]
        ):
            continue
        if first < last and not along < rise:
            steps = int(n * (last - first))
            middle = first + Fraction(steps // 2, n)
            strips += [(first, middle, w), (middle if steps > 1 else last, last, w)]
        else:
            middle = Fraction(round(n * (low + low + w) / 2), n)  # whole Nμ share their tails
            middle = middle - low if low < middle < low + w else w / 2
            strips += [(first, last, middle), (first + middle, last + middle, w - middle)]
    return True


def strips_of(study: Any, n: int, slope: Any) -> list[tuple[Fraction, Fraction, Fraction]]:
    """The first and the last mean of strips, and how wide cells are; under a slope one cell."""
    start, end = study.low, HALF if study.low + study.high == 1 else study.high  # 1 − μ fails alike
    steps = math.floor(n * (end - start)) if n > ONE_STEP and not slope else 0
    if not steps:
        return [(start, start, end - start)]
    last, step = start + Fraction(steps - 1, n), Fraction(1, n)
    return [(start, last, step), (last + step, last + step, end - last - step)]


def chord_at_steps(n: int, low: Fraction, high: Fraction, r: int) -> arb:
    """Cx²/8, where the logarithm of each term up to r from Nμ has (…)″ ≥ −C.

    Each term is Pr[K = Nμ + d] with a fixed weight. The second derivative of its logarithm in μ is
    −d²/(μ²k) − d²/((1 − μ)²(N − k)) or more, as (ln Γ(k + 1))″ ≤ 1/k.
    """
    bend: Any = Fraction(0)
    for mean in (low, 1 - high):
        bend += r**2 / (mean**2 * (n * mean - r)) if n * mean > r else ENDLESS
    return ball(bend) * ball(high - low) ** 2 / 8


def reach(study: Any, n: int) -> int:
    """Counts that lie r or more from Nμ have 2e^(−2r²/N) at most, here e^−30 of α.

    Hoeffding (1963, Theorems 1 and 4); without replacement N is also the number left out.
    """
    return math.isqrt(math.ceil(n * (LEFT_OUT - math.log(study.failure)) / 2)) + 1


def left_out(n: int, r: int) -> arb:
    """From 0 to what those counts have together at most."""
    return (2 * (-2 * arb(r) ** 2 / n).exp()).union(arb(0))


def steepness(study: Any, n: int, rate: arb, mean: Fraction) -> arb:
    """B ≥ |f′|/(f + p) at a mean, the larger the farther from 1/2; rate ε or 1/σ, from above.

    Let D = K − Nμ, V = Nμ(1 − μ), c = NT and h(d) = Pr[|d + Z| ≥ c], so f = E h(D). With a person
    less (D′), Δφ(d) = φ(d + 1) − φ(d) and ψ(d) = Δh(d) − (h′(d) + h′(d + 1))/2

        f′ = N·E[(1/2 − μ)·Δh′(D′) + ψ(D′)],    E Δφ(D′) = E[D·φ(D)]/V for every φ.

    So f′ = N/V·E[D·((1/2 − μ)·h′(D) + Φ(D))] where ΔΦ = ψ. With the x of `spared`, |h′| ≤ s(h + p)
    within the edges, and D·h′(D) is at most (h + p)/2 more beyond, s = ε or (x + 1)/σ. |Φ| ≤
    b(h + p), b = ε·coth(ε/2) − 2 or (x² + 1)/8σ². And counts beyond an edge lie V/c + 1 + 1/c over
    it, or less, on average: E|D|(h + p) ≤ (c + 2(1 + p)(V/c + 1 + 1/c))(f + p). See `rules.md`.
    """
    if mean in (0, 1):
        return arb.pos_inf()
    c, v, p = ball(n * study.error), ball(n * mean * (1 - mean)), spared(study)
    steep = rate * (1 + reach_of_noise(study)) if study.uses_delta else rate
    bent = bend_of_noise(study, rate)
    main = ball(abs(HALF - mean)) * (c * steep + ball(HALF))
    return n / v * (main + bent * (c + 2 * (1 + p) * (v + c + 1) / c))


def drift(study: Any, n: int, rate: arb, mean: Fraction) -> arb:
    """Another bound on |f′|, close where noise is much wider than D: see `steepness`.

    h′ is 0 at 0, so |h′(d)| ≤ k|d| with the k = ε/2c of Laplace noise (at the edge), 2φ(1)/σ² of
    Gaussian noise (the most of |h″|); E D² = V, E|D| ≤ √V, and |Φ| ≤ b(1 + p).
    """
    if mean in (0, 1):
        return arb.pos_inf()
    c, v = ball(n * study.error), ball(n * mean * (1 - mean))
    even = rate / 2 / c
    if study.uses_delta:
        even = 2 * rate**2 * (-arb(1) / 2).exp() / (2 * arb.pi()).sqrt()
    bent = bend_of_noise(study, rate) * (1 + spared(study))
    return n * (ball(abs(HALF - mean)) * even + bent / v.sqrt())


def bend_of_noise(study: Any, rate: arb) -> arb:
    """The b of `steepness`."""
    if study.uses_delta:
        return (reach_of_noise(study) ** 2 + 1) * rate**2 / 8
    return 2 * (rate / 2 / (rate / 2).tanh() - 1)


def reach_of_noise(study: Any) -> arb:
    """The x of `spared`: with √(2 ln 1/α) p is a part of α."""
    return arb(max(1.75, math.sqrt(-2 * math.log(study.failure))))


def spared(study: Any) -> arb:
    """With Gaussian noise p = 2φ(x)/x, for any x ≥ √3; 0 with Laplace noise."""
    x = reach_of_noise(study)
    return 2 * (-x * x / 2).exp() / (2 * arb.pi()).sqrt() / x if study.uses_delta else arb(0)


def large(study: Any, n: int, rate: arb) -> arb:
    """A bound on f at every mean, close for many people: the less of two.

    With c = NT − 1 and W normal of variance N/4 f ≤ Pr[|W + Z| ≥ c] + 2·Pr[Z > c, W < c − Z], as
    Pr[K ≥ m] ≤ Q(2(m − 1 − Nμ)/√N) for m − 1 > Nμ (Zubkov and Serov 2012, Theorem 1; Pinsker).
    """
    c, s = ball(n * study.error - 1), arb(n).sqrt() / 2
    if not c > 0 or study.law is not counts:
        return arb(1)
    return tilted(study, n, rate).min(about_normal(study, c, s, rate))


def about_normal(study: Any, c: arb, s: arb, rate: arb) -> arb:
    """The first bound of `large`, with s the deviation of W."""
    if study.uses_delta:
        return 2 * upper_tail(c / (s**2 + rate**-2).sqrt()) + upper_tail(c * rate)
    a, h = c / s, s * rate
    noisy = ((h**2 / 2 + sign * a * h).exp() * upper_tail(sign * a + h) for sign in (-1, 1))
    wide = (-h * a).exp() * (arb(1) / 2 - (h**2 / 2).exp() * upper_tail(h))
    return 2 * upper_tail(a) + next(noisy) - next(noisy) + wide


def tilted(study: Any, n: int, rate: arb) -> arb:
    """The second bound of `large`, for whatever values and means.

    Pr[Z ≥ x] is log-concave, so it lies under its tangent at x = NT − d ≥ 0, of slope −λ:
    Pr[D + Z ≥ NT] ≤ Pr[Z ≥ NT − d]·E e^(λ(D − d)), and E e^(λD) ≤ e^(λ²N/8) (Hoeffding 1963).
    Any d will do; d = λN/4 is the best.
    """
    edge, at = ball(n * study.error), arb(0)
    for _ in range(6):
        d, x = at, (edge - at) * rate
        passed, steep = upper_tail(x), rate
        if study.uses_delta:
            steep = rate * (-x * x / 2).exp() / (2 * arb.pi()).sqrt() / passed
        at = (steep * n / 4).min(edge).mid()
    passed = passed if study.uses_delta else (-rate * (edge - d)).exp() / 2
    return 2 * passed * (steep**2 * n / 8 - steep * d).exp()


def upper_tail(x: arb) -> arb:
    """Q(x) of a standard normal."""
    return arb(x < 0) if abs(x) == arb.pos_inf() else (x / arb(2).sqrt()).erfc() / 2


@lru_cache(maxsize=4096)
def deviation(epsilon: Any, delta: Any) -> tuple[Any, Any]:
    """Least σ with Q(εσ − 1/2σ) − e^ε·Q(εσ + 1/2σ) ≤ δ, enclosed (Balle and Wang 2018, Thm 8)."""
    low, high, e, d = arb(0), arb.pos_inf(), ball(epsilon), ball(delta)
    for _ in range(130 if delta and 0 < epsilon <= check.MOST_EPSILON else 0):
        s = ((low + high) / 2).mid() if high.is_finite() else ball(check.MOST_PEOPLE)
        more = upper_tail(e * s - 1 / (2 * s)) - e.exp() * upper_tail(e * s + 1 / (2 * s)) - d
        low, high = (s if more > 0 else low), (s if more <= 0 else high)
    return (ends(low)[0] if delta else ENDLESS), ends(high)[1]


def rates(study: Any, box: Box) -> tuple[arb, arb]:
    """The highest and the lowest rate of noise in a box, ε or 1/σ: two points about all of them."""
    low, high = box.epsilons()
    if not study.uses_delta:
        return ball(high).upper(), ball(low).lower()
    largest = min(box.delta[1], study.delta_times_n_at_most / box.people[0])
    least, most = deviation(high, largest)[0], deviation(low, box.delta[0])[1]
    highest = ball(1 / least if least else ENDLESS)
    return highest.upper(), ball(0 if most == ENDLESS else 1 / most).lower()


def counts(study: Any, n: int, mean: Fraction) -> Law:
    """The first count, Pr[K = k] from there on, and the rest (Hoeffding 1963, Theorem 1)."""
    if mean in (0, 1):
        return n * int(mean), [arb(1)], arb(0)
    r = reach(study, n)
    spend(50 + min(n, 2 * r))
    first, chances = binomial(n, min(mean, 1 - mean), r)
    if mean > HALF:  # those without the property
        first, chances = n + 1 - first - len(chances), chances[::-1]
    return first, chances, left_out(n, r)


@lru_cache(maxsize=8)
def binomial(n: int, mean: Fraction, reach: int) -> tuple[int, list[arb]]:
    """The first count within reach of Nμ, and Pr[K = k] from there on."""
    top, odds = math.floor(n * mean), ball(mean / (1 - mean))
    first, last = max(0, top - reach), min(n, top + 1 + reach)
    ways = (arb(n + 1).lgamma() - arb(top + 1).lgamma() - arb(n - top + 1).lgamma()).exp()
    over = [ways * ball(mean) ** top * ball(1 - mean) ** (n - top)]
    under = [over[0]]
    for k in range(top, last):
        over.append(over[-1] * (n - k) / (k + 1) * odds)
    for k in range(top, first, -1):
        under.append(under[-1] * k / (n - k + 1) / odds)
    return first, under[:0:-1] + over


def failing(study: Any, n: int, mean: Fraction, rates: tuple[arb, arb]) -> arb:
    """Pr[|K + Z − Nμ| ≥ NT], enclosed."""
    return sum((passing(study, n, m, rates, n * study.error) for m in (mean, 1 - mean)), arb(0))


def passing(study: Any, n: int, mean: Fraction, rates: tuple[arb, arb], up: Fraction) -> arb:
    """Pr[K + Z is `up` or more above Nμ], enclosed: the sum over k of Pr[K = k]·Pr[k + Z ≥ edge].

    Counts not off yet fail the less the higher the rate of noise, others the more: with the highest
    inside and the lowest outside no rate between the two fails less often.
    """
    (inside, outside), (first, chances, rest) = rates, study.law(study, n, mean)
    at = min(max(math.ceil(edge := n * mean + up) - first, 0), len(chances))
    left, beyond, under, over = edge - first, first + at - edge, chances[:at], chances[at:]
    passed, nearest, under = sum(over, rest), left - at + 1, under[::-1]
    if study.uses_delta:
        tiny = upper_tail(arb(FAR)).union(arb(0))
        carried = sum(map(mul, under, gaussian_tails(inside, nearest, len(chances))), tiny)
        back = sum(map(mul, over, gaussian_tails(outside, beyond, len(chances))), tiny)
        return passed + carried - back
    carried = (-inside * ball(nearest)).exp() * arb_poly(under)((-inside).exp())
    back = (-outside * ball(beyond)).exp() * arb_poly(over)((-outside).exp())
    return passed + (carried - back) / 2


def gaussian_tails(rate: arb, start: Fraction, most: int) -> list[arb]:
    """Pr[Z ≥ x] at the first of `start`, start + 1, …; those left out are Q(12) at most."""
    known = rate.is_exact() and rate.is_finite()  # others cannot be looked up
    tails, first = (known_tails if known else known_tails.__wrapped__)(rate, start), ball(start)
    while len(tails) < most and not (x := (first + len(tails)) * rate) > FAR:
        spend(10)
        tails.append(upper_tail(x))
    return tails


@lru_cache(maxsize=16)
def known_tails(rate: arb, start: Fraction) -> list[arb]:
    """Those that were found, a list that grows; they do not depend on the mean."""
    return []


def noise_alone(study: Any, box: Box) -> bool:
    """Noise alone is off by NT too often: symmetric, unimodal, it is most likely to lie about 0.

    Gaussian noise is off with 2Q(yT) or more if N/σ ≤ y. That is so where N·δ is under y(φ(a) −
    aQ(a)), a = s/y, s at least N·ε and y²/2N: at ε = ax the δ that x = 1/σ needs (Balle and Wang
    2018, Theorem 8) is convex in x up to 2a, of slope φ(a) − aQ(a) at 0.
    """
    off, (first, last) = (-ball(box.most_signal() * study.error)).exp(), box.people
    if study.uses_delta:
        rate = rates(study, box)[0]  # 0 where δ is 0
        off = 2 * upper_tail(ball(last * study.error) * rate) if rate > 0 else arb(1)
    if study.uses_delta and last == ENDLESS and box.delta[1]:
        z = -NormalDist().inv_cdf(max(float(study.failure), 1e-300) / 2) * (1 - 1e-9)
        y = Fraction(max(z, 1e-9)) / study.error  # any will do
        a = ball(max(box.most_signal() / y, y / (2 * first)))
        slope = (-a * a / 2).exp() / (2 * arb.pi()).sqrt() - a * upper_tail(a)
        off = 2 * upper_tail(ball(y * study.error))
        return study.exact and bool(off > study.alpha and ball(y) * slope > most_delta(study, box))
    return study.exact and bool(off > study.alpha)


def most_delta(study: Any, box: Box) -> arb:
    """The largest N·δ that the budget leaves in a box, or ∞: all else costs its least."""
    (first, _), harm = box.people, study.family * study.worst_cost
    rest = study.budget - study.running(first) - study.base_cost * study.family * box.signal[0]
    limited = harm > 0 and not (study.capped and first * study.worst_cost <= study.budget)
    return ball(min(study.delta_times_n_at_most, max(rest, 0) / harm if limited else ENDLESS))


def one_mean(study: Any, box: Box, witness: str = "1/2") -> bool:
    """One mean: there the answer is off too often, whatever noise of the box is added."""
    mean, (first, last) = decimal(witness), box.people
    asked = study.exact and first == last and study.low <= mean <= study.high
    return asked and bool(failing(study, first, mean, rates(study, box)) > study.alpha)


def mean_half(study: Any, box: Box) -> bool:
    """Mean 1/2: there the answer is off too often at every N of the box, from a to b.

    With D = K − N/2, c = bT and G(d) = Pr[|d + Z| ≥ c], f is E[G(D)] or more. One person more moves
    D by ±1/2. G″ ≥ 0 where |D| ≤ c; beyond, G″ ≥ −B, and G rises with |D| to 1: there E[G(D)] falls
    by min(B/8, 1/2) at most. B is ε²/2 of Laplace noise, φ(1)/σ² of Gaussian noise.
    """
    (first, last), (inside, outside) = box.people, rates(study, box)
    if not (study.exact and last < ENDLESS and study.low <= HALF <= study.high):
        return False
    c = max(last * study.error - HALF, 0)
    off = 2 * passing(study, first, HALF, (inside, outside), c + HALF)
    bend = (-arb(1) / 2).exp() / (2 * arb.pi()).sqrt() if study.uses_delta else arb(1) / 2
    lost = (last - first) * (bend * inside**2 / 4).min(arb(1)) * (-2 * ball(c**2 / last)).exp()
    return bool(off - lost > study.alpha)


def convex(study: Any, box: Box, start: str, far: str, rise: str = "") -> bool:
    """Convex: at one mean the answer is off too often at every N of the box, from a to b.

    Let d be how far the proportion in the sample is off, and h(d) how often the answer is then. For
    |d| < T that is g(d) = Pr[Z ≥ N(T − d)] + Pr[Z ≥ N(T + d)], at least with the least noise, and
    convex. Let c be g up to t ≤ T, then its tangent, of slope m. Beyond T a sample stays off with
    1 − Pr[Z ≥ N(|d| − T)], at least with the most noise, which is concave. So c is under h up to u
    if it is at T and u, or if u = T, and beyond u over it by m(|d| − u) at most. A sample of N is
    one of N + 1 less a person drawn from it, so means of convex functions of d fall with N
    (Jensen). Hence f is at least E c(d) of b people less m·E max(|d| − u, 0) of a people. Where
    noise has no least, c is 0 up to T, and m is named.
    """
    named, signal = [decimal(x) for x in (start, far, rise) if x], signals(study, box)
    if not (study.exact and (box.most_signal() < ENDLESS or (rise and named[0] == study.error))):
        return False
    return bool(off_at_least(study, box.people, study.middle, signal, *named) > study.alpha)


def off_at_least(study: Any, people: Any, mean: Fraction, signal: Any, *named: Fraction) -> arb:
    """The least that `convex` leaves f at a mean, for N in a range and signals up to the first."""
    (first, last), (t, u, *rise), error, (most, least) = people, named, study.error, signal
    if not (first <= last < ENDLESS and 0 <= t <= error <= u):
        return arb(0)
    part = lru_cache(maxsize=None)(lambda d: (0, 0) if rise else convex_part(study, most, d))
    level, slope = (arb(0), ball(rise[0])) if rise else part(t)
    ends = (level + slope * ball(d - t) for d in (error, u))
    stays = 1 - tails(study, least * ball(u - error))[0]
    if not (slope >= 0 and (u == error or (next(ends) <= 0.5 and next(ends) <= stays))):
        return arb(0)
    (begin, chances, _), (*_, rest) = laws = [study.law(study, n, mean) for n in (last, first)]
    inside, chance, over = beyond(laws[0], last, mean, t)
    over -= beyond(laws[1], first, mean, u)[2] + rest
    near = (part(abs(Fraction(begin + j, last) - mean))[0] * chances[j] for j in inside)
    return sum(near, level * chance + slope * over)


def beyond(law: Law, n: int, mean: Fraction, far: Fraction) -> tuple[range, arb, arb]:
    """Which counts have |K/n − mean| ≤ far, and the chance and the mean excess of the others."""
    begin, chances, _ = law
    low, high = n * (mean - far) - begin, n * (mean + far) - begin
    start = max(math.ceil(low), 0)
    inside = range(start, max(min(math.floor(high) + 1, len(chances)), start))
    before, after = chances[:start], chances[inside.stop :]
    under = sum((x * (ball(low) - j) for j, x in enumerate(before)), arb(0))
    over = sum((x * (j - ball(high)) for j, x in enumerate(after, inside.stop)), arb(0))
    return inside, sum(before, arb(0)) + sum(after, arb(0)), (under + over) / n


def signals(study: Any, box: Box) -> tuple[arb, arb]:
    """The most and the least N times the rate of noise in a box."""
    if not study.uses_delta:
        return ball(box.most_signal()), ball(box.signal[0])
    inside, outside = rates(study, box)
    return box.people[1] * inside, box.people[0] * outside


def convex_part(study: Any, most: arb, d: Fraction) -> tuple[arb, arb]:
    """The g of `convex` at d and its slope there, where N times the rate is at most so much."""
    (near, steep), (over, less) = (
        tails(study, most * ball(study.error + sign * d)) for sign in (-1, 1)
    )
    return near + over, most * (steep - less)


def tails(study: Any, x: arb) -> tuple[arb, arb]:
    """Pr[Z ≥ x] of noise of rate 1, and its density at x."""
    if study.uses_delta:
        return upper_tail(x), (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()
    return (-x).exp() / 2, (-x).exp() / 2


RULES: dict[str, Any] = {"limits": check.over_limits, "noise-alone": noise_alone}
RULES |= {"one-mean": one_mean, "mean-half": mean_half, "convex": convex}
