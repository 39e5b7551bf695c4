"""The one multiplier at which shares of a failure probability add up to all of it."""

from planner.libraries import np
from planner.numbers import Array

_MOST_STEPS = 60
_CLOSE = 1e-13


def multiplier(at: Array, pull: Array) -> Array:
    """The L of each column with Σ exp(atᵢ − pullᵢ·L) = 1.

    The logarithm of the sum is convex and falls with L, so Newton's method comes from the left,
    where one term alone is 1, and never passes the root.

    Args:
        at: rows by question.
        pull: likewise [> 0].
    """
    level = np.max(at / pull, axis=0)
    for _ in range(_MOST_STEPS):
        terms = np.exp(at - pull * level)
        whole = np.sum(terms, axis=0)
        if np.all(np.abs(whole - 1) < _CLOSE):
            break
        level = level + np.log(whole) * whole / np.sum(pull * terms, axis=0)
    return level
