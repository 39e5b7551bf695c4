"""The proportion of yes among those who answer, from the published proportions of yes and of no.

Let y and n be the true proportions of yes and of no among all people, a and b the published ones,
each off by less than t, and s = a + b above 0. With p = y/(y + n) and q = a/s:

    q − p = ((1 − p)(a − y) − p(b − n))/s,   so |q − p| < t/s,

however many answer. With q in place of p on the right the divisor is y + n: so where q is in
[0, 1], |q − p| < t/(y + n), which is at most T where t = T·r and y + n ≥ r. Where a ≤ 0, q is
raised to 0, and p = y/(y + n) < t/(y + n), as y < a + t; likewise where b ≤ 0. So the planned error
T holds where at least r answer, and t/s is proved by the answer itself.

p grows with y and falls with n, so intervals of y and n give one of p at their corners.
"""

from fractions import Fraction

from planner.numbers import decimal, round_up
from planner.publication.items import rounded_up

_DIGITS = 4
"""Of the error, as of those of noise and sampling."""


def among_answered(
    error: float, answer: list[float], intervals: list[list[float]]
) -> list[float] | None:
    """The proportion of yes among those who answer.

    Args:
        error: t, of the proportions of all people.
        answer: the published proportions of yes and of no.
        intervals: [low, high] of each, in [0, 1].

    Returns:
        The proportion, its error, and the ends of its interval, all in [0, 1], rounded outward;
        None where the published proportions are of nobody, so that nothing is known.
    """
    yes, no = map(decimal, answer)
    answered = yes + no
    if answered <= 0:
        return None
    (low, high), (least, most) = ([decimal(end) for end in ends] for ends in intervals)
    share = float(min(max(yes / answered, Fraction(0)), Fraction(1)))
    error = min(round_up(rounded_up(decimal(error) / answered), _DIGITS), 1.0)
    start = low / (low + most) if low else Fraction(0)
    end = high / (high + least) if least else Fraction(1)
    return [share, error, min(-rounded_up(-start) + 0.0, share), max(rounded_up(end), share)]
