"""The study: one question put to both parties (Hsu14 §4)."""

from typing import Annotated, Self, TypeVar

from pydantic import BeforeValidator, ConfigDict, InstanceOf, model_validator
from pydantic.dataclasses import dataclass

from planner.mechanisms import Mechanism
from planner.model.condition import Condition
from planner.model.conditions import Delta
from planner.model.costs import Costs
from planner.model.individual import Individual
from planner.model.target import Accuracy

Kind = TypeVar("Kind", bound=Condition)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Study:
    """A study that someone plans; `planner.solve` answers whether it exists.

    Attributes:
        mechanism: how the answer is made private.
        target: how accurate it must be.
        individual: what people stand to lose.
        conditions: what else must hold, each kind at most once.
        costs: money that is not compensation.
        title: the study's name, for people.
        currency: the name of the currency of all money.
    """

    mechanism: InstanceOf[Mechanism]
    target: InstanceOf[Accuracy]
    individual: InstanceOf[Individual]
    conditions: Annotated[tuple[InstanceOf[Condition], ...], BeforeValidator(tuple)] = ()
    costs: InstanceOf[Costs] = Costs()
    title: str = ""
    currency: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        kinds = [type(condition) for condition in self.conditions]
        for kind in kinds:
            if kinds.count(kind) > 1:
                raise ValueError(f"{kind.__name__} is given twice; give each condition once")
        if self.target.values is not None and not self.mechanism.any_values:
            raise ValueError(
                "this analysis is for shares only; for the mean of values from low to high give "
                'kind = "laplace-mean" with analysis = "hoeffding"'
            )
        fixed = self.find(Delta)
        needs_worst = self.mechanism.approximate or (fixed is not None and fixed.value > 0)
        if needs_worst and self.individual.worst_cost is None:
            raise ValueError(
                "δ > 0 may publish a record in the clear, so worst_cost is needed; "
                "give the individual a worst_cost"
            )
        return self

    def find(self, kind: type[Kind]) -> Kind | None:
        """The condition of this kind, if the study has one."""
        return next((c for c in self.conditions if isinstance(c, kind)), None)
