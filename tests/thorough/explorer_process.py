"""The explorer as a process of its own, on this computer alone, and what it uses."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

STUDY = "mechanism=laplace-mean+hoeffding&error=0.05&failure=0.05&base_cost=12.5&budget="
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def explorer(seconds: int = 12) -> Iterator[tuple[str, subprocess.Popen]]:
    """Its address and its process, once it has answered; killed in the end."""
    program = Path(sys.executable).with_name("planner")
    process = subprocess.Popen(
        [program, "app", "--port", "0", "--no-browser", "--seconds", str(seconds)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        httpx.get(f"{address[0]}/answer?{STUDY}30000", timeout=60)
        yield address[0], process
    finally:
        process.kill()
        process.wait(20)
        process.stdout.close()


def children(process: subprocess.Popen) -> list[int]:
    """The processes that find answers."""
    return [
        int(folder.name)
        for folder in Path("/proc").iterdir()
        if folder.name.isdigit() and _is_child(folder, process.pid)
    ]


def _is_child(folder: Path, parent: int) -> bool:
    try:
        found = int(_stat(folder)[1])
        return found == parent and b"spawn_main" in (folder / "cmdline").read_bytes()
    except OSError:  # it has just ended
        return False


def of_session(leader: int) -> list[int]:
    """The processes of a session that have not ended."""
    folders = [folder for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return [int(folder.name) for folder in folders if _session(folder) == leader]


def _session(folder: Path) -> int:
    try:
        found = _stat(folder)
    except OSError:  # it has just ended
        return 0
    return int(found[3]) if found[0] != "Z" else 0


def _stat(folder: Path) -> list[str]:
    """What the system says of a process, from its state on."""
    return (folder / "stat").read_text().rsplit(")", 1)[1].split()


def running(pid: int) -> bool:
    """Whether a process has not ended; one that nobody waits for has."""
    try:
        return _stat(Path(f"/proc/{pid}"))[0] != "Z"
    except OSError:
        return False


def wait_until_idle(process: subprocess.Popen) -> None:
    """Return once the server and its processes have nothing left to start."""
    before, now = -1.0, 0.0
    while now > before:
        time.sleep(0.5)
        before, now = now, sum(map(cpu_seconds, [process.pid, *children(process)]))


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken [s]."""
    return sum(map(int, _stat(Path(f"/proc/{pid}"))[11:13])) / _TICKS
