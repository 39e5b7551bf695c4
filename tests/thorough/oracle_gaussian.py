"""Gaussian noise that is exactly (ε, δ)-private (Balle and Wang 2018, Theorem 8), by quadrature.

Noise of deviation σ on a count is (ε, δ)-private if and only if Q(a) − e^ε·Q(b) ≤ δ, with
a = εσ − 1/(2σ), b = a + 1/σ. As e^ε·φ(b + t) = φ(a + t)·e^(−t/σ), the left side is the integral
over t > 0 of φ(a + t)·(1 − e^(−t/σ)), whose integrand has one sign.
"""

import math

import numpy as np
from scipy.optimize import brentq

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(300)
_WIDE = 14.0
LEAST_EPSILON = 1e-12
"""Where δ alone allows the noise, this stands for every ε over 0."""


def log_delta(epsilon: float, sigma: float) -> float:
    """ln δ, the least that (ε, δ)-privacy of this noise has."""
    a = epsilon * sigma - 0.5 / sigma
    # φ(a + t) = φ(a)·e^(−at − t²/2); where a < 0 it peaks at t = −a, and φ(0) is taken out
    shift = max(a, 0.0)
    start = max(-a - _WIDE, 0.0)
    width = max(-a, 0.0) - start + min(_WIDE, 50 / max(a, 1e-300))
    t = start + width * (_NODES + 1) / 2
    log_phi = -((a + t) ** 2 - shift**2) / 2
    part = np.sum(_WEIGHTS * np.exp(log_phi) * -np.expm1(-t / sigma)) * width / 2
    return float(np.log(part) - shift**2 / 2 - math.log(2 * math.pi) / 2)


def sigma_of(epsilon: float, delta: float) -> float:
    """The least σ that is (ε, δ)-private."""
    goal = math.log(delta)

    def excess(log_sigma: float) -> float:
        return log_delta(epsilon, math.exp(log_sigma)) - goal

    low = high = 0.0
    while excess(low) <= 0:
        low -= 1.0
    while excess(high) > 0:
        high += 1.0
    return math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))


def epsilon_of(sigma: float, delta: float) -> float:
    """The least ε at which σ is (ε, δ)-private."""
    if math.isinf(sigma):
        return LEAST_EPSILON
    goal = math.log(delta)
    if log_delta(LEAST_EPSILON, sigma) <= goal:
        return LEAST_EPSILON
    high = 1e-6
    while log_delta(high, sigma) > goal:
        high *= 4
    found = brentq(
        lambda log_epsilon: log_delta(math.exp(log_epsilon), sigma) - goal,
        math.log(LEAST_EPSILON),
        math.log(high),
        xtol=1e-14,
        rtol=1e-14,
    )
    return math.exp(found)
