"""Surveys without a curator, exactly: against sums over all reports and all splits of tiny ones."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import planner
from planner import numbers
from planner.answer.problem.survey import without_curator
from planner.mechanisms.reports import card, least, proof, worst
from planner.mechanisms.several.exact_split_sample import ExactSplitSampleFloor
from planner.mechanisms.several.full_sample import full_sample
from planner.mechanisms.several.lots import lots_at
from planner.mechanisms.several.report_floor import ExactReportFloor, reports_of
from planner.mechanisms.several.split_sample import SplitQuestion

QUESTIONS = [
    planner.Share("a", error=0.08),
    planner.Share("b", error=0.12, times=2),
    planner.Histogram("h", groups=4, error=0.12),
]


def study(questions, *conditions, analysis="exact", failure=0.1, **costs) -> planner.Study:
    return planner.Study(
        planner.RandomizedResponse(analysis),
        planner.Survey(questions, failure=failure),
        planner.Individual(5.0),
        conditions,
        planner.Costs(**costs),
    )


def failing(n: int, truth: Fraction, other: Fraction, error: float) -> float:
    """How often one share is off at the worst one: at all tips and both ends, by sums."""
    tau = Fraction(repr(error)) * (truth - other)
    tips = {Fraction(y, n) + side for y in range(n + 1) for side in (tau, -tau)}
    shares = sorted({x for x in tips if other <= x <= truth} | {other, truth})
    at = np.array([float(x) for x in shares])
    above = np.array([math.ceil(n * (x + tau)) for x in shares])
    below = np.array([math.floor(n * (x - tau)) for x in shares])
    return float(np.max(binom.sf(above - 1, n, at) + binom.cdf(below, n, at)))


@pytest.mark.parametrize("conditions", [(), (planner.MaxParticipants(250),)])
def test_a_survey_of_one_share_is_the_share(conditions) -> None:
    survey = planner.solve(study(QUESTIONS[:1], *conditions, per_person=3.0))
    alone = planner.solve(
        planner.Study(
            planner.RandomizedResponse(),
            planner.Accuracy(0.08, 0.1),
            planner.Individual(5.0),
            conditions,
            planner.Costs(per_person=3.0),
        )
    )
    assert (survey.cost, survey.epsilon, survey.participants) == (
        alone.cost, alone.epsilon, alone.participants,
    )  # fmt: skip
    assert survey.proof.checked


@pytest.mark.slow
@pytest.mark.parametrize(("per_person", "by_lot"), [(0.0, True), (50_000.0, False)])
def test_plans_keep_their_promise_by_sums_over_all_reports(per_person: float, by_lot: bool) -> None:
    plan = planner.solve(study(QUESTIONS, per_person=per_person))
    assert plan.by_lot is by_lot
    assert plan.proof.checked
    assert planner.check(plan).holds
    together = spent = people = 0.0
    for question, one in zip(QUESTIONS, plan.questions, strict=True):
        truth, other = (Fraction(repr(x)) for x in (one.truth, one.other))
        n = one.participants or plan.participants
        fails = one.numbers * failing(n, truth, other, question.fraction)
        assert fails <= one.failure * (1 + 1e-9)
        together += one.times * fails
        spent += one.times * (2 if one.noise == "groups" else 1) * math.log(truth / other)
        people += one.times * n
    assert together <= 0.1
    assert together > 0.09  # little is left over
    if by_lot:
        assert people <= plan.participants
    else:
        assert spent <= plan.epsilon
    bound = planner.solve(study(QUESTIONS, analysis="hoeffding", per_person=per_person))
    assert plan.cost < 0.8 * bound.cost


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_survey_is_dearer_than_by_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    questions = [
        planner.Share("a", error=round(rng.uniform(0.05, 0.2), 3), failure=0.04),
        planner.Histogram("h", groups=int(rng.integers(2, 12)), error=0.15, failure=0.03),
    ]
    costs = {"per_person": float(rng.choice([0.0, 3.0, 500.0])), "failure": None}
    exact, bound = (planner.solve(study(questions, analysis=a, **costs)).cost for a in WAYS)
    assert exact < bound


WAYS = ("exact", "hoeffding")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "error", "failure", "k"), [(158, 0.29, 0.019, 5), (380, 0.16, 0.045, 8)]
)
def test_the_least_card_of_several_groups_by_trying_all(n, error, failure, k) -> None:
    asked = card.Asked(error, failure, answers=k)
    epsilon = least.least_epsilon(n, asked)

    def fails(epsilon: float) -> float:
        truth = card.truthful(epsilon, answers=k)
        return failing(n, truth, (1 - truth) / (k - 1), error)

    assert fails(epsilon) <= failure
    below = np.linspace(0.5, 1 - 1e-4, 60) * epsilon
    assert min(fails(float(e)) for e in below) > failure
    truth = card.truthful(epsilon, answers=k)
    assert worst.failure_at(n, truth, error, (0.0, 1.0), k) == pytest.approx(fails(epsilon))
    number = numbers.balls().number
    balls = asked._replace(error=number(error), failure=number(failure))
    assert proof.certify_at_most(n, truth, balls)
    assert not proof.certify_at_most(n, card.truthful(0.99 * epsilon, answers=k), balls)


TINY = (SplitQuestion(1, 0.25, 0.0, 1), SplitQuestion(1, 0.35, 0.0, 1))


def fewest_by_trying_all(epsilon: float, failure: float) -> int:
    """The fewest people of two shares together, over all pairs of sizes."""
    truth = card.truthful(epsilon)
    sizes = range(1, 120)
    each = [np.array([failing(n, truth, 1 - truth, lot.error) for n in sizes]) for lot in TINY]
    n, m = np.nonzero(each[0][:, None] + each[1] <= failure)
    return int(np.min(n + m)) + 2


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.0, 1.7])
def test_lots_of_two_shares_by_all_pairs_of_sizes(epsilon: float) -> None:
    fewest = fewest_by_trying_all(epsilon, 0.2)
    found = lots_at(TINY, 0.2, epsilon)
    assert fewest <= found.people <= 1.05 * fewest
    floor = ExactSplitSampleFloor(TINY, 0.2)
    number = numbers.balls().number
    # at less ε some fewer people might do, but none at all far below
    assert not floor.certify_missed_sizes(number(epsilon), 1, fewest, number(0.0))
    assert floor.certify_missed_sizes(number(epsilon), 1, int(0.85 * fewest), number(0.0))


@pytest.mark.slow
@pytest.mark.parametrize("n", [150, 400])
def test_everybody_asked_two_shares_by_many_splits(n: int) -> None:
    floor = full_sample(TINY, 0.2, exact=True)
    shares = np.geomspace(1e-4, 0.2, 200, endpoint=False)
    each = [
        np.array([least.least_epsilon(n, card.Asked(lot.error, float(a))) for a in some])
        for lot, some in zip(TINY, (shares, 0.2 - shares), strict=True)
    ]
    fewest = float(np.min(each[0] + each[1]))
    found = floor.epsilon(float(n), 0.0)
    assert fewest * (1 - 1e-9) <= found <= 1.05 * fewest
    number = numbers.balls().number
    assert not floor.certify_missed_sizes(number(found), n, n, number(0.0))
    assert floor.certify_missed_sizes(number(0.9 * fewest), n, n, number(0.0))


@pytest.mark.parametrize("groups", [1, 3, 9])
@pytest.mark.parametrize("above", [0.0, 1.0])
def test_what_a_range_fails_with_at_least_is_so(groups: int, above: float) -> None:
    lot = SplitQuestion(groups, 0.15, 0.1, 1)
    floor = ExactReportFloor(lot, 0.1)
    number = numbers.balls().number
    for least_n, most_n in ((40, 40), (60, 70), (300, 330)):
        bound = float(floor.failing(number(1.3), least_n, most_n, above))
        for n in {least_n, (least_n + most_n) // 2, most_n}:
            for epsilon in (max(above, 0.4), 1.15, 1.3):
                true = min(
                    groups * failing(n, *way.card(epsilon), lot.error) for way in reports_of(lot)
                )
                assert bound <= true * (1 + 1e-9) or (math.isinf(bound) and true > 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("questions", [QUESTIONS[:2], QUESTIONS[2:]])
@pytest.mark.parametrize("per_person", [3.0, 50_000.0])
def test_too_little_money_is_proved_to_be(questions, per_person: float) -> None:
    least_cost = planner.solve(study(questions, per_person=per_person)).least_cost
    budget = planner.Budget(float(f"{0.95 * least_cost:.6g}"))
    answer = planner.solve(study(questions, budget, per_person=per_person))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


@pytest.mark.slow
def test_the_frontier_of_a_plan_is_never_too_low() -> None:
    floor = without_curator(study(QUESTIONS))
    number = numbers.balls().number
    for n in (900, 2000, 7000):
        epsilon = floor.epsilon(float(n), 0.0)
        assert floor.certify_reached(number(epsilon), number(n), number(0.0))
        assert epsilon >= floor.noise_alone(float(n), 0.0)
        about = floor.approximate(np.array([n, 1.0001 * n]), 0.0)[0]
        assert about == pytest.approx(epsilon, rel=0.02)


def test_what_surveys_of_reports_cannot_have_is_refused() -> None:
    one = study(QUESTIONS)
    with pytest.raises(ValueError, match="mean_range"):
        replace(one, mechanism=planner.RandomizedResponse(mean_range=(0.0, 0.1)))
    often = planner.Survey(one.survey.questions, 0.6)
    with pytest.raises(ValueError, match="hoeffding"):
        replace(one, target=often, sampling=planner.Sampling(population=10_000))


@pytest.mark.slow
def test_people_of_a_population_report_as_those_of_one_without_end() -> None:
    one = study(QUESTIONS)
    drawn = planner.solve(replace(one, sampling=planner.Sampling(population=10_000)))
    endless = planner.solve(one)
    assert (drawn.participants, drawn.epsilon) == (endless.participants, endless.epsilon)
    assert any("drawn from 10,000" in note for note in drawn.notes)
