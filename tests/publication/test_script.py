"""The program to keep, run by itself."""

import json
import subprocess
import sys

import pytest

from planner.explanation.running.script import script
from tests.publication import plans


@pytest.mark.slow
@pytest.mark.parametrize("name", ["laplace", "numbers", "geometric", "survey"])
def test_the_program_publishes(name, tmp_path):
    plan = plans.plan(name)
    (tmp_path / "release.py").write_text(script(plan), "utf-8")
    path = plans.records(tmp_path, plan)
    command = [sys.executable, str(tmp_path / "release.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    published = json.loads(done.stdout)
    if name == "laplace":
        assert abs(published - 0.5) < 20 * plan.scale
    plans.with_rows(path, -1)
    short = subprocess.run(command, capture_output=True, text=True)
    assert short.returncode == 1
    assert "records" in short.stderr


def test_plans_without_a_call_have_no_program():
    with pytest.raises(ValueError, match="each person randomises"):
        script(plans.plan("reports"))
    with pytest.raises(ValueError, match="Gaussian noise"):
        script(plans.plan("gaussian"))
