"""The model of a study: Hsu14's two parties and the study that joins them; frozen and validated."""

from planner.model.bad_event import BadEvent
from planner.model.by_group import ShareByGroup
from planner.model.condition import Choice, Condition
from planner.model.conditions import (
    Available,
    Budget,
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    EpsilonAtLeastOneOverN,
    EpsilonAtMost,
    MaxHarm,
    MaxParticipants,
    MinParticipants,
    TargetedPublication,
)
from planner.model.costs import Costs
from planner.model.difference import Difference
from planner.model.individual import Individual
from planner.model.people import Asked, Groups, Observed, People
from planner.model.power import Power
from planner.model.questions import (
    Histogram,
    Mean,
    Quantile,
    Question,
    Share,
)
from planner.model.recorded import Records
from planner.model.sampling import Sampling
from planner.model.spread import (
    Interval,
    LogNormal,
    LogUniform,
    Spread,
    Triangular,
    Uniform,
)
from planner.model.strata import Stratum
from planner.model.study import Study
from planner.model.survey import Survey
from planner.model.target import Accuracy

__all__ = [
    "Accuracy",
    "Asked",
    "Available",
    "BadEvent",
    "Budget",
    "Choice",
    "Condition",
    "Costs",
    "Delta",
    "DeltaAtMost",
    "DeltaTimesNAtMost",
    "Difference",
    "EpsilonAtLeastOneOverN",
    "EpsilonAtMost",
    "Groups",
    "Histogram",
    "Individual",
    "Interval",
    "LogNormal",
    "LogUniform",
    "MaxHarm",
    "MaxParticipants",
    "Mean",
    "MinParticipants",
    "Observed",
    "People",
    "Power",
    "Quantile",
    "Question",
    "Records",
    "Sampling",
    "Share",
    "ShareByGroup",
    "Spread",
    "Stratum",
    "Study",
    "Survey",
    "TargetedPublication",
    "Triangular",
    "Uniform",
]
