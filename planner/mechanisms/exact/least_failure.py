"""What studies of all sizes in a range fail with at least, at a signal y = N·ε: Laplace noise.

With D = K − N/2 at mean 1/2, noise carries a sample with |D| < NT off with probability
e^(−yT)·cosh(yD/N). Where |D| ≥ NT that exceeds the true probability by cosh(yu) − 1, u = |D|/N − T.
E[cosh(yD/N)] is cosh(y/2N)^N, and Pr[D ≥ N(T + u)] ≤ Pr[W ≥ T′ + u], W normal with variance 1/(4N)
and T′ = T − 1/N (Zubkov and Serov 2013, with Pinsker's inequality), so

    f ≥ e^(−yT)·cosh(y/2N)^N − 2·E[cosh(y(W − T′)) − 1; W ≥ T′].

It is no less than half of what samples are off by themselves.
At the same y the first term falls with N, so the largest N is taken; the second one too, so the
smallest. Both make the bound fall with y while tanh(y/2N) < 2T.
"""

from typing import TYPE_CHECKING

from planner import numbers
from planner.numbers import Number
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb


def laplace(n_epsilon: "arb", error: float, least: int, most: int) -> Number:
    """A bound from below that holds for every N in [least, most] with N·ε ≤ y.

    Args:
        n_epsilon: y [> 0], a ball.
        error: T.
        least: the smallest N.
        most: the largest N.
    """
    ball, t = type(n_epsilon), numbers.balls().number(error)
    if n_epsilon == 0:
        return ball(1)
    sample = _sample_alone(t, least, most)
    if not (n_epsilon / (2 * least)).tanh() < 2 * t:
        return sample
    alone = (-n_epsilon * t + (n_epsilon / (2 * most)).cosh().log() * most).exp()
    near = t - ball(1) / least
    root, shift = 2 * ball(least).sqrt(), n_epsilon / (4 * least)
    spread = n_epsilon * shift / 2
    over = (spread - n_epsilon * near).exp() * upper_tail(root * (near - shift))
    under = (spread + n_epsilon * near).exp() * upper_tail(root * (near + shift))
    return (alone - over - under + 2 * upper_tail(root * near)).max(sample)


def _sample_alone(error: "arb", least: int, most: int) -> "arb":
    """What samples that are off fail with: noise is as likely to carry one farther off as not.

    By the other of Zubkov and Serov's inequalities, with T″ = T + 1/N and the exact divergence.
    """
    ball = type(error)
    above = ball(1) / 2 + error + ball(1) / least
    if not above < 1:
        return ball(0)
    divergence = above * (2 * above).log() + (1 - above) * (2 * (1 - above)).log()
    return upper_tail((2 * most * divergence).sqrt())
