"""Studies that many tests plan."""

import gc
import os
from collections.abc import Callable

# read when NumPy is loaded: threads that wait for each other cost more than the small products here
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest
from hypothesis import settings

import planner
from planner import audit
from planner.audit.claim import Row

settings.register_profile("planner", deadline=None, derandomize=True, max_examples=20)
settings.load_profile("planner")

ACCURACY = planner.Accuracy(error=0.05, failure=0.05)
NO_COSTS = planner.Costs()
SLOW_EXACTLY = {
    "feasible-base-cost",
    "education-verdict",
    "movies-verdict",
    "social-verdict",
    "closed-participants",
    "non-private-participants",
    "non-private-cost",
    "eq-9-smoking",
    "eq-9-education",
    "eq-9-movies",
    "eq-9-social",
}


def pytest_collection_finish() -> None:
    """Leave what was imported out of every later search for garbage: it stays."""
    gc.freeze()


MeanStudy = Callable[..., planner.Study]


@pytest.fixture(scope="session")
def audit_rows() -> dict[str, Row]:
    """The audit, run once: many tests read it, and it takes seconds.

    What the exact analysis says is left out where it takes longest or is asked of like studies; the
    thorough tests run it whole.
    """
    return {
        claim.id: (claim._replace(exactly=None) if claim.id in SLOW_EXACTLY else claim).row()
        for claim in audit.claims()
    }


@pytest.fixture(scope="session")
def mean_study() -> MeanStudy:
    """Hsu14 §5.1's mean study: T = α = 0.05, B = 30,000, at a base cost."""

    def build(
        base_cost: float,
        *conditions: object,
        budget: float | None = 30_000.0,
        analysis: str = "paper",
        worst_cost: float | None = None,
        capped: bool = False,
        target: planner.Accuracy = ACCURACY,
        costs: planner.Costs = NO_COSTS,
    ) -> planner.Study:
        money = [] if budget is None else [planner.Budget(budget)]
        return planner.Study(
            mechanism=planner.LaplaceMean(analysis=analysis),
            target=target,
            individual=planner.Individual(base_cost, worst_cost, capped),
            conditions=[*money, *conditions],
            costs=costs,
        )

    return build


@pytest.fixture(scope="session")
def section_8_2() -> Callable[..., planner.Study]:
    """Hsu14 §8.2's (ε, δ)-MWEM study: |X| = 2^15, 200,000 queries, E = 1, W = 10^6."""

    def build(*conditions: object, budget: float = 2e6, constant: str = "derived") -> planner.Study:
        return planner.Study(
            mechanism=planner.MwemApproximate(2**15, 200_000, constant=constant),
            target=planner.Accuracy(error=0.05, failure=0.05),
            individual=planner.Individual(base_cost=1.0, worst_cost=1e6),
            conditions=[planner.Budget(budget), *conditions],
        )

    return build


@pytest.fixture(scope="session")
def survey() -> planner.answer.Plan:
    """A plan for a survey of three questions, one of them asked twelve times."""
    questions = [
        planner.Share("smokes", error=0.03),
        planner.Histogram("age group", groups=8, error=0.05),
        planner.Mean("visits", low=0, high=200, error=10.0, times=12),
    ]
    study = planner.Study(
        mechanism=planner.AddedNoise(analysis="hoeffding"),
        target=planner.Survey(questions, failure=0.05),
        individual=planner.Individual(1.0),
        conditions=[planner.Budget(1e6), planner.MaxParticipants(20_000)],
        costs=planner.Costs(5.0),
        title="Visits",
        currency="EUR",
    )
    plan = planner.solve(study)
    assert isinstance(plan, planner.answer.Plan)
    return plan
