"""A noisy count, in floats: how often it is off, and the least rate of noise at which it seldom is.

K of N people have a property, a proportion μ of the population has it, and Z is noise. The answer
(K + Z)/N is off by T where |K + Z − Nμ| ≥ NT. How often that is is one sum over counts: Pr[K = k]
times two tails of the noise. Probabilities are those of counts within nine standard deviations.

The proportion is not known, so the answer must be accurate at the worst one. It is sought among a
few that are likely the worst: about 1/2, where counts vary most; with noise on whole numbers
where an edge just hits a count. What they miss is little, and the proof of a plan finds it.

All functions take arrays that broadcast; a rate is ε, or 1/σ of Gaussian noise.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from planner.libraries import np
from planner.mechanisms.chances import MORE, REACH, chances
from planner.mechanisms.many_people import LARGE, large
from planner.mechanisms.noise import LAPLACE, Noise
from planner.numbers import Array

MOST_SUMMED = 10**7
"""Of so many people counts are still summed where the closed bound is far off."""
_PHASES, _CLOSE_PHASES = 4, 32
"""Means about 1/2 that are tried within a person; and of few people, or where one looks closely."""
_FEW, _ROUGH, _CLOSER = 64, 16, 2**13
"""Of so few people means are tried all along: about so many steps to look about, and to be close so
many steps over their number, in groups by powers of two, so that each is one of the next."""
_MISSED = 2e-5  # of a failure, by a parabola through three means
_ZOOMS, _ZOOM = 5, 8  # how often and how much closer a failure is looked at
_WINDOW = 1_000
"""How far from the middle of a population an edge may be hit, in people."""
_SOME_NOISE = 0.0, 0.5, 2.0  # deviations of noise, in errors, by which such edges are chosen
_MOST_AT_ONCE = 2**17  # probabilities that are held at once
_LARGEST_RATE, _OF_ALONE = 2.0**9, 4.0
"""Noise of such a rate is as good as none, and where it is so many times what noise alone asks."""
_CLOSE = 1e-11  # of the logarithm of a rate
_SECANTS, _CLOSE_GUESS = 60, 1e-10
"""To the guess of a rate: how many at most, and where they end."""
_BESIDE = 0.005
"""How far from the smooth guess the least rate is sought first, as a logarithm."""
_RATES = 64  # that are tried where people are few
_NEARLY, _PARTS = 0.02, 8
"""Where the best of them is off more often than allowed by such a logarithm at most, others are
tried so many parts of a step of them to either side."""
_STEP = 0.04  # between the logarithms of rates, where more of them may not help
_LEAST_SPREAD = 1e-9  # that stands for none


class Places(NamedTuple):
    """Means at which a count is likely to be off: one a row, one study a column.

    Attributes:
        mean: N·μ.
        high: the answer is off where the noisy count is this or more.
        low: and where it is this or less.
        line: rows of evenly spaced means.
    """

    mean: Array
    high: Array
    low: Array
    line: slice = slice(0)


class Table(NamedTuple):
    """What an answer's failure is summed from; it does not depend on the rate.

    Attributes:
        over: how far each count lies under the upper edge: studies × means × counts.
        under: how far it lies over the lower edge.
        chance: its probability.
        line: means that are evenly spaced: the worst may lie between them.
    """

    over: Array
    under: Array
    chance: Array
    line: slice = slice(0)


class Noisy(ABC):
    """An answer to one question: a sample, and noise of some kind."""

    noise: Noise
    falls: ClassVar[bool] = True
    """Whether it is off less often with less noise, but for a ripple."""

    @property
    def summed_at_most(self) -> float:
        """The most people whose counts are summed; beyond, a closed bound is for all means."""
        return MOST_SUMMED

    @abstractmethod
    def spread(self, n: Array) -> Array:
        """The largest standard deviation of the sum of N answers; N may have parts."""

    @abstractmethod
    def failures(self, n: Array, error: Array, roughly: bool = False) -> Any:
        """A function of rates and rows: the failure at the likely worst mean, for arrays of N.

        Roughly: of fewer means, so no more than it is.
        """

    def alone(self, n: Array, error: Array, failure: Array) -> Array:
        """The least rate at which noise by itself is off with `failure` at most."""
        return self.noise.alone(n * error, failure)

    def _largest_rate(self, n: Array, error: Array, failure: Array) -> Array:
        """Rates with which noise is as good as gone; more where an error is far under a person."""
        with np.errstate(all="ignore"):
            return np.maximum(_LARGEST_RATE, _OF_ALONE * self.alone(n, error, failure))

    def smooth(self, rate: Array, n: Array, error: Array) -> Array:
        """About how often it is off, as if the sum were normal; smooth in N and in the rate."""
        return self.noise.on_normal(n * error, np.maximum(self.spread(n), _LEAST_SPREAD), rate)

    def failure(self, rate: Array, n: Array, error: Array, *, closely: bool = False) -> Array:
        """How often it is off, at the likely worst mean; at the worst if it is sought closely."""
        rate, n, error = np.broadcast_arrays(np.asarray(rate, float), n, error)
        shape, rows = rate.shape, [x.ravel().astype(float) for x in (rate, n, error)]
        found = np.empty(rows[0].size)
        for block in self.blocks(rows[1]):
            some = (x[block] for x in rows)
            found[block] = self._at_worst(*some, closely=closely)
        return found.reshape(shape)

    def _at_worst(self, rate: Array, n: Array, error: Array, *, closely: bool) -> Array:
        del closely
        return np.asarray(self.failures(n, error)(rate, np.arange(n.size)))

    def smooth_rate(self, n: Array, error: Array, failure: Array) -> Array:
        """About the least rate; ∞ where the sample alone is off too often.

        By secants in the variance of the noise, with which the logarithm of how often it is off
        rises nearly straight.
        """
        n, error, failure = (np.asarray(x, float) for x in np.broadcast_arrays(n, error, failure))

        def over(rate: Array) -> Array:
            return np.log(np.maximum(self.smooth(rate, n, error), 1e-300) / failure)

        with np.errstate(all="ignore"):
            low = np.maximum(self.alone(n, error, failure), 1e-300)
            high = self._largest_rate(n, error, failure)
            rate, before, off_before = low, high, over(high)
            ever = off_before < 0
            for _ in range(_SECANTS):
                off = over(rate)
                low, high = np.where(off > 0, rate, low), np.where(off > 0, high, rate)
                slope = (off - off_before) / (rate**-2 - before**-2)
                following = (rate**-2 - off / slope) ** -0.5
                within = (following >= low) & (following <= high)
                following = np.where(within, following, np.sqrt(low * high))
                found = np.abs(following - rate) <= _CLOSE_GUESS * rate
                before, off_before = np.where(found, before, rate), np.where(found, off_before, off)
                rate = np.where(found, rate, following)
                if np.all(found | ~ever):
                    break
        return np.where(ever, rate, np.inf)

    def least_rate(self, n: Array, error: Array, failure: Array) -> Array:
        """The least rate at which it is off with `failure` at most; ∞ where none is enough."""
        n, error, failure = np.broadcast_arrays(n, error, failure)
        shape, rows = n.shape, [x.ravel().astype(float) for x in (n, error, failure)]
        found = np.empty(rows[0].size)
        for block in self.blocks(rows[0]):
            found[block] = self._least(*(x[block] for x in rows))
        return found.reshape(shape)

    def blocks(self, n: Array) -> list[Array]:
        """Rows whose tables are held at once, of like size."""
        order = np.argsort(n, kind="stable")
        summed = int(np.searchsorted(n[order], self.summed_at_most, "right"))
        blocks, start = [order[summed:]] if summed < len(order) else [], 0
        while start < summed:
            width = 2 * REACH * math.sqrt(n[order[start]]) + 2 * MORE
            end = start + max(1, int(_MOST_AT_ONCE / (_PHASES * width)))
            largest = 4 * n[order[start]] + 100
            end = min(end, summed, start + int(np.searchsorted(n[order[start:]], largest, "right")))
            blocks.append(order[start : max(end, start + 1)])
            start += len(blocks[-1])
        return blocks

    def _least(self, n: Array, error: Array, failure: Array) -> Array:
        from scipy.optimize import elementwise

        over = self._over(n, error, failure)
        few = n.size and float(n.max()) <= _FEW
        first = self._first_rates if few else self._about
        low, high = first(over, n, error, failure)
        found, rows = np.full(n.size, np.inf), np.flatnonzero(np.isfinite(high))
        if not rows.size:
            return found
        with np.errstate(all="ignore"):
            root = elementwise.find_root(
                over, (low[rows], high[rows]), args=(rows,),
                tolerances={"xatol": _CLOSE, "xrtol": 0, "fatol": 0, "frtol": 0},
            )  # fmt: skip
        # the end of the bracket that is not off too often
        last = np.where(root.f_bracket[1] <= 0, root.bracket[1], root.bracket[0])
        sure = np.where(root.f_x <= 0, root.x, last)
        found[rows] = np.exp(sure)
        return found

    def _over(self, n: Array, error: Array, failure: Array, roughly: bool = False) -> Any:
        """A function of logarithms of rates and rows: how far, as one, a failure is over α."""
        of = self.failures(n, error, roughly)

        def over(log_rate: Array, row: Array) -> Array:
            flat = np.ravel(row).astype(int)
            value = of(np.exp(np.ravel(log_rate)), flat) / failure[flat]
            return np.reshape(np.log(np.maximum(value, 1e-300)), np.shape(row))

        return over

    def _about(self, over: Any, n: Array, error: Array, failure: Array) -> tuple[Array, Array]:
        """Brackets of the logarithms of least rates about the smooth guess; ∞ where none is."""
        every, largest = np.arange(n.size), self._largest_rate(n, error, failure)
        most = np.log(largest)
        start = np.log(np.minimum(self.smooth_rate(n, error, failure), largest / 4))
        low, high, step = start - _BESIDE, start + _BESIDE, 2 * _BESIDE
        off, enough = over(low, every) > 0, over(high, every) <= 0
        while step < 2 * most.max(initial=0) and not (off & enough).all():
            up, down = every[~enough & (high < most)], every[enough & ~off]
            low[up], high[up] = high[up], np.minimum(high[up] + step, most[up])
            high[down], low[down] = low[down], low[down] - step
            enough[up], off[down] = over(high[up], up) <= 0, over(low[down], down) > 0
            off[up], step = True, 2 * step
        high = np.where(enough & off, high, np.inf)
        if self.falls:
            return low, high
        missed = np.flatnonzero(~(enough & off) & (start < most - 2))
        steps = np.arange(1, _RATES) * _STEP
        grid = start[missed] + steps[:, None]
        parts = np.array_split(grid, min(missed.size, _RATES - 1) or 1)  # not too many at once
        good = np.concatenate([over(x, np.broadcast_to(missed, x.shape)) <= 0 for x in parts])
        found = good.any(axis=0)
        first, rows = np.argmax(good[:, found], axis=0) if found.any() else 0, missed[found]
        high[rows] = start[rows] + (first + 1) * _STEP
        low[rows] = high[rows] - _STEP
        return low, high

    def _first_rates(
        self, over: Any, n: Array, error: Array, failure: Array
    ) -> tuple[Array, Array]:
        """The same of few people, who may be off more often with less noise: of a grid."""
        alone = np.log(np.maximum(self.alone(n, error, failure), 1e-300))
        steps = np.linspace(0.0, 1.0, _RATES)
        grid = alone + steps[:, None] * (np.log(self._largest_rate(n, error, failure)) - alone)
        roughly = self._over(n, error, failure, roughly=True)
        low, high = alone - 1, np.full(n.size, np.inf)
        missing, before = np.arange(n.size), low.copy()
        least, at = np.full(n.size, np.inf), alone.copy()
        for rates in grid:
            rough = roughly(rates[missing], missing)
            at[missing] = np.where(rough < least[missing], rates[missing], at[missing])
            least[missing] = np.minimum(rough, least[missing])
            likely = missing[rough <= 0]
            if likely.size:  # at more means it may be off too often
                found = likely[over(rates[likely], likely) <= 0]
                low[found], high[found] = before[found], rates[found]
                missing = np.setdiff1d(missing, found)
            before = rates
            if not missing.size:
                return low, high
        close = missing[least[missing] < _NEARLY]
        step = (grid[1] - grid[0]) / _PARTS
        for part in range(-_PARTS, _PARTS + 1):  # about the rate at which it is off least often
            rates = at + part * step
            found = close[over(rates[close], close) <= 0] if close.size else close
            low[found], high[found] = rates[found] - step[found], rates[found]
            close = np.setdiff1d(close, found)
        return low, high


@dataclass(frozen=True)
class Share(Noisy):
    """A proportion, of people drawn independently or without replacement from a population.

    Attributes:
        noise: on the count.
        population: M; None for a population without end.
        mean_range: the proportions at which it must be accurate.
    """

    noise: Noise = LAPLACE
    population: int | None = None
    mean_range: tuple[float, float] = (0.0, 1.0)

    @property
    def middle(self) -> float:
        """The proportion of the range that is nearest 1/2, where counts vary most."""
        return min(max(0.5, self.mean_range[0]), self.mean_range[1])

    @property
    def summed_at_most(self) -> float:
        bounded = self.population is None and self.middle == 0.5
        return LARGE if bounded else MOST_SUMMED

    def spread(self, n: Array) -> Array:
        variance = n * self.middle * (1 - self.middle)
        if self.population is not None:
            left = np.maximum(self.population - n, 0.0)
            variance = variance * left / max(self.population - 1, 1)
        return np.sqrt(variance)

    def smooth(self, rate: Array, n: Array, error: Array) -> Array:
        about = super().smooth(rate, n, error)
        if np.all(n <= self.summed_at_most):
            return about
        return np.where(n <= self.summed_at_most, about, large(self.noise, rate, n, error))

    @property
    def smooth_in_mean(self) -> bool:
        """Whether the failure has no jumps over the mean."""
        return self.population is None and not self.noise.whole

    def _at_worst(self, rate: Array, n: Array, error: Array, *, closely: bool) -> Array:
        found, few = np.empty(n.size), n <= _FEW
        for some in filter(np.any, (few, ~few)):
            given = rate[some], n[some], error[some]
            if self.smooth_in_mean and (closely or some is few) and np.max(n[some]) <= LARGE:
                found[some] = self._closely(*given)
            else:
                found[some] = super()._at_worst(*given, closely=closely)
        return found

    def _closely(self, rate: Array, n: Array, error: Array) -> Array:
        """The failure at the worst mean, which is looked at closer and closer."""
        places, rows = self.places(n, error, phases=_CLOSE_PHASES), np.arange(n.size)
        width = np.minimum(n / (_CLOSER // _FEW), 1.0)
        for _ in range(_ZOOMS + 1):
            over, under, chance, _ = self.table_at(n, places)
            off = self.noise.tail(over, rate[:, None, None])
            off = off + self.noise.tail(under, rate[:, None, None])
            failures = np.einsum("spk,spk->sp", chance, off)
            centre = places.mean[np.argmax(failures, axis=1), rows]
            mean = centre + width * np.linspace(-1, 1, 2 * _ZOOM + 1)[:, None]
            mean = np.clip(mean, self.mean_range[0] * n, self.mean_range[1] * n)
            places, width = Places(mean, mean + n * error, mean - n * error), width / _ZOOM
        return np.minimum(np.max(failures, axis=1), 1.0)

    def failures(self, n: Array, error: Array, roughly: bool = False) -> Any:
        bounded = n > self.summed_at_most
        if bounded.all():
            return lambda rate, row: large(self.noise, rate, n[row], error[row])
        kinds = np.where(bounded, math.inf, np.minimum(_doublings(n), _doublings(_FEW + 1)))
        groups = [np.flatnonzero(kinds == kind) for kind in np.unique(kinds[~bounded])]
        parts = [(rows, self.table(n[rows], error[rows], roughly)) for rows in groups]

        def failure(rate: Array, row: Array) -> Array:
            values = np.empty(len(row))
            for rows, table in parts:
                at = np.searchsorted(rows, row)
                mine = (at < len(rows)) & (rows[np.minimum(at, len(rows) - 1)] == row)
                values[mine] = self.summed(table, at[mine], rate[mine])
            mine = bounded[row]
            values[mine] = large(self.noise, rate[mine], n[row[mine]], error[row[mine]])
            return np.minimum(values, 1.0)

        return failure

    def at_means(self, rate: Array, n: Array, error: Array, means: Array) -> Array:
        """The failure at given means, one a row, of people whose counts are all summed."""
        middle, excess = n * means, n * error
        table = self.table_at(n, Places(middle, middle + excess, middle - excess))
        off = self.noise.tail(table.over, rate[:, None, None])
        off = off + self.noise.tail(table.under, rate[:, None, None])
        return np.einsum("spk,spk->ps", table.chance, off)

    def summed(self, table: Table, row: Array, rate: Array) -> Array:
        """The failure at the worst of a table's means, for some of its studies."""
        if not row.size:
            return np.zeros(0)
        rates = rate[:, None, None]
        all_rows = len(row) == len(table.chance) and bool((row == np.arange(len(row))).all())
        over, under, chance = (x if all_rows else x[row] for x in table[:3])
        off = self.noise.tail(over, rates) + self.noise.tail(under, rates)
        failures = np.einsum("spk,spk->sp", chance, off)
        return np.maximum(np.max(failures, axis=1), _peak(failures[:, table.line]))

    def table(self, n: Array, error: Array, roughly: bool) -> Table:
        steps = _ROUGH if roughly else _CLOSER // 2 ** int(_doublings(n.max()))
        return self.table_at(n, self.places(n, error, steps))

    def table_at(self, n: Array, places: Places) -> Table:
        """The table of some means, one a row of `places`."""
        count, chance = chances(n[:, None], np.moveaxis(places.mean, 0, -1), self.population)
        high, low = (np.moveaxis(x, 0, -1)[..., None] for x in (places.high, places.low))
        return Table(high - count, count - low, chance, places.line)

    def places(
        self, n: Array, error: Array, steps: int = _CLOSER // _FEW, phases: int = _PHASES
    ) -> Places:
        """The means that are likely the worst, and the edges there; of few people so many more."""
        low, high = self.mean_range
        few, mirrored = n.size and float(n.max()) <= _FEW, low + high == 1
        sides = (1,) if mirrored else (1, -1)  # what is over 1/2 mirrors what is under
        phases = _CLOSE_PHASES if few and steps > _ROUGH else phases
        apart = np.arange(phases)[:, None] / phases
        means = [n * self.middle - side * apart for side in sides]
        if few:
            end, tried = (0.5, steps // 2 + 1) if mirrored else (high, steps + 1)
            line = slice(sum(map(len, means)), sum(map(len, means)) + tried)
            means.append(np.linspace(low, end, tried)[:, None] * n)
        if np.max(error) > 0.5:
            means += [(1 - error)[None] * n, error[None] * n]
        if self.noise.whole or few:  # an edge h is just hit, above the mean or below it
            near = np.arange(-8, 9) if few and steps > _ROUGH else np.arange(-2, 4)
            for side in sides:
                edge = np.floor(n * self.middle + side * n * error)
                means.append(edge + near[:, None] - side * n * error)
        mean = np.concatenate(means)
        if self.population is not None:
            first = math.ceil(low * self.population - 1e-9)
            last = max(first, math.floor(high * self.population + 1e-9))
            parts = [np.floor(mean / n * self.population), np.ceil(mean / n * self.population)]
            if self.noise.whole:
                parts += self._hit(n, error, first, last)
            having = np.clip(np.concatenate(parts), first, last)
            mean = n * having / self.population
        mean = np.clip(mean, low * n, high * n) if self.population is None else mean
        on_line = few and steps > _ROUGH and self.smooth_in_mean
        return Places(mean, mean + n * error, mean - n * error, line if on_line else slice(0))

    def _hit(self, n: Array, error: Array, first: int, last: int) -> list[Array]:
        """How many of a population have it where edges are nearly hit, not far from 1/2.

        The nearest edges count in standard deviations, of the sample alone and with some noise.
        """
        assert self.population is not None
        middle = round(self.middle * self.population)
        window = np.arange(max(first, middle - _WINDOW), min(last, middle + _WINDOW) + 1.0)
        share = window[:, None] / self.population
        variance = n * share * (1 - share) * (self.population - n) / max(self.population - 1, 1)
        edges = n * share + n * error, n * share - n * error
        gaps = np.ceil(edges[0] - 1e-9) - edges[0], edges[1] - np.floor(edges[1] + 1e-9)
        found = []
        for noise in _SOME_NOISE:
            spread = np.sqrt(variance + (noise * n * error) ** 2) + _LEAST_SPREAD
            off = sum(np.exp(-(((n * error + gap) / spread) ** 2) / 2) for gap in gaps)
            found.append(window[np.argsort(-off, axis=0)[:_PHASES]])
        return found


def _doublings(n: Array | float) -> Array:
    """How often 1 is doubled until it is n or more."""
    return np.ceil(np.log2(np.maximum(n, 1.0)))


def _peak(values: Array) -> Array:
    """The largest value of each row between those that are evenly spaced; 0 where none is seen.

    It is that of a parabola through the largest and the two beside it, but no more than lines
    through two values on either side allow: at a kink a parabola is too high.
    """
    if values.shape[1] < 5:
        return np.zeros(len(values))
    at = np.clip(np.argmax(values, axis=1), 2, values.shape[1] - 3)
    far, before, top, after, beyond = (values[np.arange(len(at)), at + k] for k in range(-2, 3))
    bend = np.maximum(2 * top - before - after, 1e-300)
    rise = (after - before) ** 2 / (8 * bend)
    sides = [_crossing(before, top, after, beyond), _crossing(after, top, before, far)]
    inner = (top >= before) & (top >= after)
    peak = top + np.minimum(rise, np.maximum(*sides))
    return np.where(inner, peak * (1 + _MISSED), 0.0)


def _crossing(before: Array, top: Array, after: Array, beyond: Array) -> Array:
    """How far over the top a line up to it and one down from the next value meet."""
    up, down = top - before, after - beyond
    with np.errstate(all="ignore"):
        part = (after + down - top) / (up + down)
    return np.where((part > 0) & (part < 1), up * part, 0.0)
