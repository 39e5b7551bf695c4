"""The public names of the planner, each with the module that it is imported from when used.

Further names stand in `planner.answer`, `consumers`, `decisions`, `mechanisms`, `model`, `pilot`,
`privacy`, `publication` and `selection`, where their users look for them.
"""

__version__: str

from . import (
    answer as answer,
    consumers as consumers,
    decisions as decisions,
    mechanisms as mechanisms,
    model as model,
    pilot as pilot,
    privacy as privacy,
    publication as publication,
    selection as selection,
)
from .answer.check import check as check
from .answer.region_table import region as region
from .answer.sequence import plan_sequence as plan_sequence
from .answer.solve import solve as solve
from .comparison.strata import compare as compare
from .decisions.calibrate import calibrate as calibrate, split as split
from .decisions.changes import limits as limits
from .decisions.drops import drops as drops
from .decisions.limits import limit as limit
from .decisions.prices import prices as prices
from .decisions.uncertain.uncertain_study import UncertainStudy as UncertainStudy
from .explanation.explain import explain as explain
from .mechanisms import (
    AddedNoise as AddedNoise,
    GaussianMean as GaussianMean,
    GeometricCount as GeometricCount,
    GeometricMean as GeometricMean,
    LaplaceMean as LaplaceMean,
    Mwem as Mwem,
    MwemApproximate as MwemApproximate,
    Net as Net,
    NoisyCounts as NoisyCounts,
    RandomizedResponse as RandomizedResponse,
)
from .model import (
    Accuracy as Accuracy,
    BadEvent as BadEvent,
    Budget as Budget,
    Costs as Costs,
    Delta as Delta,
    DeltaAtMost as DeltaAtMost,
    DeltaTimesNAtMost as DeltaTimesNAtMost,
    Difference as Difference,
    EpsilonAtLeastOneOverN as EpsilonAtLeastOneOverN,
    EpsilonAtMost as EpsilonAtMost,
    Histogram as Histogram,
    Individual as Individual,
    MaxHarm as MaxHarm,
    MaxParticipants as MaxParticipants,
    Mean as Mean,
    MinParticipants as MinParticipants,
    People as People,
    Power as Power,
    Quantile as Quantile,
    Sampling as Sampling,
    Share as Share,
    ShareByGroup as ShareByGroup,
    Stratum as Stratum,
    Study as Study,
    Survey as Survey,
    TargetedPublication as TargetedPublication,
)
from .publication.publish import publish as publish
from .reports.content import plot as plot
from .reports.page import report as report
from .simulation.simulate import simulate as simulate
from .study_file.answer_file import read_answer as read_answer
from .study_file.reader import read_study as read_study, read_uncertain as read_uncertain
from .study_file.worked import scenario as scenario
from .sweeps.sweep import sweep as sweep
