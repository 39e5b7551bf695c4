import datetime
import math
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from planner import wording

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("number", "text"),
    [(30_000.0, "30,000"), (0.05, "0.05"), (12_345.75, "12,345.75"), (1e-8, "1e-08"), (7, "7")],
)
def test_plain(number: float, text: str) -> None:
    assert wording.plain(number) == text


def test_one_person_is_no_people() -> None:
    assert wording.persons(1) == "1 person"
    assert wording.persons(1_200.0) == "1,200 people"


def test_money_is_rounded_up() -> None:
    for amount, text in [
        (12.5, "12.50 USD"),
        (0.1, "0.10 USD"),
        (1234.561, "1,234.57 USD"),
        (0.00085215, "0.000853 USD"),
        (0.0, "0.00 USD"),
        (2e297, "2e+297 USD"),
        (float("inf"), "no limit"),
    ]:
        assert wording.money(amount, "USD") == text


def test_limits_are_rounded_toward_the_promise() -> None:
    assert wording.at_most(0.0508876, 3) == "0.0509"
    assert wording.at_least(250.35615, 4) == "250.3"


def test_several() -> None:
    assert wording.several(["a"]) == "a"
    assert wording.several(["a", "b", "c"]) == "a, b and c"


@given(st.floats(1e-4, 1e4))
def test_a_payment_is_rounded_up_to_the_next_cent(owed) -> None:
    told = Fraction(wording.payment(owed).replace(",", ""))
    assert 0 <= told - Fraction(repr(owed)) < Fraction(1, 100)


def test_a_payment_in_cents() -> None:
    assert wording.payment(2.8347158, "EUR") == "2.84 EUR"
    assert wording.payment(2.5, "EUR") == "2.50 EUR"
    assert wording.payment(0.0012) == "0.01"
    assert wording.payment(0.0) == wording.money(0.0)


def test_what_was_given_is_repeated_in_few_letters() -> None:
    assert wording.quoted("0.05") == "'0.05'"
    assert wording.quoted(datetime.date(1979, 5, 27)) == "1979-05-27"
    assert len(wording.quoted([1] * 1000)) == 60
    assert wording.named("") == '""'
    assert wording.named("a\x1b") == "a?"
    assert len(wording.named("a" * 1000)) == 40


def test_what_is_missing_is_installed_from_the_folder_of_the_program() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    said = wording.not_installed("sweeps need", "xarray", "sweep")
    assert said.startswith(
        "sweeps need xarray, which is not installed; run pip install -e '.[sweep]' "
    )
    found = set()
    for path in [*(ROOT / "planner").rglob("*.py"), *(ROOT / "planner").rglob("*.md")]:
        text = path.read_text("utf-8")
        assert "pip install 'epsilon-planner" not in text
        found |= set(re.findall(r'not_installed\([^)]*"(\w+)"\)', text))
        found |= set(re.findall(r"'\.\[(\w+)\]'", text))
    assert {"app", "publish", "sweep"} <= found <= extras.keys()


def test_a_payment_without_limit_is_no_number() -> None:
    assert wording.payment(math.inf) == "no limit"
