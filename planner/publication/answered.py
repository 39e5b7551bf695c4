"""The proportion or the mean of those who answer, from two published numbers of all people.

Let y and n be the true proportions of yes and of no among all people, and a and b the published
ones, each off by less than t. Possible ones lie from 0 to 1 and add up to 1 at most. Where noise
has moved them out, the nearest are off by less than t too: clipped ones are, and where the sum of
these is 1 + d, each less d/2 is, as y ≤ 1 − n < 1 − b + t gives y < a + t − d. With these as a and
b, s = a + b above 0, p = y/(y + n) and q = a/s:

    q − p = ((1 − p)(a − y) − p(b − n))/s,   so |q − p| < t/s,

however many answer. With q in place of p on the right the divisor is y + n: so |q − p| <
t/(y + n), which is at most T where t = T·r and y + n ≥ r. So the planned error T holds where at
least r answer, and t/s is proved by the answer itself.

p grows with y and falls with n, so intervals of y and n give one of p at their corners.

Of a mean of values in [low, high] y is how far they are over low, and n how far under high, as
parts of the range, with 0 of both for who does not answer: y + n is the part of the people who do,
and p their mean as a part of the range.
"""

from fractions import Fraction

from planner.numbers import decimal, round_up
from planner.publication.items import rounded_up

_DIGITS = 4
"""Of the error, as of those of noise and sampling."""


def possible_of_all(answer: list[float]) -> list[float]:
    """The possible proportions of yes and of no among all people nearest to those published."""
    inside = [min(max(x, 0.0), 1.0) for x in answer]
    over = max(sum(inside) - 1, 0.0)
    return [x - over / 2 for x in inside]


def among_answered(
    error: float,
    answer: list[float],
    intervals: list[list[float]],
    values: tuple[float, float] = (0.0, 1.0),
) -> list[float] | None:
    """The proportion of yes, or the mean, of those who answer.

    Args:
        error: t, of the proportions of all people.
        answer: the published proportions of yes and of no.
        intervals: [low, high] of each, in [0, 1].
        values: [low, high], the range of the answers.

    Returns:
        It, its error, and the ends of its interval, in the unit of the answers, rounded outward;
        None where the published proportions are of nobody, so that nothing is known.
    """
    if sum(answer) <= 0:
        return None
    yes, no = map(decimal, possible_of_all(answer))
    answered = yes + no
    (low, high), (least, most) = ([decimal(end) for end in ends] for ends in intervals)
    first, width = decimal(values[0]), decimal(values[1]) - decimal(values[0])
    share = float(first + width * yes / answered)
    within = rounded_up(min(decimal(error) / answered, Fraction(1)) * width)
    start = low / (low + most) if low else Fraction(0)
    end = high / (high + least) if least else Fraction(1)
    ends = -rounded_up(-(first + width * start)) + 0.0, rounded_up(first + width * end)
    return [share, round_up(within, _DIGITS), min(ends[0], share), max(ends[1], share)]
