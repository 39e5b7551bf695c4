"""The numbers that Hsu14 prints and its claims use."""

from dataclasses import replace
from typing import NamedTuple

from planner.mechanisms import LaplaceMean, Mwem, MwemApproximate
from planner.model import Accuracy, Budget, Condition, Delta, Individual, Study

ERROR = 0.05  # §5.1, T
FAILURE = 0.05  # §5.1, α
BUDGET = 3.0e4  # §5.1, B
EPSILON, PARTICIPANTS = 0.0083, 20_000  # §5.1, the closed plan as printed
EXPOSURE = 0.002  # §6, φ
MWEM_BUDGET = 2.0e6  # §5.3, §8.2
TARGET = Accuracy(ERROR, FAILURE)


class Scenario(NamedTuple):
    """A cost scenario, as used in §5.2 and §6."""

    base_cost: float
    worst_cost: float


SMOKING = Scenario(254.8, 1274.0)  # §5.2, E = 0.20 · 1274; §6, W: the rise of a premium
EDUCATION = Scenario(12.5, 12_500.0)  # §5.2, E as printed; §6, W: the loss in salary
MOVIES = Scenario(0.25, 2500.0)  # §5.2, E = 0.0001 · 2500; §6, W: damages by law
SOCIAL = Scenario(1.0, 100_000.0)  # §5.2, E = 0.00001 · 100,000; §6, W: being discovered


def mean_study(
    base_cost: float,
    budget: float = BUDGET,
    conditions: tuple[Condition, ...] = (),
    worst_cost: float | None = None,
) -> Study:
    """The mean study of §5.1 at a base cost."""
    return Study(
        mechanism=LaplaceMean(analysis="paper"),
        target=TARGET,
        individual=Individual(base_cost, worst_cost),
        conditions=(Budget(budget), *conditions),
    )


MWEM = Mwem(universe_size=2**8, queries=10_000)  # §5.3, |X| and |C|
MWEM_TARGET = Accuracy(error=0.2, failure=0.05)  # §5.3, T and α


def mwem_study(base_cost: float) -> Study:
    """The MWEM study of §5.3 at a base cost."""
    return Study(
        mechanism=MWEM,
        target=MWEM_TARGET,
        individual=Individual(base_cost),
        conditions=(Budget(MWEM_BUDGET),),
    )


MWEM_APPROXIMATE = MwemApproximate(universe_size=2**15, queries=200_000)  # §8.2, |X| and |C|
AS_PRINTED = replace(MWEM_APPROXIMATE, constant="printed")
DELTA = 1e-8  # §8.2


def mwem_approximate_study(
    worst_cost: float, mechanism: MwemApproximate = MWEM_APPROXIMATE
) -> Study:
    """The (ε, δ)-MWEM study of §8.2 at a worst cost."""
    return Study(
        mechanism=mechanism,
        target=TARGET,
        individual=Individual(SOCIAL.base_cost, worst_cost),
        conditions=(Budget(MWEM_BUDGET), Delta(DELTA)),
    )
