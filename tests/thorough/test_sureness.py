"""How surely a study is feasible, by closed forms, brute sampling and ends."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import planner
from planner.decisions.uncertain.draws import interval

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
    assert (none.verdict, none.share.high) == ("for none", 0)
    # a log-normal has no largest value: likely as it is, it is not proved
    likely = planner.decisions.feasibility_probability(
        unsure(mean_study(1.0), base_cost=planner.model.LogNormal(1.0, 1.1)), 200
    )
    assert (likely.verdict, likely.share.value) == ("for some", 1)
    least = unsure(clinic("paper"), base_cost=planner.model.LogNormal(1.0, 2.0))
    assert (
        planner.decisions.feasibility_probability(least, 200).verdict == "for none"
    )  # 4,000 people are too few at any E


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


@pytest.mark.parametrize("arguments", [{"draws": 10}, {"seed": -1}, {"confidence": 1.0}])
def test_arguments_out_of_range(arguments) -> None:
    question = unsure(clinic(), base_cost=planner.model.Uniform(1.0, 2.0))
    with pytest.raises(ValueError, match="is not allowed; give a"):
        planner.decisions.feasibility_probability(question, **arguments)
