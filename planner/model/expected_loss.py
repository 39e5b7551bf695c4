"""A target for counts: the reader's expected loss from the noise (Ghosh09, Gupte10)."""

from typing import ClassVar, Literal, Self

from pydantic import InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import Share
from planner.consumers.readers import BayesianReader, MinimaxReader, loss_words
from planner.wording import plain


@dataclass
class ExpectedLoss:
    """The reader of the count has at most this expected loss, with the optimal release.

    Attributes:
        consumer: the reader, at any number of participants.
        at_most: the largest expected loss [> 0].
        unit: "counts", as the loss is defined, or "share", counts as a share of the participants.
    """

    kind: ClassVar[str] = "expected loss"
    """What it is about, in two words."""
    symbol: ClassVar[str] = "L"
    """The symbol of what may be at most so much."""
    values: ClassVar[None] = None
    """None: a count has no range of values."""

    consumer: InstanceOf[BayesianReader] | InstanceOf[MinimaxReader]
    at_most: Share
    unit: Literal["counts", "share"] = "counts"

    @model_validator(mode="after")
    def _share_of_people(self) -> Self:
        """Refuse a share of people for other losses than the absolute one."""
        if self.unit == "share" and self.consumer.loss != "absolute":
            raise ValueError('unit = "share" is for the absolute loss; leave it out')
        return self

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        of = " of the participants" if self.unit == "share" else ""
        return f"an expected {self.consumer.words} of at most {plain(self.at_most)}{of}"

    def promise(self, achieved: str) -> str:
        """What a plan promises the reader, with the loss that it achieves written out."""
        of = " of the participants" if self.unit == "share" else ""
        return f"the reader's {self.loss_words} is at most {achieved}{of} (rounding bounded)"

    @property
    def loss_words(self) -> str:
        """The name of the loss, as a phrase."""
        return f"expected {loss_words(self.consumer.loss)}"

    def allowed(self, participants: int) -> float:
        """The largest expected loss in counts."""
        return self.at_most * participants if self.unit == "share" else self.at_most
