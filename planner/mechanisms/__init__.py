"""The analyst's side: what each private mechanism can promise, one mechanism a file."""

from planner.mechanisms.added_noise import AddedNoise
from planner.mechanisms.gaussian_mean import GaussianMean
from planner.mechanisms.geometric_count import GeometricCount
from planner.mechanisms.geometric_mean import GeometricMean
from planner.mechanisms.kinds import KINDS
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.mwem import Mwem
from planner.mechanisms.mwem_approximate import MwemApproximate
from planner.mechanisms.net import Net
from planner.mechanisms.noisy_counts import NoisyCounts
from planner.mechanisms.quantile import ExponentialQuantile
from planner.mechanisms.randomized_response import RandomizedResponse

__all__ = [
    "KINDS",
    "AddedNoise",
    "ExponentialQuantile",
    "GaussianMean",
    "GeometricCount",
    "GeometricMean",
    "LaplaceMean",
    "Mechanism",
    "Mwem",
    "MwemApproximate",
    "Net",
    "NoisyCounts",
    "RandomizedResponse",
]
