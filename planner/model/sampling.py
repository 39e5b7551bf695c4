"""Who is asked: how the people of a study are drawn, and how many of them respond."""

import math

from pydantic import StrictBool, model_validator

from planner.checked import dataclass
from planner.checks import DesignEffect, Participants, Rate
from planner.mechanisms.sample import Sample
from planner.numbers import decimal
from planner.wording import plain


@dataclass
class Sampling:
    """How the people of a study are drawn.

    Attributes:
        population: M, the people of whom N are drawn without replacement, and whose own mean is
            asked for; None where the population has no end, or N is small beside it [≥ 1].
        response_rate: the share of those invited who take part [(0, 1]].
        design_effect: the variance of the estimate against that of independent people [≥ 1]: an
            assumption, by which N people count as N/design_effect.
        clusters_of: how many are drawn together, such as a class; N people count as N/clusters_of,
            which holds whatever people of one cluster have in common [≥ 1].
        secret: whether who of the population is drawn stays secret: all of the population agree and
            are paid before the draw.
    """

    population: Participants | None = None
    response_rate: Rate = 1.0
    design_effect: DesignEffect = 1.0
    clusters_of: Participants = 1
    secret: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> "Sampling":
        """Refuse what cannot be had together."""
        if self.clusters_of > 1 and (self.population is not None or self.design_effect > 1):
            raise ValueError(
                f"clusters_of = {self.clusters_of!r} covers all that clusters have in common; "
                "leave population and design_effect out, or give 1"
            )
        if self.secret and self.population is None:
            raise ValueError("secret = true needs the population of whom the sample is drawn")
        if self.secret and self.response_rate < 1:
            raise ValueError(
                f"response_rate = {self.response_rate!r} shows who was drawn and did not respond; "
                "with secret = true all of the population agree before the draw: give 1"
            )
        return self

    @property
    def sample(self) -> Sample:
        """What an analysis reads of it."""
        return Sample(self.population, self.design_effect, self.clusters_of)

    @property
    def assumption(self) -> str:
        """What is assumed and not proved, as a clause; empty where nothing is."""
        if self.design_effect == 1:
            return ""
        return (
            f"assuming that the sample errs like N/{plain(self.design_effect)} independent people"
        )

    @property
    def most_participants(self) -> float:
        """How many can take part: the population's share who respond, or ∞."""
        if self.population is None:
            return math.inf
        return math.floor(self.population * decimal(self.response_rate))

    def invitations(self, participants: int) -> int:
        """How many people to invite, on average, so that so many take part."""
        return math.ceil(participants / decimal(self.response_rate))
