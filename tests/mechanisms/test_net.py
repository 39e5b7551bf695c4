import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize_scalar

import planner
from planner import numbers
from planner.explanation.mechanisms import formulas
from planner.mechanisms.mwem import Mwem
from planner.mechanisms.net import Net

NET = Net(256, 10_000)
TARGETS = (st.floats(0.01, 1), st.floats(1e-9, 0.99))


def least(error: float, failure: float, size: int, queries: int) -> float:
    """N·ε at the best T₁, searched for."""

    def n_epsilon(t1: float) -> float:
        records = math.log(2 * queries) / (2 * t1**2) + 1
        return 2 * (records * math.log(size) - math.log(failure)) / (error - t1)

    ends = (1e-6 * error, (1 - 1e-6) * error)
    return float(minimize_scalar(n_epsilon, bounds=ends, options={"xatol": 1e-10}).fun)


@given(*TARGETS, st.integers(2, 2**53), st.integers(1, 2**53))
def test_the_split_is_the_best(error: float, failure: float, size: int, queries: int) -> None:
    net = Net(size, queries)
    assert net.n_epsilon_floor(error, failure) == pytest.approx(
        least(error, failure, size, queries), rel=1e-7
    )


@given(st.integers(1, 10**9), *TARGETS, st.integers(2, 2**53), st.integers(1, 2**53))
def test_floors_are_inverses(n: int, error: float, failure: float, size: int, queries: int) -> None:
    net = Net(size, queries)
    floor = net.epsilon_floor(n, error, failure)
    # the exponent is a difference of numbers of this size
    room = 1e-14 * n * floor * error
    assert math.log(net.failure_probability(floor, n, error)) == pytest.approx(
        math.log(failure), abs=1e-9 + room
    )


@given(st.floats(1e-3, 100), st.floats(1, 1e9), st.floats(0.01, 0.9), st.floats(1.0001, 10))
def test_the_failure_falls(epsilon: float, n: float, error: float, factor: float) -> None:
    net = Net(4, 3)
    failure = net.failure_probability(epsilon, n, error)
    for more in ((epsilon * factor, n, error), (epsilon, n * factor, error)):
        assert net.failure_probability(*more) <= failure
    assert net.failure_probability(epsilon, n, min(1.0, error * factor)) <= failure


def test_the_order_is_mwems_with_27_over_4_for_128() -> None:
    net, error = Net(2**40, 10**9), 0.01
    leading = 6.75 * math.log(2e9) * math.log(2**40) / error**3
    assert net.n_epsilon_floor(error, 0.05) == pytest.approx(leading, rel=1e-4)
    assert net.n_epsilon_floor(error, 0.05) < Mwem(2**40, 10**9).n_epsilon_floor(error, 0.05) / 19


def test_floats_arrays_fractions_and_symbols_agree() -> None:
    point = (2.0, 190_000.0, 0.1)
    found = NET.failure_probability(*point)
    assert 0 < found < 1e-20
    log = math.log(found)
    in_fractions = NET.failure_probability(*map(numbers.decimal, point))
    assert math.log(in_fractions) == pytest.approx(log, rel=1e-12)
    in_arrays = NET.failure_probability(*map(np.array, ([0.001, 2.0], point[1], point[2])))
    assert np.log(in_arrays[1]) == pytest.approx(log, rel=1e-12)
    assert in_arrays[0] > 1
    formula = formulas(Net)[""]
    assert formula.count_ops() < 40
    values = dict(zip(("epsilon", "N", "T"), point, strict=True)) | {"|X|": 256, "|C|": 10_000}
    symbolic = formula.subs({s: values[s.name] for s in formula.free_symbols})
    assert math.log(float(symbolic)) == pytest.approx(log, rel=1e-12)
    floor = NET.epsilon_floor(*map(numbers.decimal, (1000, 0.1, 0.05)))
    assert float(floor) == pytest.approx(NET.epsilon_floor(1000, 0.1, 0.05), rel=1e-12)


@given(*TARGETS)
def test_the_size_suffices_for_the_net_and_the_bound(error: float, failure: float) -> None:
    net = Net(16, 50)
    records, n_epsilon = net.database_size(error, failure), net.n_epsilon_floor(error, failure)
    # with that many records, the T₁ at which 2|C|·e^(−2mT₁²) is 1 leaves enough for the choice
    t1 = math.sqrt(math.log(100) / (2 * records))
    assert t1 < error
    log_failure = records * math.log(16) - n_epsilon * (error - t1) / 2
    assert log_failure <= math.log(failure) + 1e-9 * n_epsilon


def test_a_study_is_planned_and_proved() -> None:
    study = planner.Study(
        mechanism=Net(16, 50),
        target=planner.Accuracy(error=0.2, failure=0.05),
        individual=planner.Individual(1.0),
        conditions=[planner.Budget(1e6)],
    )
    plan = planner.solve(study)
    assert isinstance(plan, planner.answer.Plan)
    assert plan.proof.checked
    assert plan.participants * plan.epsilon >= Net(16, 50).n_epsilon_floor(0.2, 0.05)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((1, 10), "whole number of possible records"),
        ((16, 0), "whole number of queries"),
        ((16, 2.5), "whole number of queries"),
    ],
)
def test_refusals(given: tuple[object, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Net(*given)


def test_quantities_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        NET.failure_probability(-1.0, 100, 0.1)
    with pytest.raises(ValueError, match="failure must be above 0 and below 1"):
        NET.database_size(0.1, 1.0)
