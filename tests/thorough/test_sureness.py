"""How surely a study is feasible, by closed forms, brute sampling and ends."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from scipy.stats import binom

import planner
from planner.answer.problem.vary import with_values
from planner.decisions.uncertain.draws import feasible, interval, kept
from planner.model import Choice

# of ever more people Hsu14 eq. 5 asks N·ε > 2 ln(1/α)/T, which costs N·ε·E
LIMIT = 30_000 * 0.05 / (2 * math.log(1 / 0.05))


def unsure(study, **inputs):
    return planner.UncertainStudy(study, inputs)


def clinic(analysis="hoeffding", budget=30_000.0, **target):
    return planner.Study(
        mechanism=planner.LaplaceMean(analysis),
        target=planner.Accuracy(**{"error": 0.05, "failure": 0.05, **target}),
        individual=planner.Individual(12.5, 1274.0),
        conditions=[planner.Budget(budget), planner.MaxParticipants(4000)],
        costs=planner.Costs(5.0, 2000.0),
    )


@pytest.mark.parametrize(
    "spread",
    [
        planner.model.Uniform(200.0, 300.0),
        planner.model.LogUniform(10.0, 1000.0),
        planner.model.Triangular(100.0, 200.0, 400.0),
        planner.model.LogNormal(200.0, 2.0),
    ],
)
def test_the_share_is_that_of_base_costs_up_to_the_limit(mean_study, spread) -> None:
    found = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=spread), confidence=0.999
    )
    share = spread.share_up_to(LIMIT)
    assert found.verdict == "for some"
    assert found.share.low < share < found.share.high
    assert found.share.high - found.share.low < 0.04
    assert found.undecided == 0


def test_the_interval_is_clopper_and_pearson_s() -> None:
    found = interval(90, 100, 0.95)
    assert binom.sf(89, 100, found.low) == pytest.approx(0.025)
    assert binom.cdf(90, 100, found.high) == pytest.approx(0.025)
    assert interval(0, 100, 0.95).low == 0
    assert interval(100, 100, 0.95).high == 1
    wider = interval(90, 100, 0.95, undecided=5)
    assert wider.low == found.low
    assert wider.high == interval(95, 100, 0.95).high


def test_ends_prove_all_and_none(mean_study) -> None:
    sure = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=planner.model.Interval(1.0, 250.3)), 200
    )
    assert (sure.verdict, sure.share.low) == ("for all", 1)
    none = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=planner.model.Interval(250.4, 500.0)), 200
    )
    assert (none.verdict, none.share.high, none.plan) == ("for none", 0, None)
    # a log-normal has no largest value: likely as it is, it is not proved
    likely = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=planner.model.LogNormal(1.0, 1.1)), 200
    )
    assert (likely.verdict, likely.share.value) == ("for some", 1)
    least = unsure(clinic("paper"), base_cost=planner.model.LogNormal(1.0, 2.0))
    assert (
        planner.decisions.feasibility_probability(least, 200).verdict == "for none"
    )  # 4,000 people are too few at any E


@settings(max_examples=4)
@given(
    st.floats(5.0, 300.0), st.floats(1.05, 3.0), st.floats(0.03, 0.06), st.floats(5e3, 4e4),
    st.integers(800, 5000),
)  # fmt: skip
@example(12.5, 1.1, 0.05, 3e4, 4000)  # for all, which few random draws reach
def test_ends_agree_with_draws(base, factor, error, budget, most) -> None:
    question = unsure(
        clinic(),
        base_cost=planner.model.Interval(base, base * factor),
        error=planner.model.Interval(error, error * 1.05),
        budget=planner.model.Interval(budget, budget * factor),
        participants=planner.model.Interval(float(most), most * factor),
    )
    found = planner.decisions.feasibility_probability(question, 100)
    verdicts = feasible(question.study, question.drawn(200, 99, 7))
    if found.verdict == "for all":
        assert (verdicts == 1).all()
    if found.verdict == "for none":
        assert (verdicts == 0).all()


def test_draws_are_decided_as_solve_does() -> None:
    inputs = {
        "base_cost": planner.model.LogNormal(30.0, 3.0),
        "min_participants": planner.model.Triangular(500.0, 900.0, 3000.0),
        "budget": planner.model.Uniform(1e4, 4e4),
    }
    base = clinic()
    question = unsure(planner.Study(**{
        **{f: getattr(base, f) for f in ("mechanism", "target", "individual", "costs")},
        "conditions": [*base.conditions, planner.MinParticipants(900)],
    }), **inputs)  # fmt: skip
    values = question.drawn(60, 3, 0)
    verdicts = feasible(question.study, values)
    assert 10 < (verdicts == 1).sum() < 50
    for row in range(60):
        one = with_values(question.study, {name: float(v[row]) for name, v in values.items()})
        answer = planner.solve(one, prove=False)
        assert (answer.verdict == "feasible") == (verdicts[row] == 1)
    assert (values["min_participants"] == np.rint(values["min_participants"])).all()


def test_an_exact_study_asks_little_and_answers_alike() -> None:
    coarse = clinic("exact", error=0.21)
    few = replace(coarse, conditions=(planner.Budget(3e4), planner.MaxParticipants(24)))
    question = unsure(few, base_cost=planner.model.LogUniform(20.0, 1200.0))
    values = question.drawn(64, 1, 0)
    verdicts = feasible(question.study, values)
    order = np.argsort(values["base_cost"])
    edge = int((verdicts == 1).sum())
    assert 0 < edge < 64
    assert (verdicts[order] == [1] * edge + [0] * (64 - edge)).all()
    for row, verdict in ((order[edge - 1], "feasible"), (order[edge], "infeasible")):
        one = question.at({"base_cost": float(values["base_cost"][row])})
        assert planner.solve(one).verdict == verdict


def test_the_plan_is_kept_as_often_as_it_says() -> None:
    question = unsure(
        clinic(),
        base_cost=planner.model.LogNormal(12.5, 2.0),
        error=planner.model.Interval(0.045, 0.06),
        per_person=planner.model.Triangular(2.0, 5.0, 12.0),
    )
    found = planner.decisions.feasibility_probability(question, 4000, probability=0.8)
    assert found.plan is not None
    assert 0.8 <= found.plan.kept.low <= found.share.high
    plan, values = found.plan.plan, question.drawn(4000, 77, 0)
    owed = np.expm1(plan.epsilon) * values["base_cost"]
    cost = plan.participants * (owed + values["per_person"]) + 2000
    failure = np.array([
        plan.study.mechanism.failure_probability(plan.epsilon, plan.participants, float(error))
        for error in values["error"]
    ])  # fmt: skip
    keeps = (cost <= 30_000) & (failure <= 0.05)
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    assert (keeps == kept(choice, question.study, values)).all()
    assert abs(keeps.mean() - found.plan.kept.value) < 0.03
    assert found.plan.costs[0.5] == pytest.approx(np.median(cost), rel=0.03)


def test_the_interval_is_of_draws_that_chose_nothing() -> None:
    question = unsure(clinic(), base_cost=planner.model.LogNormal(60.0, 3.0))
    found = planner.decisions.feasibility_probability(
        question, 200, 3, confidence=0.9, probability=0.5
    )
    plan = found.plan.plan
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    # streams 0 to 8 draw shares, candidates and checks
    yes = [int(kept(choice, question.study, question.drawn(200, 3, k)).sum()) for k in (2, 1000)]
    assert found.plan.kept == interval(yes[1], 200, 0.9)
    assert yes[0] != yes[1]


def test_no_plan_is_likely_enough(mean_study) -> None:
    found = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=planner.model.Uniform(200.0, 300.0)), 2000
    )
    assert found.plan is None
    assert 0.4 < found.most <= found.share.high


def test_the_seed_decides_and_more_adverse_is_less_likely(mean_study) -> None:
    def share(factor, seed=1):
        spread = planner.model.LogNormal(100.0 * factor, 2.0)
        return planner.decisions.feasibility_probability(
            unsure(mean_study(1.0), base_cost=spread), 500, seed
        ).share

    first = share(1.0)
    assert first == share(1.0)
    assert first != share(1.0, seed=2)
    shares = [share(0.5).value, first.value, share(2.0).value, share(4.0).value]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]


def test_a_worst_cost_is_no_less_than_the_base_cost() -> None:
    question = unsure(clinic(), base_cost=planner.model.LogNormal(1000.0, 2.0))
    values = question.drawn(500, 1, 0)
    assert (values["worst_cost"] == np.maximum(values["base_cost"], 1274.0)).all()


def test_an_end_that_is_no_study_proves_nothing() -> None:
    family = replace(clinic(), individual=planner.Individual(2.0, 1274.0, family=3))
    found = planner.decisions.feasibility_probability(
        unsure(family, base_cost=planner.model.LogNormal(20.0, 2.0)), 100
    )
    assert found.verdict == "for some"
    assert 0 < found.share.value < 1


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "no input is uncertain"),
        (
            {"failure": planner.model.Uniform(0.5, 1.0)},
            r"failure = { uniform = \[0.5, 1.0\] } can take",
        ),
        ({"error": planner.model.LogNormal(0.05, 2.0)}, "has no largest value"),
        ({"harm": planner.model.Uniform(1.0, 2.0)}, "harm = .* is not a quantity of this study"),
        ({"delta": planner.model.Uniform(0.0, 0.1)}, "delta cannot be uncertain"),
        (
            {"weather": planner.model.Uniform(0.0, 0.1)},
            "'weather' cannot be uncertain; give one of",
        ),
        ({"budget": planner.model.Interval(0.0, 10.0)}, "an amount of money above 0"),
        ({"budget": 3.0}, "is not a distribution"),
    ],
)
def test_inputs_that_cannot_be(inputs, words) -> None:
    with pytest.raises(ValueError, match=words):
        planner.UncertainStudy(clinic(), inputs)


@pytest.mark.parametrize(
    "arguments", [{"draws": 10}, {"seed": -1}, {"confidence": 1.0}, {"probability": 0.0}]
)
def test_arguments_out_of_range(arguments) -> None:
    question = unsure(clinic(), base_cost=planner.model.Uniform(1.0, 2.0))
    with pytest.raises(ValueError, match="is not allowed; give a"):
        planner.decisions.feasibility_probability(question, **arguments)


@pytest.mark.parametrize(
    ("quantity", "spread"),
    [
        ("base_cost", planner.model.LogNormal(300.0, 4.0)),
        ("error", planner.model.Uniform(0.01, 0.034)),
    ],
)
def test_with_one_input_a_plan_is_kept_wherever_any_is(quantity, spread) -> None:
    study = replace(clinic(), individual=planner.Individual(12.5, 1e9))
    limit = planner.limit(study, quantity) if quantity != "per_person" else None
    sure = planner.decisions.feasibility_probability(
        unsure(study, **{quantity: spread}), 1500, probability=0.999
    )
    share = sure.share.value
    if limit is not None:
        under = spread.share_up_to(limit)
        share = under if quantity == "base_cost" else 1 - under
    assert 0.01 < share < 0.4
    assert sure.plan is None
    assert sure.most == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 1500))
    asked = planner.decisions.feasibility_probability(
        unsure(study, **{quantity: spread}), 1500, probability=0.7 * share
    )
    assert asked.plan is not None
    plan = asked.plan.plan
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    fresh = unsure(study, **{quantity: spread}).drawn(40_000, 99, 0)
    # an interval misses its share in one of twenty draws, and the plan has a margin beside
    assert kept(choice, study, fresh).mean() >= 0.7 * share
