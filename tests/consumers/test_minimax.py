import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from scipy.optimize import linprog

from planner.consumers.loss import OffBy, table
from planner.consumers.minimax import MinimaxConsumer, MinimaxOptimum

NAMED = ["absolute", "squared", "zero-one", OffBy(2)]
TOLERANCE = 1e-9
"""Both ends of a bracket agree within this fraction of the loss, or of 1 if larger."""
EPSILONS = st.floats(0.01, 6)


def exact_geometric(n: int, alpha: Fraction) -> list[list[Fraction]]:
    """Gupte10 Definition 4, in fractions."""
    ends, inside = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    return [
        [(ends if r in (0, n) else inside) * alpha ** abs(i - r) for r in range(n + 1)]
        for i in range(n + 1)
    ]


def geometric(n: int, epsilon: float) -> Any:
    exact = exact_geometric(n, Fraction(math.exp(-epsilon)))
    return np.array([[float(x) for x in row] for row in exact])


def program(objective: Any, at_most: Any, equal: Any) -> float:
    """The least objective·x for x ≥ 0, at_most·x ≤ 0 and blocks of x that each sum to 1."""
    found = linprog(
        objective,
        A_ub=at_most,
        b_ub=np.zeros(len(at_most)),
        A_eq=equal,
        b_eq=np.ones(len(equal)),
        method="highs-ds",
    )
    assert found.success
    return float(found.fun)


def full_program(consumer: MinimaxConsumer, epsilon: float) -> float:
    """Gupte10 §2.4.3 as it stands: every answer to every output."""
    n, size = consumer.n, consumer.n + 1
    possible = range(size) if consumer.possible is None else list(consumer.possible)
    g, loss = geometric(n, epsilon), table(consumer.loss, n)
    worst = [np.append(np.outer(g[i], loss[i]).ravel(), -1.0) for i in possible]
    sums = np.hstack([np.kron(np.eye(size), np.ones(size)), np.zeros((size, 1))])
    return program(np.append(np.zeros(size**2), 1.0), np.array(worst), sums)


def best_mechanism(consumer: MinimaxConsumer, epsilon: float) -> float:
    """Gupte10 §2.5: the best ε-private mechanism of all, which need not come from G."""
    size, alpha = consumer.n + 1, math.exp(-epsilon)
    possible = range(size) if consumer.possible is None else list(consumer.possible)
    loss, one = table(consumer.loss, consumer.n), np.eye(size)
    rows = [np.append(np.outer(one[s], loss[s]).ravel(), -1.0) for s in possible]
    for i, k in [(a, b) for a in range(size) for b in (a - 1, a + 1) if 0 <= b < size]:
        for r in range(size):
            row = np.zeros((size, size))
            row[i, r], row[k, r] = alpha, -1.0
            rows.append(np.append(row.ravel(), 0.0))
    sums = np.hstack([np.kron(np.eye(size), np.ones(size)), np.zeros((size, 1))])
    return program(np.append(np.zeros(size**2), 1.0), np.array(rows), sums)


def tight(found: MinimaxOptimum) -> bool:
    return found.least <= found.loss <= found.least + TOLERANCE * max(1.0, found.loss)


def private(found: MinimaxOptimum) -> bool:
    x, alpha = found.mechanism(), math.exp(-found.epsilon)
    up, down = x[1:] - alpha * x[:-1], x[:-1] - alpha * x[1:]
    return bool((up >= -1e-15).all() and (down >= -1e-15).all())


def random_table(n: int, seed: int) -> Any:
    """A table that rises, with steps and flats, to either side of the count."""
    draw = np.random.default_rng(seed)
    rises = draw.exponential(size=(n + 1, n + 1)) * (draw.random((n + 1, n + 1)) < 0.6)
    counts = np.arange(n + 1)
    right = np.cumsum(np.where(counts > counts[:, None], rises, 0.0), axis=1)
    left = np.cumsum(np.where(counts < counts[:, None], rises, 0.0)[:, ::-1], axis=1)[:, ::-1]
    return right + left + draw.choice([0.0, 0.3], size=(n + 1, 1))


def test_table_1() -> None:
    """Gupte10 Table 1 (n = 3, α = 1/4) prints 9/11 and 2/11, for 68/83 and 15/83."""
    found = MinimaxConsumer(3).optimum(math.log(4))
    mixed = [68 / 83, 15 / 83, 0, 0]
    whole = [mixed, [0, 1, 0, 0], [0, 0, 1, 0], mixed[::-1]]
    assert found.interaction == pytest.approx(np.array(whole), abs=1e-12)
    assert found.loss == pytest.approx(168 / 415, abs=1e-12)
    printed = [2 / 3, 5 / 17, 1 / 25, 1 / 98]  # rounded: they sum to 1.011
    assert found.mechanism()[0] == pytest.approx(printed, abs=0.012)


def test_168_over_415_is_exact() -> None:
    """An interaction that reaches it and a prior that no answer beats, in fractions."""
    g = exact_geometric(3, Fraction(1, 4))
    mixed = [Fraction(68, 83), Fraction(15, 83), 0, 0]
    t = [mixed, [0, 1, 0, 0], [0, 0, 1, 0], mixed[::-1]]
    four = range(4)
    losses = [sum(g[i][r] * t[r][q] * abs(i - q) for r in four for q in four) for i in four]
    assert losses == [Fraction(168, 415)] * 4
    prior = [Fraction(10, 83), Fraction(63, 166), Fraction(63, 166), Fraction(10, 83)]
    costs = [[sum(prior[i] * g[i][r] * abs(i - q) for i in four) for q in four] for r in four]
    assert sum(map(min, costs)) == Fraction(168, 415)
    assert MinimaxConsumer(3).optimum(math.log(4)).prior == pytest.approx([float(p) for p in prior])


@pytest.mark.parametrize(("n", "loss"), [(10, 1.478986262758), (30, 1.836287018672)])
def test_absolute_loss(n: int, loss: float) -> None:
    assert MinimaxConsumer(n).optimum(0.5).loss == pytest.approx(loss, abs=1e-11)


@pytest.mark.slow
def test_many_people_lose_what_the_noise_loses() -> None:
    """2α/(1 − α²) is the mean size of two-sided geometric noise."""
    alpha = math.exp(-0.5)
    limit = 2 * alpha / (1 - alpha**2)
    losses = [MinimaxConsumer(n).optimum(0.5) for n in (25, 50, 100)]
    assert all(map(tight, losses))
    assert all(fewer.loss < more.loss for fewer, more in pairwise(losses))
    assert 1.917993193546 < losses[2].least < losses[2].loss < limit


@pytest.mark.slow
@pytest.mark.parametrize("loss", NAMED, ids=str)
@pytest.mark.parametrize("possible", [None, [0, 12], [1, 5, 11], [4, 5, 6, 7], [0, 1, 2]], ids=str)
@pytest.mark.parametrize("epsilon", [0.05, 0.7, 3.0])
def test_full_program(loss: Any, possible: list[int] | None, epsilon: float) -> None:
    consumer = MinimaxConsumer(12, possible, loss)
    found = consumer.optimum(epsilon)
    assert tight(found)
    assert found.loss == pytest.approx(full_program(consumer, epsilon), abs=2e-6)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(1, 10), st.integers(0, 10**6), st.data(), EPSILONS)
def test_full_program_for_any_table(n: int, seed: int, data: Any, epsilon: float) -> None:
    possible = data.draw(st.sets(st.integers(0, n), min_size=1))
    consumer = MinimaxConsumer(n, possible, random_table(n, seed))
    found = consumer.optimum(epsilon)
    assert tight(found)
    assert private(found)
    assert found.loss == pytest.approx(full_program(consumer, epsilon), abs=2e-6)


@settings(max_examples=25)
@given(st.integers(1, 5), st.integers(0, 10**6), st.data(), EPSILONS)
def test_no_private_mechanism_loses_less(n: int, seed: int, data: Any, epsilon: float) -> None:
    """Gupte10 Theorem 1, part 2."""
    possible = data.draw(st.sets(st.integers(0, n), min_size=1))
    consumer = MinimaxConsumer(n, possible, random_table(n, seed))
    best = best_mechanism(consumer, epsilon)
    assert consumer.optimum(epsilon).loss == pytest.approx(best, abs=2e-6)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(1, 40), st.sampled_from(NAMED), EPSILONS)
@example(1, OffBy(2), 1.0)
def test_bracket_privacy_and_mirror(n: int, loss: Any, epsilon: float) -> None:
    found = MinimaxConsumer(n, None, loss).optimum(epsilon)
    assert tight(found)
    assert private(found)
    t = found.interaction
    assert (t >= 0).all()
    assert t.sum(axis=1) == pytest.approx(np.ones(n + 1), abs=1e-15)
    assert t == pytest.approx(t[::-1, ::-1], abs=1e-15)
    x = found.mechanism()
    worst = (x * table(loss, n)).sum(axis=1).max()
    assert worst == pytest.approx(found.loss, rel=1e-12)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(1, 12), st.integers(1, 9), st.sampled_from(NAMED))
def test_bracket_holds_in_fractions(n: int, tenths: int, loss: Any) -> None:
    """`loss` is reached by the interaction and `least` is proved by the prior, without rounding."""
    epsilon, size = tenths / 2, range(n + 1)
    found = MinimaxConsumer(n, None, loss).optimum(epsilon)
    g = exact_geometric(n, Fraction(math.exp(-epsilon)))
    l_ir = [[Fraction(x) for x in row] for row in table(loss, n).tolist()]
    t = [[Fraction(x) for x in row] for row in found.interaction.tolist()]
    p = [Fraction(x) for x in found.prior.tolist()]
    worst = max(sum(g[i][r] * t[r][q] * l_ir[i][q] for r in size for q in size) for i in size)
    bayes = sum(min(sum(p[i] * g[i][r] * l_ir[i][q] for i in size) for q in size) for r in size)
    assert found.least * sum(p) <= bayes
    assert worst <= found.loss


@pytest.mark.slow
@given(st.integers(1, 25), st.sampled_from(NAMED), EPSILONS, st.floats(1.01, 3))
def test_less_privacy_never_loses_more(n: int, loss: Any, epsilon: float, times: float) -> None:
    consumer = MinimaxConsumer(n, None, loss)
    assert consumer.optimum(epsilon * times).least <= consumer.optimum(epsilon).loss


@given(st.integers(2, 25), st.data(), st.sampled_from(NAMED), EPSILONS)
def test_knowing_more_never_loses_more(n: int, data: Any, loss: Any, epsilon: float) -> None:
    more = data.draw(st.sets(st.integers(0, n), min_size=2))
    less = data.draw(st.sets(st.sampled_from(sorted(more)), min_size=1))
    knows = MinimaxConsumer(n, less, loss).optimum(epsilon)
    assert knows.least <= MinimaxConsumer(n, more, loss).optimum(epsilon).loss


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "possible", "loss", "epsilon"),
    [
        (100, None, "absolute", 0.05),
        (100, [3, 50, 97], "absolute", 0.5),
        (100, [*range(45), *range(52, 101)], "squared", 1.0),
        (100, None, "squared", 0.5),
        (100, None, OffBy(3), 0.1),
        (120, range(60, 121), "absolute", 0.1),
        (100, None, "zero-one", 5.0),
        (60, None, "absolute", 1e-9),
        (60, None, "squared", 800.0),
    ],
)
def test_hard_cases_close(n: int, possible: Any, loss: Any, epsilon: float) -> None:
    found = MinimaxConsumer(n, possible, loss).optimum(epsilon)
    assert tight(found)
    assert private(found)


def test_two_far_counts() -> None:
    """For 0 or n the best guess is the nearer end, wrong with probability about α^(n/2)."""
    found = MinimaxConsumer(20, [0, 20]).optimum(0.5)
    assert found.interaction[:10, 0] == pytest.approx(np.ones(10))
    g = geometric(20, 0.5)
    assert found.loss == pytest.approx(20 * (g[0, 11:].sum() + g[0, 10] / 2), abs=1e-12)


def test_a_known_count_costs_nothing() -> None:
    found = MinimaxConsumer(50, [17]).optimum(0.5)
    assert found.loss == found.least == 0
    assert (found.interaction[:, 17] == 1).all()


def test_answers_stay_among_the_possible() -> None:
    """Gupte10 Example 1: outputs under the least possible count are read alike."""
    t = MinimaxConsumer(30, range(10, 31)).optimum(0.5).interaction
    assert (t[:, :10] == 0).all()
    assert (t[:11] == t[10]).all()


def test_consumers_compare_and_hash() -> None:
    losses = table("absolute", 2)
    consumer = MinimaxConsumer(2, {2, 0}, losses)
    losses[0, 2] = 7.0
    assert consumer == MinimaxConsumer(2, [0, 2, 2], table("absolute", 2).tolist())
    assert len({consumer, MinimaxConsumer(2, (0, 2), table("absolute", 2))}) == 1


def test_refusals() -> None:
    for arguments, words in [
        ((0,), "n = 0 is not allowed; give a whole number from 1 to 200"),
        ((2.0,), "n = 2.0 is not allowed"),
        ((True,), "n = True is not allowed"),
        ((1001,), "n = 1001 is not allowed"),
        ((5, []), "possible is empty; give at least one count from 0 to 5, or None"),
        ((5, [2, 6]), "possible holds 6; give whole counts from 0 to 5, or None for all"),
        ((5, [1.0]), "possible holds 1.0"),
        ((5, 3), "possible = 3 is not a collection"),
        ((5, None, "median"), "loss = 'median' is unknown"),
        ((1, None, [[0, 1]]), "loss has shape"),
    ]:
        with pytest.raises(ValueError, match=words):
            MinimaxConsumer(*arguments)


def test_refused_epsilon() -> None:
    for epsilon in [0, -1.0, math.inf, math.nan, "0.5", True, None]:
        with pytest.raises(ValueError, match=r"epsilon = .* is not allowed; give a finite number"):
            MinimaxConsumer(3).optimum(epsilon)
