import math
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog

from planner.consumers.bayesian import BayesianConsumer
from planner.consumers.geometric import matrix, noise_chances
from planner.consumers.loss import OffBy, table

LOSSES = ["absolute", "squared", "zero-one", OffBy(2), OffBy(3), OffBy(20), OffBy(10**30)]
LOPSIDED = "a table that punishes answers that are too low"


def uniform(n: int) -> np.ndarray:
    return np.full(n + 1, 1 / (n + 1))


def two_ends(n: int) -> np.ndarray:
    prior = np.zeros(n + 1)
    prior[[0, n]] = 0.5
    return prior


def bell(n: int, centre: float, width: float) -> np.ndarray:
    prior = np.exp(-((np.arange(n + 1) - centre) ** 2) / (2 * width**2))
    return prior / prior.sum()


def near_certain(n: int) -> np.ndarray:
    prior = np.zeros(n + 1)
    prior[0] = 1 - 2e-9
    prior[[n // 2 + 1, n]] += 1e-9
    return prior / prior.sum()


PRIORS = {
    "uniform": uniform,
    "two ends": two_ends,
    "bell": lambda n: bell(n, 0.3 * n, 1 + n / 10),
    "random": lambda n: np.random.default_rng(n).dirichlet(np.ones(n + 1)),
    "sparse": lambda n: np.random.default_rng(n + 1).dirichlet(np.full(n + 1, 0.2)),
    "near certain": near_certain,
}


def loss_of(loss, n: int):
    if loss is LOPSIDED:
        away = np.arange(n + 1) - np.arange(n + 1)[:, None]
        return np.where(away < 0, 3.0 * away**2, np.sqrt(np.abs(away)))
    return loss


def costs(prior, loss, epsilon: float) -> np.ndarray:
    """By matrices: the loss of each reading (column) of each answer (row)."""
    n = len(prior) - 1
    return (prior[:, None] * matrix(n, math.exp(-epsilon))).T @ table(loss, n)


def least_loss(prior, loss, epsilon: float) -> float:
    """Ghosh09 §5's linear program over all ε-private releases."""
    k, alpha = len(prior), math.exp(-epsilon)
    ahead = alpha * np.eye(k - 1, k) - np.eye(k - 1, k, 1)
    behind = alpha * np.eye(k - 1, k, 1) - np.eye(k - 1, k)
    private = np.kron(np.vstack([ahead, behind]), np.eye(k))
    found = linprog(
        (np.asarray(prior)[:, None] * table(loss, k - 1)).ravel(),
        A_ub=private,
        b_ub=np.zeros(len(private)),
        A_eq=np.kron(np.eye(k), np.ones(k)),
        b_eq=np.ones(k),
        bounds=(0, None),
    )
    assert found.status == 0
    return found.fun


@pytest.mark.parametrize(
    ("n", "loss"),
    [
        (10, 1.417355739123380),
        (30, 1.739959588054946),
        (100, 1.864071072586117),
        (600, 1.909797926786472),
    ],
)
def test_reference_values(n: int, loss: float) -> None:
    """Absolute loss, uniform prior, α = e^(−1/2)."""
    assert BayesianConsumer(uniform(n)).optimum(0.5).loss == pytest.approx(loss, rel=1e-13)


def test_example_2_2() -> None:
    """Ghosh09 Example 2.2: 2α/(1 + α) at face value, α^((n + 1)/2)/(1 + α) after the remap."""
    for epsilon, n in product([0.1, math.log(2), 2.0], [1, 5, 9, 51]):
        alpha = math.exp(-epsilon)
        at_face_value = 1 - float(noise_chances(0, alpha))
        assert at_face_value == pytest.approx(2 * alpha / (1 + alpha), rel=1e-13)
        found = BayesianConsumer(two_ends(n), "zero-one").optimum(epsilon)
        assert found.loss == pytest.approx(alpha ** ((n + 1) / 2) / (1 + alpha), rel=1e-12)
        assert found.remap.tolist() == [0] * ((n + 1) // 2) + [n] * ((n + 1) // 2)


def test_figure_2() -> None:
    """Ghosh09 Figure 2: answers 1 are read as 2, at n = 5 and α = 1/2."""
    prior = [0.19, 0.01, 0.2, 0.2, 0.2, 0.2]
    found = BayesianConsumer(prior, "zero-one").optimum(math.log(2))
    assert found.remap.tolist() == [0, 2, 2, 3, 4, 5]
    printed = [
        "2/3 0 1/4 1/24 1/48 1/48",
        "1/3 0 1/2 1/12 1/24 1/24",
        "1/6 0 1/2 1/6 1/12 1/12",
        "1/12 0 1/4 1/3 1/6 1/6",
        "1/24 0 1/8 1/6 1/3 1/3",
        "1/48 0 1/16 1/12 1/6 2/3",
    ]
    expected = [[float(Fraction(x)) for x in row.split()] for row in printed]
    assert found.mechanism() == pytest.approx(np.array(expected), rel=1e-14)


def test_no_private_release_does_better() -> None:
    """Ghosh09 Theorem 3.1, by the linear program."""
    for (n, epsilon), loss, prior in product([(1, 0.3), (7, 0.2)], [*LOSSES[:4], LOPSIDED], PRIORS):
        loss = loss_of(loss, n)
        p = PRIORS[prior](n)
        found = BayesianConsumer(p, loss).optimum(epsilon)
        assert found.loss == pytest.approx(least_loss(p, loss, epsilon), rel=1e-7, abs=1e-9)
        assert found.loss == pytest.approx(np.sum(p[:, None] * found.mechanism() * table(loss, n)))


def test_losses_are_sums_over_all_counts() -> None:
    for n, loss, prior in product([1, 2, 16], [*LOSSES, LOPSIDED], PRIORS):
        loss = loss_of(loss, n)
        p = PRIORS[prior](n)
        answers = np.arange(n + 1)
        for epsilon in (1e-4, 0.03, 0.4, 1.5, 8.0):
            expected = costs(p, loss, epsilon)
            found = BayesianConsumer(p, loss).optimum(epsilon)
            told = expected[answers, found.remap]
            assert found.loss == pytest.approx(told.sum(), rel=1e-12, abs=1e-300)
            windows = isinstance(loss, OffBy)  # chosen to some 10^−15 of the chance of the answer
            room = 1e-14 * (1 + epsilon * n) if windows else 0
            assert told.sum() <= expected.min(axis=1).sum() * (1 + 1e-12) + room


@given(
    weights=st.lists(st.integers(0, 20), min_size=2, max_size=40).filter(any),
    epsilon=st.floats(1e-6, 30),
    loss=st.sampled_from(LOSSES),
)
def test_any_prior(weights, epsilon: float, loss) -> None:
    p = np.array(weights) / sum(weights)
    n = len(p) - 1
    expected = costs(p, loss, epsilon)
    found = BayesianConsumer(p, loss).optimum(epsilon)
    told = expected[np.arange(n + 1), found.remap].sum()
    # as a matrix the small α^|i − r| are as exact, but 1 − α is not
    assert found.loss == pytest.approx(told, rel=1e-12 + 1e-15 / epsilon, abs=1e-300)
    assert told <= expected.min(axis=1).sum() * (1 + 1e-12) + 1e-13


def test_mirrored_priors_have_mirrored_readers() -> None:
    for epsilon, loss in product([0.02, 0.5, 3.0], LOSSES):
        p = PRIORS["random"](61)
        one, other = (BayesianConsumer(x, loss).optimum(epsilon) for x in (p, p[::-1]))
        assert one.loss == pytest.approx(other.loss, rel=1e-13)
        assert (one.remap == 61 - other.remap[::-1]).all()


def test_loss_falls_with_epsilon_to_none_and_rises_to_the_priors_own() -> None:
    for loss in LOSSES:
        p = PRIORS["random"](40)
        consumer = BayesianConsumer(p, loss)
        losses = [consumer.optimum(e).loss for e in (1e-9, 1e-3, 0.01, 0.1, 0.5, 2.0, 10.0, 1e308)]
        assert all(x >= y * (1 - 1e-13) for x, y in pairwise(losses))
        assert losses[0] == pytest.approx((p @ table(loss, 40)).min(), rel=1e-6)
        assert losses[-1] < 1e-300


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", OffBy(2)], ids=str)
def test_readings_never_fall(loss) -> None:
    for prior in PRIORS.values():
        remap = BayesianConsumer(prior(200), loss).optimum(0.2).remap
        assert (np.diff(remap) >= 0).all()


@pytest.mark.parametrize(
    ("loss", "remap"),
    [
        ("absolute", [0, 2, 4]),  # every count is a median at 2
        ("squared", [0, 2, 4]),
        ("zero-one", [0, 0, 4]),  # 0 and 4 are as near
        (OffBy(2), [0, 1, 4]),  # of 0 and 1, and of 3 and 4, the nearest to 2 is 1 or 3
        (OffBy(3), [2, 2, 2]),  # only 2 is never 3 off
    ],
    ids=str,
)
def test_ties(loss, remap) -> None:
    found = BayesianConsumer(two_ends(4), loss).optimum(1.0).remap
    assert found[[0, 2, 4]].tolist() == remap
    by_tables = BayesianConsumer(two_ends(4), table(loss, 4)).optimum(1.0).remap
    assert by_tables.tolist() == found.tolist()


@pytest.mark.parametrize("loss", ["absolute", "zero-one"])
def test_a_tie_with_the_answer_itself_leaves_it(loss: str) -> None:
    """At answer 1 and α = 1/2 the counts 0 and 1 are as likely, so either is a median."""
    assert BayesianConsumer([2 / 3, 1 / 3], loss).optimum(math.log(2)).remap.tolist() == [0, 1]
    assert BayesianConsumer([1 / 3, 2 / 3], loss).optimum(math.log(2)).remap.tolist() == [0, 1]


def test_the_answer_is_frozen() -> None:
    found = BayesianConsumer(uniform(3)).optimum(1)
    with pytest.raises(FrozenInstanceError):
        found.loss = 0.0
    with pytest.raises(ValueError, match="read-only"):
        found.remap[0] = 1
    prior = uniform(3)
    consumer = BayesianConsumer(prior)
    prior[0] = 9
    assert consumer.prior[0] == 0.25
    assert consumer.n == 3


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ([0.5, 0.4], r"prior sums to 0\.9; give probabilities that sum to 1 within 1e-9"),
        ([0.5, 0.7, -0.2], r"prior\[2\] = -0\.2 is not allowed; give a probability from 0 to 1"),
        ([0.5, math.nan], r"prior\[1\] = nan"),
        ([1.0], r"prior has shape \(1,\); give the probabilities of the counts 0, …, n"),
        ([[0.5, 0.5]], r"prior has shape \(1, 2\)"),
    ],
)
def test_priors_that_are_refused(prior, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        BayesianConsumer(prior)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="loss = 'median' is unknown"):
        BayesianConsumer(uniform(3), "median")
    with pytest.raises(ValueError, match=r"shape \(2, 2\); for counts from 0 to 3 give 4 rows"):
        BayesianConsumer(uniform(3), [[0, 1], [1, 0]])
    for epsilon in (0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match=f"epsilon = {epsilon!r} is not allowed"):
            BayesianConsumer(uniform(3)).optimum(epsilon)
    with pytest.raises(ValueError, match="prior has 2002 probabilities; give at most 2001"):
        BayesianConsumer(uniform(2001))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_laplace_noise_serves_worse(epsilon: float) -> None:
    """Ghosh09 §6.1: one person, an even prior above 0 and 1; its formulas are lost in the text."""
    alpha = math.exp(-epsilon)
    geometric = BayesianConsumer([0.5, 0.5]).optimum(epsilon).loss
    assert geometric == pytest.approx(alpha / (1 + alpha))
    # with Laplace noise the likelier count lies on the answer's side of 1/2
    x = np.linspace(-40 / epsilon, 40 / epsilon + 1, 2_000_001)
    density = [epsilon / 2 * np.exp(-epsilon * np.abs(x - count)) for count in (0, 1)]
    laplace = np.trapezoid(np.minimum(*density), x) / 2
    assert laplace == pytest.approx(math.sqrt(alpha) / 2, rel=2e-3)
    assert laplace / geometric == pytest.approx((1 + alpha) / (2 * math.sqrt(alpha)), rel=2e-3)
