"""Bounds on the failure probability that hold for all means at once, for large studies.

Where the noise is wide, with D = K − Nμ: while |D| < NT the answer is off by NT with probability
e^(−εNT)·cosh(εD), so f ≤ e^(−εNT)·E[cosh εD] + Pr[|D| ≥ NT], where E[e^(±εD)] is at most e^(Nε²/8)
(Hoeffding's lemma) and, with v the largest μ(1 − μ) of the range, e^(Nv(e^ε − 1 − ε)) (Bennett's),
and Pr[|D| ≥ NT] at most 2·exp(−2NT²).

Where the sample is wide, D passes c with probability at most Q(2(c − 1)/√N) for every μ: by Zubkov
and Serov (2012, Theorem 1) Pr[K ≥ m] is at most Q(√(2N·kl(x, μ))) with x = (m − 1)/N > μ, and
kl(x, μ) ≥ 2(x − μ)² (Pinsker). So with c = NT − 1 and the noise Z,

    f ≤ 2·Pr[W + Z ≥ c] + Pr[|Z| ≥ c],    W normal with variance N/4.

Geometric noise is no larger than Laplace noise and one count.
"""

import math

from flint import arb

from planner import numbers
from planner.libraries import scipy
from planner.numbers import Number, decimal

_FAR = 1000.0  # from here e^(z²/2)·erfc loses its digits


def bound(
    epsilon: Number,
    participants: Number,
    error: Number,
    mean_range: tuple[float, float],
    whole: bool = False,
) -> Number:
    """The lower of the two bounds, for Laplace or (`whole`) geometric noise; floats or balls."""
    system = numbers.of(epsilon, participants, error)
    wide_noise = _by_moments(epsilon, participants, error, mean_range, whole)
    excess = participants * error - (2 if whole else 1)
    if not excess > 0:
        return wide_noise
    return system.minimum(wide_noise, _by_normal_sample(epsilon, participants, excess))


def _by_moments(
    epsilon: Number,
    participants: Number,
    error: Number,
    mean_range: tuple[float, float],
    whole: bool,
) -> Number:
    """e^(−εNT + the lesser of the two exponents) + 2·exp(−2NT²).

    With geometric noise (`whole`) Pr[Z ≥ t] is e^(−εt)/(1 + e^(−ε)) for whole t, not half of
    e^(−εt), and the edges lie ⌈2NT⌉ apart: at worst one is NT from the mean, the other the rest.
    """
    system = numbers.of(epsilon, participants, error)
    n, excess = participants, participants * error
    nearest = min(max(0.5, mean_range[0]), mean_range[1])
    spread = system.number(nearest) * (1 - system.number(nearest))
    exponent = system.minimum(epsilon**2 / 8, spread * (system.exp(epsilon) - 1 - epsilon))
    noise = system.exp(n * exponent - epsilon * excess)
    if whole:
        size, t = (float(x.mid() if hasattr(x, "mid") else x) for x in (participants, error))
        apart = math.ceil(2 * int(size) * decimal(t))
        noise += system.exp(n * exponent - epsilon * (apart - excess))
        noise /= 1 + system.exp(-epsilon)
    return noise + 2 * system.exp(-2 * excess**2 / n)


def _by_normal_sample(epsilon: Number, participants: Number, excess: Number) -> Number:
    """2·Pr[W + Z ≥ c] + Pr[|Z| ≥ c] with Laplace noise Z; 1 where it is not useful.

    With x = 2c/√N and y = ε√N/2, and S(z) = e^(z²/2)·Q(z), that is
    e^(−x²/2)·(2S(x) + S(y − x) − S(y + x)) + e^(−xy).
    """
    system = numbers.of(epsilon, participants, excess)
    deviation = system.sqrt(participants) / 2
    x, y = excess / deviation, epsilon * deviation
    if not y > x:  # the noise is the wider one
        return system.number(1.0)
    tails = 2 * _scaled_tail(x) + _scaled_tail(y - x) - _scaled_tail(y + x)
    return system.exp(-(x**2) / 2) * tails + system.exp(-x * y)


def sample_off(participants: Number, excess: Number) -> Number:
    """2·Q(2c/√N), which Pr[|D| ≥ c + 1] does not pass for c > 0; floats or balls."""
    return 2 * _tail(2 * excess / numbers.of(participants, excess).sqrt(participants))


def _tail(z: Number) -> Number:
    """Q(z) for z ≥ 0; floats or balls."""
    return numbers.of(z).exp(-(z**2) / 2) * _scaled_tail(z)


def _scaled_tail(z: Number) -> Number:
    """S(z) = e^(z²/2)·Q(z) for z ≥ 0; floats or balls."""
    if numbers.of(z) is numbers.FLOATS:
        return float(scipy.special.erfcx(z / math.sqrt(2))) / 2

    root = z / arb(2).sqrt()
    if z < _FAR:
        return (root**2).exp() * root.erfc() / 2
    # between Birnbaum's bound and Komatsu's, as far out the product loses its digits
    ends = (root + (root**2 + add).sqrt() for add in (arb(2), 4 / arb.pi()))
    low, high = (1 / (end * arb.pi().sqrt()) for end in ends)
    return low.union(high)


def gaussian_bound(
    rate: Number, participants: Number, error: Number, mean_range: tuple[float, float]
) -> Number:
    """The lower of two bounds with Gaussian noise of deviation 1/rate, in balls."""
    system = numbers.balls()
    by_moments = _gaussian_by_moments(rate, participants, error, mean_range)
    excess = participants * error - 1
    if not excess > 0:
        return by_moments
    return system.minimum(by_moments, gaussian_by_normal_sample(rate, participants, excess))


def gaussian_by_normal_sample(rate: Number, participants: Number, excess: Number) -> Number:
    """2·Pr[W + Z ≥ c] + Pr[|Z| ≥ c] with Gaussian noise Z, c > 0; floats or balls."""
    system = numbers.of(rate, participants, excess)
    both = system.sqrt(participants * rate**2 / 4 + 1)  # in units of the noise's deviation
    return 2 * _tail(excess * rate / both) + 2 * _tail(excess * rate)


def _gaussian_by_moments(
    rate: Number, participants: Number, error: Number, mean_range: tuple[float, float]
) -> Number:
    """A bound in balls that is close where the sample's deviation is under a tenth of the noise's.

    With x = NT/σ and g(v) = Q(x − v) + Q(x + v), which is even, f = E[g(D/σ)] is at most
    2Q(x) + xφ(x)·V + g⁗(0)/24·E[D⁴]/σ⁴ + 5/720·E[D⁶]/σ⁶, with V the variance of D/σ: He₅φ is under
    5/2. With s² the variance of D, E[D⁴] is 3s⁴ plus s² to −s²/2, and E[D⁶] at most
    15s⁶ + 25s⁴ + s². Where all that rises with V it is largest at the largest V; else it is ∞.
    """
    system = numbers.balls()
    x = participants * error * rate
    density = system.exp(-(x**2) / 2) / (2 * arb.pi()).sqrt()
    nearest = system.number(min(max(0.5, mean_range[0]), mean_range[1]))
    square = rate**2
    most = participants * nearest * (1 - nearest) * square
    fourth = 2 * (x**3 - 3 * x) * density / 24
    slopes = (
        x * density + fourth * (6 * v + k * square)
        for v in (arb(0), most)
        for k in (arb(1), arb(-1) / 2)
    )
    if not all(slope > 0 for slope in slopes):
        return system.infinity
    kurtosis = 3 * most**2 + (square * most).union(-square * most / 2)
    sixth = 15 * most**3 + 25 * most**2 * square + most * square**2
    return 2 * _tail(x) + x * density * most + fourth * kurtosis + sixth / 144
