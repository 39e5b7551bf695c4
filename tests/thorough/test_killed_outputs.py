"""A kill at any moment leaves a whole file of results or none, and the command writes it again."""

import os
import subprocess
import sys

import pytest

from planner.publication.results import ENDINGS
from tests.publication import plans

KILLS = int(os.environ.get("PLANNER_KILLS", "4"))
CODE = """
import json, os, random, signal, sys, time
from pathlib import Path
import openpyxl
from planner.cli import run
from planner.publication import Publication, ledger

folder, ending, kills = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
target, book = folder / f"results{ending}", folder / "ledger.sqlite"
journal = folder / "ledger.sqlite-journal"
question = ["--question", "age"] if ending in (".png", ".svg") else []
command = ["publish", str(folder / "plan.json"), str(folder / "records.csv"), "-o", str(target),
           "--ledger", str(book), *question]

def child():
    pid = os.fork()
    if not pid:
        sys.stdout = sys.stderr = open(os.devnull, "w")
        os._exit(run(command))
    return pid

def clean():
    for path in folder.iterdir():
        if path.name not in ("plan.json", "records.csv"):
            path.unlink()

def content(path):
    if ending != ".xlsx":
        return path.read_bytes()
    sheets = openpyxl.load_workbook(path).worksheets
    return [list(sheet.iter_rows(values_only=True)) for sheet in sheets]

def whole(entry):
    other = folder / f"other{ending}"
    Publication.from_dict(json.loads(entry.results)).save(other, *question[1:])
    assert content(other) == content(target)
    other.unlink()

assert run(command) == 0  # loads what is needed
clean()
times = []
for _ in range(3):
    started = time.monotonic()
    assert os.waitpid(child(), 0)[1] == 0
    times.append(time.monotonic() - started)
    clean()
whole_run = sorted(times)[1]
rng, seen = random.Random(7), {"neither": 0, "entry alone": 0, "both": 0}
for _ in range(kills):
    pid = child()
    if rng.random() < 0.5:
        time.sleep(rng.uniform(0.2, 1.1) * whole_run)
    else:  # about the moment at which the entry is written
        deadline = time.monotonic() + 3 * whole_run
        while not journal.exists() and time.monotonic() < deadline:
            time.sleep(0.0002)
        time.sleep(rng.uniform(0, rng.choice([0.01, 0.15])) * whole_run)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    entries = ledger.entries(book)
    assert len(entries) <= 1
    if not entries:
        assert not target.exists()
        seen["neither"] += 1
    elif not target.exists():
        seen["entry alone"] += 1
        assert os.waitpid(child(), 0)[1] == 0
        assert len(ledger.entries(book)) == 1
        assert not list(folder.glob(".results*"))
        whole(entries[0])
    else:
        seen["both"] += 1
        whole(entries[0])
    clean()
print(ending, seen, f'{whole_run:.2f} s')
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("ending", [one for one in ENDINGS if one != ".htm"])
def test_a_kill_leaves_a_whole_file_or_none(ending, tmp_path):
    plan = plans.plan("survey")
    plan.save(tmp_path / "plan.json")
    plans.records(tmp_path, plan)
    command = [sys.executable, "-c", CODE, str(tmp_path), ending, str(KILLS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout.splitlines()[-1])  # noqa: T201
