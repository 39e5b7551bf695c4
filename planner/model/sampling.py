"""Who is asked: how the people of a study are drawn, and how many of them respond."""

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from planner.checked import dataclass
from planner.checks import Arrive, DesignEffect, Participants, Rate
from planner.mechanisms.sample import Sample
from planner.numbers import decimal
from planner.wording import plain


@dataclass
class Sampling:
    """How the people of a study are drawn.

    Attributes:
        population: M, the people of whom N are drawn without replacement, and whose own mean is
            asked for; where two groups are compared, the people of each. None where the population
            has no end, or N is small beside it [≥ 1].
        response_rate: the proportion of those invited who take part [[1e-290, 1]].
        design_effect: the variance of the estimate against that of independent people [≥ 1]: an
            assumption, by which N people count as N/design_effect.
        clusters_of: how many are drawn together, such as a class; N people count as N/clusters_of,
            which holds whatever people of one cluster have in common [≥ 1].
        about: whom the answer is about where some do not respond: "respondents", whose number in a
            population is M·response_rate; or "all", where whether a person responds is assumed not
            to depend on their answer. None: the sample is taken as drawn from all. By a bound that
            is safe for an answer about the respondents; exactly it is not, as fewer people have
            other proportions, and the answer is about all.
        arrive: the probability with which enough of those invited take part [[1/2, 1)].
        max_invited: the most people that can be invited; None where nothing limits them [≥ 1].
    """

    population: Annotated[
        Participants | None,
        Field(description="number of people of whom the participants are drawn"),
    ] = None
    response_rate: Annotated[
        Rate, Field(description="proportion of those invited who take part")
    ] = 1.0
    design_effect: Annotated[
        DesignEffect,
        Field(description="variance against that of independent people: an assumption"),
    ] = 1.0
    clusters_of: Annotated[Participants, Field(description="number of people drawn together")] = 1
    about: Annotated[
        Literal["respondents", "all"] | None,
        Field(description="whom the answer is about where some do not respond"),
    ] = None
    arrive: Annotated[
        Arrive,
        Field(description="probability with which so many are invited that enough take part"),
    ] = 0.95
    max_invited: Annotated[
        Participants | None, Field(description="the most people that can be invited")
    ] = None

    @model_validator(mode="after")
    def _consistent(self) -> "Sampling":
        if self.clusters_of > 1 and (self.population is not None or self.design_effect > 1):
            raise ValueError(
                f"clusters_of = {self.clusters_of!r} covers all that clusters have in common; "
                "leave population and design_effect out, or give 1"
            )
        return self

    @property
    def sample(self) -> Sample:
        of = self.population if self.about != "respondents" else self.respondents
        return Sample(of, self.design_effect, self.clusters_of)

    @property
    def person_by_person(self) -> bool:
        """Whether people are drawn one by one, with the variance of that."""
        return self.clusters_of == 1 and self.design_effect == 1

    @property
    def respondents(self) -> int | None:
        """How many of the population respond; None where it has no end."""
        if self.population is None:
            return None
        return math.floor(self.population * decimal(self.response_rate))

    @property
    def assumed(self) -> list[str]:
        """What is assumed and not proved, as clauses."""
        assumed = []
        if self.design_effect != 1:
            effect = plain(self.design_effect)
            assumed.append(f"that the sample errs like N/{effect} independent people")
        if self.response_rate < 1 and self.about == "respondents" and self.respondents is not None:
            assumed.append(f"that {plain(self.respondents)} of the population respond")
        return assumed
