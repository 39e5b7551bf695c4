"""The [individual] section of a study file: what people stand to lose."""

from dataclasses import replace
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, model_validator

from planner import checks, model, scenarios
from planner.model.people import Accepting, People, base_costs_of
from planner.numbers import decimal
from planner.wording import quoted


class Table(BaseModel):
    """A section: unknown keys are refused, and it cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class IndividualTable(Table):
    """[individual]."""

    scenario: str | None = Field(None, description="name of a scenario, in place of both costs")
    exchange_rate: checks.Positive | None = Field(
        None, description="units of the study's currency for one of the scenario's"
    )
    base_cost: checks.Cost | None = None
    worst_cost: checks.Cost | None = None
    capped: StrictBool = False
    event: model.BadEvent | None = Field(
        None, description="what this person fears, to explain what taking part means"
    )
    events: Annotated[list[model.BadEvent], Field(min_length=1)] | None = Field(
        None,
        description="what this person fears; without a base_cost, that is the sum of each "
        "probability times its cost",
    )
    family: checks.Family = Field(1, description="number of people who decide together")
    breach: checks.DeltaValue = Field(
        0.0, description="probability that the records held by a curator become known"
    )
    base_costs: dict[str, Any] | None = Field(
        None,
        description="where people differ: groups of [proportion, base cost], or a distribution",
    )
    accept: Accepting | None = Field(
        None, description="proportion of the people whom the payment must satisfy"
    )

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        given = self.base_cost is not None or self.worst_cost is not None
        if self.scenario is not None and given:
            raise ValueError("give either scenario or base_cost (and worst_cost), not both")
        if self.events is not None and (self.scenario is not None or self.event is not None):
            raise ValueError("give either events, or one event or scenario, not both")
        if self.base_costs is not None:
            if self.scenario or self.events or self.base_cost is not None:
                raise ValueError("give either base_costs, of people who differ, or one base_cost")
            self._people()
        elif self.accept is not None:
            raise ValueError("accept is for people who differ; give base_costs, or leave it out")
        elif self.scenario is None and self.base_cost is None and self.events is None:
            raise ValueError("give a scenario, or base_cost (and worst_cost where it is needed)")
        if self.exchange_rate is not None and self.scenario is None:
            raise ValueError("exchange_rate is for the amounts of a scenario; leave it out")
        if self.event is not None and self.base_cost is None:
            raise ValueError("event explains one base_cost; give base_cost, or leave event out")
        known = scenarios.read_all()
        if self.scenario is not None and self.scenario not in known:
            raise ValueError(
                f"scenario = {quoted(self.scenario)} is unknown; give one of {', '.join(known)}"
            )
        return self

    def build(self) -> model.Individual:
        if self.base_costs is not None:
            return model.Individual.of_people(
                self._people(), self.worst_cost, self.capped, self.family, self.breach
            )
        if self.base_cost is not None:
            return model.Individual(
                self.base_cost,
                self.worst_cost,
                self.capped,
                self.event,
                self.family,
                breach=self.breach,
                events=tuple(self.events or ()),
            )
        if self.events is not None:
            person = model.Individual.of_events(self.events)
            worst = person.worst_cost if self.worst_cost is None else self.worst_cost
            return replace(
                person,
                worst_cost=worst,
                capped=self.capped,
                family=self.family,
                breach=self.breach,
            )
        harm = scenarios.read_all()[str(self.scenario)]
        rate = decimal(self.exchange_rate or 1.0)
        base, worst = (float(decimal(x) * rate) for x in (harm.base_cost, harm.worst_cost))
        event = model.BadEvent(harm.probability, worst, harm.harm)
        return model.Individual(base, worst, self.capped, event, self.family, breach=self.breach)

    def currency_of(self, given: str) -> str:
        """The currency of a study, which is that of its scenario unless an exchange rate says so.

        Raises:
            ValueError: they differ without a rate, or do not and there is one.
        """
        if self.scenario is None:
            return given
        own = scenarios.read_all()[self.scenario].currency
        if given in ("", own) and self.exchange_rate is not None:
            raise ValueError(
                f"exchange_rate: the scenario {self.scenario} is in {own} and so is the study; "
                "leave it out, or give the study's currency"
            )
        if given not in ("", own) and self.exchange_rate is None:
            raise ValueError(
                f"the scenario {self.scenario} is in {own} and the study in {given}; give "
                f'currency = "{own}", or exchange_rate in [individual], {given} for one {own}'
            )
        return given or own

    def _people(self) -> People:
        costs = base_costs_of(self.base_costs or {})
        return People(costs, 1.0 if self.accept is None else self.accept)
