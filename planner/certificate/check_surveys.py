"""Rules about surveys.

A line for each question, such as `question.1 = histogram; groups = 8; error = 0.03; name = age`, is
in place of the target. After the claim of a plan stands `answer 0.12 0.014` for each question: its
ε and its failure probability α; a line `witness …` after it says by which line, tangent or split it
is proved. In a cover `split λ m@μ …` says that all questions of the box ask too much together.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from flint import arb, arb_poly

from planner.certificate import check, check_bounds, check_counts
from planner.certificate.check import ENDLESS, HALF, Box, RefusedError, ball, decimal, spend

MOST_QUESTIONS, MOST_HALVINGS, CELL = 1000, 40, 400
"""Of a survey; of a range, before a rule gives up; what a cell counts in terms of sums."""
TOUCHES = ((HALF, 0), (1, Fraction(13, 4)))
"""By how much of 1/y a tangent begins before T and ends beyond it: of much noise, and of little."""
_NEEDS = {"share": "error", "histogram": "error groups", "mean": "error low high"}
_NEEDS |= {"quantile": "error candidates at"}


class Question(NamedTuple):
    """A question; `size` is of groups or candidates, `failure` its own α, or ∞."""

    kind: str
    error: Fraction
    times: int
    size: int
    failure: Any


def question(text: str) -> Question:
    """A question, read from its line."""
    kind, *rest = text.partition("; name = ")[0].split("; ")
    given = {key: decimal(value) for key, _, value in (part.partition(" = ") for part in rest)}
    needs = {*_NEEDS.get(kind, "a kind").split()}
    known = len(given) == len(rest) and needs <= {*given} <= needs | {"times", "failure"}
    error, width = given.get("error", 0), given.get("high", 1) - given.get("low", Fraction(0))
    size = given.get("groups", given.get("candidates", Fraction(2)))
    times, at = given.get("times", Fraction(1)), given.get("at", HALF)
    known &= 0 < error <= width and 0 < given.get("failure", HALF) < 1 <= times and 0 <= at <= 1
    if not (known and times.denominator == size.denominator == 1 and 2 <= size <= 10**6):
        raise RefusedError(f"no rule is about a question {text[:200]!r}")
    return Question(kind, error / width, int(times), int(size), given.get("failure", ENDLESS))


class Survey(check.Study):
    """A survey with Laplace noise on each answer; α is shared out, or each question has its own."""

    def __init__(self, given: dict[str, str]) -> None:
        noise = [given.pop(f"mechanism.{key}", "") for key in ("kind", "noise")]
        basic = given.pop("mechanism.composition", "basic") == "basic"  # of version 0.2
        count = sum(key.startswith("question.") for key in given)
        questions = [question(given.pop(f"question.{k}", "")) for k in range(1, count + 1)]
        shared, repeated = "target.failure" in given, "target.error" in given
        given = {"target.failure": "0.5", **given, "mechanism.kind": "laplace-mean"}
        super().__init__({"target.error": "1", **given})
        self.questions, self.total_failure = questions, self.failure if shared else ENDLESS
        self.law = check_counts.counts
        self.rules = {"limits": check.over_limits, "split": split, "samples": samples}
        known = basic and noise == ["added-noise", "laplace"] and self.analysis != "paper"
        known &= not repeated and all((q.failure == ENDLESS) == shared for q in questions)
        if not (known and self.mean_range == "0,1" and 1 <= count <= MOST_QUESTIONS):
            raise RefusedError("no rule is about such a survey")

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        """Composition (Dwork and Roth 2014, Theorem 3.14) and union bound: ε and α add up."""
        answers: list[list[Fraction]] = []
        for line in lines:
            word, *numbers = line.split(" ")
            if word == "answer" and len(numbers) == 2:
                answers.append([decimal(number) for number in numbers])
            elif word == "witness" and len(numbers) < 3 and answers and len(answers[-1]) == 2:
                answers[-1] += [decimal(number) for number in numbers]
            else:
                return False
        pairs = list(zip(self.questions, answers, strict=True))
        within = all(a[0] > 0 and 0 < a[1] < 1 and a[1] <= q.failure for q, a in pairs)
        within &= sum(q.times * a[0] for q, a in pairs) <= plan[1]
        within &= sum(q.times * a[1] for q, a in pairs) <= self.total_failure
        different: Any = {(q._replace(times=1), *a) for q, a in pairs}
        return within and all(ACCURATE[q.kind](self, q, plan[0], *a) for q, *a in different)

    def of(self, error: Fraction, failure: Any) -> "Survey":
        """The study of one share, with its error and failure probability."""
        one = Survey.__new__(Survey)
        vars(one).update(vars(self) | {"error": error, "failure": failure, "alpha": ball(failure)})
        return one


def histogram(survey: Survey, q: Question, n: int, epsilon: Fraction, *rest: Any) -> bool:
    """Histogram: shares μ of k groups sum to 1 at most; where f(μ) ≤ a + bμ, Σ f(μ) ≤ ka + b.

    One record moves two counts by 1 each, so the noise on each has the rate ε/2. f is the same at μ
    and 1 − μ, so for b ≥ 0 the line is checked up to 1/2: up to a start by moments, then by cells.
    """
    failure, slope, start = [*rest, 0, 0][:3]
    least = (failure - slope) / q.size
    if not (least > 0 and slope >= 0 and 0 <= start <= HALF):
        return False
    one = survey.of(q.error, least)
    one.low, one.high = start, HALF
    by_moments = start == 0 or under_moments(one, n, epsilon / 2, slope)
    if not survey.exact:
        return bool(check_bounds.by_bound(one, ball(n), ball(n * epsilon / 2))[1] <= one.alpha)
    return by_moments and check_counts.accurate(one, n, epsilon / 2, Fraction(0), slope)


def under_moments(one: Survey, n: int, epsilon: Fraction, slope: Fraction) -> bool:
    """Moments: f ≤ e^(−εNT)·E cosh(ε(K − Nμ)), which is at most α + slope·μ up to `low`.

    It is f itself where |K − Nμ| < NT, and over it else. ln E e^(±ε(K − Nμ)) has second derivatives
    in μ of −C or more, C = N(e^ε − 1)², so that on a cell of width w it is at most e^(Cw²/8) times
    its chord.
    """
    cells = [(Fraction(0), one.low)]
    while cells:
        low, high = cells.pop()
        grown = (n * ball(epsilon).expm1() ** 2 * ball(high - low) ** 2 / 8).exp()
        values = [moment(one.error, n, x, ball(n * epsilon))[0] for x in (low, high)]
        lines = [one.alpha + ball(slope * x) for x in (low, high)]
        if not all(value <= line for value, line in zip(values, lines, strict=True)):
            return False
        if not all(grown * value <= line for value, line in zip(values, lines, strict=True)):
            cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return True


def mean(survey: Survey, q: Question, n: int, epsilon: Fraction, *rest: Any) -> bool:
    """Mean of any values: by Hoeffding's bound, or by a convex function, see `any_values`."""
    (failure, touch) = [*rest, Fraction(1)][:2]
    one = survey.of(q.error, failure)
    if not survey.exact:
        return bool(check_bounds.by_bound(one, ball(n), ball(n * epsilon))[1] <= one.alpha)
    return check_bounds.any_values(one, n, ball(epsilon), touch)


def quantile(survey: Survey, q: Question, n: int, epsilon: Fraction, *rest: Any) -> bool:
    """Quantile: for any s in [0, 1], the sample is off by sT, or a candidate (1 − s)T off is drawn.

    The first has 2e^(−2N(sT)²) (Hoeffding 1963, Theorem 1, at two candidates), the other w/(1 + w),
    w = (k − 1)e^(−εN(1 − s)T/2) (McSherry and Talwar 2007): one candidate is not off at all.
    """
    failure, part = [*rest, HALF][:2]
    sample = 2 * (-2 * n * ball(part * q.error) ** 2).exp()
    drawn = drawn_at(q, ball(n * epsilon * q.error * (1 - part) / 2), 1)
    return 0 <= part <= 1 and bool(sample + drawn <= ball(failure))


def share(survey: Survey, q: Question, n: int, epsilon: Fraction, *rest: Any) -> bool:
    """Share: as in a study of one question, see `check_counts.accurate`."""
    one = survey.of(q.error, rest[0])
    if not survey.exact:
        return bool(check_bounds.by_bound(one, ball(n), ball(n * epsilon))[1] <= one.alpha)
    return check_counts.accurate(one, n, epsilon, Fraction(0))


ACCURATE = {"share": share, "histogram": histogram, "mean": mean, "quantile": quantile}


def samples(survey: Survey, box: Box) -> bool:
    """Samples: they are off too often, whatever the noise: see `convex`; of bounds s is 1."""
    total, one, (first, last) = arb(0), False, box.people
    for q in survey.questions if last < ENDLESS else []:
        f = 2 * (-2 * ball(last) * ball(q.error) ** 2).exp()
        if survey.exact and q.kind != "quantile":
            rise = Fraction(2 ** (2 * first // math.isqrt(last - first + 1)).bit_length())
            named, of = (q.error, q.error + 1 / (2 * rise), rise), survey.of(q.error, HALF)
            f = check_counts.off_at_least(of, box.people, HALF, (arb(0), arb(0)), *named)
        f *= {"histogram": 2 if survey.exact else q.size}.get(q.kind, 1)
        total, one = total + q.times * f, one or f > ball(q.failure)
    return one or bool(total > ball(survey.total_failure))


def split(survey: Survey, box: Box, multiplier: str, *shares: str) -> bool:
    """Duality: N·ε = Σ y over the questions, and Σ f(y) ≤ α, so Σ (y + λ·f(y)) ≤ N·ε + λα.

    Of each question m is named, with y + λ·f(y) ≥ m wherever f(y) ≤ α. If Σ m is over the largest
    N·ε of the box plus λα, no split of N·ε and α will do. One asked t times gets t times the same:
    its α is at most α/t. With an α of each question's own λ is 0, and every y up to m fails it.
    """
    price, most, whole = decimal(multiplier), box.most_signal(), survey.total_failure
    named = [[decimal(x) for x in text.split("@")] for text in shares]
    known = len(named) == len(survey.questions) and all(len(pair) == 2 for pair in named)
    if not (known and price >= 0 and most < ENDLESS and box.people[0] <= box.people[1]):
        return False
    pairs = list(zip(survey.questions, named, strict=True))
    total: Any = sum(q.times * m for q, (m, _) in pairs)
    different: Any = {
        (q._replace(times=1, failure=min(q.failure, whole / q.times)), *pair) for q, pair in pairs
    }
    enough = total > most + (price * whole if price else 0)
    return enough and all(costs(survey, box, q, price, *pair) for q, *pair in different)


def costs(survey: Survey, box: Box, q: Question, price: Fraction, m: Fraction, mu: Any) -> bool:
    """Whether y + λ·f(y) ≥ m at all y ≥ 0 with f(y) ≤ α, for every N of the box: y is halved."""
    if q.kind == "quantile" or not survey.exact:
        return costs_by_bound(q, box, price, m)
    one, rate, weights = survey.of(q.error, q.failure), Fraction(1), [(Fraction(1), mu)]
    if q.kind == "histogram":  # whatever line a + bμ is over f, ka + b is over this
        rate, weights = HALF, [(q.size - 1 / mu, Fraction(0)), (1 / mu, mu)]
    cells = [(Fraction(0), last := min(m, box.most_signal()))]
    while cells and weights[0][0] >= 0 and 0 < mu < 1:
        low, high = cells.pop()
        f = [arb(0), arb(0)]
        for weight, at in weights:
            line = under(q.error, box.people, at, (rate * low, rate * high), rate * last)
            f = [x + ball(weight) * y for x, y in zip(f, line, strict=True)]
        ends = [ball(y) + ball(price) * x >= ball(m) for y, x in zip((low, high), f, strict=True)]
        holds = all(ends) or all(x > one.alpha for x in f)
        if not holds and low > 0:
            y = rate * low, rate * high
            level = sum(ball(w) * off_by_samples(one, box, at, *y) for w, at in weights)
            holds = level > one.alpha or ball(low) + ball(price) * level >= ball(m)
        if not holds:
            if (high - low) * 2**MOST_HALVINGS < last:
                return False
            cells += [((low + high) / 2, high), (low, (low + high) / 2)]
    return not cells


def under(error: Fraction, people: Any, at: Fraction, y: Any, most: Any) -> list[arb]:
    """Two values: from one end of a range of y to the other f is nowhere under the line between.

    With d = K/N − μ, f = A − B, A = e^(−yT)·E cosh(yd), B = E[cosh(y(|d| − T)) − 1; |d| ≥ T]. Both
    are means of convex functions of d, so they fall with N (Hoeffding 1963, Theorem 4): for N from
    n to m f ≥ A of m less B of n. A and B are convex in y: A is over a tangent, B under a chord.
    Noise alone: f ≥ e^(−yT), as noise is symmetric and likelier nearer to 0.
    """
    middle, lines = (y[0] + y[1]) / 2, []
    for n in {people[1], ENDLESS}:
        a, slope = moment(error, n, at, ball(middle))
        lost = [arb(0) if n == ENDLESS else excess(error, people[0], at, x, most) for x in y]
        lines.append([a + slope * ball(x - middle) - b for x, b in zip(y, lost, strict=True)])
    return max(lines, key=lambda line: float((line[0] + line[1]).lower()))


def off_by_samples(one: Survey, box: Box, at: Fraction, low: Fraction, high: Fraction) -> arb:
    """What f is at least at every y from one to another, by two functions of `convex`."""
    named = ((max(one.error - a / high, 0), one.error + b / high) for a, b in TOUCHES)
    signal = ball(high), ball(low)
    values = (check_counts.off_at_least(one, box.people, at, signal, *x) for x in named)
    return max(values, key=lambda value: float(value.lower()))


def moment(error: Fraction, n: Any, at: Fraction, y: arb) -> tuple[arb, arb]:
    """e^(−yT)·E cosh(y(K/N − μ)) and its derivative in y; without an end to N the mean is 1."""
    spend(CELL // 2)
    value, slope = arb(0), arb(0)
    for sign in (1, -1):
        one, more, t = arb(1), arb(0), ball(error)
        if n < ENDLESS:
            up = ball(at) * (sign * y / n).exp()
            one = (1 - ball(at) + up) ** n * (-sign * y * ball(at)).exp()
            more = sign * (up / (1 - ball(at) + up) - ball(at))
        value += (-y * t).exp() * one / 2
        slope += (-y * t).exp() * one / 2 * (more - t)
    return value, slope


@lru_cache(maxsize=4096)
def excess(error: Fraction, n: int, at: Fraction, y: Fraction, most: Any) -> arb:
    """E[cosh(y(|d| − T)) − 1; |d| ≥ T], enclosed, for y up to the most.

    Of counts that lie r or more off, r ≥ y/4N, it is at most e^(y(r − T) − 2Nr²): by E e^(sd) ≤
    e^(s²/8N) (Hoeffding 1963, eq. 4.16) at s = 4Nr, once for each side.
    """
    reach = (
        math.isqrt(math.ceil(most**2 + 16 * n * check_counts.LEFT_OUT)) + math.ceil(most)
    ) // 4 + 1
    r = max(Fraction(reach, n), error)
    total = (ball(y * (r - error)) - 2 * n * ball(r) ** 2).exp().union(arb(0))
    for mu in (at, 1 - at):
        beyond, polynomial = off_counts(n, mu, error, reach)
        spend(polynomial.length())
        first, step = ball(y * beyond).exp(), (ball(y) / n).exp()
        total += (first * polynomial(step) + polynomial(1 / step) / first) / 2 - polynomial(1)
    return total


@lru_cache(maxsize=64)
def off_counts(n: int, at: Fraction, error: Fraction, reach: int) -> tuple[Fraction, arb_poly]:
    """Pr[K = k] of counts NT to `reach` over Nμ, and how far the first lies beyond NT, over N."""
    first, last = math.ceil(n * (at + error)), min(n, math.floor(n * at) + reach)
    spend(50 + max(last - first, 0))
    if not 0 < at < 1 or last < first:
        return Fraction(0), arb_poly([])
    ways = (arb(n + 1).lgamma() - arb(first + 1).lgamma() - arb(n - first + 1).lgamma()).exp()
    chances = [ways * ball(at) ** first * ball(1 - at) ** (n - first)]
    odds = ball(at / (1 - at))
    for k in range(first, last):
        chances.append(chances[-1] * (n - k) / (k + 1) * odds)
    return Fraction(first, n) - at - error, arb_poly(chances)


def costs_by_bound(q: Question, box: Box, price: Fraction, m: Fraction) -> bool:
    """The same of a bound, F(s, y) at the best s: at every s F(s, m) > α, or y + λF(s, y) ≥ m.

    F is how likely the sample is off by sT, which falls with s and N, and noise or a draw by
    (1 − s)T, which falls with y and grows with s. So on a cell of s the first is least at its upper
    end, the second at its lower end.
    """
    alpha, n, cells = ball(q.failure), ball(box.people[1]), [(Fraction(0), Fraction(1))]
    number = q.size if q.kind == "histogram" else 1
    while cells:
        spend(CELL)
        low, high = cells.pop()
        sample = 2 * number * (-2 * n * ball(high * q.error) ** 2).exp()
        rate = ball(q.error * (1 - low) / (1 if q.kind in ("share", "mean") else 2))
        over = sample + drawn_at(q, rate * ball(m), number) > alpha
        least = least_drawn(q, rate, ball(price), number, alpha - sample) if price else arb(0)
        if not (over or ball(price) * sample + least >= ball(m)):
            if (high - low) * 2**MOST_HALVINGS < 1:
                return False
            cells += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return True


def drawn_at(q: Question, x: arb, number: int) -> arb:
    """What noise or a draw fails with: ke^(−x), or w/(1 + w) with w = (k − 1)e^(−x)."""
    return 1 / (1 + x.exp() / (q.size - 1)) if q.kind == "quantile" else number * (-x).exp()


def least_drawn(q: Question, rate: arb, price: arb, number: int, left: arb) -> arb:
    """The least y + λv over y ≥ 0, v ≤ left what noise or a draw fails with at x = rate·y.

    There λ·dv/dy = −1: v is 1/(λ·rate) of noise, v(1 − v) of a draw; else v is left, or y is 0.
    """
    if q.kind != "quantile":
        v = (1 / (price * rate)).min(left).min(arb(number))
        return (number / v).log() / rate + price * v
    v = (1 - (1 - 4 / (price * rate)).max(arb(0)).sqrt()) / 2
    v, at_once = (v.min(left), arb.pos_inf()) if left < 0.5 else (v, price * (1 - arb(1) / q.size))
    return at_once.min(((q.size - 1) * (1 - v) / v).log() / rate + price * v)
