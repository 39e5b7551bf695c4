"""What the classes refuse: one sentence with field, value and what to give."""

import pickle
from itertools import product

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

import planner
from planner import checks
from planner.checked import Refused


def test_what_is_refused_is_one_sentence() -> None:
    for build, words in [
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
    ]:
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


FRACTIONS = (
    *("Error", "Failure", "Probability", "Confidence", "DeltaValue", "Mean", "Change", "Margin"),
    *("Rate", "AnswerRate", "GroupShare"),
)
OTHERS = {"Epsilon": "5 %", "Money": -5, "DesignEffect": "5 %", "Participants": "5%", "Share": -5}


def test_a_fraction_given_in_hundredths_is_said_as_one() -> None:
    for (value, share), name in product(
        [(5, "0.05"), (95.5, "0.955"), ("5 %", "0.05"), (np.float64(7.0), "0.07")], FRACTIONS
    ):
        unit = "percentage points" if name in ("Error", "Change", "Margin") else "%"
        with pytest.raises(ValidationError) as caught:
            TypeAdapter(getattr(checks, name)).validate_python(value)
        hundredths = value[:-2] if isinstance(value, str) else f"{value:g}"
        assert caught.value.errors()[0]["msg"].endswith(f"; write {share} for {hundredths} {unit}")


def test_what_cannot_be_meant_in_hundredths_is_refused_alone() -> None:
    for name, value in [
        *((name, 101) for name in FRACTIONS),
        ("Failure", 100),
        ("Failure", "150%"),
        ("Rate", "x %"),
        ("Rate", float("nan")),
        ("Rate", -5),
        *OTHERS.items(),
    ]:
        with pytest.raises(ValidationError) as caught:
            TypeAdapter(getattr(checks, name)).validate_python(value)
        assert "write" not in caught.value.errors()[0]["msg"]


def test_arguments_given_in_hundredths() -> None:
    with pytest.raises(ValueError, match=r"and below 1; write 0\.9 for 90 %$"):
        checks.probability("confidence", 90)
    with pytest.raises(ValueError, match=r"below 1$"):
        checks.probability("confidence", 100)
    with pytest.raises(ValueError, match=r"at most 1; write 1 for 100 %$"):
        checks.fraction("error", 100)


@pytest.mark.parametrize("currency", ["EUR", "€", "$", "Fr.", "円", ""])
def test_currencies(currency) -> None:
    assert TypeAdapter(checks.Currency).validate_python(currency) == currency


@pytest.mark.parametrize("currency", ["6", "-", " ", "20.000"])
def test_what_is_no_currency(currency) -> None:
    study = (planner.LaplaceMean(), planner.Accuracy(0.1, 0.1), planner.Individual(1.0))
    with pytest.raises(Refused, match="is no currency; give letters or a sign, such as EUR"):
        planner.Study(*study, currency=currency)
