"""The scripts of the frozen values give what the files hold, and other points agree as well."""

import json
import runpy
from pathlib import Path

import pytest

from tests.mechanisms.exact.sums.test_noisy_count import failure

REFERENCE = Path(__file__).parents[1] / "reference"
NOISY_COUNT = runpy.run_path(str(REFERENCE / "make_noisy_count.py"))


def test_noisy_counts_are_as_frozen() -> None:
    assert NOISY_COUNT["made"]() == json.loads((REFERENCE / "noisy_count.json").read_text("utf-8"))


@pytest.mark.parametrize(("least", "most", "within"), [(0, 9, 1e-9), (9, 12, 1e-7)])
def test_other_noisy_counts(least: int, most: int, within: float) -> None:
    for case in NOISY_COUNT["drawn"](40, least, most, within, seed=21):
        assert failure(case) == pytest.approx(case["failure"], rel=within, abs=0), case
