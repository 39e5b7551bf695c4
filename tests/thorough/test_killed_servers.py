"""The explorer's server killed at random moments, also as it starts: no process of it is left.

PLANNER_KILLS and PLANNER_SEED choose how often, and when.
"""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.thorough.explorer_process import STUDY, of_session, running

KILLS = int(os.environ.get("PLANNER_KILLS", "4"))
SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
AT_MOST = 60.0
"""How long is waited for the last process of a killed server to end [s]: it ends at once, but one
that is starting on a busy computer loads its modules first."""
_SLOW = (
    "mechanism=gaussian-mean&failure=0.05&base_cost=1&worst_cost=3&delta=1e-6&budget=1e5"
    "&max_participants=400000&error=0.001"
)


def ask(address: str) -> None:
    """Keep the server and two of its processes busy."""
    for query in (f"{STUDY}30000", _SLOW):
        with suppress(httpx.HTTPError):
            httpx.get(f"{address}/answer?{query}", timeout=5)


def started(wait: bool) -> subprocess.Popen:
    """A server in a session of its own, with its first questions if it is to be waited for."""
    program = Path(sys.executable).with_name("planner")
    process = subprocess.Popen(
        [program, "app", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    if wait:
        assert process.stdout
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        threading.Thread(target=ask, args=(address[0],), daemon=True).start()
    return process


def outlived(process: subprocess.Popen) -> tuple[int, float]:
    """How many processes a killed server left, and how long until the last had ended [s]."""
    left = [pid for pid in of_session(process.pid) if pid != process.pid]
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    killed = time.monotonic()
    if process.stdout:
        process.stdout.close()
    while time.monotonic() < killed + AT_MOST:
        still = {*left, *of_session(process.pid)}
        if not any(map(running, still)):
            break
        time.sleep(0.02)
    return len(left), time.monotonic() - killed


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_no_process_outlives_a_killed_server() -> None:
    rng = random.Random(SEED)
    first = started(wait=True)
    found = [outlived(first)]
    for number in range(KILLS):
        process = started(wait=number % 3 > 0)
        time.sleep(rng.uniform(0.0, 2.0))
        found.append(outlived(process))
    longest = max(seconds for _, seconds in found)
    busy = sum(processes > 0 for processes, _ in found)
    print(  # noqa: T201
        f"{KILLS} servers killed, {busy} with processes; the last ended {longest:.2f} s later"
    )
    assert busy > KILLS / 3
    assert longest < AT_MOST
