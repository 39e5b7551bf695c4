"""A study with uncertain numbers, given as intervals or distributions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from planner.answer.problem.vary import Varied, value_of, with_values
from planner.checked import Refused
from planner.libraries import np
from planner.model import Study
from planner.model.spread import LogNormal, Spread
from planner.numbers import WHOLE_LIMIT, Array
from planner.quantities import QUANTITIES, UNCERTAIN

"""The quantities that can be uncertain: all except δ, which is chosen."""


@dataclass(frozen=True)
class UncertainStudy:
    """A study and its uncertain inputs.

    The inputs are independent of each other. Every one is monotone: a study that is feasible stays
    so, with the same ε, δ and N, where one of them becomes easier and all else is kept. For

    - `budget`, `harm`, `participants`, `epsilon`: they appear only on the larger side of a "≤";
    - `min_participants`, `overhead`, `per_person`: they only add to the smaller side of one;
    - `base_cost`, `worst_cost`: compensation (e^ε − 1)E + δW, capped or not, never falls with them;
    - `failure`, `loss`: what the target allows;
    - `error`: to be off by T or more is less likely the more T is, and so is each bound on it;
    - `queries`: more of them must be accurate at once with the same privacy.

    A fixed δ is not monotone (a larger δ helps the accuracy and costs money), and it is chosen, so
    it cannot be uncertain. An expected cost cannot exceed the worst cost: where a sampled base cost
    exceeds the worst cost, the worst cost is set equal to it.

    Attributes:
        study: the study with every uncertain quantity at its median; the values given are ignored,
            and payments are exact: a smallest coin is left out.
        inputs: by quantity, its interval or distribution; whole quantities are rounded.
        left_out: the smallest coin of the study given [money].
    """

    study: Study
    inputs: Mapping[Varied, Spread] = field(hash=False)
    left_out: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", MappingProxyType(dict(self.inputs)))
        if not self.inputs:
            raise ValueError(
                "no input is uncertain; give an interval or a distribution, or use planner.solve"
            )
        object.__setattr__(self, "left_out", self.study.costs.smallest_coin)
        object.__setattr__(self, "study", self.study.unrounded)
        for name, spread in self.inputs.items():
            _check(self.study, name, spread)
        for share in (0.0, 0.5, 1.0):  # the ends must be valid studies, too
            try:
                study = self.at({n: self.ease(n, share, inside=True) for n in self.inputs})
            except Refused as error:
                raise ValueError(f"some values of the inputs are impossible: {error}") from None
            if share == 0.5:
                object.__setattr__(self, "study", study)

    @property
    def bounded(self) -> bool:
        """Whether every input has a smallest and a largest value."""
        return not any(isinstance(spread, LogNormal) for spread in self.inputs.values())

    def quantile(self, name: Varied, share: Any) -> Any:
        """The quantile of an input, rounded where it is a count."""
        value = self.inputs[name].quantile(share)
        if not QUANTITIES[name].whole:
            return value

        return np.clip(np.rint(value), 1, WHOLE_LIMIT)

    def ease(self, name: Varied, share: float, inside: bool = False) -> float:
        """The quantile of an input by ease: at proportion 0 the hardest value.

        With `inside` the infinite ends of a log-normal are replaced by finite ones.
        """
        if inside and isinstance(self.inputs[name], LogNormal):
            share = min(max(share, _NEAR), 1 - _NEAR)
        return float(self.quantile(name, 1 - share if QUANTITIES[name].more_is_harder else share))

    def at(self, values: Mapping[Any, float]) -> Study:
        """The study with these values of inputs, the others at their medians."""
        return with_values(self.study, self.completed(values))

    def completed(self, values: Mapping[Any, Any]) -> dict[Any, Any]:
        """Values of inputs, numbers or arrays, with a worst cost of at least the base cost."""
        given = dict(values)
        worst: Any
        base: Any
        worst, base = (given.get(n, value_of(self.study, n)) for n in ("worst_cost", "base_cost"))
        touched = "base_cost" in given or "worst_cost" in given
        if touched and worst is not None and np.any(np.greater(base, worst)):
            given["worst_cost"] = np.maximum(base, worst)
        return given

    def drawn(self, draws: int, seed: int, stream: int) -> dict[str, Array]:
        """Independent draws of every input; different streams are independent."""
        shares = np.random.default_rng([seed, stream]).random((len(self.inputs), draws))
        shares = np.clip(shares, 2.0**-54, 1 - 2.0**-53)
        pairs = zip(self.inputs, shares, strict=True)
        return self.completed({name: self.quantile(name, share) for name, share in pairs})

    def worst_cost_raised(self, draws: int, seed: int) -> float:
        """The proportion of draws in which the worst cost is raised to the base cost."""
        values = self.drawn(draws, seed, 0)
        if "worst_cost" not in values:
            return 0.0
        base = values.get("base_cost", self.study.individual.base_cost)
        return float(np.mean(np.greater_equal(base, values["worst_cost"])))


_NEAR = 1e-9
"""The smallest quantile used for the ends of a log-normal: hardly one of 10^6 draws is less."""


def in_words(spread: Spread) -> str:
    """An interval or distribution in the notation of study files."""
    names = [name for name in spread.__dataclass_fields__ if not name.startswith("_")]  # type: ignore[attr-defined]
    return f"{{ {spread.name} = {[getattr(spread, name) for name in names]} }}"


def _check(study: Study, name: Varied, spread: Spread) -> None:
    if name == "delta":
        raise ValueError(
            "delta cannot be uncertain, as whoever plans the study chooses it; give one number, or "
            "leave it free under delta_at_most"
        )
    if name not in UNCERTAIN:
        raise ValueError(f"{name!r} cannot be uncertain; give one of {', '.join(UNCERTAIN)}")
    if not isinstance(spread, Spread):
        raise ValueError(
            f"{name} = {spread!r} is not a distribution; give one such as Uniform(low, high)"
        )
    if value_of(study, name) is None:
        raise ValueError(
            f"{name} = {in_words(spread)} is not a quantity of this study; leave it out, or "
            f"give the study one"
        )
    if name == "error" and study.target.values is not None:
        raise ValueError(
            "error cannot be uncertain where records are values from low to high; give it as a "
            "fraction of the range, without low and high"
        )
    if name == "base_cost" and study.individual.people is not None:
        raise ValueError("base_cost cannot be uncertain where people differ; give one for all")
    check_ends(name, spread)


def check_ends(name: Varied, spread: Spread) -> None:
    """Refuse an interval or distribution with values that the quantity cannot have.

    Raises:
        ValueError: quotes it, and says what is allowed.
    """
    low, high = spread.low, spread.high
    if isinstance(spread, LogNormal):
        low, high = math.ulp(0.0), 1e308
    if QUANTITIES[name].whole:
        low, high = max(round(low), int(low > 0)), round(min(high, WHOLE_LIMIT))
    for end in (high, low):
        try:
            QUANTITIES[name].check(end)
        except ValidationError as error:
            allowed = error.errors()[0]["ctx"]["words"]
            never = " a log-normal has no largest value;" if end == 1e308 else ""
            raise ValueError(
                f"{name} = {in_words(spread)} can take values that are not allowed;{never} give "
                f"one whose every value is {allowed}"
            ) from None
