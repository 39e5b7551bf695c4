"""Plans differentially private studies: ε, δ, N and money, with proof (Hsu et al. 2014)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.answer.acceptance import Acceptance, acceptance
    from planner.answer.answers import Answer, Infeasible, Plan, Undecided
    from planner.answer.closed_form import closed_form_plan
    from planner.answer.region_table import FeasibleRegion, region
    from planner.answer.sequence import plan_sequence
    from planner.answer.sequence_plan import NoSequence, SequencePlan
    from planner.answer.solve import solve
    from planner.comparison.compare import Comparison, compare
    from planner.consumers.bayesian import BayesianConsumer
    from planner.consumers.derivable import derivable
    from planner.consumers.loss import OffBy
    from planner.consumers.minimax import MinimaxConsumer
    from planner.consumers.readers import BayesianReader, MinimaxReader
    from planner.consumers.release import release
    from planner.decisions.acceptances import acceptances
    from planner.decisions.changes import relaxations, room
    from planner.decisions.limits import Limit, limit
    from planner.decisions.prices import Price, shadow_prices
    from planner.decisions.sureness import Sureness, how_sure
    from planner.decisions.tornado import Tornado, tornado
    from planner.decisions.uncertain import UncertainStudy
    from planner.mechanisms import (
        GaussianMean,
        GeometricCount,
        GeometricMean,
        LaplaceMean,
        Mwem,
        MwemApproximate,
        Net,
        OneOf,
        Repeated,
        TopK,
    )
    from planner.model import (
        Accuracy,
        AtRisk,
        BadEvent,
        Budget,
        Costs,
        Delta,
        DeltaAtMost,
        DeltaTimesNAtMost,
        EpsilonAtLeastOneOverN,
        EpsilonAtMost,
        ExpectedLoss,
        Groups,
        Harm,
        Individual,
        Interval,
        LogNormal,
        LogUniform,
        People,
        Population,
        PopulationAtLeast,
        Study,
        TargetedPublication,
        Triangular,
        Uniform,
    )
    from planner.privacy.compose import compose
    from planner.reports.page import report
    from planner.study_file.reader import read_study, read_uncertain
    from planner.study_file.rows import read_rows
    from planner.sweeps.sweep import sweep

_HOMES = {
    "planner.answer.acceptance": ("Acceptance", "acceptance"),
    "planner.answer.answers": ("Answer", "Infeasible", "Plan", "Undecided"),
    "planner.answer.closed_form": ("closed_form_plan",),
    "planner.answer.region_table": ("FeasibleRegion", "region"),
    "planner.decisions.limits": ("Limit", "limit"),
    "planner.decisions.acceptances": ("acceptances",),
    "planner.decisions.changes": ("relaxations", "room"),
    "planner.answer.sequence": ("plan_sequence",),
    "planner.answer.sequence_plan": ("NoSequence", "SequencePlan"),
    "planner.answer.solve": ("solve",),
    "planner.comparison.compare": ("Comparison", "compare"),
    "planner.privacy.compose": ("compose",),
    "planner.consumers.bayesian": ("BayesianConsumer",),
    "planner.consumers.derivable": ("derivable",),
    "planner.consumers.loss": ("OffBy",),
    "planner.consumers.minimax": ("MinimaxConsumer",),
    "planner.consumers.readers": ("BayesianReader", "MinimaxReader"),
    "planner.consumers.release": ("release",),
    "planner.mechanisms": (
        "GaussianMean",
        "GeometricCount",
        "GeometricMean",
        "LaplaceMean",
        "Mwem",
        "MwemApproximate",
        "Net",
        "OneOf",
        "Repeated",
        "TopK",
    ),
    "planner.model": (
        "Accuracy",
        "AtRisk",
        "BadEvent",
        "Budget",
        "Costs",
        "Delta",
        "DeltaAtMost",
        "DeltaTimesNAtMost",
        "EpsilonAtLeastOneOverN",
        "EpsilonAtMost",
        "ExpectedLoss",
        "Groups",
        "Harm",
        "Individual",
        "Interval",
        "LogNormal",
        "LogUniform",
        "People",
        "Population",
        "PopulationAtLeast",
        "Study",
        "TargetedPublication",
        "Triangular",
        "Uniform",
    ),
    "planner.reports.page": ("report",),
    "planner.decisions.prices": ("Price", "shadow_prices"),
    "planner.study_file.reader": ("read_study", "read_uncertain"),
    "planner.study_file.rows": ("read_rows",),
    "planner.sweeps.sweep": ("sweep",),
    "planner.decisions.sureness": ("Sureness", "how_sure"),
    "planner.decisions.tornado": ("Tornado", "tornado"),
    "planner.decisions.uncertain": ("UncertainStudy",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Acceptance",
    "Accuracy",
    "Answer",
    "AtRisk",
    "BadEvent",
    "BayesianConsumer",
    "BayesianReader",
    "Budget",
    "Comparison",
    "Costs",
    "Delta",
    "DeltaAtMost",
    "DeltaTimesNAtMost",
    "EpsilonAtLeastOneOverN",
    "EpsilonAtMost",
    "ExpectedLoss",
    "FeasibleRegion",
    "GaussianMean",
    "GeometricCount",
    "GeometricMean",
    "Groups",
    "Harm",
    "Individual",
    "Infeasible",
    "Interval",
    "LaplaceMean",
    "Limit",
    "LogNormal",
    "LogUniform",
    "MinimaxConsumer",
    "MinimaxReader",
    "Mwem",
    "MwemApproximate",
    "Net",
    "NoSequence",
    "OffBy",
    "OneOf",
    "People",
    "Plan",
    "Population",
    "PopulationAtLeast",
    "Price",
    "Repeated",
    "SequencePlan",
    "Study",
    "Sureness",
    "TargetedPublication",
    "TopK",
    "Tornado",
    "Triangular",
    "UncertainStudy",
    "Undecided",
    "Uniform",
    "acceptance",
    "acceptances",
    "closed_form_plan",
    "compare",
    "compose",
    "derivable",
    "how_sure",
    "limit",
    "plan_sequence",
    "read_rows",
    "read_study",
    "read_uncertain",
    "region",
    "relaxations",
    "release",
    "report",
    "room",
    "shadow_prices",
    "solve",
    "sweep",
    "tornado",
]


def __dir__() -> list[str]:
    """The public names, whether they have been used or not."""
    return [*__all__]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `planner --help` must not wait for pydantic."""
    if name not in _HOME:
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
