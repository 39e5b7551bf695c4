"""What an attacker gains, against the best test of two outputs, computed from their laws."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import planner
from planner.explanation.participant import attack_on, guesses
from planner.privacy.attack import advantage, attack
from planner.wording import at_most


def total_variation(one, other, low: float, high: float) -> float:
    """Half the integral of |f − g|: the largest power less size of a test of f against g."""
    apart = lambda x: abs(one(x) - other(x)) / 2  # noqa: E731
    return integrate.quad(apart, low, high, limit=500, points=[0.0, 0.5, 1.0])[0]


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 4.0, 60.0])
def test_a_randomised_bit_reaches_what_epsilon_allows(epsilon) -> None:
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert advantage(epsilon) == pytest.approx(truth - (1 - truth), rel=1e-9)


@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.2, 1.0])
def test_delta_is_what_a_leak_adds(delta) -> None:
    """With probability δ the record is published, else a bit is randomised."""
    for epsilon in (0.3, 2.0):
        bit = math.tanh(epsilon / 2)
        assert advantage(epsilon, delta) == pytest.approx(delta + (1 - delta) * bit, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_laplace_noise_allows_no_more(epsilon) -> None:
    laws = (stats.laplace(at, 1 / epsilon).pdf for at in (0.0, 1.0))
    found = total_variation(*laws, -80 / epsilon, 80 / epsilon)
    assert found == pytest.approx(1 - math.exp(-epsilon / 2), rel=1e-6)
    assert found < advantage(epsilon)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (2.0, 1e-3)])
def test_gaussian_noise_is_as_good_as_its_law(epsilon, delta) -> None:
    found = attack(epsilon, delta, gaussian=True)
    laws = (stats.norm(at, 1 / found.mu).pdf for at in (0.0, 1.0))
    assert found.advantage == pytest.approx(total_variation(*laws, -200, 200), rel=1e-6)
    assert found.advantage < advantage(epsilon, delta)
    # μ is what these ε and δ say of it (Dong, Roth and Su 2022, Corollary 2.13)
    above = stats.norm.cdf(-epsilon / found.mu + found.mu / 2)
    below = stats.norm.cdf(-epsilon / found.mu - found.mu / 2)
    assert above - math.exp(epsilon) * below == pytest.approx(delta, rel=1e-6)
    assert found.rho == pytest.approx(found.mu**2 / 2)


def test_a_plan_says_so_in_words_in_data_and_for_the_registry() -> None:
    plan = planner.solve(
        planner.Study(target=planner.Accuracy(0.1, 0.1), conditions=[planner.EpsilonAtMost(1.0)])
    )
    gained = attack_on(plan)
    assert gained.mu is None
    (sentence,) = guesses(plan)
    assert "50 % of the time without them" in sentence
    told = planner.explain(plan).to_dict()
    assert told["attack"] == {"advantage": gained.advantage, "mu": None, "rho": None}
    loss = told["registry"]["deployment"]["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": plan.epsilon}  # the schema has no others
    assert at_most(gained.advantage, 4) in loss["privacy_parameters_details"]
    assert np.isclose(gained.advantage, math.tanh(plan.epsilon / 2))
