import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner import numbers
from planner.mechanisms.top_k import TopK
from planner.selection.ranking import draws, noisy_scores, useful
from planner.simulation.simulate import interval

DRAWS = TopK(100, 10)
NOISY = TopK(100, 10, "noisy-scores")
FEW = TopK(100, 10, "noisy-scores", per_person=1)
ALL = (DRAWS, NOISY, FEW)
ball = numbers.balls().number


def test_the_n_epsilon_by_hand() -> None:
    assert DRAWS.n_epsilon_floor(0.1, 0.05) == pytest.approx(200 * math.log(900 / 0.05))
    assert NOISY.n_epsilon_floor(0.1, 0.05) == pytest.approx(200 * math.log(900 / 0.05**2))
    assert FEW.n_epsilon_floor(0.1, 0.05) == pytest.approx(20 * math.log(900 / 0.05**2))
    most = TopK(100, 80, "noisy-scores")
    assert most.n_epsilon_floor(0.1, 0.05) == pytest.approx(1000 * math.log(1600 / 0.05**2))


@given(
    st.integers(1, 10**9),
    st.floats(0.01, 1),
    st.floats(1e-9, 0.99),
    st.integers(2, 2**53),
    st.data(),
)
def test_floors_are_inverses(n: int, error: float, failure: float, m: int, data) -> None:
    k = data.draw(st.integers(1, m - 1))
    for mechanism in (TopK(m, k), TopK(m, k, "noisy-scores"), TopK(m, k, "noisy-scores", 1)):
        floor = mechanism.epsilon_floor(n, error, failure)
        assert floor > 0
        assert mechanism.failure_probability(floor, n, error) == pytest.approx(failure, rel=1e-9)
        assert mechanism.failure_probability(floor * 1.01, n, error) < failure
        assert mechanism.n_epsilon_floor(error, failure) == pytest.approx(n * floor)
        at = np.array([floor, 2 * floor])
        assert mechanism.failure_probability(at, n, error)[0] == pytest.approx(failure, rel=1e-9)


@pytest.mark.parametrize("mechanism", ALL)
def test_floats_balls_and_symbols_agree(mechanism: TopK) -> None:
    point = (0.7, 1234, 0.2)
    found = mechanism.failure_probability(*point)
    in_balls = mechanism.failure_probability(*map(ball, point))
    assert float(in_balls.mid()) == pytest.approx(found, rel=1e-12)
    formula = mechanism.formulas()[mechanism.variant]
    values = dict(zip(("epsilon", "N", "T"), point, strict=True)) | {"m": 100, "K": 10, "h": 1}
    symbolic = formula.subs({s: values[s.name] for s in formula.free_symbols})
    assert float(symbolic) == pytest.approx(found, rel=1e-12)
    floor = mechanism.epsilon_floor(*map(ball, (1234, 0.2, 0.05)))
    assert float(floor.mid()) == pytest.approx(mechanism.epsilon_floor(1234, 0.2, 0.05))


def test_every_symbol_has_a_value() -> None:
    for mechanism in ALL:
        named = {mechanism.symbols[f] for f in mechanism.symbols if getattr(mechanism, f)}
        used = {s.name for s in mechanism.formulas()[mechanism.variant].free_symbols}
        assert used <= named | {"N", "T", "epsilon"}


@pytest.mark.parametrize("mechanism", [TopK(30, 3), TopK(30, 3, "noisy-scores", 1)])
def test_a_plan_keeps_its_promise(mechanism: TopK) -> None:
    study = planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(error=0.1, failure=0.1),
        individual=planner.Individual(1.0),
        conditions=[planner.MaxParticipants(2000)],
    )
    plan = planner.solve(study)
    assert isinstance(plan, planner.answer.Plan)
    assert plan.proof.checked
    n, within = plan.participants, 0.1 * plan.participants
    scores = np.concatenate([np.full(3, np.ceil(within)), np.zeros(27)])
    rng = np.random.default_rng(0)
    way, limit = (draws, {}) if mechanism.method == "draws" else (noisy_scores, {"per_person": 1})
    runs = 1000
    lists = (way(scores, 3, plan.epsilon, rng, **limit) for _ in range(runs))
    failures = sum(not all(useful(scores, listed, within)) for listed in lists)
    assert scores.sum() <= n
    assert interval(failures, runs)[1] <= 0.1
    assert failures  # and not for nothing


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((10, 0), "0 is not allowed; give a whole number of candidates of at least 1"),
        ((10, 11), "chosen = 11 leaves nothing to choose from 10 candidates; give a whole number"),
        ((10, 10), "give a whole number from 1 to 9"),
        ((1, 1), "give a whole number of candidates from 2"),
        ((10, 2.0), "2.0 is not allowed"),
        ((10, 2, "gumbel"), "draws"),
        ((10, 2, "noisy-scores", 11), "per_person = 11 is more than the candidates"),
        ((10, 2, "draws", 1), "per_person = 1 does not help draws; leave it out"),
    ],
)
def test_refusals(given: tuple[object, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TopK(*given)


def test_a_negative_epsilon_is_refused() -> None:
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        DRAWS.failure_probability(-1.0, 100, 0.1)
