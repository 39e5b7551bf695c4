"""What the classes refuse: one sentence with field, value and what to give."""

import pickle

import pytest

import planner
from planner.checked import Refused


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: planner.Accuracy(5.0, 0.05), "error = 5.0 is not allowed; give a fraction of 1"),
        (lambda: planner.Accuracy(0.05), "Accuracy: failure is missing; give a probability"),
        (lambda: planner.Accuracy(error=0.1, failur=0.1), "no field failur; did you mean failure?"),
        (lambda: planner.Accuracy(0.1, 0.1, 3), "values"),
        (lambda: planner.Accuracy(0.1, 0.1, None, 4), "takes its fields by name"),
        (lambda: planner.Budget("lots"), "money = 'lots' is not allowed; give an amount of money"),
        (lambda: planner.Budget(float("nan")), "money = nan is not allowed"),
        (lambda: planner.Mean("weight", 30.0, 200.0, 3.0), "takes its fields by name"),
        (lambda: planner.LaplaceMean("fast"), "analysis = 'fast' is not allowed; give 'exact'"),
        (
            lambda: planner.consumers.BayesianReader(1.5),
            "prior = 1.5 is not allowed; give a population mean",
        ),
        (
            lambda: planner.Study("laplace", planner.Accuracy(0.1, 0.1), planner.Individual(1.0)),
            "mechanism = 'laplace' is not allowed; give a Mechanism",
        ),
        (
            lambda: planner.Study(
                planner.LaplaceMean(),
                planner.Accuracy(0.1, 0.1),
                planner.Individual(1.0),
                planner.Budget(9.0),
            ),
            "Budget(money=9.0) is not a list; give [Budget(money=9.0)]",
        ),
        (lambda: planner.Individual(2.0, 1.0), "worst_cost = 1.0 is below base_cost = 2.0"),
    ],
)
def test_what_is_refused_is_one_sentence(build, words: str) -> None:
    with pytest.raises(Refused) as caught:
        build()
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert "pydantic" not in message
    assert len(message) < 300


def test_a_refusal_reaches_another_process_as_its_sentence() -> None:
    with pytest.raises(Refused) as caught:
        planner.Budget(-1.0)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, ValueError)
    assert str(copy) == str(caught.value)
