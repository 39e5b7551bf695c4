"""Rules about people: samples of a finite population, reports, and geometric noise.

Reports are what people randomise themselves (`randomized-response`). After the claim of a plan of
them stands `card 0.75`: the probability p with which each report is the truth.
"""

import math
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb, arb_poly

from planner.certificate import check, check_bounds, check_counts
from planner.certificate.check import ENDLESS, HALF, Box, RefusedError, ball, decimal, spend
from planner.certificate.check_counts import SUMMED, chord_at_steps, left_out, reach

REPORTS, GEOMETRIC = "randomized-response", "geometric-mean"


class People(check.Study):
    """A study of one share: a finite population, reports, or noise on whole numbers."""

    def __init__(self, given: dict[str, str]) -> None:
        kind = given.get("mechanism.kind", "")
        self.reports, self.whole = kind == REPORTS, kind in (REPORTS, GEOMETRIC)
        self.finite = "sampling.population" in given
        keys = ("sampling.population", "conditions.population")
        most = [decimal(given.pop(key)) for key in keys if key in given]
        if self.whole:
            given["mechanism.kind"] = "laplace-mean"
        if self.reports:  # any value is rounded to 0 or 1 at random first
            given["mechanism.values"] = "zero-one"
        super().__init__(given)
        self.rules, self.law = RULES, drawn if self.finite else check_counts.counts
        known = all(x.denominator == 1 and 0 < x <= check.MOST_PEOPLE for x in most)
        known &= self.analysis != "paper" and (self.finite or self.whole)
        known &= (self.exact or kind != GEOMETRIC) and not (self.reports and self.finite)
        if not known:
            raise RefusedError("no rule is about such a study")
        self.population = int(most[0]) if self.finite else 0
        first, last = self.box.people
        self.box = self.box._replace(people=(first, min([last, *map(int, most)])))
        if self.finite:
            least, most_having = self.having
            if not least <= most_having:
                raise RefusedError("no proportion of the population is in the range")
            near_half = min(max(self.population // 2, least), most_having)
            self.middle = Fraction(near_half, self.population)
        if not self.whole:  # its noise is convex before an edge
            self.rules = RULES | {"convex": check_counts.convex}
        if self.reports and self.box.signal[0]:  # a card may be of less ε than the least allowed
            self.rules = {"limits": check.over_limits}

    @property
    def having(self) -> tuple[int, int]:
        """The least and the largest number of people in the population who have the property."""
        return math.ceil(self.population * self.low), math.floor(self.population * self.high)

    def is_accurate(self, lines: list[str], *plan: Any) -> bool:
        n, epsilon = plan[:2]
        if self.reports or lines:
            return self.reports and len(lines) == 1 and of_card(self, lines[0], n, epsilon)
        if not self.exact:
            like = ball(counts_like(self, n))
            return bool(check_bounds.by_bound(self, like, ball(n * epsilon))[1] <= self.alpha)
        return of_population(self, *plan) if self.finite else at_tips(self, n, ball(epsilon))


def of_card(study: People, line: str, n: int, epsilon: Fraction) -> bool:
    """Reports: p/(1 − p) ≤ e^ε, and the number Y of reports 1 is accurate; by Hoeffding's bound.

    Each report is 1 with λ = (1 − p) + μs, s = 2p − 1. The estimate (Y/N − 1 + p)/s is off by T
    where Y is off by NTs from Nλ: a study of the share λ without noise, whose error is Ts. That
    has 2e^(−2N(Ts)²) at most (Hoeffding 1963, Theorem 1).
    """
    word, _, text = line.partition(" ")
    truth = decimal(text) if word == "card" else HALF
    if not (HALF < truth < 1 and ball(truth / (1 - truth)) <= ball(epsilon).exp()):
        return False
    one = of_reports(study, 2 * truth - 1)
    if study.exact:
        return at_tips(one, n, arb.pos_inf())
    return bool(2 * (-2 * n * ball(one.error) ** 2).exp() <= study.alpha)


def of_reports(study: People, strength: Fraction) -> People:
    """The study of the share λ of reports 1, with a card of some strength s."""
    one = People.__new__(People)
    low, high = (HALF + (mean - HALF) * strength for mean in (study.low, study.high))
    vars(one).update(vars(study) | {"error": study.error * strength, "low": low, "high": high})
    return one


def counts_like(study: People, n: Any) -> Any:
    """As many people drawn independently Hoeffding's bound is that of: N over the smaller of two.

    1 − (N − 1)/M (Serfling 1974, Corollary 1.1), and (1 − N/M)(1 + 1/N), which is the same of the
    M − N who are left out: they are as far off in all as those who are drawn.
    """
    m = study.population
    part = min(1 - (n - 1) / m, (1 - n / m) * (1 + Fraction(1) / n)) if study.finite else 1
    return n / part if part else ENDLESS


def drawn(study: Any, n: int, mean: Fraction) -> check_counts.Law:
    """The law of K, of N people drawn without replacement from M; see `check_counts.counts`."""
    people = study.population
    having = int(people * mean)
    others = people - having - n
    low, high, top = max(0, -others), min(n, having), n * having // people
    if n > people or having != people * mean:
        raise RefusedError(f"{people} people have no sample of {n} with the mean {mean}")
    r = reach(study, min(n, people - n))
    first, last = max(low, top - r), min(high, top + 1 + r)
    spend(50 + (last - first) * (8 if study.uses_delta else 1))
    over = [ways(having, top) * ways(people - having, n - top) / ways(people, n)]
    under = [over[0]]
    for k in range(top, last):
        over.append(over[-1] * ((having - k) * (n - k)) / ((k + 1) * (others + k + 1)))
    for k in range(top, first, -1):
        under.append(under[-1] * (k * (others + k)) / ((having - k + 1) * (n - k + 1)))
    rest = arb(0)
    if (first, last) != (low, high):
        rest = left_out(min(n, people - n), r)
    return first, under[:0:-1] + over, rest


def ways(n: int, k: int) -> arb:
    """C(n, k)."""
    return (arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()).exp()


def failing(study: People, n: int, mean: Fraction, rates: tuple[arb, arb]) -> arb:
    """Pr[|K + Z − Nμ| ≥ NT], enclosed; see `check_counts.failing`."""
    if not study.whole:
        return check_counts.failing(study, n, mean, rates)
    sides = ((study.law(study, n, m), math.ceil(n * (m + study.error))) for m in (mean, 1 - mean))
    return sum((reached(law, edge, rates) for law, edge in sides), arb(0))


def reached(law: check_counts.Law, edge: int, rates: tuple[arb, arb]) -> arb:
    """Pr[K + Z ≥ edge], enclosed, with geometric noise, of rate ∞ where there is none.

    With a = e^−ε it is Pr[Z ≥ t] = a^t/(1 + a) for whole t ≥ 0, and 1 − a^(1 − t)/(1 + a) for
    t ≤ 0. The rate for counts under the edge comes first, as in `check_counts.passing`.
    """
    (first, chances, rest), (a, b) = law, ((-rate).exp() for rate in rates)
    at = min(max(edge - first, 0), len(chances))
    under, over = arb_poly(chances[:at][::-1]), arb_poly(chances[at:])
    carried = a ** max(edge - first - at + 1, 0) / (1 + a) * under(a)
    back = b ** max(first + at - edge + 1, 0) / (1 + b) * over(b)
    return over(1) + rest + carried - back


def at_tips(study: People, n: int, rate: arb) -> bool:
    """Tips: f is at most α at every mean where it is at the ends, and where an edge is just hit.

    Between two such means the counts h and more, g and less are off. How often the others come is
    E w(K), whose derivative is N·E[w(K′ + 1) − w(K′)], K′ of N − 1 people: a polynomial in μ/(1 −
    μ) but for a factor, with coefficients first over 0, then under it, as w rises and then falls.
    By Descartes' rule it changes its sign once, so E w(K) is least at an end. Tips of the lower
    edge are those of the upper one at 1 − μ. There Nμ = h − NT, and what is off is h or more and
    h − ⌈2NT⌉ or less: each term is Pr[K = Nμ + d] with a fixed weight (`chord_at_steps`).
    """
    if n > SUMMED and large(study, n, rate) <= study.alpha:
        return True
    r, alpha, rates = reach(study, n), study.alpha, (rate, rate)
    off = cache(lambda edge: failing(study, n, Fraction(edge) / n - study.error, rates))
    rest = left_out(n, r)
    for start, end in {(study.low, study.high), (1 - study.high, 1 - study.low)}:
        tips = (math.ceil(n * (start + study.error)), math.floor(n * (end + study.error)))
        cells = [tips] if tips[0] <= tips[1] else []
        if not failing(study, n, start, rates) <= alpha:
            return False
        while cells:
            first, last = cells.pop()
            most = off(first).max(off(last))
            if not most <= alpha:
                return False
            low, high = (Fraction(edge) / n - study.error for edge in (first, last))
            chord = chord_at_steps(n, low, high, r)
            if last - first < 2 or most * chord.exp() + rest <= alpha:
                continue
            edges = ((m, math.ceil(n * (m - high + low + study.error))) for m in (high, 1 - low))
            over = (reached(study.law(study, n, m), edge, rates) for m, edge in edges)
            if not chord < 1 and sum(over, arb(0)) <= alpha:
                continue
            cells += [(first, (first + last) // 2), ((first + last) // 2, last)]
    return True


def large(study: People, n: int, rate: arb) -> arb:
    """A bound on f at every mean, close for many people; as `check_counts.large` with whole noise.

    Pr[Z ≥ x] ≤ e^(−εx)/(1 + e^(−ε)) for every x, so f ≤ 2e^(−εNT + ε²N/8)/(1 + e^(−ε)) (Hoeffding
    1963). And Z is less far from 0 than Laplace noise rounded, which lies within 1/2 of Laplace
    noise, and Q((c − z)/s) + Q((c + z)/s), where it is 1 + Q(2c/s) from |z| = c on, grows with |z|.
    Reports have no noise: f ≤ 2Q(c/s).
    """
    c, s = ball(n * study.error - 1), arb(n).sqrt() / 2
    if not c > 0.5:
        return arb(1)
    if study.reports:
        return 2 * check_counts.upper_tail(c / s)
    tilted = 2 * (rate**2 * n / 8 - rate * ball(n * study.error)).exp() / (1 + (-rate).exp())
    c -= arb(1) / 2
    beyond = check_counts.upper_tail(2 * c / s)
    return tilted.min(check_counts.about_normal(study, c, s, rate) + beyond)


def of_population(study: People, n: int, epsilon: Fraction, delta: Fraction) -> bool:
    """Population: f is at most α whatever number H of the M people have the property.

    Cells of H are halved. Log-chord as in `check_counts.accurate`. ln Pr[K = k] is ln C(H, k) +
    ln C(M − H, N − k) but for a constant, each with a second derivative of
    −(k + 1)/((H − k)(H + 1)) or more, as (ln Γ(x + 1))″ is from 1/(x + 1) to 1/x. The edges move by
    N/M with H.
    Stochastic order: with one more person who has the property K is no less.
    """
    people, alpha = study.population, study.alpha
    point = Box((n, n), (n * epsilon, n * epsilon), (epsilon, epsilon), (delta, delta))
    most = check_counts.rates(study, point)[::-1]
    off = cache(lambda having: failing(study, n, Fraction(having, people), most))
    low, high = study.having
    cells = [(low, people // 2 if low + high == people else high)]  # M − H fails like H
    while cells:
        low, high = cells.pop()
        if not (off(low) <= alpha and off(high) <= alpha):
            return False
        if high - low < 2:
            continue
        chord, rest = chord_of_population(study, n, low, high, most[1])
        if chord < 1 and off(low).max(off(high)) * chord.exp() + rest <= alpha:
            continue
        if not chord < 1 and passed(study, n, (low, high), most) <= alpha:
            continue
        cells += [(low, (low + high) // 2), ((low + high) // 2, high)]
    return True


def chord_of_population(study: People, n: int, low: int, high: int, rate: arb) -> tuple[arb, arb]:
    """Cw²/8, and what the counts that it does not hold for have together; see `of_population`."""
    people, fewer = study.population, min(n, study.population - n)
    r, bend = reach(study, fewer), Fraction(0)
    for least, last in ((low, high), (people - high, people - low)):
        k = Fraction(n * last, people) + r  # or less
        if study.whole or least <= k:
            return arb.pos_inf(), arb(0)
        bend += (k + 1) / ((least - k) * (least + 1))
    steep = (2 - study.uses_delta) * (ball(Fraction(n, people)) * rate) ** 2
    rest = left_out(fewer, r) if fewer else arb(0)
    return (ball(bend) + steep) * (high - low) ** 2 / 8, rest


def passed(study: People, n: int, cell: tuple[int, int], rates: tuple[arb, arb]) -> arb:
    """What f is at most on a cell of H, by stochastic order."""
    low, high = (Fraction(having, study.population) for having in cell)
    total, up = arb(0), study.error - high + low
    for m in (high, 1 - low):
        if study.whole:
            total += reached(study.law(study, n, m), math.ceil(n * (m + up)), rates)
        else:
            total += check_counts.passing(study, n, m, rates, n * up)
    return total


def strengths(box: Box) -> tuple[Fraction, Any]:
    """The least and the largest strength of a card in the box, tanh(ε/2).

    There ε is the card's own, p/(1 − p) = e^ε: each limit of a plan holds with less ε too.
    """
    low, high = ((ball(epsilon) / 2).tanh() for epsilon in box.epsilons())
    return check.ends(low)[0], min(check.ends(high)[1], Fraction(1))


def over_bound(study: People, box: Box) -> bool:
    """Bound: it is too high; it falls with N and N·ε, that of reports with N and ε."""
    signal, last = box.most_signal(), box.people[1]
    if study.exact:
        return False
    if not study.reports:
        like = ball(counts_like(study, last))
        return bool(check_bounds.by_bound(study, like, ball(signal))[0] > study.alpha)
    most = ball(signal) ** 2 / (4 * box.people[0])  # as N·tanh²(ε/2) ≤ N(ε/2)²
    most = most.min(ball(last) * ball(strengths(box)[1]) ** 2)
    return bool(2 * (-2 * most * ball(study.error) ** 2).exp() > study.alpha)


def noise_alone(study: People, box: Box) -> bool:
    """Noise alone is off too often.

    With geometric noise at most m = ⌈2NT⌉ values are right, and the m likeliest are missed with
    a^(m/2) if m is even, else with 2a^((m + 1)/2)/(1 + a). Both are e^(−ε(NT + 1)) or more.
    """
    if study.reports or not study.whole:
        return not study.reports and check_counts.noise_alone(study, box)
    most = box.most_signal() * study.error + box.epsilons()[1]
    return study.exact and bool((-ball(most)).exp() > study.alpha)


def one_mean(study: People, box: Box, witness: str = "1/2") -> bool:
    """One mean: there the answer is off too often, with any noise or card of the box.

    Of reports a share λ is named. It is possible with each card of the box where it is with the
    least and the largest strength; and the larger the strength, the fewer counts are off.
    """
    mean, (n, last), rates = decimal(witness), box.people, check_counts.rates(study, box)
    one, kinds = study, [study]
    if study.reports:
        kinds = [of_reports(study, strength) for strength in strengths(box)]
        one, rates = kinds[1], (arb.pos_inf(), arb.pos_inf())
    asked = study.exact and n == last and all(kind.low <= mean <= kind.high for kind in kinds)
    asked &= not study.finite or (mean * study.population).denominator == 1
    return asked and bool(failing(one, n, mean, rates) > study.alpha)


def mean_half(study: People, box: Box) -> bool:
    """Mean 1/2: there the answer is off too often at every N of the box, from a to b.

    X = K + Z − N/2 takes whole steps, is symmetric and the likelier the nearer to 0. With two more
    people it moves by −1, 0, 0 or 1, and so Pr[X ≥ c] by a quarter of Pr[X = d − 1] − Pr[X = d] ≥
    0, d ≥ c the first value. So with c of b people a or a + 1 people fail least. With reports Z is
    0, and c = NTs is at most N·ε·T/2.
    """
    (n, last), rates, most = box.people, check_counts.rates(study, box), box.people[1]
    if study.reports:
        rates, strong = (arb.pos_inf(), arb.pos_inf()), strengths(box)[1]
        most = min(box.most_signal() / 2, last * strong if strong else Fraction(0))
    usable = study.exact and study.whole and study.low <= HALF <= study.high
    if study.finite or not (usable and n <= last and most < ENDLESS):
        return False
    excess = max(most * study.error, HALF / 2)
    sizes = {n, min(n + 1, last)}
    laws = ((check_counts.counts(study, m, HALF), math.ceil(m * HALF + excess)) for m in sizes)
    return all(2 * reached(law, edge, rates) > study.alpha for law, edge in laws)


RULES: dict[str, Any] = {"limits": check.over_limits, "bound": over_bound, "one-mean": one_mean}
RULES |= {"noise-alone": noise_alone, "mean-half": mean_half}
