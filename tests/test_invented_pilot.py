"""The invented pilot of the guide."""

import csv
import math
import subprocess
import sys

import pytest

from planner.pilot import estimate, read_pilot
from planner.scenarios import pilot


def test_it_is_the_same_every_time(tmp_path) -> None:
    pilot.write(tmp_path / "one.csv")
    command = [sys.executable, "-m", "planner.scenarios.pilot", str(tmp_path / "two.csv")]
    subprocess.run(command, check=True)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_its_spread_is_found(tmp_path) -> None:
    pilot.write(tmp_path / "answers.csv")
    shown = estimate(read_pilot(tmp_path / "answers.csv"))
    fitted = shown.log_normal
    assert fitted.low < pilot.MEDIAN < fitted.high
    assert fitted.spread == pytest.approx(pilot.FACTOR, rel=0.1)
    assert fitted.never == pytest.approx(pilot.NEVER, abs=0.02)
    assert shown.disagreement is None
    with (tmp_path / "answers.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == pilot.PEOPLE
    yes = sum(row["accepts"] == "yes" for row in rows if row["offer"] == "15.0")
    assert yes / sum(row["offer"] == "15.0" for row in rows) > 0.8
    assert math.isclose(pilot.OFFERS[-1] * pilot.WITHOUT / (pilot.WITH - pilot.WITHOUT), 60)
