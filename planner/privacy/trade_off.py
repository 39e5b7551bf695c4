"""Trade-off functions: how likely an event of probability p can become by taking part.

With a mechanism of trade-off function f it is at most 1 − f(p) (Dong, Roth and Su 2019, §2.1): f(p)
is the smallest type II error of a test whose type I error is p. The functions here compute the rise
1 − f(p) − p, which is accurate even where ε is small. It grows with the `strength` of the
mechanism: ε, or μ of a Gaussian one.
"""

from fractions import Fraction
from typing import Any

from flint import arb

from planner import numbers
from planner.libraries import np, scipy, sympy
from planner.numbers import Number
from planner.privacy import gaussian
from planner.privacy.gaussian import upper_tail


class TradeOff:
    """(ε, δ)-privacy: 1 − f(p) is min(1, e^ε·p + δ, 1 − e^(−ε)(1 − p − δ)).

    Source: Hsu14 eqs 1, 2, Definition 10, footnote 21; Dong, Roth and Su 2019, Proposition 2.5.
    """

    words = "what (ε, δ)-privacy guarantees for any mechanism"

    def strength(self, epsilon: Number, delta: Number) -> Number:
        """The parameter of the rise, besides p and δ: ε itself."""
        return epsilon

    def epsilon(self, strength: Number, delta: Number) -> Number:
        """The ε of a strength; −∞ where δ alone is stronger."""
        return strength

    def rise(self, probability: Number, strength: Number, delta: Number) -> Number:
        """1 − f(p) − p.

        Args:
            probability: p [(0, 1)].
            strength: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.
        """
        system = numbers.of(strength, delta, probability)
        p = system.number(probability)
        likelier = system.expm1(strength) * p + delta
        absence = system.exp(-strength) * delta - system.expm1(-strength) * (1 - p)
        return system.minimum(system.minimum(likelier, absence), 1 - p)

    def strength_at(self, probability: Number, rise: Number, delta: Number) -> Number:
        """The largest ε at which the rise is at most `rise`, the inverse; ∞ if every ε is allowed.

        Not positive where none does.
        """
        system = numbers.of(rise, delta, probability)
        p = system.number(probability)
        rest = 1 - p - delta
        if not rest > 0:
            return system.all_or_nothing(rise - (1 - p))
        left = rise - delta
        return system.maximum(system.log1p(left / p), -system.log1p(-left / rest))

    def least_rise(self, probability: Number, delta: Number) -> Number:
        """The infimum of the rise over ε > 0, or less: δ, until the event is certain."""
        return numbers.of(delta).minimum(delta, 1 - probability)

    def first_growth(self, probability: Fraction, delta: Fraction) -> Fraction:
        """The e^ε up to which, up to this δ, the rise is (e^ε − 1)p + δ; exact, at least 1."""
        return max(Fraction(1), (1 - probability - delta) / probability)

    def first_slope(self, probability: Number) -> Number:
        """At most the limit of rise/ε as ε → 0: min(p, 1 − p).

        Up to `first_growth` rise/ε grows with ε, as (e^ε − 1)/ε does; from there on the rise is
        concave, so that once rise/ε decreases it keeps decreasing. So over a range of ε it is least
        at one of the two ends.
        """
        return numbers.of(probability).minimum(probability, 1 - probability)


class LaplaceTradeOff(TradeOff):
    """Laplace noise of scale 1/ε on a number that one record moves by at most 1.

    1 − f(p) is e^ε·p up to e^(−ε)/2, 1 − e^(−ε)/(4p) from there to 1/2, and 1 − e^(−ε)(1 − p)
    above: the best test of 0 against 1 rejects over a threshold t, with p = Pr[Z > t] and
    1 − f(p) = Pr[Z > t − 1]. In one line, with s = max(0, −ln 2p), the rise is
    (e^min(ε, s) − 1)·p + (1 − e^(−max(0, ε − s)))·min(1/2, 1 − p).
    """

    words = "what Laplace noise guarantees"

    def rise(self, probability: Number, strength: Number, delta: Number) -> Number:
        """1 − f(p) − p; δ is not used."""
        system = numbers.of(strength, probability)
        p, curvature, rest = self._parts(probability, system)
        first = system.expm1(system.minimum(strength, curvature)) * p
        zero = system.number(0.0)
        return first - system.expm1(-system.maximum(zero, strength - curvature)) * rest

    def strength_at(self, probability: Number, rise: Number, delta: Number) -> Number:
        """The inverse of the rise."""
        system = numbers.of(rise, probability)
        p, curvature, rest = self._parts(probability, system)
        top, zero = system.expm1(curvature) * p, system.number(0.0)
        first = system.log1p(system.minimum(rise, top) / p)
        return first - system.log1p(-system.maximum(zero, rise - top) / rest)

    def _parts(
        self, probability: Number, system: numbers.NumberSystem
    ) -> tuple[Number, Number, Number]:
        """p, s = max(0, −ln 2p) and min(1/2, 1 − p)."""
        p = system.number(probability)
        half = system.number(1) / 2
        curvature = system.maximum(system.number(0.0), -system.log(2 * p))
        return p, curvature, system.minimum(half, 1 - p)

    def least_rise(self, probability: Number, delta: Number) -> Number:
        """0: the rise vanishes as ε → 0."""
        return 0 * delta

    def first_growth(self, probability: Fraction, delta: Fraction) -> Fraction:
        """1/(2p), at least 1; 1 where δ > 0, which this rise ignores."""
        return Fraction(1) if delta else max(Fraction(1), Fraction(1, 2) / probability)


class GaussianTradeOff(TradeOff):
    """Gaussian noise of deviation σ on a number that one record moves by at most 1; μ = 1/σ.

    1 − f(p) is Φ(Φ⁻¹(p) + μ); σ is the smallest that is (ε, δ)-private (Balle and Wang 2018).

    Source: Dong, Roth and Su 2019, eq. 6.
    """

    words = "what Gaussian noise guarantees"

    def strength(self, epsilon: Number, delta: Number) -> Number:
        """μ of the noise of an (ε, δ)-private plan; 0 at δ = 0, where the noise is unbounded."""
        system = numbers.of(epsilon, delta)
        if system is numbers.FRACTIONS:
            raise numbers.Inexact
        if system is numbers.symbols():
            return sympy.Symbol("mu", positive=True)
        if system is numbers.balls():
            number = system.number
            return 1 / gaussian.scale_ball(number(epsilon), number(delta))
        return 1 / gaussian.scale(epsilon, delta)

    def epsilon(self, strength: Number, delta: Number) -> Number:
        """The smallest ε that allows μ; −∞ where δ alone does, that is 2Φ(μ/2) − 1 ≤ δ."""
        system = numbers.of(strength, delta)
        if system is numbers.balls():
            free = 2 * _quantile((1 + system.number(delta)) / 2)
            if not strength > free:
                return (
                    -system.infinity if strength < free else system.number(0).union(system.infinity)
                )
            return gaussian.epsilon_ball(1 / strength, system.number(delta))
        some = strength > 2 * scipy.special.ndtri((1 + np.asarray(delta)) / 2)
        safe = np.where(some, strength, 1.0)
        least = np.where(some, gaussian.epsilon_at(1 / safe, delta), -np.inf)
        return _plain(least)

    def rise(self, probability: Number, strength: Number, delta: Number) -> Number:
        """Φ(Φ⁻¹(p) + μ) − p; δ is in μ."""
        system = numbers.of(strength, probability)
        if system is numbers.symbols():
            quantile = sympy.Function("Φ^-1")(probability)
            return sympy.Function("Φ")(quantile + strength) - probability
        if system is numbers.balls():
            p = system.number(probability)
            return upper_tail(-(_quantile(p) + strength)) - p

        return _plain(scipy.special.ndtr(scipy.special.ndtri(probability) + strength) - probability)

    def strength_at(self, probability: Number, rise: Number, delta: Number) -> Number:
        """The inverse of the rise, as μ; 0 where there is none."""
        system = numbers.of(rise, probability)
        if system is numbers.balls():
            p = system.number(probability)
            reached = p + rise
            if not (rise > 0 and reached < 1):
                inside = rise <= 0 or reached >= 1
                end = system.number(0) if rise <= 0 else system.infinity
                return end if inside else system.number(0).union(system.infinity)
            return _quantile(reached) - _quantile(p)

        reached = np.clip(probability + rise, probability, 1.0)
        return _plain(scipy.special.ndtri(reached) - scipy.special.ndtri(probability))

    def least_rise(self, probability: Number, delta: Number) -> Number:
        """At least δ·min(p, 1 − p), and that is rational.

        As ε → 0 the rise is that of the μ with total variation δ: a concave function of p which is
        0 at 0 and 1 and δ at its top.
        """
        return delta * numbers.of(delta).minimum(probability, 1 - probability)

    def first_growth(self, probability: Fraction, delta: Fraction) -> Fraction:
        """1: the curve differs from ε = 0 on."""
        return Fraction(1)

    def first_slope(self, probability: Number) -> Number:
        """0: nothing is claimed."""
        return 0 * probability


def _plain(values: Any) -> Any:
    """An array, or its value where it has only one."""
    return values if getattr(values, "ndim", 0) else float(values)


def _quantile(p: Any) -> Number:
    """Φ⁻¹(p), a ball."""
    return -arb(2).sqrt() * (2 * p).erfcinv()
