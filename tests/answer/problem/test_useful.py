"""Counts planned for a reader."""

import math

import numpy as np
import pytest

import planner
from planner.checked import Refused
from planner.consumers.derivability import is_private
from planner.consumers.geometric import likelihood
from planner.consumers.loss import table


def study(
    consumer, at_most: float, *conditions, people=(30, 30), unit="counts", budget=3000.0
) -> planner.Study:
    return planner.Study(
        mechanism=planner.GeometricCount(),
        target=planner.ExpectedLoss(consumer, at_most, unit),
        individual=planner.Individual(12.5, 1274.0),
        conditions=[
            planner.Budget(budget),
            planner.MinParticipants(people[0]),
            planner.MaxParticipants(people[1]),
            *conditions,
        ],
    )


def test_the_plan_gives_the_loss_it_promises() -> None:
    answer = planner.solve(study(planner.consumers.BayesianReader(), 1.739959588054946))
    assert (answer.verdict, answer.proof.checked) == ("feasible", True)
    # the loss at α = e^−0.5, by another program
    assert answer.epsilon == pytest.approx(0.5, abs=2e-6)
    assert answer.failure is None
    assert answer.loss <= 1.739959588054946
    assert answer.cost == pytest.approx(30 * 12.5 * math.expm1(0.5), rel=1e-5)


def test_a_minimax_plan_is_made_by_a_private_mechanism_that_loses_no_more() -> None:
    answer = planner.solve(study(planner.consumers.MinimaxReader(), 1.836287018673))
    assert answer.epsilon == pytest.approx(0.5, abs=2e-6)
    found = planner.consumers.MinimaxReader().at(30).optimum(answer.epsilon).mechanism()
    assert is_private(found, math.exp(-answer.epsilon))
    worst = np.max(np.sum(found * table("absolute", 30), axis=1))
    assert worst <= 1.836287018673


def test_no_less_epsilon_does() -> None:
    reader = planner.consumers.BayesianReader(0.2, "zero-one")
    answer = planner.solve(study(reader, 0.5), minimise="epsilon")
    consumer = reader.at(30)
    less = answer.epsilon * (1 - 1e-4)
    costs = (consumer.prior[:, None] * likelihood(30, less)).T @ table("zero-one", 30)
    assert costs.min(axis=1).sum() > 0.5


@pytest.mark.slow
def test_sizes_are_searched() -> None:
    wide = planner.solve(study(planner.consumers.BayesianReader(), 2.0, people=(20, 60)))
    assert wide.participants == 20  # fewer people are cheaper, and no harder to count
    share = planner.solve(
        study(planner.consumers.BayesianReader(), 0.02, people=(20, 60), unit="share")
    )
    costs = [
        n
        * 12.5
        * math.expm1(
            planner.solve(
                study(planner.consumers.BayesianReader(), 0.02, people=(n, n), unit="share"),
                prove=False,
            ).epsilon
        )
        for n in (20, 40, 59, 60)
    ]
    assert share.cost <= min(costs) * (1 + 1e-6)


def test_a_count_right_to_within_a_share() -> None:
    mechanism = planner.GeometricCount()
    # 2e^(−εm)/(1 + e^(−ε)) with m = ⌈0.05·1000⌉ = 50, and 51 from a hair more
    assert mechanism.failure_probability(0.1, 1000, 0.05) == pytest.approx(
        2 * math.exp(-5) / (1 + math.exp(-0.1))
    )
    assert mechanism.failure_probability(0.1, 1001, 0.05) == pytest.approx(
        2 * math.exp(-5.1) / (1 + math.exp(-0.1))
    )
    floor = mechanism.epsilon_floor(1000, 0.05, 0.05)
    assert mechanism.failure_probability(floor, 1000, 0.05) == pytest.approx(0.05)
    answer = planner.solve(
        planner.Study(
            mechanism=mechanism,
            target=planner.Accuracy(error=0.05, failure=0.05),
            individual=planner.Individual(254.8),
            conditions=[planner.Budget(30_000), planner.MaxParticipants(1000)],
        )
    )
    assert (answer.verdict, answer.proof.checked) == ("feasible", True)
    off = np.random.default_rng(0)
    ends = 1 - math.exp(-answer.epsilon)
    noise = off.geometric(ends, 10**6) - off.geometric(ends, 10**6)
    seen = np.mean(np.abs(noise) >= 0.05 * answer.participants)
    assert seen == pytest.approx(answer.failure, abs=7e-4)
    none = planner.solve(
        planner.Study(
            mechanism=mechanism,
            target=planner.Accuracy(error=0.05, failure=0.05),
            individual=planner.Individual(254.8),
            conditions=[planner.Budget(5000), planner.MaxParticipants(1000)],
        )
    )
    assert (none.verdict, none.proof.checked) == ("infeasible", True)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: study(planner.consumers.MinimaxReader(), 2.0, people=(30, 1001)),
            "planned for at most 1,000 people",
        ),
        (
            lambda: study(planner.consumers.BayesianReader(loss="squared"), 2.0, unit="share"),
            "is for the absolute loss",
        ),
        (
            lambda: planner.Study(
                mechanism=planner.LaplaceMean(),
                target=planner.ExpectedLoss(planner.consumers.BayesianReader(), 2.0),
                individual=planner.Individual(1.0),
            ),
            "give the mechanism geometric-count, not laplace-mean",
        ),
    ],
)
def test_refusals(build, words: str) -> None:
    with pytest.raises(Refused, match=words):
        build()


def test_limits_are_of_the_studys_own_target() -> None:
    with pytest.raises(ValueError, match="'error' is not part of this study's target"):
        planner.limit(study(planner.consumers.BayesianReader(), 2.0), "error")


def test_a_prior_that_is_enough_needs_no_answer() -> None:
    known = planner.solve(study(planner.consumers.BayesianReader(0.1), 5.0))
    assert (known.verdict, known.attained) == ("feasible", False)
    assert known.epsilon == 1e-9
    assert "every ε works" in known.notes[-1]
    assert planner.solve(study(planner.consumers.BayesianReader(), 1.74)).attained
