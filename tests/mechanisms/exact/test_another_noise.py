"""A noise that the planner does not have is one class: logistic noise, with its least ε proved.

Pr[Z ≥ t] = 1/(1 + e^(εt)): its log-density has slopes between −ε and ε, so it is ε-private on a
count. The class says how likely noise carries a count a distance t, the same in balls, how much the
logarithm of that bends (at most ε²/4), and which rate noise alone needs.
"""

import math

import numpy as np
import pytest

from planner.mechanisms.exact.failure import Asked, NoisyShare
from planner.mechanisms.exact.least_rate import least_rate
from planner.mechanisms.exact.noise import Noise
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import balls


class Logistic(Noise):
    kind = "logistic"

    def carried(self, left, rate):
        away = np.exp(-np.abs(left) * rate)
        return away / (1 + away)

    def tail_ball(self, x):
        return 1 / (1 + x.exp())

    def steep(self, rate):
        return rate * rate / 4

    def alone(self, n, error, failure):
        return math.log(2 / failure - 1) / (n * error)

    def alone_ball(self, excess, failure):
        return (2 / failure - 1).log() / excess


@pytest.mark.slow
def test_the_least_epsilon_is_proved_from_both_sides() -> None:
    share, ball = NoisyShare(BINOMIAL, Logistic()), balls().number
    asked = Asked(ball(0.05), ball(0.05), (0.0, 1.0))
    epsilon = least_rate(share, 1000, Asked(0.05, 0.05, (0.0, 1.0)))
    assert share.certify_at_most(ball(epsilon), ball(1000), asked)
    assert share.certify_over(ball(epsilon / 2), ball(epsilon * 0.999), 1000, asked)
