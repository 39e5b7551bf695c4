"""The reader of a count, defined for studies of any size (Ghosh09 §2, Gupte10 §2)."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import model_validator

from planner import consumers
from planner.checked import dataclass
from planner.checks import Mean
from planner.consumers.loss import by_distance
from planner.libraries import np, scipy
from planner.numbers import decimal
from planner.wording import plain

if TYPE_CHECKING:
    from planner.consumers.bayesian import BayesianConsumer
    from planner.consumers.minimax import MinimaxConsumer


@dataclass
class BayesianReader:
    """A reader with a prior over the counts.

    Attributes:
        prior: "uniform" over 0, …, n, or the probability that a person is counted [[0, 1]], which
            makes the count binomial.
        loss: the loss of a wrong answer: "absolute", "squared", "zero-one" or `OffBy(t)`.
    """

    largest: ClassVar[int] = 2000
    """Studies of more people are not planned; `BayesianConsumer` itself takes millions."""

    prior: Literal["uniform"] | Mean = "uniform"
    loss: Any = "absolute"

    @model_validator(mode="after")
    def _named_loss(self) -> Self:
        """Refuse a table as loss."""
        _named(self.loss)
        return self

    @property
    def words(self) -> str:
        """The loss and the reader, as a phrase."""
        prior = "uniform" if self.prior == "uniform" else f"binomial ({plain(self.prior)})"
        return f"{loss_words(self.loss)} with a {prior} prior"

    def at(self, n: int) -> "BayesianConsumer":
        """The reader of a count of n people."""
        if self.prior == "uniform":
            return consumers.BayesianConsumer(np.full(n + 1, 1 / (n + 1)), self.loss)

        return consumers.BayesianConsumer(
            scipy.stats.binom.pmf(np.arange(n + 1), n, self.prior), self.loss
        )


@dataclass
class MinimaxReader:
    """A reader who assumes the worst possible count.

    Attributes:
        possible: the smallest and the largest proportion of the people that can be counted [[0,
            1]]; rounded outward to people.
        loss: the loss of a wrong answer: "absolute", "squared", "zero-one" or `OffBy(t)`.
    """

    largest: ClassVar[int] = 1000
    """Studies of more people are not planned."""

    possible: tuple[Mean, Mean] = (0.0, 1.0)
    loss: Any = "absolute"

    @model_validator(mode="after")
    def _checked(self) -> Self:
        """Refuse a table as loss, and an empty range of counts."""
        _named(self.loss)
        low, high = self.possible
        if low > high:
            raise ValueError(f"possible = [{low!r}, {high!r}] is empty; give the lower end first")
        return self

    @property
    def words(self) -> str:
        """The loss and the reader, as a phrase."""
        low, high = self.possible
        between = f" with proportions from {plain(low)} to {plain(high)}"
        where = "" if (low, high) == (0, 1) else between
        return f"{loss_words(self.loss)} at the worst count{where}"

    def at(self, n: int) -> "MinimaxConsumer":
        """The reader of a count of n people."""
        low, high = (n * decimal(float(share)) for share in self.possible)
        return consumers.MinimaxConsumer(n, range(low.__floor__(), high.__ceil__() + 1), self.loss)


def loss_words(loss: Any) -> str:
    """What a loss measures, as a phrase."""
    if isinstance(loss, str):
        return {"zero-one": "probability of error", "squared": "squared error"}.get(loss, "error")
    return f"probability of an error of {loss.at_least} or more"


def _named(loss: Any) -> None:
    """Refuse a table as loss: it is for one n only."""
    if by_distance(loss, 1) is None:
        raise ValueError("loss is a table, which is for one n only; give a named loss or OffBy(t)")
