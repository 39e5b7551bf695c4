import math

import pytest
from hypothesis import given, strategies as st

from planner import Individual

money = st.floats(1e-3, 1e6)
epsilons = st.floats(1e-9, 50)


def test_compensation_of_definition_4() -> None:
    # Hsu14 §5.3: (e^2.3 − 1)·0.25 is printed as 2.2
    assert Individual(0.25).compensation(2.3) == pytest.approx(2.2435, abs=1e-4)


def test_compensation_of_definition_13() -> None:
    # Hsu14 §8.2: (e^0.9 − 1)·1 + 1e-8·1e6 = 1.46 + 0.01
    assert Individual(1.0, 1e6).compensation(0.9, 1e-8) == pytest.approx(math.e**0.9 - 1 + 0.01)


def test_a_cap_stops_at_the_worst_cost() -> None:
    capped = Individual(1.0, 10.0, capped=True)
    assert capped.compensation(20.0) == 10.0
    assert capped.compensation(1.0) == pytest.approx(math.e - 1)


def test_nothing_to_lose_costs_nothing() -> None:
    assert Individual(0.0).compensation(5.0) == 0


def test_who_has_nothing_to_lose_as_yet_may_have_any_base_cost() -> None:
    """Also with a cap at no money, which then is none."""
    person = Individual(0.0, 0.0, capped=True)
    assert person.compensation(1.0) == 0
    assert person.largest_base_cost == math.inf
    assert person.with_base_cost(3.0).compensation(1.0) == pytest.approx(3 * math.expm1(1.0))


@given(money, epsilons, st.floats(0, 0.1))
def test_the_ceiling_is_the_inverse(base_cost: float, epsilon: float, delta: float) -> None:
    (person,) = Individual(base_cost, 2 * base_cost).pieces
    owed = person.compensation(epsilon, delta)
    found = person.epsilon_ceiling(owed, delta)
    # rounding of the money moves ε by its relative error, more where ε is small beside δW
    assert found == pytest.approx(epsilon, rel=1e-9, abs=1e-14)


@given(money, epsilons, st.integers(1, 10**9))
def test_a_shared_sum_buys_at_most_its_n_epsilon(base_cost: float, epsilon: float, n: int) -> None:
    (person,) = Individual(base_cost).pieces
    spent = n * person.compensation(epsilon, 0.0)
    assert n * epsilon <= person.n_epsilon_ceiling(spent) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5.0, 1.0), "below base_cost"),
        ((-1.0,), "at least 0"),
        ((math.nan,), "at least 0"),
        ((1.0, None, True), "needs a worst_cost"),
    ],
)
def test_refusals(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Individual(*arguments)
