"""Readers as rules, and the bounds of their losses."""

from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.checked import Refused
from planner.consumers.loss import table
from planner.consumers.loss_bracket import loss_bracket


def test_a_rule_gives_the_reader_at_each_size() -> None:
    assert planner.consumers.BayesianReader().at(4).prior == pytest.approx([0.2] * 5)
    binomial = planner.consumers.BayesianReader(0.5).at(2)
    assert binomial.prior == pytest.approx([0.25, 0.5, 0.25])
    # a tenth of 25 people: 2.5, rounded outward
    assert planner.consumers.MinimaxReader((0.1, 0.2)).at(25).possible == (2, 3, 4, 5)
    assert planner.consumers.MinimaxReader().at(3).possible == (0, 1, 2, 3)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", planner.consumers.OffBy(2)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_the_bracket_holds_the_exact_loss(loss, epsilon: float) -> None:
    consumer = planner.consumers.BayesianReader(0.3, loss).at(9)
    found = loss_bracket(consumer, epsilon)
    # in exact fractions, with α as the float it is
    alpha = Fraction(float(np.exp(-epsilon)))
    losses = table(loss, 9)
    total = Fraction(0)
    for r in range(10):
        weights = [
            Fraction(float(consumer.prior[i]))
            * (1 if r in (0, 9) else 1 - alpha)
            / (1 + alpha)
            * alpha ** abs(i - r)
            for i in range(10)
        ]
        total += min(
            sum(w * Fraction(losses[i, q]) for i, w in enumerate(weights)) for q in range(10)
        )
    assert found.least <= float(total) <= found.most
    assert found.most - found.least < 1e-11


def test_minimax_bounds_are_its_own() -> None:
    consumer = planner.consumers.MinimaxReader((0.0, 0.5)).at(12)
    optimum = consumer.optimum(0.5)
    assert loss_bracket(consumer, 0.5) == (optimum.least, optimum.loss)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: planner.consumers.BayesianReader(1.5),
            "population mean of at least 0 and at most 1",
        ),
        (lambda: planner.consumers.MinimaxReader((0.5, 0.1)), "give the lower end first"),
        (lambda: planner.consumers.BayesianReader(loss=np.eye(3)), "give a named loss or OffBy"),
        (lambda: planner.consumers.BayesianReader(loss="cubic"), "is unknown"),
    ],
)
def test_refusals(build, words: str) -> None:
    with pytest.raises(Refused, match=words):
        build()
