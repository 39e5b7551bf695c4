"""The z test of two noisy counts, and the count that is tested against a value; in floats.

Each group's count of the people with a property gets geometric noise of its own, Yᵢ = Kᵢ + Zᵢ.
Against the null hypothesis p₁ − p₂ ≤ −m the test rejects if

    z = (Y₁/n₁ − Y₂/n₂ + m)/√V ≥ c,    V = p̃₁(1 − p̃₁)/n₁ + p̃₂(1 − p̃₂)/n₂ + v(1/n₁² + 1/n₂²),

where v is the variance of the noise and p̃₁ − p̃₂ = −m with (n₁p̃₁ + n₂p̃₂)/n = (Y₁ + Y₂)/n. √V is
κ people of the smaller group at least, and no less than noise alone makes it. Where it is more, V
without its noise is a parabola in Y₁ + Y₂ that is over 0, so it is not steeper than at its roots:
V changes by 1/n₁n₂ at most where a count does by 1. So z grows with Y₁ and falls with Y₂ as long as
it is under 2√V times the people of the smaller group: up to the `most` of z

- for each Y₁ the test rejects up to some Y₂, which a quadratic equation gives;
- of all p₁ ≤ p₂ − m it rejects most often where p₁ = p₂ − m.

So sums over one count, with the distribution function of the other, give how often it rejects;
and c is the least with which it does so seldom enough at every proportion that is looked at. The
other side is the same of the people without the property.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from planner.libraries import np, scipy
from planner.mechanisms.noisy_law import NoisyLaws
from planner.numbers import Array, first

_SHARES = 41
"""Common proportions at which the size of a test is computed; those beside the worst as well."""
_SPARE = 5e-4
"""What all proportions may add to a critical value that some have."""
_TIE = 1e-9
"""People by which rounding may move an edge; a z that is the critical value rejects."""
_RARE, _FEW = 6, 3
"""With six of rare properties, six of common ones and every third other the search begins."""
_STEPS, _CLOSE, _DECIMALS = 40, 3e-4, 4
"""Of the search for a critical value, and how many decimals it has."""
_LEAST_PEOPLE = 2
"""√V is so many people of the smaller group or more, and more for a small significance."""
UNSAID = 0.005, 0.995
"""The common proportions that are looked at where no range is given."""

laws = lru_cache(maxsize=64)(NoisyLaws.of)


@dataclass(frozen=True)
class ZTest:
    """A test of two groups of some sizes.

    Attributes:
        first, second: n₁ and n₂ [≥ 1].
        epsilon: ε [> 0].
        margin: m [(−1, 1)].
        significance: the largest probability to reject a true null hypothesis [(0, 1/2)].
        sides: 1; or 2, for a test on either side, each at half the significance.
        equivalence: whether both p₁ − p₂ ≤ −m and p₁ − p₂ ≥ m are to be rejected.
        shares: the lowest and the highest proportion that groups may have.
        population: M, of whom each group is drawn without replacement; None without end.
    """

    first: int
    second: int
    epsilon: float
    significance: float
    sides: int = 1
    margin: float = 0.0
    equivalence: bool = False
    shares: tuple[float, float] = UNSAID
    population: int | None = None

    @property
    def least_deviation(self) -> float:
        """The least √V: κ people of the smaller group, or what noise alone seldom is over.

        So the noise is over the normal critical value times √V as seldom as the test may reject.
        """
        seldom = difference_of_noises(self.alone)
        heavier = max(1.0, seldom / (2 * self.normal))
        return max(
            self._least_people / min(self.first, self.second), heavier * math.sqrt(self._noise)
        )

    @property
    def most(self) -> float:
        """Up to which critical value the test rejects more often, the farther the groups differ."""
        return 2 * self.least_deviation * min(self.first, self.second)

    @property
    def _least_people(self) -> int:
        return max(_LEAST_PEOPLE, math.ceil(self.normal))

    @property
    def _noise(self) -> float:
        """What noise adds to V."""
        kept = math.exp(-self.epsilon)
        return 2 * kept / (1 - kept) ** 2 * (1 / self.first**2 + 1 / self.second**2)

    @property
    def normal(self) -> float:
        """The critical value if z were normal."""
        return float(-scipy.special.ndtri(self.alone))

    def statistic(self, first: Array, second: Array) -> Array:
        """The z of two noisy counts."""
        constant, linear, square = self._variance(first)
        variance = constant + linear * second + square * second**2
        deviation = np.sqrt(np.maximum(variance, self.least_deviation**2))
        return (first / self.first - second / self.second + self.margin) / deviation

    def rejects(self, first: Array, second: Array, critical: float) -> Array:
        """How often the test finds p₁ − p₂ > −m, of arrays of both proportions.

        The sum is over the count of the larger group, of which an edge of the other moves slowly.
        """
        if self.first < self.second:
            return self._swapped.rejects(1 - second, 1 - first, critical)
        values, chances = self._laws(self.first, first).blocks
        passed = self._at_most(second, self._edge(values, critical))
        return (chances * passed).sum(axis=1)

    def finds(self, first: float, second: float, critical: float) -> float:
        """The same of p₁ > p₂ − m, or of −m < p₁ − p₂ < m where equivalence is tested."""
        p, q = np.array([first]), np.array([second])
        if not self.equivalence:
            return float(self.rejects(p, q, critical)[0])
        if self.first < self.second:
            return self._swapped.finds(1 - second, 1 - first, critical)
        values, chances = self._laws(self.first, p).blocks
        highest = self._at_most(q, self._edge(values, critical))
        others = self._edge(self.first - values, critical)  # people without the property
        lowest = 1 - self._at_most(1 - q, others)
        return float((chances * np.maximum(highest - lowest, 0.0)).sum())

    @property
    def _swapped(self) -> "ZTest":
        """The same test of the people without the property, second group first."""
        return replace(self, first=self.second, second=self.first)

    @property
    def alone(self) -> float:
        """The significance of one side."""
        return self.significance / self.sides

    def sizes(self, shares: Array, critical: float) -> Array:
        """How often it rejects on one side where p₁ is one of some shares and p₂ = p₁ + m."""
        first, second = shares, shares + self.margin
        if self.population is not None:  # whole people for whom the null hypothesis just holds
            first = np.rint(first * self.population) / self.population
            second = first + self.margin
            second = np.ceil(second * self.population - _TIE) / self.population
        return self.rejects(first, second, critical)

    def p_value(self, z: float) -> float:
        """The largest size of one side if z, or the most of it, is the critical value.

        1 where z is under 0.
        """
        if z <= 0:
            return 1.0
        _, sizes = self._looked_at(self._nulls(), min(z, self.most))
        return float(sizes.max())

    def critical(self, quick: bool = False) -> float:
        """The least critical value of four decimals that keeps the significance, up to the most.

        Args:
            quick: whether to look at some proportions alone, as where plans are searched.
        """
        shares = self._nulls()
        looked = np.concatenate([shares[:_RARE], shares[_RARE:-_RARE:_FEW], shares[-_RARE:]])
        found = self._least(looked, self.normal)
        if quick:
            return found + _SPARE
        for _ in range(_STEPS):
            if not math.isfinite(found):
                break
            all_of, sizes = self._looked_at(shares, found)
            if sizes.max() <= self.alone:
                return found
            looked = np.append(looked, all_of[sizes > self.alone])
            found = self._least(looked, found)
        return math.inf

    def _looked_at(self, shares: Array, critical: float) -> tuple[Array, Array]:
        """Some shares and others beside the worst of them, and how often it rejects at each."""
        sizes = self.sizes(shares, critical)
        at = int(np.argmax(sizes))
        near = np.linspace(shares[max(at - 1, 0)], shares[min(at + 1, len(shares) - 1)], 7)
        both = np.concatenate([shares, near])
        return both, np.concatenate([sizes, self.sizes(near, critical)])

    def _least(self, shares: Array, guess: float) -> float:
        """The least critical value at some shares."""
        low, high, at, times = 0.0, math.inf, guess, 1.0
        for _ in range(_STEPS):
            worst = float(self.sizes(shares, at).max())
            kept = worst <= self.alone
            low, high = (low, at) if kept else (at, high)
            if high - low < _CLOSE or low > self.most:
                break
            # what would be right for a normal z; farther each time that it is not enough
            step = self.normal + float(scipy.special.ndtri(max(worst, 1e-300)))
            step, times = times * (step + (-_CLOSE if kept else _CLOSE)), 2 * times
            at = at + step if low < at + step < high else (low + min(high, 2 * low + 1)) / 2
        if not high <= self.most:
            return math.inf
        return math.ceil(high * 10**_DECIMALS) / 10**_DECIMALS

    def _nulls(self) -> Array:
        """The proportions of the first group at which the null hypothesis is looked at."""
        low, high, m = *self.shares, self.margin
        start = max(low, low - m)
        ends = (math.asin(math.sqrt(x)) for x in (start, max(min(high, high - m), start)))
        shares = np.sin(np.linspace(next(ends), next(ends), _SHARES)) ** 2
        if self.sides == 2 or self.equivalence:  # the other side is of people without the property
            shares = np.concatenate([shares, 1 - shares - m])
        if self.first == self.second and m == 0:  # both sides are alike
            shares = np.minimum(shares, 1 - shares)
        shares = np.clip(shares, max(0.0, -m), min(1.0, 1 - m))
        return np.unique(shares.round(12))

    def _laws(self, people: int, shares: Array) -> NoisyLaws:
        given = tuple(np.clip(shares, 0.0, 1.0).tolist())
        return laws(people, given, self.epsilon, self.population)

    def _at_most(self, shares: Array, value: Array) -> Array:
        """Pr[Y₂ ≤ y]."""
        return 1 - self._laws(self.second, shares).at_least(np.floor(value + _TIE) + 1)

    def _edge(self, first: Array, critical: float) -> Array:
        """The largest Y₂ up to which the test rejects at some Y₁."""
        start = first / self.first + self.margin
        by_least = self.second * (start - critical * self.least_deviation)
        constant, linear, square = self._variance(first)
        a = 1 / self.second**2 - critical**2 * square
        b = -2 * start / self.second - critical**2 * linear
        c = start**2 - critical**2 * constant
        inside = b**2 - 4 * a * c
        with np.errstate(invalid="ignore"):
            root = (-b - np.sqrt(inside)) / (2 * a)
        return np.where(inside > 0, np.minimum(root, by_least), by_least)

    def _variance(self, first: Array | float) -> tuple[Array | float, Array | float, float]:
        """V as a polynomial in Y₂: its constant, linear and square part."""
        n1, n2, m = self.first, self.second, self.margin
        n, each = n1 + n2, 1 / n1 + 1 / n2
        # p̃₁ = p̂ − m·n₂/n, p̃₂ = p̂ + m·n₁/n; V is level + slope·p̂ − each·p̂²
        tilt = m * (n1 / n2 - n2 / n1) / n
        slope = each - 2 * tilt
        level = tilt - m**2 / n**2 * (n2**2 / n1 + n1**2 / n2) + self._noise
        share = first / n
        constant = level + slope * share - each * share**2
        return constant, (slope - 2 * each * share) / n, -each / n**2


def difference_of_noises(tail: float) -> float:
    """What the difference of two Laplace variables of rate 1 is over with a chance [(0, 1/2]].

    It is over x with the chance e^(−x)(1 + x/2)/2; its deviation is 2.
    """
    return float(max(-scipy.special.lambertw(-4 * tail * math.exp(-2), -1).real - 2, 0.0))


def count_at_least(
    people: int, share: float, epsilon: float, value: float, population: int | None = None
) -> float:
    """Pr[Y ≥ y] of one noisy count."""
    law = laws(people, (share,), epsilon, population)
    return float(law.at_least(np.array([[value]]))[0, 0])


def threshold(
    people: int, null: float, epsilon: float, significance: float, population: int | None = None
) -> int:
    """The least whole number that a noisy count reaches seldom enough under the null value."""

    def seldom(value: int) -> bool:
        return count_at_least(people, null, epsilon, value, population) <= significance

    spread = math.sqrt(people * null * (1 - null)) + 1 / epsilon + 1
    low = math.floor(people * null - spread)
    high = math.ceil(people * null + spread)
    while not seldom(high):
        high += math.ceil(spread)
    while seldom(low):
        low -= math.ceil(spread)
    return first(seldom, low, high)
