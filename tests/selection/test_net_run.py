import math
from itertools import product

import numpy as np
import pytest

from planner.mechanisms.net import Net
from planner.selection import exponential
from planner.selection.exponential import chances, databases, run_net
from planner.simulation.simulate import interval

QUERIES = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0]])


def test_every_database_comes_once() -> None:
    for size, records in ((2, 3), (3, 4), (4, 2)):
        found = databases(size, records)
        lists = {
            tuple(np.bincount(x, minlength=size)) for x in product(range(size), repeat=records)
        }
        assert sorted(map(tuple, found.tolist())) == sorted(lists)


def test_there_is_a_net() -> None:
    """Every data set is answered within T₁ by some database of the size that Hoeffding gives."""
    records = 6
    t1 = math.sqrt(math.log(2 * len(QUERIES)) / (2 * records))
    near = databases(3, records) @ QUERIES.T / records
    for people in databases(3, 20):
        assert np.abs(near - QUERIES @ people / 20).max(axis=1).min() <= t1


@pytest.mark.slow
def test_samples_follow_the_exponential_mechanism() -> None:
    people, records, epsilon = np.array([5, 3, 2]), 2, 3.0
    candidates = databases(3, records)
    errors = [np.abs(QUERIES @ c / records - QUERIES @ people / 10).max() for c in candidates]
    rng = np.random.default_rng(0)
    seen = [tuple(run_net(people, QUERIES, records, epsilon, rng)) for _ in range(4000)]
    expected = chances(-10 * np.array(errors), epsilon)
    rates = [seen.count(tuple(c)) / 4000 for c in candidates]
    assert rates == pytest.approx(expected, abs=0.025)


def test_the_bound_holds() -> None:
    rng = np.random.default_rng(3)
    net, error, failure, n, runs = Net(3, 3), 0.5, 0.1, 60, 400
    epsilon = net.epsilon_floor(n, error, failure)
    records = net.database_size(error, failure)

    def failures(share: float) -> int:
        found = 0
        for _ in range(runs):
            people = rng.multinomial(n, [0.9, 0.05, 0.05])
            given = run_net(people, QUERIES, records, share * epsilon, rng) / records
            found += np.abs(QUERIES @ given - QUERIES @ people / n).max() >= error
        return int(found)

    assert interval(failures(1.0), runs)[1] <= failure
    assert interval(failures(0.02), runs)[0] > failure  # the bound leaves much room here


def test_no_person_moves_the_answer_far() -> None:
    """Exactly ε-private: every database's chance, on data that differ in one person."""
    candidates, epsilon = databases(3, 4), 1.3
    data = databases(3, 6)
    laws = [
        chances(-np.abs(candidates @ QUERIES.T / 4 - QUERIES @ x / 6).max(axis=1), epsilon, 1 / 6)
        for x in data
    ]
    for x, law in zip(data, laws, strict=True):
        for y, other in zip(data, laws, strict=True):
            if np.abs(x - y).sum() == 2:
                assert np.abs(np.log(law / other)).max() <= epsilon + 1e-12


def test_refusals() -> None:
    for people, queries, size, epsilon, words in [
        (np.full(256, 9), np.ones((1, 256)), 100, 1.0, "too many to run; planning still works"),
        (np.full(2**14, 9), np.ones((1, 2**14)), 10**9, 1.0, "too many to run"),
        ([5, 3, 2], QUERIES, 2**53, 1.0, "too many to run"),
        ([5, 3, 2], QUERIES, 10**400, 1.0, "size = 1000"),
        ([5, 3, 2], QUERIES, 0, 1.0, "size = 0 is not allowed; give a whole number from 1"),
        ([5, 3, 2], QUERIES, 3, -1.0, "epsilon = -1.0 is not allowed"),
        ([5, 3], QUERIES, 3, 1.0, r"give an array of shape \(queries, 2\)"),
        ([5, 3, 2], 2 * QUERIES, 3, 1.0, "queries must hold values from 0 to 1"),
        ([0, 0, 0], QUERIES, 3, 1.0, "histogram must be"),
        ([0.5, 0.3, 0.2], QUERIES, 3, 1.0, "histogram must be a list of whole numbers"),
        ([5, -3, 2], QUERIES, 3, 1.0, "histogram must be"),
    ]:
        with pytest.raises(ValueError, match=words):
            run_net(people, queries, size, epsilon, np.random.default_rng(0))


def test_the_most_databases(monkeypatch) -> None:
    monkeypatch.setattr(exponential, "MOST_DATABASES", 15)
    assert len(databases(3, 4)) == 15
    monkeypatch.setattr(exponential, "MOST_DATABASES", 14)
    with pytest.raises(ValueError, match="too many to run"):
        databases(3, 4)
