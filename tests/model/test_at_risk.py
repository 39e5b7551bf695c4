import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner import numbers
from planner.checked import Refused
from planner.model.paid_by_events import PaidByEvents

EVENT = st.builds(planner.BadEvent, st.floats(1e-4, 0.99), st.floats(0.1, 1e4))
EVENTS = st.lists(EVENT, min_size=1, max_size=4)
LAPLACE = planner.LaplaceMean("paper")


def person(events: list[planner.BadEvent], sharp: bool) -> planner.AtRisk:
    return planner.AtRisk(events, LAPLACE if sharp else None)


def test_base_and_worst_cost_follow_from_the_events() -> None:
    both = planner.AtRisk([planner.BadEvent(0.2, 1274.0), planner.BadEvent(0.01, 100.0)])
    assert (both.base_cost, both.worst_cost) == (255.8, 1374.0)
    assert both.event is None
    one = planner.AtRisk(planner.BadEvent(0.2, 1274.0, "it rains"))
    assert one.event == one.events[0]
    assert isinstance(one, planner.Individual)


@given(EVENTS, st.floats(1e-6, 30.0), st.floats(0.0, 0.1), st.booleans())
def test_it_is_never_dearer_than_the_paper_nor_than_the_harm(
    events: list[planner.BadEvent], epsilon: float, delta: float, sharp: bool
) -> None:
    someone = person(events, sharp)
    owed = someone.compensation(epsilon, delta)
    papers = planner.Individual(someone.base_cost, someone.worst_cost)
    assert owed <= papers.compensation(epsilon, delta) * (1 + 1e-12)
    assert 0 <= owed <= sum(e.cost * (1 - e.probability) for e in events) * (1 + 1e-12)
    risks = sum(e.cost * (someone.largest_risk(e, epsilon, delta) - e.probability) for e in events)
    assert owed == pytest.approx(risks, rel=1e-6, abs=1e-9)


@given(st.floats(1e-4, 0.49), st.floats(1e-3, 1.0))
def test_for_a_rare_event_and_a_small_epsilon_it_is_the_papers(p: float, share: float) -> None:
    epsilon = share * math.log((1 - p) / p)
    one, papers = planner.AtRisk(planner.BadEvent(p, 100.0)), planner.Individual(100 * p, 100.0)
    assert one.compensation(epsilon) == pytest.approx(papers.compensation(epsilon), rel=1e-9)
    assert one.compensation(2.0 + 2 * epsilon / share) < papers.compensation(
        2.0 + 2 * epsilon / share
    )


@given(EVENTS, st.floats(1e-4, 1.1), st.sampled_from([0.0, 1e-6, 1e-3]), st.booleans())
def test_the_ceiling_is_what_the_money_pays_for(
    events: list[planner.BadEvent], share: float, delta: float, sharp: bool
) -> None:
    (payee,) = person(events, sharp).pieces
    money = share * payee.harm(numbers.FLOATS)
    ceiling = payee.epsilon_ceiling(money, delta)
    if share > 1:
        assert ceiling == math.inf
    elif ceiling <= 0:
        assert payee.compensation(1e-12, delta) >= money * (1 - 1e-9)
    else:
        assert payee.compensation(ceiling * (1 - 1e-6), delta) <= money * (1 + 1e-9)
        assert payee.compensation(min(ceiling, 700) * (1 + 1e-6), delta) >= money * (1 - 1e-6)


@given(EVENTS, st.floats(0.01, 0.9), st.booleans())
def test_balls_enclose_the_ceiling(
    events: list[planner.BadEvent], share: float, sharp: bool
) -> None:
    (payee,) = person(events, sharp).pieces
    money = share * payee.harm(numbers.FLOATS)
    number = numbers.balls().number
    ball = payee.epsilon_ceiling(number(money), number(0.0))
    assert float(ball.mid()) == pytest.approx(payee.epsilon_ceiling(money, 0.0), rel=1e-9)
    assert payee.compensation(ball.lower(), number(0.0)).lower() <= money
    assert payee.compensation(ball.upper(), number(0.0)).upper() >= money


@pytest.mark.parametrize("sharp", [True, False])
def test_arrays_pass(sharp: bool) -> None:
    (payee,) = person([planner.BadEvent(0.2, 10.0), planner.BadEvent(0.7, 3.0)], sharp).pieces
    money = np.array([0.001, 1.0, 5.0, 100.0])
    found = payee.epsilon_ceiling(money, 0.0)
    assert list(found) == pytest.approx([payee.epsilon_ceiling(float(m), 0.0) for m in money])
    assert found[-1] == math.inf


@given(EVENTS, st.floats(1e-3, 0.99), st.integers(1, 10**6), st.booleans())
def test_a_shared_sum_buys_at_most_its_n_epsilon(
    events: list[planner.BadEvent], share: float, n: int, sharp: bool
) -> None:
    (payee,) = person(events, sharp).pieces
    money = share * payee.harm(numbers.FLOATS)
    most = payee.epsilon_ceiling(money, 0.0)
    assert payee.n_epsilon_ceiling(money) == math.inf
    bound = payee.up_to(most).n_epsilon_ceiling(money)
    assert n * payee.epsilon_ceiling(money / n, 0.0) <= bound * (1 + 1e-9)


@given(EVENTS, st.sampled_from([0.0, 1e-6, 0.2]), st.booleans(), st.floats(1e-3, 10))
def test_of_two_people_the_cheaper_is_this_one(
    events: list[planner.BadEvent], delta: float, sharp: bool, epsilon: float
) -> None:
    someone = person(events, sharp)
    seen = [
        piece.compensation(epsilon, delta)
        for piece in someone.pieces_over(delta)
        if math.exp(epsilon) >= piece.least_growth
    ]
    assert min(seen) == pytest.approx(someone.compensation(epsilon, delta), rel=1e-9)
    for piece in someone.pieces_over(delta):
        if isinstance(piece, PaidByEvents):
            start = math.log(piece.least_growth) + 1e-9
            least = piece.least_compensation(delta)
            assert least <= piece.compensation(start, delta) * (1 + 1e-9) + 1e-9


def test_all_costs_are_scaled_together() -> None:
    both = planner.AtRisk([planner.BadEvent(0.2, 10.0), planner.BadEvent(0.5, 4.0)])
    twice = both.with_base_cost(8.0)
    assert [event.cost for event in twice.events] == [20.0, 8.0]
    assert twice.base_cost == 8.0


def test_nothing_to_lose_costs_nothing() -> None:
    harmless = planner.AtRisk(planner.BadEvent(0.2, 0.0))
    assert harmless.compensation(5.0) == 0
    with pytest.raises(ValueError, match="cost nothing"):
        harmless.with_base_cost(1.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"events": []}, "at least 1"),
        ({"events": [3.0]}, "BadEvent"),
        (
            {"events": [planner.BadEvent(0.1, 1.0)], "base_cost": 1.0},
            "no field base_cost",
        ),
        ({"events": [planner.BadEvent(0.1, 1.0)], "mechanism": "laplace"}, "Mechanism"),
    ],
)
def test_refusals(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words):
        planner.AtRisk(**arguments)


def test_a_study_refuses_risks_by_another_mechanism() -> None:
    given_ = {"target": planner.Accuracy(0.05, 0.05)}
    by_laplace = person([planner.BadEvent(0.1, 1.0)], True)
    with pytest.raises(Refused, match="give the same to both"):
        planner.Study(mechanism=planner.GeometricMean(), individual=by_laplace, **given_)
    study = planner.Study(mechanism=LAPLACE, individual=by_laplace, **given_)
    other = study.by(planner.GeometricMean())
    assert other.individual == replace(by_laplace, mechanism=planner.GeometricMean())


def test_exposure_raises_each_chance_until_it_is_certain() -> None:
    events = [planner.BadEvent(0.2, 20.0), planner.BadEvent(0.9, 50.0)]
    for exposure, owed in ((0.0, 0.0), (0.05, 3.5), (0.1, 7.0), (0.5, 15.0), (1.0, 21.0)):
        for sharp in (False, True):
            exposed = person(events, sharp)
            assert exposed.compensation_exposed(exposure) == pytest.approx(owed)
            # what is owed where δ alone tells a record, the promise of (0, δ)-privacy
            assert person(events, False).compensation(1e-13, exposure) == pytest.approx(owed)
            if exposure not in (0.0, 1.0):
                assert exposed.exposure_owing(owed) == pytest.approx(exposure)
    assert person(events, False).exposure_owing(21.5) > 1
