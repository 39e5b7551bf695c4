"""The study, which joins both parties (Hsu14 §4)."""

import math
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import Currency
from planner.mechanisms import Mechanism, kinds
from planner.mechanisms.sample import Sample
from planner.model.condition import Condition
from planner.model.conditions import (
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    MinParticipants,
)
from planner.model.costs import Costs
from planner.model.difference import Difference, DifferenceWithin, floor_of_difference, for_groups
from planner.model.individual import Individual
from planner.model.invitations import most_of
from planner.model.power import AnyPower, AnyTest, refuse_test
from planner.model.questions import Mean, Question
from planner.model.recorded import Records
from planner.model.sampling import Sampling
from planner.model.strata import Stratum
from planner.model.stratified import refuse_stratified
from planner.model.survey import Survey, refuse_sample_of_survey, refuse_survey
from planner.model.target import Accuracy
from planner.numbers import decimal
from planner.show import Shown, view
from planner.wording import persons, plain, points, printable, quoted, several


def _printable(text: str) -> str:
    if printable(text) != text:
        raise ValueError(f"{quoted(text)} holds control characters; give text that can be printed")
    return text


def _listed(conditions: Any) -> tuple[Any, ...]:
    """The conditions; a ValueError where one is given without a list."""
    if not isinstance(conditions, Iterable):
        raise ValueError(f"{quoted(conditions)} is not a list; give [{quoted(conditions)}]")
    return tuple(conditions)


Name = Annotated[str, AfterValidator(_printable)]
Kind = TypeVar("Kind", bound=Condition)

_HALF = 0.5  # of each stratum, for which any α shows whether it can be a study


NOTHING_TO_LOSE = Individual(0.0, 0.0)
"""Of whom no harm is stated, so that nobody is paid."""


@dataclass
class Study(Shown):
    """A study to plan; `planner.solve` decides whether it is feasible.

    Attributes:
        mechanism: how the answer is made private; by default what the target implies: Laplace noise
            on a proportion or mean, and on each answer of a survey; noisy counts of two groups, and
            of a test.
        target: how accurate it must be.
        individual: what people stand to lose; by default nothing, and nobody is paid.
        conditions: what else must hold, each kind at most once.
        costs: money that is not compensation.
        title: the study's name.
        currency: the name of the currency.
        sampling: how the people are drawn.
        records: how their answers are written, for `planner.publish`.
        strata: the groups of which everyone is in one, each drawn by itself; each has an answer of
            its own, or all have one, where the target has an error. Empty where there are none.
    """

    mechanism: InstanceOf[Mechanism] = None  # type: ignore[assignment]  # then implied
    target: (
        InstanceOf[Accuracy]
        | InstanceOf[DifferenceWithin]
        | InstanceOf[AnyPower]
        | InstanceOf[Survey]
    ) = None  # type: ignore[assignment]  # refused: it follows what has a default
    individual: InstanceOf[Individual] = NOTHING_TO_LOSE
    conditions: Annotated[tuple[InstanceOf[Condition], ...], BeforeValidator(_listed)] = ()
    costs: InstanceOf[Costs] = Costs()
    title: Name = ""
    currency: Annotated[Currency, AfterValidator(_printable)] = ""
    sampling: InstanceOf[Sampling] = Sampling()
    records: InstanceOf[Records] = field(default=Records(), repr=False)
    strata: Annotated[tuple[InstanceOf[Stratum], ...], BeforeValidator(_listed)] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = [type(condition) for condition in self.conditions]
        for kind in given:
            if given.count(kind) > 1:
                raise ValueError(f"{kind.__name__} is given twice; give each condition once")
        if self.target is None:
            raise ValueError("target is missing; give one, such as Accuracy(0.05, 0.05)")
        if self.mechanism is None:
            of_values = getattr(self.target, "values", None) is not None
            kind = kinds.implied(self.target.kind, of_values, self.sampling.person_by_person)
            object.__setattr__(self, "mechanism", kinds.KINDS[kind]())
        if isinstance(self.target, DifferenceWithin):
            object.__setattr__(self, "mechanism", for_groups(self.mechanism, self.target))
        refuse_test(self.target, self.mechanism, self.sample)
        if self.survey is not None and self.records.wording:
            raise ValueError(
                "wording in [records] is for a study of one question; give it in each [[question]]"
            )
        if self.records.question:
            if self.survey is None:
                raise ValueError(
                    "[[records.question]] is for surveys; give column, yes and no in [records]"
                )
            object.__setattr__(self, "target", self.survey.recorded(self.records.question))
            object.__setattr__(self, "records", replace(self.records, question=()))
        if self.records.of_groups and (self.groups == 1 or self.strata):
            raise ValueError(
                "first and second in [records] are words for two groups of equal size; leave them "
                "out"
            )
        self._of_several_records()
        if self.strata:
            refuse_stratified(self, _HALF)
            return self
        if self.target.kind == "accuracy" and self.accuracy.error is None:
            raise ValueError("error is missing; give a fraction of 1 such as 0.05")
        of_values = self.survey is None and self.target.values is not None
        mechanism = kinds.given(self.mechanism, of_values, self.speaks_of_delta)
        object.__setattr__(self, "mechanism", mechanism)
        if isinstance(self.target, DifferenceWithin):
            floor_of_difference(mechanism, self.target, self.sample)
        self._of_a_sample()
        person = self.individual.with_curator(kinds.is_curated(self.mechanism))
        object.__setattr__(self, "individual", person)
        if self.survey is not None:
            refuse_survey(self, self.survey)
        elif kinds.is_count(self.mechanism):
            self._about_a_count()
        elif self.target.values is not None and kinds.is_for_shares(self.mechanism):
            raise ValueError(
                f"{kinds.words(self.mechanism)} is for proportions only; for the mean of values "
                'from low to high give kind = "laplace-mean" or "gaussian-mean" with values = '
                '"any", and no analysis = "paper"'
            )
        fixed = self.find(Delta)
        needs_worst = self.mechanism.uses_delta or (fixed is not None and fixed.value > 0)
        if needs_worst and self.individual.worst_cost is None:
            raise ValueError(
                "δ > 0 may publish a record with its name, so worst_cost is needed; "
                "give the individual a worst_cost"
            )
        return self

    def _of_several_records(self) -> None:
        """Refuse several records of a person that nothing counts as one person's, and alike."""
        most = self.records.of_each
        if most == 1:
            return
        if self.strata or self.groups == 2:
            raise ValueError(
                "rows in [records] is for studies without strata and groups; write one row a person"
            )
        paid = self.individual.base_cost or self.individual.worst_cost
        needed = [f"clusters_of = {most} in [sampling]"] * (self.sampling.clusters_of < most)
        if paid and self.individual.family % most:
            needed.append(f"family = {most} in [individual]")
        if needed:
            raise ValueError(
                f'with rows = "{self.records.rows}" in [records] a person loses what {most} '
                f"records lose, and these may be alike: give {several(needed)}"
            )

    def _of_a_sample(self) -> None:
        rate = self.sampling.response_rate
        if self.individual.people is not None:
            rate = self.individual.people.taking_part(rate)
        if (self.costs.response_rate, self.costs.arrive) != (rate, self.sampling.arrive):
            costs = replace(self.costs, response_rate=rate, arrive=self.sampling.arrive)
            object.__setattr__(self, "costs", costs)
        fewest, most = self.find(MinParticipants), self.most_participants
        if fewest is not None and fewest.n > most:
            raise ValueError(
                f"at most {persons(int(most))} of those who can be invited respond, fewer "
                f"than min_participants = {fewest.n!r}; give a larger population, or fewer people"
            )
        if most < 1:
            raise ValueError("so few people can be invited that perhaps nobody responds; give more")
        if self.sample.simple and not self.assumed_of_values:
            return
        if self.survey is not None:
            refuse_sample_of_survey(self, self.survey)
            return
        if isinstance(self.target, DifferenceWithin):
            floor_of_difference(self.mechanism, self.target, self.sample)
            return
        if self.power is not None:
            return
        if not kinds.is_sampled(self.mechanism):
            raise ValueError(
                f"{self.mechanism.kind} is about the participants themselves, not about those of "
                "whom they are drawn; leave the sampling out"
            )
        for mechanism in kinds.choices(self.mechanism):
            mechanism.floor(self.accuracy.error, self.accuracy.failure, self.sample)

    @property
    def sample(self) -> Sample:
        """How people are drawn, with what is assumed of their values; of a survey see questions."""
        return self.sampling.sample._replace(deviation=self.target.deviation)

    @property
    def about_all(self) -> bool:
        """Whether it is about all people, though only some respond."""
        drawn = self.sampling.about is None and self.sampling.population is not None
        some = self.sampling.response_rate < 1
        exact = kinds.is_exact(self.mechanism)
        return some and (self.sampling.about == "all" or (drawn and exact))

    @property
    def of_which(self) -> str:
        """For which proportions or means the answer is accurate, as an end; empty if for all."""
        low, high = getattr(self.mechanism, "mean_range", (0.0, 1.0))
        if (low, high) == (0.0, 1.0):
            return ""
        if (values := self.target.values) is None:
            return f", for proportions from {points(low)} % to {points(high)} %"
        first, last = map(decimal, values)
        ends = (float(first + decimal(end) * (last - first)) for end in (low, high))
        return f", for means from {' to '.join(map(plain, ends))}"

    @property
    def promise(self) -> str:
        """What the target asks for, and for which proportions or means."""
        return f"{self.target.label}{self.of_which}"

    @property
    def assumed(self) -> list[str]:
        """What is assumed and not proved, as clauses."""
        like_all = ["that whether a person responds does not depend on their answer"]
        return [*self.sampling.assumed, *like_all * self.about_all, *self.assumed_of_values]

    @property
    def assumed_of_values(self) -> list[str]:
        """What is assumed of the values, as clauses."""
        words = "standard deviation of"
        if self.survey is None:
            deviation = getattr(self.target, "deviation_at_most", None)
            all_of_them = [f"a {words} the values of at most {plain(deviation or 0.0)}"]
            own = (
                f"a {words} the values of {quoted(one.name)} of at most "
                f"{plain(one.deviation_at_most)}"
                for one in self.strata
                if one.deviation_at_most is not None
            )
            return [*all_of_them * (deviation is not None), *own]
        return [
            f"a {words} {question.name!r} of at most {plain(question.deviation_at_most)}"
            for question in self.survey.questions
            if isinstance(question, Mean) and question.deviation_at_most is not None
        ]

    def to_dict(self) -> dict[str, Any]:
        """The tables of a study file that describes it.

        Raises:
            ValueError: it holds what no study file can describe.
        """
        tables: dict[str, Any] = view(type(self), "tables")(self)
        return tables

    @property
    def unrounded(self) -> Self:
        """The same study with payments that are not rounded to coins."""
        if not self.costs.smallest_coin:
            return self
        return replace(self, costs=replace(self.costs, smallest_coin=0.0))

    @property
    def paid_a_coin_more(self) -> Self:
        """The same study where each costs a coin more: what is then paid covers the rounding."""
        costs, coin = self.unrounded.costs, decimal(self.costs.smallest_coin)
        per_person = float(decimal(costs.per_person) + coin)
        return replace(self, costs=replace(costs, per_person=per_person))

    def by(self, mechanism: Mechanism) -> Self:
        return replace(self, mechanism=mechanism)

    def _about_a_count(self) -> None:
        if self.target.values is not None:
            raise ValueError("values from low to high are not a count; leave low and high out")

    @property
    def accuracy(self) -> Accuracy:
        """The target, where it is an accuracy; of two equal groups that of the proportion counted.

        Raises:
            ValueError: it is a power, or a survey.
        """
        if isinstance(self.target, Survey):
            raise ValueError("this is for one question, not for a survey of several")
        if isinstance(self.target, DifferenceWithin):
            return self.target.counted
        if not isinstance(self.target, Accuracy):  # asked here, so that nobody else must
            raise ValueError("this is for targets of error and failure, not for a power")
        return self.target

    @property
    def power(self) -> AnyPower | None:
        """The target, where it is a power; None where the study tests nothing."""
        return self.target if isinstance(self.target, AnyPower) else None  # as above

    @property
    def costs_nothing(self) -> bool:
        """Whether nobody is paid, and nothing else costs money."""
        if any(one.base_cost or one.worst_cost or one.per_person for one in self.strata):
            return False
        delta = 0.5 if self.mechanism.uses_delta else 0.0
        return bool(self.costs.total(1, self.individual.compensation(1.0, delta)) == 0)

    @property
    def test(self) -> AnyTest | None:
        """What the power asks of people drawn as they are; None where the study tests nothing."""
        if self.power is None:
            return None
        return replace(self.power.floor, population=self.sampling.sample.population)

    @property
    def most_participants(self) -> float:
        """How many take part where all are invited that can be, of each group, or ∞."""
        population, invited = self.sampling.population, self.sampling.max_invited
        most = math.inf
        if population is not None:
            each = most_of(population, self.costs.response_rate, self.costs.arrive)
            ratio = decimal(getattr(self.target, "ratio", 1.0))
            both = math.floor(each * min(1 + ratio, 1 + 1 / ratio))
            most = each if self.groups == 1 else both
        if invited is not None:
            most = min(most, most_of(invited, self.costs.response_rate, self.costs.arrive))
        return most

    @property
    def groups(self) -> int:
        """How many groups are compared: 2, or 1 where it is about all people."""
        return 2 if isinstance(self.target, Difference) else 1

    @property
    def survey(self) -> Survey | None:
        """The target, where it is a survey; None where it is about one question."""
        return self.target if isinstance(self.target, Survey) else None  # as above

    def asked(self, name: str) -> Question:
        """The question of this name.

        Raises:
            ValueError: none has it, or the study is not a survey.
        """
        if self.survey is None:
            raise ValueError(f"this study asks one question, so it has no question {quoted(name)}")
        return self.survey.question(name)

    @property
    def speaks_of_delta(self) -> bool:
        """Whether it fixes or caps δ, so that δ may be used."""
        return any(self.find(kind) for kind in (Delta, DeltaAtMost, DeltaTimesNAtMost))

    def find(self, kind: type[Kind]) -> Kind | None:
        """The condition of this kind, if the study has one."""
        return next((c for c in self.conditions if isinstance(c, kind)), None)
