"""The OpenDP call is run with the real library."""

import dataclasses
import math
from typing import Any

import pytest

import planner
from planner.explanation.running.practice import opendp_call, why_no_call

pytest.importorskip("opendp")
FREE = planner.Individual(1e-6)


COARSE = planner.Accuracy(0.21, 0.05)  # small studies, which are quick to plan and to run


def planned(mechanism: Any, **changed: Any):
    study = planner.Study(
        mechanism,
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_000)],
        planner.Costs(5.0),
        title="Clinic's study",
        currency="EUR",
    )
    return planner.solve(dataclasses.replace(study, **changed), prove=False)


def ran(plan) -> Any:
    names: dict[str, Any] = {}
    exec(opendp_call(plan), names)
    return names["measurement"]


def test_a_difference_of_means_is_computed_as_the_call_says() -> None:
    target = planner.Difference.of_values(90.0, -50, 150, 0.05)
    plan = planned(planner.LaplaceMean("hoeffding"), target=target)
    n, measurement = plan.participants - plan.participants % 2, ran(plan)
    assert "twice it, less 100, is the difference" in opendp_call(plan)
    assert "100 less the answer" in opendp_call(plan)
    data = [120.0] * (n // 2) + [100 - 20.0] * (n // 2)
    found = [2 * measurement(data) - 100 for _ in range(200)]
    assert sum(found) / 200 == pytest.approx(100, abs=8 * plan.scale / 200**0.5)
    off = sum(abs(x - 100) for x in found) / 200
    assert off == pytest.approx(plan.scale, rel=0.4)


@pytest.mark.parametrize("analysis", ["exact", "hoeffding", "paper"])
def test_a_laplace_mean(analysis) -> None:
    plan = planned(planner.LaplaceMean(analysis), target=COARSE)
    measurement = ran(plan)
    told = measurement.map(d_in=2)
    assert plan.epsilon * (1 - 1e-8) < told <= plan.epsilon
    n = plan.participants
    data = [1.0] * (n // 3) + [0.0] * (n - n // 3)
    off = [abs(measurement(data) - (n // 3) / n) for _ in range(200)]
    # 200 draws of Laplace noise of scale 1/(Nε): their mean size is the scale to about 7 %
    assert sum(off) / 200 == pytest.approx(1 / (n * plan.epsilon), rel=0.4)


@pytest.mark.parametrize("mechanism", [planner.GeometricMean(), planner.GeometricCount()])
def test_a_geometric_count(mechanism) -> None:
    conditions = [planner.Budget(30_000), planner.MinParticipants(60)]
    plan = planned(mechanism, conditions=conditions, target=COARSE)
    measurement = ran(plan)
    assert plan.epsilon * (1 - 1e-12) < measurement.map(d_in=2) <= plan.epsilon
    n = plan.participants
    draws = [measurement([1] * (n // 3) + [0] * (n - n // 3)) for _ in range(200)]
    assert all(isinstance(draw, int) for draw in draws)
    a = math.exp(-plan.epsilon)
    assert sum(abs(d - n // 3) for d in draws) / 200 == pytest.approx(2 * a / (1 - a**2), rel=0.4)


def test_values_in_their_own_unit() -> None:
    target = planner.Accuracy.of_values(2.0, 18.0, 65.0, 0.05)
    plan = planned(planner.LaplaceMean("hoeffding"), target=target)
    measurement = ran(plan)
    assert plan.epsilon * (1 - 1e-8) < measurement.map(d_in=2) <= plan.epsilon
    assert abs(measurement([30.0] * plan.participants) - 30.0) < 10


@pytest.mark.parametrize(
    ("target", "people", "analysis"),
    [
        (planner.Accuracy.of_values(2.0, 1900.0, 2030.0, 0.05), 10_784, "hoeffding"),
        (planner.Accuracy.of_values(0.1, 36.0, 42.0, 0.05), 86_793, "hoeffding"),
        (planner.Accuracy(0.005, 0.05), 130_001, "hoeffding"),
        (planner.Accuracy(0.003, 0.05), 10_000_000, "paper"),
    ],
)
def test_the_scale_fits_opendps_own_map(target, people, analysis) -> None:
    conditions = [planner.MinParticipants(people), planner.MaxParticipants(people)]
    plan = planned(
        planner.LaplaceMean(analysis),
        target=target,
        conditions=conditions,
    )
    names: dict[str, Any] = {}
    exec(opendp_call(plan), names)  # it asserts its map
    low, high = target.values or (0.0, 1.0)
    exact = (high - low) / (plan.participants * plan.epsilon)
    assert exact < names["scale"] < exact * (1 + 1e-5)
    # the failure it names is that at the scale it uses
    said = float(opendp_call(plan).split("with probability at most ")[1].split()[0].rstrip("."))
    rate = plan.epsilon * exact / names["scale"]
    assert plan.study.mechanism.failure_probability(rate, people, target.error) <= said
    assert said < 0.0501


def test_where_no_scale_is_as_accurate_as_planned() -> None:
    far = planner.Accuracy.of_values(0.1, 1e12, 1e12 + 1, 0.05)
    plan = planned(planner.LaplaceMean("hoeffding"), target=far)
    assert opendp_call(plan) is None
    assert "no scale of OpenDP's noise is as accurate as planned" in why_no_call(plan)
    many = planned(
        planner.LaplaceMean("paper"), conditions=[planner.MinParticipants(2**31)], individual=FREE
    )
    assert opendp_call(many) is None


def test_what_opendp_cannot_run() -> None:
    plan = planned(
        planner.GaussianMean(),
        target=planner.Accuracy(0.21, 0.05),
        conditions=[planner.Budget(30_000), planner.Delta(1e-6)],
    )
    assert opendp_call(plan) is None
    assert "zero-concentrated" in why_no_call(plan)
