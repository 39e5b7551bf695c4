"""Shares of samples with confidence intervals, and a plan that holds for a proportion of them."""

from dataclasses import dataclass

from planner.libraries import scipy


@dataclass(frozen=True)
class Share:
    """A probability, estimated from a sample.

    Attributes:
        value: the proportion in the sample.
        low, high: its Clopper-Pearson interval; undecided draws count for either.
    """

    value: float
    low: float
    high: float


def interval(yes: int, draws: int, confidence: float, undecided: int = 0) -> Share:
    """The Clopper-Pearson interval of a proportion, where undecided draws count for either."""
    tail, most = (1 - confidence) / 2, yes + undecided
    low = float(scipy.special.betaincinv(yes, draws - yes + 1, tail)) if yes else 0.0
    high = (
        float(scipy.special.betaincinv(most + 1, draws - most, 1 - tail)) if most < draws else 1.0
    )
    return Share(yes / draws, low, high)
