"""Laws of values from 0 to 1 on a lattice, and how often a noisy mean of theirs is off, exactly.

The sum of N values on {0, 1/m, …, 1} has N·m + 1 points, and the transform of its chances is that
of one value's, to the power N: in floats its chances are certain to about 1e-13 together.
"""

import math
from typing import NamedTuple

import numpy as np
import scipy.fft
from scipy.stats import binom, laplace, norm

Array = np.ndarray
NOISES = {"laplace": laplace, "gaussian": norm}
_POINTS = 2**14
"""Sums have about so many points at the most: laws of many people lie on coarser lattices."""
_FEWEST, _MOST = 6, 60  # points of one value


class Law(NamedTuple):
    """Chances of 0, 1/m, …, 1."""

    name: str
    chances: Array

    @property
    def mean(self) -> float:
        return float(np.arange(len(self.chances)) @ self.chances) / (len(self.chances) - 1)


class Noisy(NamedTuple):
    """A mean of so many values with noise of this rate on their sum, off by so much."""

    noise: str
    rate: float
    participants: int
    error: float

    def off(self, sums: Array, mean: Array) -> Array:
        """The chance that the noise leaves either sum off: both sides are added."""
        up = self.participants * (mean + self.error) - sums
        down = sums - self.participants * (mean - self.error)
        tail = NOISES[self.noise].sf
        return tail(self.rate * up) + tail(self.rate * down)

    @property
    def spread(self) -> float:
        """The deviation of the noise over the largest one of a sum of so many values."""
        return float(NOISES[self.noise].std() / self.rate / (math.sqrt(self.participants) / 2))


def chances_of_sum(law: Law, participants: int) -> Array:
    steps = len(law.chances) - 1
    size = scipy.fft.next_fast_len(participants * steps + 1, real=True)
    one = scipy.fft.rfft(law.chances, size)
    return scipy.fft.irfft(one**participants, size)[: participants * steps + 1]


def failure(law: Law, study: Noisy) -> float:
    chances = chances_of_sum(law, study.participants)
    sums = np.arange(len(chances)) / (len(law.chances) - 1)
    return float(chances @ study.off(sums, law.mean))


def of_shares(study: Noisy) -> float:
    """The largest failure of zero-one values: at means about 1/2, and at some others."""
    n = study.participants
    means = np.array([*(0.5 - np.arange(17) / (16 * n)), 0.48, 0.45, 0.4, 0.3, 0.2, 0.1])
    means = means[means >= 0][:, None]
    counts = np.arange(n + 1)[None, :]
    return float(np.max(np.sum(binom.pmf(counts, n, means) * study.off(counts, means), axis=1)))


def touching_points(study: Noisy) -> tuple[float, float]:
    """Where the best line over the noise's tail leaves the tail and touches it again [per person].

    The line is the best of some, at mean 1/2 and the upper edge.
    """
    n, noise = study.participants, NOISES[study.noise]
    counts, edge = np.arange(n + 1), n * (0.5 + study.error)
    left = study.rate * (edge - counts)
    touches = np.geomspace(1e-3, 20.0, 60)[:, None]
    levels, slopes = noise.cdf(touches) - noise.pdf(touches) * touches, noise.pdf(touches)
    over = np.maximum(levels - slopes * left, np.where(left > 0, noise.sf(left), -np.inf))
    best = int(np.argmin(over @ binom.pmf(counts, n, 0.5)))
    before = np.linspace(0.0, 30.0, 3001)
    higher = levels[best] - slopes[best] * before >= noise.sf(before)
    met = before[higher][-1] if higher.any() else 0.0
    return (edge - met / study.rate) / n, (edge + touches[best, 0] / study.rate) / n


def adversaries(study: Noisy, random: np.random.Generator) -> list[Law]:
    """Twenty laws, some of them drawn."""
    met, touching = touching_points(study)
    m = int(np.clip(_POINTS // study.participants, _FEWEST, _MOST)) // 2 * 2
    high, low = (round(m * min(max(x, 0.0), 1.0)) for x in (touching, met))

    def on(name: str, at: dict[int, float]) -> Law:
        chances = np.zeros(m + 1)
        for place, chance in at.items():
            chances[place] += chance
        return Law(name, chances / chances.sum())

    ends, flat = np.zeros(m + 1), np.ones(m + 1) / (m + 1)
    ends[[0, m]] = 0.5
    places = (np.arange(m + 1) + 0.5) / (m + 1)
    bowl = (places * (1 - places)) ** -0.5
    some = random.integers(0, m + 1, size=3)
    free = random.dirichlet([0.5, 0.5, 0.5])
    part = random.uniform(0.02, 0.3)
    return [
        on("zero-one", {0: 0.5, m: 0.5}),
        on("zero-one, drawn", {0: free[0] + free[1] / 2, m: free[2] + free[1] / 2}),
        on("rarely one", {0: 1 - part, m: part}),
        on("three points", {0: 1, m // 2: 1, m: 1}),
        on("a few in the middle", {0: 1, m // 2: 2 * part, m: 1}),
        on("three points, drawn", dict.fromkeys(some.tolist(), 1.0)),
        on("two points, drawn", {int(some[0]): free[0] + 0.01, int(some[1]): free[1] + 0.01}),
        on("up to where it touches", {0: 0.5, high: 0.5}),
        on("from where it meets", {low: 0.5, m: 0.5}),
        on("meets and touches", {low: 0.5, high: 0.5}),
        on("both touch", {m - high: 0.5, high: 0.5}),
        on("often none, else touching", {0: 1 - part, high: part}),
        on("ends and touching", {0: 0.5, m: 0.5 - part, high: part}),
        on("almost zero-one", {0: 0.5, m - 1: 0.5}),
        on("inside by a step", {1: 0.5, m - 1: 0.5}),
        Law("uniform", flat),
        Law("arcsine", bowl / bowl.sum()),
        Law("ends and uniform", (1 - part) * ends + part * flat),
        Law("drawn", random.dirichlet(np.full(m + 1, 0.3))),
        Law("ends and drawn", 0.9 * ends + 0.1 * random.dirichlet(np.full(m + 1, 0.3))),
    ]


def random_study(random: np.random.Generator) -> tuple[str, int, float, float]:
    """A noise, N, T and α; up to eight times the people that a normal sample needs."""
    noise = str(random.choice(["laplace", "gaussian"]))
    error, failing = (
        math.exp(random.uniform(math.log(low), math.log(high)))
        for low, high in ((0.02, 0.5), (0.002, 0.4))
    )
    least = (norm.isf(failing / 2) / 2 / error) ** 2
    n = math.ceil(least * math.exp(random.uniform(math.log(1.02), math.log(8.0))))
    return noise, n, error, failing
