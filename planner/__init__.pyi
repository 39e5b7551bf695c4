"""The public names of the planner, each with the module that it is imported from when used."""

from .answer.acceptance import (
    Acceptance as Acceptance,
)
from .answer.acceptance import (
    acceptance as acceptance,
)
from .answer.answers import (
    Answer as Answer,
)
from .answer.answers import (
    Infeasible as Infeasible,
)
from .answer.answers import (
    Plan as Plan,
)
from .answer.answers import (
    Undecided as Undecided,
)
from .answer.closed_form import closed_form_plan as closed_form_plan
from .answer.region_table import (
    FeasibleRegion as FeasibleRegion,
)
from .answer.region_table import (
    region as region,
)
from .answer.sequence import plan_sequence as plan_sequence
from .answer.sequence_plan import (
    NoSequence as NoSequence,
)
from .answer.sequence_plan import (
    SequencePlan as SequencePlan,
)
from .answer.solve import solve as solve
from .comparison.compare import (
    Comparison as Comparison,
)
from .comparison.compare import (
    compare as compare,
)
from .consumers.bayesian import BayesianConsumer as BayesianConsumer
from .consumers.derivable import derivable as derivable
from .consumers.loss import OffBy as OffBy
from .consumers.minimax import MinimaxConsumer as MinimaxConsumer
from .consumers.readers import (
    BayesianReader as BayesianReader,
)
from .consumers.readers import (
    MinimaxReader as MinimaxReader,
)
from .consumers.release import release as release
from .decisions.acceptances import acceptances as acceptances
from .decisions.changes import (
    relaxations as relaxations,
)
from .decisions.changes import (
    room as room,
)
from .decisions.limits import (
    Limit as Limit,
)
from .decisions.limits import (
    limit as limit,
)
from .decisions.prices import (
    Price as Price,
)
from .decisions.prices import (
    shadow_prices as shadow_prices,
)
from .decisions.sureness import (
    Sureness as Sureness,
)
from .decisions.sureness import (
    how_sure as how_sure,
)
from .decisions.tornado import (
    Tornado as Tornado,
)
from .decisions.tornado import (
    tornado as tornado,
)
from .decisions.uncertain import UncertainStudy as UncertainStudy
from .mechanisms import (
    GaussianMean as GaussianMean,
)
from .mechanisms import (
    GeometricCount as GeometricCount,
)
from .mechanisms import (
    GeometricMean as GeometricMean,
)
from .mechanisms import (
    LaplaceMean as LaplaceMean,
)
from .mechanisms import (
    Mwem as Mwem,
)
from .mechanisms import (
    MwemApproximate as MwemApproximate,
)
from .mechanisms import (
    Net as Net,
)
from .mechanisms import (
    OneOf as OneOf,
)
from .mechanisms import (
    Repeated as Repeated,
)
from .mechanisms import (
    TopK as TopK,
)
from .model import (
    Accuracy as Accuracy,
)
from .model import (
    AtRisk as AtRisk,
)
from .model import (
    BadEvent as BadEvent,
)
from .model import (
    Budget as Budget,
)
from .model import (
    Costs as Costs,
)
from .model import (
    Delta as Delta,
)
from .model import (
    DeltaAtMost as DeltaAtMost,
)
from .model import (
    DeltaTimesNAtMost as DeltaTimesNAtMost,
)
from .model import (
    EpsilonAtLeastOneOverN as EpsilonAtLeastOneOverN,
)
from .model import (
    EpsilonAtMost as EpsilonAtMost,
)
from .model import (
    ExpectedLoss as ExpectedLoss,
)
from .model import (
    Groups as Groups,
)
from .model import (
    Harm as Harm,
)
from .model import (
    Individual as Individual,
)
from .model import (
    Interval as Interval,
)
from .model import (
    LogNormal as LogNormal,
)
from .model import (
    LogUniform as LogUniform,
)
from .model import (
    People as People,
)
from .model import (
    Population as Population,
)
from .model import (
    PopulationAtLeast as PopulationAtLeast,
)
from .model import (
    Study as Study,
)
from .model import (
    TargetedPublication as TargetedPublication,
)
from .model import (
    Triangular as Triangular,
)
from .model import (
    Uniform as Uniform,
)
from .privacy.compose import compose as compose
from .reports.page import report as report
from .study_file.reader import (
    read_study as read_study,
)
from .study_file.reader import (
    read_uncertain as read_uncertain,
)
from .study_file.rows import read_rows as read_rows
from .sweeps.sweep import sweep as sweep
