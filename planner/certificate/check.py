"""Check a certificate of a study: `python check.py study.cert`, with python-flint and nothing else.

It is text: how many lines there are, the study (keys of study files, exact decimals), and claims;
`with key = value` changes the study for one. After `claim infeasible` stands a cover, from the box
of every N, N·ε, ε and δ on. `people 102` cuts the box in hand into N ≤ 102, which comes next, and
the rest, which comes after all lines about the first; `signal`, `epsilon` and `delta` cut N·ε, ε or
δ. Another line is the rule by which the box in hand holds no study. So a cover has no gaps.
"""

import math
import re
import sys
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from flint import arb, arb_poly, ctx, fmpq

MOST_BYTES, MOST_PEOPLE, MOST_TERMS, MOST_EPSILON, LEFT_OUT = 4 * 10**5, 2**53, 10**8, 10_000, 40.0
"""Of a file, of a study, of all sums; that is ever paid for; e^−40 of α is left out of sums."""
ENDLESS, HALF, PRECISION, _SAID = math.inf, Fraction(1, 2), 80, re.compile("claim|answer|card|thr")
_DEFAULTS = """target.error=0 target.failure=0 individual.base_cost=0 individual.worst_cost=0
individual.family=1 individual.breach=0 individual.capped=0 conditions.epsilon_at_least_one_over_n=0
conditions.budget=inf conditions.max_harm=inf conditions.min_participants=1 conditions.delta=inf
conditions.max_participants=inf conditions.epsilon_at_most=inf conditions.target_probability=0
conditions.universe_size=1 conditions.delta_at_most=1 conditions.delta_times_n_at_most=inf
costs.per_person=0 costs.overhead=0 costs.per_invitation=0 costs.incentive=0 costs.smallest_coin=0
sampling.response_rate=1"""
_TEXTS = """title= currency= mechanism.kind= mechanism.analysis=exact mechanism.mean_range=0,1
mechanism.values=zero-one"""
_KNOWN = re.compile("laplace-mean/(exact|hoeffding|paper)|gaussian-mean/exact")
_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,400})?(e[+-]?\d{1,3})?", re.ASCII)
effort = [0]  # terms that have been summed; a check begins at 0


class RefusedError(ValueError):
    """What is wrong with a certificate, in a sentence."""


def verify(text: str, reader: Any = None) -> tuple[list[str], list[str]]:
    """The study and the claims that are proved, and what is unproved; or `RefusedError`."""
    lines = text.split("\n")
    starts = [k for k, line in enumerate(lines) if line.startswith("claim ")]
    counted = lines[0] == f"certificate of {len(lines) - 1} lines" and not lines.pop()
    if not (counted and starts and len(text) <= MOST_BYTES and all(map(str.isprintable, lines))):
        raise RefusedError("it claims nothing, or its first line does not count its lines")
    given = [line for line in lines[1 : starts[0]] if not line.startswith("unproved ")]
    effort[0], unproved = 0, [line for line in lines[1 : starts[0]] if line not in given]
    covered = not unproved
    try:
        with ctx.workprec(PRECISION):
            for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
                unproved += _unproved(reader, given, lines[start:end], start + 1) if covered else []
    except (ArithmeticError, TypeError, ValueError) as error:
        raise RefusedError(str(error)) from error
    return [*given, *filter(_SAID.match, lines[starts[0] :])], unproved


def _unproved(reader: Any, given: list[str], lines: list[str], place: int) -> list[str]:
    """The boxes of a claim's cover that are said to be unproved; all else is proved."""
    claim, _, changed = lines[0].removeprefix("claim ").partition(" with ")
    study = (reader or Study)(given, changed)
    plan = re.fullmatch(r"feasible participants = (.+), epsilon = (.+), delta = (.+)", claim)
    proved = plan and is_plan(study, lines[1:], *map(decimal, plan.groups()))
    if not (proved or claim == "infeasible"):
        raise RefusedError(f"line {place}: this is not proved: {lines[0][:80]!r}")
    boxes, unproved = [] if plan else [study.box], []
    for number, line in enumerate(lines[1:] if boxes else [], place + 1):
        box, (word, *witness) = boxes.pop() if boxes else None, line.split(" ")
        if box and word in Box._fields and len(witness) == 1:
            boxes += reversed(box.cut(word, decimal(witness[0])))
        elif box and line == "unproved":
            unproved.append(f"unproved line {number}: N from {box.people[0]} to {box.people[1]}")
        elif not (box and word in study.rules and study.rules[word](study, box, *witness)):
            raise RefusedError(f"line {number}: {line[:80]!r} excludes no box that is left")
    if boxes:
        raise RefusedError("the cover ends too early")
    return unproved


def decimal(text: str) -> Fraction:
    """A decimal, or a quotient of two, as a fraction."""
    over, _, under = text.partition("/")
    if not (_NUMBER.fullmatch(over) and _NUMBER.fullmatch(under or "1")) or not float(under or 1):
        raise RefusedError(f"{text[:60]!r} is no number")
    return Fraction(over) / Fraction(under or 1)


def ball(x: Any) -> arb:
    """A ball about a fraction, or ∞."""
    return arb.pos_inf() if type(x) is float and x == ENDLESS else arb(fmpq(*x.as_integer_ratio()))


def ends(x: arb) -> tuple[Any, Any]:
    """Two fractions that enclose what is in a ball and not negative."""
    if not x.is_finite():
        return Fraction(0), ENDLESS
    exact = (end.man_exp() for end in (x.lower(), x.upper()))
    low, high = (int(mantissa) * Fraction(2) ** int(exponent) for mantissa, exponent in exact)
    return low, high


class Box(NamedTuple):
    """N, N·ε, ε and δ, each between two numbers, of which the last may be ∞."""

    people: tuple[int, Any]
    signal: tuple[Any, Any]
    epsilon: tuple[Any, Any]
    delta: tuple[Any, Any]

    def cut(self, what: str, at: Fraction) -> "list[Box]":
        """The part up to a number, and the part beyond it."""
        low, high = getattr(self, what)
        at_most: Any = (math.floor(at), math.floor(at) + 1) if what == "people" else (at, at)
        halves = (low, at_most[0]), (max(low, at_most[1]), high)
        return [self._replace(**{what: half}) for half in halves]

    def epsilons(self) -> tuple[Any, Any]:
        """Two numbers between which every ε of the box lies."""
        least = 0 if self.people[1] == ENDLESS else self.signal[0] / self.people[1]
        return max(self.epsilon[0], least), min(self.epsilon[1], self.signal[1] / self.people[0])

    def most_signal(self) -> Any:
        """A number that no N·ε of the box is over."""
        last, high = self.people[1], self.epsilon[1]
        return min(self.signal[1], ENDLESS if ENDLESS in (last, high) else last * high)


class Study(SimpleNamespace):
    """A study, read from its lines; a key that no rule is about is refused."""

    def __init__(self, lines: list[str], changed: str = "") -> None:
        repeated = len({line.partition(" = ")[0] for line in lines}) < len(lines)
        given = dict(line.partition(" = ")[::2] for line in lines + [changed] * bool(changed))
        for key, default in (pair.split("=") for pair in (_DEFAULTS + "\n" + _TEXTS).split()):
            text = given.pop(key, default)
            endless = text == default == "inf"
            number = ENDLESS if endless else decimal(text) if key in _DEFAULTS else text
            setattr(self, key.split(".")[-1], number)
        self.low, self.high = map(decimal, self.mean_range.split(","))
        self.uses_delta = self.kind == "gaussian-mean"
        self.exact, self.alpha, self.law = self.analysis == "exact", ball(self.failure), counts
        p, size, self.rules = self.target_probability, self.universe_size, RULES
        odds = max(p * size, (size - 1) / (size * (1 - p)))
        self.under = ball(odds).log() if p else ball(ENDLESS)
        given_people = self.min_participants, self.max_participants
        first, last = (x if x == ENDLESS else int(x) for x in given_people)
        epsilon = Fraction(0), min(self.epsilon_at_most, ends(self.under)[1])
        free = Fraction(0), self.delta_at_most * self.uses_delta
        delta = free if self.delta == ENDLESS else (self.delta, min(self.delta, self.delta_at_most))
        self.box = Box((first, last), (self.epsilon_at_least_one_over_n, ENDLESS), epsilon, delta)
        self.recruiting = self.per_person + self.per_invitation / self.response_rate
        known = bool(_KNOWN.fullmatch(f"{self.kind}/{self.analysis}"))
        known &= self.values == "zero-one" or self.analysis == "hoeffding"
        within = 0 < self.error <= 1 and 0 < self.failure < 1 and 0 <= self.low <= self.high <= 1
        within &= given_people == (first, last) and first >= 1 and self.family in range(1, 1001)
        within &= all(x >= 0 for x in vars(self).values() if isinstance(x, Fraction))
        within &= 0 < self.response_rate <= 1 > self.breach and (not p or 1 < p * size < size)
        if given or repeated or not (known and within):
            raise RefusedError(f"no rule is about such a study, or about {list(given)}"[:300])

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Whether the answer of a plan is accurate; no further lines are read."""
        return not lines and accurate(self, *plan)

    def owed(self, epsilon: Any, delta: Any) -> tuple[Any, Any]:
        """What a person is owed, enclosed (Hsu14 Definition 13; §9.2)."""
        cap = self.worst_cost if self.capped else ENDLESS
        if epsilon > MOST_EPSILON:
            return self.owed(MOST_EPSILON, delta)[0], cap
        e, d, family = ball(epsilon), ball(delta), int(self.family)
        total = (family * e).expm1() * ball(self.base_cost)
        total += d * ball(self.worst_cost) * sum((j * e).expm1() for j in range(1, family))
        sure = (min(1, self.family * self.breach) + self.family * delta) * self.worst_cost
        return tuple(min(end + sure, cap) for end in ends(total))

    def total(self, people: Any, owed: Any) -> Any:
        """What a study costs: the incentive is paid at least, in whole coins."""
        paid = max(owed, self.incentive)
        coin = self.smallest_coin if paid < ENDLESS else 0
        paid = math.ceil(paid / coin) * coin if coin else paid
        return self.overhead + people * (paid + self.recruiting)


def is_plan(study: Study, lines: list[str], n: Fraction, epsilon: Fraction, delta: Any) -> bool:
    """Plan: every condition holds at N, ε and δ, and the answer is accurate at every mean."""
    box, owed = study.box, study.owed(epsilon, delta)[1]
    (first, last), (low, high) = box.people, box.delta
    kept = n.denominator == 1 and first <= n <= min(last, MOST_PEOPLE) and low <= delta <= high
    kept &= 0 < epsilon <= box.epsilon[1] and n * epsilon >= box.signal[0] and 0 <= delta < 1
    kept &= n * delta <= study.delta_times_n_at_most and bool(ball(epsilon) < study.under)
    kept &= owed <= study.max_harm and study.total(n, owed) <= study.budget
    return bool(kept) and study.is_accurate(lines, int(n), epsilon, delta)


def accurate(study: Study, n: int, epsilon: Fraction, delta: Fraction, slope: Any = 0) -> bool:
    """Whether f, the failure, is at most α + slope·μ at every mean; cells of means are halved.

    Log-chord: where (ln of each term)″ ≥ −C, f·e^(Cx²/2) is a sum of log-convex functions of the
    mean, so on a cell f is at most e^(Cw²/8) times its chord. For Pr[K = k] C is N/m², m the
    least of μ and 1 − μ; moving edges add N²s, s = 2ε² of Laplace, 1/σ² of Gaussian noise.
    Stochastic order: Pr[K + Z ≥ x] grows with the mean, so the lowest upper edge is passed most
    often at the last mean, the highest lower edge at the first.
    """
    if not study.exact:
        return bool(by_bound(study, ball(n), ball(n * epsilon))[1] <= study.alpha)
    point = Box((n, n), (n * epsilon, n * epsilon), (epsilon, epsilon), (delta, delta))
    most = rates(study, point)[::-1]  # with these no rate between the two fails more often
    off = lru_cache(maxsize=None)(lambda mean: failing(study, n, mean, most))
    steep = (2 - study.uses_delta) * (n * most[1]) ** 2
    cells = [(study.low, HALF if study.low + study.high == 1 else study.high)]  # 1 − μ fails like μ
    while cells:
        low, high = cells.pop()
        line, last = (study.alpha + ball(slope * mean) for mean in (low, high))
        if not (off(low) <= line and off(high) <= last):
            return False
        least, width, up = min(low, 1 - high), high - low, n * (study.error - high + low)
        chord = (steep + ball(n / least**2 if least else ENDLESS)) * ball(width) ** 2 / 8
        if low == high or (off(low) * chord.exp() <= line and off(high) * chord.exp() <= last):
            continue
        if not chord < 1 and sum(passing(study, n, m, most, up) for m in (high, 1 - low)) <= line:
            continue
        cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return True


def upper_tail(x: arb) -> arb:
    """Q(x) of a standard normal."""
    return arb(x < 0) if abs(x) == arb.pos_inf() else (x / arb(2).sqrt()).erfc() / 2


@lru_cache(maxsize=4096)
def deviation(epsilon: Any, delta: Any) -> tuple[Any, Any]:
    """Least σ with Q(εσ − 1/2σ) − e^ε·Q(εσ + 1/2σ) ≤ δ, enclosed (Balle and Wang 2018, Thm 8)."""
    low, high, e, d = Fraction(0), ENDLESS, ball(epsilon), ball(delta)
    for _ in range(130 if delta and 0 < epsilon <= MOST_EPSILON else 0):
        s = ball((low + high) / 2 if high < ENDLESS else MOST_PEOPLE)
        more = upper_tail(e * s - 1 / (2 * s)) - e.exp() * upper_tail(e * s + 1 / (2 * s)) - d
        low, high = (ends(s)[0] if more > 0 else low), (ends(s)[1] if more <= 0 else high)
    return (low if delta else ENDLESS), high


def spend(terms: int) -> None:
    """Count the terms of sums; `RefusedError` where they are too many."""
    effort[0] += terms
    if max(effort[0], 10 * terms) > MOST_TERMS:
        raise RefusedError("the check takes too long")


def counts(study: Study, n: int, mean: Fraction) -> tuple[int, list[arb], arb]:
    """The first count, Pr[K = k] from there on, and the rest (Hoeffding 1963, Theorem 1)."""
    if mean in (0, 1):
        return n * int(mean), [arb(1)], arb(0)
    reach = math.isqrt(math.ceil(n * (LEFT_OUT - math.log(study.failure)) / 2)) + 1
    top, odds = math.floor(n * mean), ball(mean / (1 - mean))
    first, last = max(0, top - reach), min(n, top + 1 + reach)
    spend(50 + (last - first) * (8 if study.uses_delta else 1))
    ways = (arb(n + 1).lgamma() - arb(top + 1).lgamma() - arb(n - top + 1).lgamma()).exp()
    over = [ways * ball(mean) ** top * ball(1 - mean) ** (n - top)]
    under = [over[0]]
    for k in range(top, last):
        over.append(over[-1] * (n - k) / (k + 1) * odds)
    for k in range(top, first, -1):
        under.append(under[-1] * k / (n - k + 1) / odds)
    return first, under[:0:-1] + over, (2 * (-2 * arb(reach) ** 2 / n).exp()).union(arb(0))


def failing(study: Study, n: int, mean: Fraction, rates: tuple[arb, arb]) -> arb:
    """Pr[|K + Z − Nμ| ≥ NT], enclosed."""
    return sum((passing(study, n, m, rates, n * study.error) for m in (mean, 1 - mean)), arb(0))


def passing(study: Study, n: int, mean: Fraction, rates: tuple[arb, arb], up: Fraction) -> arb:
    """Pr[K + Z is `up` or more above Nμ], enclosed: the sum over k of Pr[K = k]·Pr[k + Z ≥ edge].

    Counts not off yet fail the less the higher the rate of noise, others the more: with the highest
    inside and the lowest outside no rate between the two fails less often.
    """
    (inside, outside), (first, chances, rest) = rates, study.law(study, n, mean)
    at = min(max(math.ceil(edge := n * mean + up) - first, 0), len(chances))
    left, beyond, under, over = edge - first, first + at - edge, chances[:at], chances[at:]
    if study.uses_delta:
        far = (c * upper_tail(ball(left - j) * inside) for j, c in enumerate(under))
        near = (c * upper_tail(-ball(beyond + j) * outside) for j, c in enumerate(over))
        return sum(far, rest) + sum(near, arb(0))
    nearest, back = (-inside * ball(left - at + 1)).exp(), (-outside * ball(beyond)).exp()
    carried = nearest * arb_poly(under[::-1])((-inside).exp())
    return sum(over, rest) + carried / 2 - back / 2 * arb_poly(over)((-outside).exp())


def by_bound(study: Study, n: arb, signal: arb) -> tuple[arb, arb]:
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


def over_limits(study: Study, box: Box) -> bool:
    """Budget, harm per person or δ·N: one is too high at the least N, N·ε, ε and δ of the box.

    What ε costs is convex, and 0 at 0, so N times it falls with N at a fixed N·ε.
    """
    (n, last), (signal, _), d, epsilon = box.people, box.signal, box.delta[0], box.epsilons()[0]
    owed, sure = study.owed(epsilon, d)[0], study.owed(0, d)[0]
    if n > last or owed > study.max_harm or n * d > study.delta_times_n_at_most:
        return True
    limit = study.base_cost * study.family * signal  # e^(gε) − 1 is at least gε
    if last < ENDLESS:
        limit = last * (study.owed(signal / last, 0)[0] - study.owed(0, 0)[0])
    if study.capped:
        limit = min(limit, n * (study.worst_cost - sure))
    fixed = study.overhead + n * (study.recruiting + sure)
    return bool(max(study.total(n, owed), fixed + limit) > study.budget)


def rates(study: Study, box: Box) -> tuple[arb, arb]:
    """The highest and the lowest rate of noise in a box: ε, or 1/σ."""
    low, high = box.epsilons()
    if not study.uses_delta:
        return ball(high), ball(low)
    largest = min(box.delta[1], study.delta_times_n_at_most / box.people[0])
    least, most = deviation(high, largest)[0], deviation(low, box.delta[0])[1]
    return ball(1 / least if least else ENDLESS), ball(0 if most == ENDLESS else 1 / most)


def noise_alone(study: Study, box: Box) -> bool:
    """Noise alone is off by NT too often: symmetric, unimodal, it is most likely to lie about 0."""
    off = (-ball(box.most_signal() * study.error)).exp()
    if study.uses_delta:
        off = 2 * upper_tail(ball(box.people[1] * study.error) * rates(study, box)[0])
    return study.exact and bool(off > study.alpha)


def one_mean(study: Study, box: Box, witness: str = "1/2") -> bool:
    """One mean: there the answer is off too often, whatever noise of the box is added."""
    mean, (first, last) = decimal(witness), box.people
    asked = study.exact and first == last and study.low <= mean <= study.high
    return asked and bool(failing(study, first, mean, rates(study, box)) > study.alpha)


def mean_half(study: Study, box: Box) -> bool:
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


def over_bound(study: Study, box: Box) -> bool:
    """Bound: Hoeffding's or the paper's is too high; both fall with N and with N·ε."""
    size, signal = ball(box.people[1]), ball(box.most_signal())
    return not study.exact and bool(by_bound(study, size, signal)[0] > study.alpha)


RULES: dict[str, Any] = {"limits": over_limits, "bound": over_bound, "noise-alone": noise_alone}
RULES |= {"one-mean": one_mean, "mean-half": mean_half}


def main(path: str = "", reader: Any = None) -> int:
    """Print what a certificate proves; 0 where it is proved, 1 if refused, 2 if incomplete."""
    try:
        with open(path, encoding="utf-8") as file:
            lines, unproved = verify(file.read(MOST_BYTES + 1), reader)
        lines += [*unproved, "incomplete" if unproved else "proved"]
    except (ValueError, OSError) as error:
        lines = [f"refused: {error}"]
    sys.stdout.buffer.write("\n".join([*lines, ""]).encode())
    return {"proved": 0, "incomplete": 2}.get(lines[-1], 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
