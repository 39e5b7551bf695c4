"""Check a certificate of a study: `python check.py study.cert`, with python-flint and nothing else.

Other files of this folder, beside it, hold the rules of other studies (see `READERS`).

It is text: how many lines there are, the study (keys of study files, exact decimals), and claims;
`with key = value` changes the study for one. After `claim infeasible` stands a cover, from the box
of every N, N·ε, ε and δ on. `people 102` cuts the box in hand into N ≤ 102, which comes next, and
the rest, which comes after all lines about the first; `signal`, `epsilon` and `delta` cut N·ε, ε or
δ. Another line is the rule by which the box in hand holds no study. So a cover has no gaps.
"""

import math
import os
import re
import sys
from bisect import bisect_left
from fractions import Fraction
from functools import cache
from importlib import import_module
from statistics import NormalDist
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from flint import arb, ctx as ctx, fmpq

MOST_BYTES, MOST_PEOPLE, MOST_TERMS, MOST_EPSILON = 4 * 10**5, 2**53, 10**8, 10_000
"""Of a file, of a study, of all sums; the largest ε that is ever paid for."""
ENDLESS, HALF, PRECISION, _SAID = math.inf, Fraction(1, 2), 80, re.compile("claim|answer|card|thr")
_DEFAULTS = """target.error=0 target.failure=0 individual.base_cost=0 individual.worst_cost=0
individual.family=1 individual.breach=0 individual.capped=0 conditions.epsilon_at_least_one_over_n=0
conditions.budget=inf conditions.max_harm=inf conditions.min_participants=1 conditions.delta=inf
conditions.max_participants=inf conditions.epsilon_at_most=inf conditions.target_probability=0
conditions.universe_size=1 conditions.delta_at_most=1 conditions.delta_times_n_at_most=inf
costs.per_person=0 costs.overhead=0 costs.per_invitation=0 costs.incentive=0 costs.smallest_coin=0
sampling.response_rate=1 sampling.arrive=0.95"""
_TEXTS = """title= currency= mechanism.kind= mechanism.analysis=exact mechanism.mean_range=0,1
mechanism.values=zero-one"""
_KNOWN = re.compile("laplace-mean/(exact|hoeffding|paper)|gaussian-mean/exact")
_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,400})?(e[+-]?\d{1,3})?", re.ASCII)
if not __package__:  # run alone: the files beside it are its package
    package = ModuleType("planner.certificate")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules |= {"planner": package, "planner.certificate": package}
    sys.modules["planner.certificate.check"] = sys.modules[__name__]
READERS = {
    r"question\.1 = ": "planner.certificate.check_surveys:Survey",
    r"sampling\.po|mechanism\.kind = (rand|geometric-m)": "planner.certificate.check_people:People",
    r"mechanism\.\w+ = (h|p|mwem|net|geometric-c)": "planner.certificate.check_bounds:Formula",
    r"mechanism\.values = any": "planner.certificate.check_bounds:OneMean",
    "": "planner.certificate.check_counts:Count",
}
"""What reads a study in which a line begins so; the first that does."""
effort = [0]  # terms that have been summed; a check begins at 0


class RefusedError(ValueError):
    """What is wrong with a certificate, in a sentence."""


def reader_of(lines: list[str]) -> Any:
    """What reads a study, from the file that has its rules."""
    found = (of for begins, of in READERS.items() if any(re.match(begins, x) for x in ["", *lines]))
    file, _, name = next(found).partition(":")
    return getattr(import_module(file), name)


def keys_of(lines: list[str], changed: str = "") -> dict[str, str]:
    """What a study gives under each key, with one line changed."""
    given = dict(line.partition(" = ")[::2] for line in lines)
    if len(given) < len(lines):
        raise RefusedError("a key is given twice")
    return given | dict([changed.partition(" = ")[::2]] if changed else [])


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
            reader = reader or reader_of(given)
            for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
                unproved += _unproved(reader, given, lines[start:end], start + 1) if covered else []
    except (ArithmeticError, TypeError, ValueError) as error:
        raise RefusedError(str(error)) from error
    return [*given, *filter(_SAID.match, lines[starts[0] :])], unproved


def _unproved(reader: Any, given: list[str], lines: list[str], place: int) -> list[str]:
    """The boxes of a claim's cover that are said to be unproved; all else is proved."""
    claim, _, changed = lines[0].removeprefix("claim ").partition(" with ")
    study = reader(keys_of(given, changed))
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

    def __init__(self, given: dict[str, str]) -> None:
        for key, default in (pair.split("=") for pair in (_DEFAULTS + "\n" + _TEXTS).split()):
            text = given.pop(key, default)
            endless = text == default == "inf"
            number = ENDLESS if endless else decimal(text) if key in _DEFAULTS else text
            setattr(self, key.split(".")[-1], number)
        self.low, self.high = map(decimal, self.mean_range.split(","))
        self.middle = min(max(HALF, self.low), self.high)
        self.uses_delta = self.kind == "gaussian-mean"
        self.exact, self.alpha = self.analysis == "exact", ball(self.failure)
        p, size = self.target_probability, self.universe_size
        self.rules: dict[str, Any] = {"limits": over_limits}
        odds = max(p * size, (size - 1) / (size * (1 - p)))
        self.under = ball(odds).log() if p else ball(ENDLESS)
        given_people = self.min_participants, self.max_participants
        first, last = (x if x == ENDLESS else int(x) for x in given_people)
        epsilon = Fraction(0), min(self.epsilon_at_most, ends(self.under)[1])
        free = Fraction(0), self.delta_at_most * self.uses_delta
        delta = free if self.delta == ENDLESS else (self.delta, min(self.delta, self.delta_at_most))
        self.box = Box((first, last), (self.epsilon_at_least_one_over_n, ENDLESS), epsilon, delta)
        known = bool(_KNOWN.fullmatch(f"{self.kind}/{self.analysis}"))
        known &= self.values == "zero-one" or self.analysis == "hoeffding"
        within = 0 < self.error <= 1 and 0 < self.failure < 1 and 0 <= self.low <= self.high <= 1
        within &= given_people == (first, last) and first >= 1 and self.family in range(1, 1001)
        within &= all(x >= 0 for x in vars(self).values() if isinstance(x, Fraction))
        within &= 0 < self.response_rate <= 1 > self.breach and (not p or 1 < p * size < size)
        within &= HALF <= self.arrive < 1
        if given or not (known and within):
            raise RefusedError(f"no rule is about such a study, or about {list(given)}"[:300])

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Whether a plan is accurate, by further lines; without rules it is not."""
        return False

    def owed(self, epsilon: Any, delta: Any) -> tuple[Any, Any]:
        """What a person is owed, enclosed (Hsu14 Definition 13; §9.2)."""
        cap = self.worst_cost if self.capped else ENDLESS
        if epsilon > MOST_EPSILON:
            low, high = self.owed(MOST_EPSILON, delta)
            return low, cap if self.base_cost or self.family > 1 else high
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
        return people * paid + self.running(people)

    def running(self, people: int) -> Any:
        """What it costs to have so many people, besides what they are owed."""
        invited = self.per_invitation and invitations(people, self.response_rate, self.arrive)
        return self.overhead + people * self.per_person + invited * self.per_invitation


@cache
def invitations(people: int, rate: Fraction, arrive: Fraction) -> int:
    """The fewest by which so many come, each at a rate, with probability `arrive` (binomial)."""

    def enough(invited: int) -> bool:
        chance = ball(rate).beta_lower(people, max(invited - people, 0) + 1, regularized=True)
        if not chance.rad() < 1e-9:
            raise RefusedError("so many invitations are not counted")
        return invited >= people and not chance < ball(arrive)

    p, z = float(rate), NormalDist().inv_cdf(float(arrive))
    spread, at = z * math.sqrt(1 - p), people - 0.5 - (1 - 2 * p) * (z * z - 1) / 6
    high = max(int((spread + math.sqrt(spread**2 + 4 * max(at, 0))) ** 2 / (4 * p)), people)
    low = high - 1
    while enough(low):
        low, high = 2 * low - high - 1, low
    while not enough(high):
        low, high = high, 2 * high - low + 1
    return bisect_left(range(low, high), True, key=enough) + low


def is_plan(study: Study, lines: list[str], n: Fraction, epsilon: Fraction, delta: Any) -> bool:
    """Plan: every condition holds at N, ε and δ, and the answer is accurate at every mean."""
    box, owed = study.box, study.owed(epsilon, delta)[1]
    (first, last), (low, high) = box.people, box.delta
    kept = n.denominator == 1 and first <= n <= min(last, MOST_PEOPLE) and low <= delta <= high
    kept &= 0 < epsilon <= box.epsilon[1] and n * epsilon >= box.signal[0] and 0 <= delta < 1
    kept &= n * delta <= study.delta_times_n_at_most and bool(ball(epsilon) < study.under)
    kept &= owed <= study.max_harm and study.total(int(n), owed) <= study.budget
    return bool(kept) and study.is_accurate(lines, int(n), epsilon, delta)


def spend(terms: int) -> None:
    """Count the terms of sums; `RefusedError` where they are too many."""
    effort[0] += terms
    if max(effort[0], 10 * terms) > MOST_TERMS:
        raise RefusedError("the check takes too long")


def over_limits(study: Study, box: Box) -> bool:
    """Budget, harm per person or δ·N: one is too high at the least N, N·ε, ε and δ of the box.

    What ε costs is convex, and 0 at 0, so N times it falls with N at a fixed N·ε.
    """
    (n, last), (signal, _), d, epsilon = box.people, box.signal, box.delta[0], box.epsilons()[0]
    owed, sure = study.owed(epsilon, d)[0], study.owed(0, d)[0]
    topped = study.capped and sure >= study.worst_cost
    more = study.base_cost > 0 and not topped  # as ε is over 0, more is owed than for δ alone
    if n > last or owed > study.max_harm or n * d > study.delta_times_n_at_most:
        return True
    limit = study.base_cost * study.family * signal  # e^(gε) − 1 is at least gε
    if last < ENDLESS:
        limit = last * (study.owed(signal / last, 0)[0] - study.owed(0, 0)[0])
    if study.capped:
        limit = min(limit, n * (study.worst_cost - sure))
    fixed = study.running(n) + n * sure
    paid = owed or study.smallest_coin * more
    spent = more and study.incentive <= sure and fixed >= study.budget
    harmed = more and sure >= study.max_harm
    return bool(spent or harmed or max(study.total(n, paid), fixed + limit) > study.budget)


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
