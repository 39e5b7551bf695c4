"""The public names of the planner, each with the module that it is imported from when used."""

__version__: str

from .answer.acceptance import Acceptance as Acceptance, acceptance as acceptance
from .answer.answers import (
    Answer as Answer,
    Infeasible as Infeasible,
    Plan as Plan,
    Undecided as Undecided,
)
from .answer.check import Check as Check, check as check
from .answer.closed_form import closed_form_plan as closed_form_plan
from .answer.region_table import FeasibleRegion as FeasibleRegion, region as region
from .answer.sequence import plan_sequence as plan_sequence
from .answer.sequence_plan import NoSequence as NoSequence, SequencePlan as SequencePlan
from .answer.solve import solve as solve
from .comparison.compare import Comparison as Comparison, compare as compare
from .consumers.bayesian import BayesianConsumer as BayesianConsumer
from .consumers.derivable import derivable as derivable
from .consumers.loss import OffBy as OffBy
from .consumers.minimax import MinimaxConsumer as MinimaxConsumer
from .consumers.readers import BayesianReader as BayesianReader, MinimaxReader as MinimaxReader
from .consumers.release import release as release
from .decisions.acceptances import acceptances as acceptances
from .decisions.changes import relaxations as relaxations, room as room, tightenings as tightenings
from .decisions.drops import Drop as Drop, Drops as Drops, drops as drops
from .decisions.limits import Limit as Limit, limit as limit
from .decisions.prices import Price as Price, shadow_prices as shadow_prices
from .decisions.uncertain.sureness import Sureness as Sureness, how_sure as how_sure
from .decisions.uncertain.tornado import Tornado as Tornado, tornado as tornado
from .decisions.uncertain.uncertain_study import UncertainStudy as UncertainStudy
from .explanation.explain import Explanation as Explanation, explain as explain
from .mechanisms import (
    AddedNoise as AddedNoise,
    ExponentialQuantile as ExponentialQuantile,
    GaussianMean as GaussianMean,
    GeometricCount as GeometricCount,
    GeometricMean as GeometricMean,
    LaplaceMean as LaplaceMean,
    Mwem as Mwem,
    MwemApproximate as MwemApproximate,
    Net as Net,
    OneOf as OneOf,
    RandomizedResponse as RandomizedResponse,
    Repeated as Repeated,
    TopK as TopK,
)
from .model import (
    Accuracy as Accuracy,
    AtRisk as AtRisk,
    BadEvent as BadEvent,
    Budget as Budget,
    ByMechanism as ByMechanism,
    Costs as Costs,
    Delta as Delta,
    DeltaAtMost as DeltaAtMost,
    DeltaTimesNAtMost as DeltaTimesNAtMost,
    EpsilonAtLeastOneOverN as EpsilonAtLeastOneOverN,
    EpsilonAtMost as EpsilonAtMost,
    ExpectedLoss as ExpectedLoss,
    Groups as Groups,
    Harm as Harm,
    Histogram as Histogram,
    Individual as Individual,
    Interval as Interval,
    LogNormal as LogNormal,
    LogUniform as LogUniform,
    Mean as Mean,
    People as People,
    Population as Population,
    PopulationAtLeast as PopulationAtLeast,
    Quantile as Quantile,
    Sampling as Sampling,
    Share as Share,
    Study as Study,
    Survey as Survey,
    TargetedPublication as TargetedPublication,
    Triangular as Triangular,
    Uniform as Uniform,
)
from .privacy.compose import compose as compose
from .publication.publish import (
    Publication as Publication,
    publish as publish,
    rehearse as rehearse,
)
from .reports.page import report as report
from .reports.plot import plot as plot
from .simulation.simulate import Simulation as Simulation, simulate as simulate
from .study_file.answer_file import read_answer as read_answer
from .study_file.reader import read_study as read_study, read_uncertain as read_uncertain
from .study_file.sites import read_rows as read_rows
from .study_file.worked import scenario as scenario
from .sweeps.sweep import sweep as sweep
