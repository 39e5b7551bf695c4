"""What kinds of mechanism there are, and what plans ask of a kind."""

from dataclasses import fields, is_dataclass, replace
from typing import Literal

from planner.mechanisms.added_noise import AddedNoise
from planner.mechanisms.gaussian_mean import GaussianMean
from planner.mechanisms.geometric_count import GeometricCount
from planner.mechanisms.geometric_mean import GeometricMean
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.mwem import Mwem
from planner.mechanisms.mwem_approximate import MwemApproximate
from planner.mechanisms.net import Net
from planner.mechanisms.noisy_counts import NoisyCounts
from planner.mechanisms.quantile import ExponentialQuantile
from planner.mechanisms.randomized_response import RandomizedResponse

KINDS: dict[str, type[Mechanism]] = {
    kind.kind: kind
    for kind in (
        LaplaceMean,
        GeometricMean,
        GaussianMean,
        GeometricCount,
        Mwem,
        MwemApproximate,
        Net,
        ExponentialQuantile,
        AddedNoise,
        RandomizedResponse,
        NoisyCounts,
    )
}
"""Every mechanism by its name in study files; a new one is registered here."""

NoiseKind = Literal["laplace", "geometric", "gaussian", ""]
_ADDS: dict[type[Mechanism], NoiseKind] = {
    LaplaceMean: "laplace",
    GeometricMean: "geometric",
    GaussianMean: "gaussian",
}
_NOISES = {"best": "the best noise", "laplace": "Laplace noise", "gaussian": "Gaussian noise"}


def implied(target: str, of_values: bool, one_by_one: bool = True, curator: bool = True) -> str:
    """The kind of mechanism that a study implies where it names none.

    Args:
        target: the kind of target: "accuracy", "survey", "power" for any test, or "difference".
        of_values: whether answers are numbers from low to high.
        one_by_one: whether people are drawn one by one, without clusters and design effect.
        curator: whether somebody holds the true answers.
    """
    if target == "survey":
        return AddedNoise.kind
    if target == "power" or (target == "difference" and not of_values and one_by_one):
        return NoisyCounts.kind
    return LaplaceMean.kind if curator else RandomizedResponse.kind


def parameters(mechanism: Mechanism | type[Mechanism]) -> list[str]:
    """What a study file gives beside the kind."""
    return [field.name for field in fields(mechanism)] if is_dataclass(mechanism) else []


def adds(mechanism: Mechanism) -> NoiseKind:
    """The noise that is added to a proportion, where that is all the mechanism does."""
    return _ADDS.get(type(mechanism), "")


def is_curated(mechanism: Mechanism) -> bool:
    """Whether a curator holds the records, whom people must trust."""
    return not isinstance(mechanism, RandomizedResponse)


def is_count(mechanism: Mechanism) -> bool:
    """Whether its answer is a count of the participants, not a number about a population."""
    return isinstance(mechanism, GeometricCount)


def is_exact(mechanism: Mechanism) -> bool:
    """Whether its failure probability is the exact one, which saw-tooths in N and ε."""
    always = isinstance(mechanism, GeometricMean | GaussianMean | GeometricCount)
    return getattr(mechanism, "analysis", "exact" if always else "") == "exact"


def is_of_paper(mechanism: Mechanism) -> bool:
    """Whether it is the mean by Hsu14 eq. 5, from which eqs 6 to 10 follow."""
    return isinstance(mechanism, LaplaceMean) and mechanism.analysis == "paper"


def is_by_counts(mechanism: Mechanism) -> bool:
    """Whether it publishes a noisy count of each group."""
    return isinstance(mechanism, NoisyCounts)


def is_sampled(mechanism: Mechanism) -> bool:
    """Whether its answer is about a population that the participants are a sample of.

    The sample's error is then part of its accuracy; else it is right about the data themselves.
    """
    return not isinstance(mechanism, Mwem | MwemApproximate | Net | GeometricCount)


def is_for_any_values(mechanism: Mechanism) -> bool:
    """Whether its accuracy holds for any numbers in a range, and not for proportions alone."""
    if isinstance(mechanism, RandomizedResponse | ExponentialQuantile):
        return True
    of_values = getattr(mechanism, "values", None) == "any"
    return of_values or getattr(mechanism, "analysis", "") == "hoeffding"


def is_for_shares(mechanism: Mechanism) -> bool:
    """Whether it is for proportions, or is said to be for values that are 0 or 1."""
    said = isinstance(mechanism, LaplaceMean) and mechanism.values == "zero-one"
    return said or not is_for_any_values(mechanism)


def exactly(mechanism: Mechanism) -> Mechanism | None:
    """The same with the exact failure probability, where this one is a bound on it."""
    if getattr(mechanism, "analysis", "exact") == "exact":
        return None
    return replace(mechanism, analysis="exact")  # type: ignore[type-var]


def given(mechanism: Mechanism, of_values: bool, speaks_of_delta: bool) -> Mechanism:
    """The mechanism in a study of values in a range, or of proportions; with δ, or without."""
    if isinstance(mechanism, AddedNoise):
        laplace = mechanism.noise == "best" and not speaks_of_delta
        return replace(mechanism, noise="laplace") if laplace else mechanism
    if of_values and isinstance(mechanism, LaplaceMean | GaussianMean | RandomizedResponse):
        unsaid = mechanism.values is None and getattr(mechanism, "analysis", "") != "paper"
        return replace(mechanism, values="any") if unsaid else mechanism
    return mechanism


def choices(mechanism: Mechanism) -> tuple[Mechanism, ...]:
    """The mechanisms of which a study uses the best: mostly itself."""
    if isinstance(mechanism, AddedNoise) and mechanism.noise == "best":
        return replace(mechanism, noise="laplace"), replace(mechanism, noise="gaussian")
    return (mechanism,)


def words(mechanism: Mechanism) -> str:
    """The mechanism in words."""
    if isinstance(mechanism, AddedNoise):
        return f"{_NOISES[mechanism.noise]} on every answer ({mechanism.analysis})"
    said = [getattr(mechanism, "analysis", "")]
    if isinstance(mechanism, LaplaceMean | GaussianMean) and mechanism.values:
        said.append(f"{mechanism.values} values")
    details = ", ".join(filter(None, said))
    return f"{mechanism.kind} ({details})" if details else mechanism.kind
