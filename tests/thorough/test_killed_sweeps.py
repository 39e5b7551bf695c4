"""Sweeps killed at random moments and run again: the file is the one of a sweep left alone.

PLANNER_KILLS and PLANNER_SEED choose how many are killed, and when.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import scenarios

KILLS = int(os.environ.get("PLANNER_KILLS", "4"))
SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDY = scenarios.WORKED_STUDIES / "mean-education.toml"
SWEEP = f"sweep {STUDY} --vary budget=1e3:1e6:60 --vary base_cost=1:100:50 --force -o"
ENDINGS = (".csv", ".zarr")
# what is imported once takes no time in the processes that are killed
_PROGRAM = """
import os, signal, sys, time
import matplotlib, pandas, xarray, zarr
import planner.figures.save, planner.answer.solve, planner.study_file.reader, planner.sweeps.store
from planner.cli import run
from planner.sweeps import store
for line in sys.stdin:
    seconds, *command = line.split()
    store.BLOCK = 3_000 if command[-1].endswith(".csv") else 300  # a table is of one part
    number = os.fork()
    if not number:
        sys.stdout = sys.stderr = open(os.devnull, "w")
        os._exit(run(command))
    if float(seconds) > 0:
        time.sleep(float(seconds))
        os.kill(number, signal.SIGKILL)
    print(os.waitpid(number, 0)[1], flush=True)
"""


class Planner:
    """Commands, each in a process of its own that starts at once."""

    def __init__(self, process: subprocess.Popen) -> None:
        self._process = process

    def run(self, command: str, kill_after: float = 0.0) -> int:
        """How the command ended: as the system says it, a signal where it was killed in time."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(f"{kill_after} {command}\n")
        stdin.flush()
        return int(stdout.readline())


@pytest.fixture(scope="module")
def planner() -> Iterator[Planner]:
    with subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield Planner(process)
        process.kill()


def contents(path: Path) -> dict[str, str]:
    """A hash of each file at a path."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file()
    }


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_killed_sweep_goes_on(ending: str, planner, tmp_path) -> None:
    rng = random.Random(f"{SEED} {ending}")
    left_alone = tmp_path / f"alone{ending}"
    assert planner.run(f"{SWEEP} {left_alone}") == 0
    started = time.monotonic()
    assert planner.run(f"{SWEEP} {left_alone}") == 0
    longest = time.monotonic() - started
    expected, killed, kept = contents(left_alone), 0, 0
    wanted = -(-KILLS // len(ENDINGS))
    for number in range(5 * wanted):
        if killed == wanted:
            break
        output = tmp_path / str(number) / f"a{ending}"
        output.parent.mkdir()
        if number % 2:  # what is there is replaced
            copy = shutil.copytree if left_alone.is_dir() else shutil.copy
            copy(left_alone, output)
        ended = planner.run(f"{SWEEP} {output}", rng.uniform(0.001, longest))
        killed += ended == signal.SIGKILL
        assert ended in (0, signal.SIGKILL)
        if output.exists():
            assert contents(output) == expected  # whole, or not there
        kept += any(output.parent.glob("*.parts/verdict/c"))
        assert planner.run(f"{SWEEP} {output}") == 0
        assert contents(output) == expected
        assert list(output.parent.iterdir()) == [output]
    print(f"{ending}: {killed} killed, {kept} with parts kept")  # noqa: T201
    assert killed == wanted
