"""What all simulations have in common: how often they run, and how failures are counted."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from planner.libraries import np


class Runs(ABC):
    """Runs of a planned study, several at once."""

    USUAL_RUNS: ClassVar[int] = 10_000  # at a failure rate of 0.05 they show it to within 0.005
    CHUNK: ClassVar[int] = 100_000  # between two steps of progress: 0.8 MB for each number drawn

    @property
    @abstractmethod
    def words(self) -> str:
        """A description of one run, as a sentence."""

    @abstractmethod
    def failures(self, rng: "np.random.Generator", runs: int) -> Any:
        """The number of some runs that fail; of a survey in each question, and in any of them."""


class SingleRuns(Runs):
    """Runs of one question, which fail together as an array."""

    @abstractmethod
    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        """Whether each of some runs fails."""

    def failures(self, rng: "np.random.Generator", runs: int) -> int:
        return int(np.count_nonzero(self.fails(rng, runs)))
