"""Any two of error, people and ε give the third; and ε for each question of a survey.

Nothing is paid here and nothing proved: each is a limit of a study with so many people, and as
exact as that.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_at_edge
from planner.answer.solve import solve
from planner.decisions.limits import limit
from planner.decisions.root import closest, closest_by_margin
from planner.libraries import np
from planner.mechanisms import AddedNoise, GaussianMean, GeometricCount, GeometricMean, LaplaceMean
from planner.mechanisms.floor import Floor, QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noisy_counts import NoisyCounts
from planner.mechanisms.several.survey import SurveyFloor
from planner.model import (
    Accuracy,
    Condition,
    Delta,
    EpsilonAtMost,
    Histogram,
    MaxParticipants,
    MinParticipants,
    Question,
    Share,
    Study,
    Survey,
)
from planner.model.difference import DifferenceWithin
from planner.numbers import Array, decimal, round_up
from planner.show import Shown
from planner.wording import at_most, confidence as at_confidence, persons, plain, points, several

Kind = Literal["proportion", "mean", "histogram", "count", "difference"]
Noise = Literal["laplace", "geometric", "gaussian"]
Values: TypeAlias = float | Sequence[Any] | Array
_MECHANISMS: dict[Kind, dict[Noise, Mechanism]] = {
    "proportion": {
        "laplace": LaplaceMean(), "geometric": GeometricMean(), "gaussian": GaussianMean(),
    },
    "mean": {"laplace": LaplaceMean(), "gaussian": GaussianMean()},
    "histogram": {
        "laplace": AddedNoise(noise="laplace"), "gaussian": AddedNoise(noise="gaussian"),
    },
    "count": {"geometric": GeometricCount()},
    "difference": {"geometric": NoisyCounts()},
}  # fmt: skip
"""The mechanism of each kind of answer and each noise, the usual one first."""
_ANSWER = "answer"
"""The name of the one question of a histogram."""
_DIGITS = 6
"""Of an error that is computed; it is rounded up."""
_NO_NOISE = 100.0
"""With so large an ε noise is gone."""
_LEAST = 1e-12
"""No error is searched that is a smaller part of the range."""
_CLOSE = 1e-7
"""How closely errors are known, as a part of them."""


class NotEnoughError(ValueError):
    """There is no such study; the message says what would have to change."""


@dataclass(frozen=True)
class Release:
    """What is published.

    Attributes:
        kind: "proportion", "mean" of numbers, "histogram", "count" of the participants, or
            "difference" of the proportions of two groups of equal size.
        noise: "laplace", "geometric" or "gaussian".
        confidence: 1 − α, the probability that the answer is within its error [(0, 1)].
        delta: δ [[0, 1)].
        low, high: the range of the numbers of a mean, in their unit.
        deviation_at_most: the most that their standard deviation is, in their unit; None where
            nothing is known of it.
        groups: of a histogram [≥ 2].
    """

    kind: Kind
    noise: Noise
    confidence: float = 0.95
    delta: float = 0.0
    low: float = 0.0
    high: float = 1.0
    deviation_at_most: float | None = None
    groups: int = 2

    @property
    def failure(self) -> float:
        """α, of the confidence in decimals."""
        return float(1 - decimal(self.confidence))

    @property
    def largest_error(self) -> float:
        """What no answer is off by more than."""
        return self.high - self.low if self.kind == "mean" else 1.0

    def study(self, error: float | None, people: float | None, epsilon: float | None) -> Study:
        """The study with so many people, so large an error and so large an ε at most."""
        conditions: list[Condition] = []
        if people is not None:
            conditions += [MinParticipants(int(people)), MaxParticipants(int(people))]
        if epsilon is not None:
            conditions.append(EpsilonAtMost(epsilon))
        mechanism = _MECHANISMS[self.kind][self.noise]
        if mechanism.uses_delta:
            conditions.append(Delta(self.delta))
        target = self._target(self.largest_error / 2 if error is None else error)
        return Study(mechanism=mechanism, target=target, conditions=tuple(conditions))

    def _target(self, error: float) -> Accuracy | DifferenceWithin | Survey:
        match self.kind:
            case "mean":
                spread = self.deviation_at_most
                return Accuracy.of_values(error, self.low, self.high, self.failure, spread)
            case "histogram":
                asked = Histogram(_ANSWER, groups=self.groups, error=error)
                return Survey((asked,), failure=self.failure)
            case "difference":
                return DifferenceWithin(error=error, failure=self.failure)
        return Accuracy(error, self.failure)

    def third(
        self, error: float | None, people: float | None, epsilon: float | None
    ) -> tuple[float, float, float]:
        """Error, people and ε, of which one is None; rounded to where the answer is accurate.

        Raises:
            NotEnoughError: there is none.
        """
        study = self.study(error, people, epsilon)
        at = f"at {at_confidence(self.failure)}"
        if epsilon is None:
            found = limit(study, "epsilon")
            if found is None or error is None or people is None:
                raise NotEnoughError(
                    f"no ε is enough for ± {self.margin(error or 0.0)} {at} with "
                    f"{persons(people or 0)}; give more people or a larger error"
                )
            return error, people, found.value
        if people is None:
            found = limit(study, "participants")
            if found is None or error is None:
                raise NotEnoughError(
                    f"no number of people is enough for ± {self.margin(error or 0.0)} {at} with "
                    f"ε = {plain(epsilon)}; give a larger error or ε"
                )
            return error, found.value, self._needed(error, found.value, epsilon)
        error = self._error(people, epsilon)
        return error, people, self._needed(error, people, epsilon)

    def _needed(self, error: float, people: float, epsilon: float) -> float:
        """ε; or less, where with less noise the error is exceeded more often.

        The bound of a mean is wider without the noise that smooths its sum, and a proportion's
        counts are whole.
        """
        if self.achieved(error, people, epsilon) <= self.failure:
            return epsilon
        least = float(self._floor(error, people, epsilon).epsilon(people, self.delta))
        return round_up(least, _DIGITS)

    def _error(self, people: float, epsilon: float) -> float:
        """The least error that is promised with so many people and this ε.

        Raises:
            NotEnoughError: none is.
        """

        def margin(error: float) -> float:
            least = float(self._floor(error, people, epsilon).epsilon(people, self.delta))
            return math.log(epsilon / least) if least < math.inf else -math.inf

        most = self.largest_error
        if margin(most) < 0:
            raise NotEnoughError(
                f"no error is promised at {at_confidence(self.failure)} by {persons(people)} "
                f"with ε = {plain(epsilon)}; give more people or a larger ε"
            )
        error, _ = closest_by_margin(margin, most, _LEAST * most, _CLOSE)
        return min(round_up(error, _DIGITS), most)

    def achieved(self, error: float, people: float, epsilon: float) -> float:
        """How often the answer is off by the error or more, at the likely worst."""
        return float(self._floor(error, people, epsilon).achieved(epsilon, people, self.delta))

    def _floor(self, error: float, people: float, epsilon: float) -> Floor:
        """What so large an error asks of ε."""
        return problem_at_edge(self.study(error, people, epsilon)).goals[0].floor

    def error_without_noise(self, people: float) -> float:
        """The error of samples of so many people alone; 0 where the answer is about them."""
        return 0.0 if self.kind == "count" else self._error(people, _NO_NOISE)

    def error_of_noise(self, people: float, epsilon: float) -> float:
        """The error of noise alone; NaN of two groups, with a noise each."""
        if self.kind == "count":  # of the participants themselves
            return self._error(people, epsilon)

        def enough(error: float) -> bool:
            floor = self._floor(error, people, epsilon)
            one = floor.parts[0].floor if isinstance(floor, SurveyFloor) else floor
            assert isinstance(one, QuestionFloor)  # all but that of two groups
            return float(one.noise_alone(people, self.delta)) <= epsilon

        if self.kind == "difference":
            return math.nan
        if not enough(self.largest_error):
            return self.largest_error
        return closest(enough, self.largest_error, _LEAST * self.largest_error, _CLOSE)[0]

    def margin(self, error: float, digits: int = 4) -> str:
        """An error with its unit, rounded up."""
        if self.kind == "mean":
            return at_most(error, digits)
        return f"{points(round_up(error, digits))} percentage points"


@dataclass(frozen=True, repr=False, eq=False)
class Calibration(Shown):
    """Error, people and ε that belong together.

    Attributes:
        error: the margin of error [fraction of 1; of a mean in the unit of its values].
        people: N; of two groups both together.
        epsilon: ε; less than was given where more would not make the error smaller.
        failure: how often the answer is off by the error or more; at most 1 − confidence.
        release: what is published, with its noise, confidence and δ.

    Numbers, or arrays of one shape.
    """

    error: Any
    people: Any
    epsilon: Any
    failure: Any
    release: Release

    @cached_property
    def error_without_noise(self) -> Any:
        """The margin of error of samples alone, in the unit of the error."""
        return _each(self.release.error_without_noise, self.people)

    @cached_property
    def error_of_noise(self) -> Any:
        """The margin of error of noise alone, in the unit of the error; NaN of two groups."""
        return _each(self.release.error_of_noise, self.people, self.epsilon)

    def to_dict(self) -> dict[str, Any]:
        release = self.release
        found = {
            "error": self.error,
            "people": self.people,
            "epsilon": self.epsilon,
            "failure": self.failure,
            "error_without_noise": self.error_without_noise,
            "error_of_noise": self.error_of_noise,
        }
        return {
            "kind": release.kind,
            "noise": release.noise,
            "confidence": release.confidence,
            "delta": release.delta,
            **{name: np.asarray(value).tolist() for name, value in found.items()},
        }

    def shown_title(self) -> str:
        if np.ndim(self.error):
            return f"{np.size(self.error)} calibrations of a {self.release.kind}"
        return self._sentence()

    def _sentence(self) -> str:
        """A single one in a line."""
        margin, failure = self.release.margin, self.release.failure
        delta = f" and δ = {plain(self.release.delta)}" if self.release.delta else ""
        alone = margin(self.error_without_noise).removesuffix(" percentage points")
        return (
            f"ε = {at_most(self.epsilon, 4)}{delta} with {persons(self.people)}: "
            f"± {margin(self.error)} at {at_confidence(failure)}; ± {alone} without noise"
        )

    def shown_rows(self) -> list[tuple[str, str]]:
        if np.ndim(self.error) == 0:
            return []
        rows = zip(*(np.ravel(x) for x in (self.epsilon, self.people, self.error)), strict=True)
        return [
            (f"ε = {at_most(float(e), 4)}", f"{persons(n)}, ± {self.release.margin(float(t))}")
            for e, n, t in rows
        ]


def calibrate(
    error: Values | None = None,
    people: Values | None = None,
    epsilon: Values | None = None,
    *,
    kind: Kind = "proportion",
    low: float = 0.0,
    high: float = 1.0,
    deviation_at_most: float | None = None,
    groups: int = 2,
    confidence: float = 0.95,
    noise: Noise | None = None,
    delta: float = 0.0,
) -> Calibration:
    """Two of error, people and ε give the third: the least error, people or ε that is enough.

    Args:
        error: the margin of error [fraction of 1, (0, 1]; of a mean in the unit of its values].
        people: N [whole, ≥ 1]; of two groups both together.
        epsilon: ε [> 0].
        kind: "proportion", "mean" of numbers from `low` to `high`, "histogram" of `groups`, whose
            proportions are all within the error, "count" of the participants themselves, or
            "difference" of the proportions of two groups of equal size.
        low: the smallest number of a mean.
        high: the largest [> low].
        deviation_at_most: the most that their standard deviation is; an assumption.
        groups: of a histogram [≥ 2].
        confidence: the probability that the answer is within the error [(0, 1)].
        noise: "laplace", unless given; a count and two groups have "geometric" noise. "gaussian"
            needs a δ.
        delta: δ of Gaussian noise [(0, 1)].

    Returns:
        All three, numbers or arrays of the common shape of those given, and the failure
        probability. Exact but for numbers that are not proportions, and histograms, which a bound
        covers. ε and errors are rounded up to 6 digits.

    Raises:
        ValueError: not two of the three are given, or one is outside its range.
        NotEnoughError: nothing is enough, as samples of so few people alone are off too often.
    """
    given = {"error": error, "people": people, "epsilon": epsilon}
    values = {name: value for name, value in given.items() if value is not None}
    if len(values) != 2:
        raise ValueError(
            f"calibrate takes two of error, people and epsilon, not {len(values)}; leave out the "
            "one to compute"
        )
    release = _release(kind, noise, confidence, delta, groups)
    if kind == "mean":
        release = replace(release, low=low, high=high, deviation_at_most=deviation_at_most)
    elif (low, high, deviation_at_most) != (0.0, 1.0, None):
        raise ValueError('low, high and deviation_at_most are of kind = "mean"; leave them out')
    arrays = dict(zip(values, np.broadcast_arrays(*map(_numbers, values.values())), strict=True))
    _refuse_outside(arrays, release.largest_error)
    shape = next(iter(arrays.values())).shape
    none: list[float | None] = [None] * math.prod(shape)
    columns = [arrays[name].ravel().tolist() if name in arrays else none for name in given]
    threes = [release.third(*one) for one in zip(*columns, strict=True)]
    rows = [(*three, release.achieved(*three)) for three in threes]
    if not shape:
        ((one_error, one_people, one_epsilon, one_failure),) = rows
        return Calibration(one_error, int(one_people), one_epsilon, one_failure, release)
    t, n, e, a = (np.reshape(column, shape) for column in zip(*rows, strict=True))
    return Calibration(t, n.astype(int), e, a, release)


def split(
    questions: Mapping[str, float | tuple[float, int] | Question],
    people: int,
    confidence: float = 0.95,
    delta: float = 0.0,
    epsilon: float | None = None,
) -> Plan:
    """The ε of each question of a survey of so many people, which makes the least ε in all.

    With `epsilon` that much is divided instead, and all errors are as many times larger or smaller
    as it allows.

    Args:
        questions: by name the margin of error of a proportion, or that and the groups of a
            histogram, or a `Share`, `Mean`, `Histogram`, `Quantile` or `ShareByGroup`.
        people: N [≥ 1].
        confidence: the probability that all answers are within their errors [(0, 1)].
        delta: δ, with which Gaussian noise is tried too [[0, 1)].
        epsilon: ε in all [> 0]; the errors then say only how they compare with each other.

    Returns:
        The plan: `epsilon` in all, and `questions` with the ε, scale, error and failure of each.

    Raises:
        ValueError: a question is not one of these, or `people` or `epsilon` is not one number.
        NotEnoughError: so many people are not enough.
    """
    release = _release("histogram", None, confidence, 0.0, 2)
    for name, number in (("people", people), ("epsilon", epsilon)):
        if number is not None and np.ndim(number):
            raise ValueError(f"{name} is one number; call split for each of several")
    _refuse_outside({"people": _numbers(people)}, 1.0)
    if not isinstance(questions, Mapping):
        raise ValueError('give questions by name, such as {"smokes": 0.03}')
    asked = [_question(name, value) for name, value in questions.items()]
    conditions: list[Condition] = [MinParticipants(people), MaxParticipants(people)]
    if delta:
        conditions.append(Delta(delta))
    mechanism = AddedNoise(noise="best" if delta else "laplace")
    target = Survey(tuple(asked), failure=release.failure)
    study = Study(mechanism=mechanism, target=target, conditions=tuple(conditions))
    if epsilon is not None:
        _refuse_outside({"epsilon": _numbers(epsilon)}, 1.0)
        study = replace(study, conditions=(*conditions, EpsilonAtMost(epsilon)))
        times = limit(study, "times_error")
        if times is None:
            raise NotEnoughError(
                f"with ε = {plain(epsilon)} and {persons(people)} no error that is worth "
                "asking for holds; give more people or a larger ε"
            )
        errors = [(one, round_up(one.error * float(times), 6)) for one in asked]
        asked = [replace(one, error=min(error, one.largest_error)) for one, error in errors]
        study = replace(study, target=replace(target, questions=tuple(asked)))
    answer = solve(study, "epsilon", prove=False)
    if isinstance(answer, Plan):
        return answer
    raise NotEnoughError(
        f"samples of {persons(people)} alone are off too often; give more people, larger "
        "errors or fewer questions"
    )


def _question(name: str, value: float | tuple[float, int] | Question) -> Question:
    if isinstance(value, int | float):
        return Share(name, error=value)
    if isinstance(value, tuple) and len(value) == 2:
        return Histogram(name, error=value[0], groups=value[1])
    if hasattr(value, "largest_error"):
        return replace(value, name=name)
    raise ValueError(
        f"questions[{name!r}] = {value!r} is not a question; give an error such as 0.03, an error "
        "and groups such as (0.03, 8), or a planner.Mean"
    )


def _release(
    kind: Kind, noise: Noise | None, confidence: float, delta: float, groups: int
) -> Release:
    if kind not in get_args(Kind):
        raise ValueError(f"kind = {kind!r} is not known; give {several([*get_args(Kind)], 'or')}")
    noises = _MECHANISMS[kind]
    chosen = noise or next(iter(noises))
    if chosen not in noises:
        known = several([*noises], "or")
        raise ValueError(f"noise = {noise!r} is not for a {kind}; give {known}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence = {confidence!r} is not in (0, 1); give 0.95 for 95 %")
    if chosen == "gaussian" and not 0 < delta < 1:
        raise ValueError(f"delta = {delta!r} is not enough for Gaussian noise; give 1e-6")
    if chosen != "gaussian" and delta:
        raise ValueError(f'delta is of noise = "gaussian"; leave it out with {chosen} noise')
    return Release(kind, chosen, confidence, delta, groups=groups)


def _refuse_outside(values: Mapping[str, Array], largest_error: float) -> None:
    """Refuse quantities outside their ranges."""
    for name, value in values.items():
        give, ok = "a number above 0", value > 0
        if name == "people":
            give, ok = "a whole number, at least 1", (value >= 1) & (value == np.rint(value))
        if name == "error":
            most = plain(largest_error)
            give, ok = f"a number above 0 and at most {most}", ok & (value <= largest_error)
            give += ", such as 0.05 for 5 percentage points" if largest_error == 1 else ""
        if not np.all(ok & np.isfinite(value)):
            bad = float(value[~(ok & np.isfinite(value))].flat[0])
            raise ValueError(f"{name} = {bad!r} is not allowed; give {give}")


def _numbers(value: Values) -> Array:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r} is not a number; write 4 % as 0.04") from None


def _each(compute: Any, *values: Any) -> Any:
    found = np.vectorize(compute, otypes=[float])(*values)
    return float(found) if found.ndim == 0 else found
