"""Hostile study files, on the command line and in the explorer: one sentence each, at once."""

import time
from pathlib import Path

import httpx
import pytest

from planner.cli import run
from planner.study_file.reader import load, study_of
from planner.study_file.spreads import has_spreads
from tests.thorough.explorer_process import children, cpu_seconds, explorer, wait_until_idle
from tests.thorough.hostile_toml import FILES, with_line

SECONDS = 1.0
LONGEST = 300
needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")


@pytest.fixture(scope="module")
def server():
    with explorer() as (address, process):
        wait_until_idle(process)
        yield address, process


def check_sentence(said: str) -> None:
    assert 10 < len(said) < LONGEST, said[:1000]
    assert "\n" not in said
    assert said.isprintable()
    for word in ("Traceback", "internal error", "Error:"):
        assert word not in said


def test_without_what_is_hostile_they_are_studies(tmp_path) -> None:
    path = tmp_path / "f.toml"
    path.write_bytes(with_line("target", "error = 0.05"))
    assert not has_spreads(load(path))
    assert study_of(load(path), "f").target.error == 0.05
    assert len(FILES) >= 80


@pytest.mark.parametrize("name", FILES)
def test_the_command_line(name: str, tmp_path, monkeypatch, capsys) -> None:
    import planner.answer.solve  # noqa: F401  # what a command imports is not timed

    monkeypatch.chdir(tmp_path)
    Path("f.toml").write_bytes(FILES[name])
    started = time.process_time()
    status = run(["solve", "f.toml"])
    seconds = time.process_time() - started
    printed = capsys.readouterr()
    assert status == 64
    assert printed.out == ""
    assert printed.err.startswith("planner: f.toml: ")
    check_sentence(printed.err.removesuffix("\n"))
    assert seconds < SECONDS


@needs_proc
@pytest.mark.parametrize("name", FILES)
def test_the_explorer(name: str, server) -> None:
    address, process = server
    asked = [process.pid, *children(process)]
    before = sum(map(cpu_seconds, asked))
    reply = httpx.post(f"{address}/open", content=FILES[name], timeout=30)
    seconds = sum(map(cpu_seconds, asked)) - before
    assert reply.status_code == 400
    check_sentence(reply.json()["error"])
    assert seconds < SECONDS
    assert asked == [process.pid, *children(process)]  # none had to be replaced


@needs_proc
def test_the_explorer_answers_afterwards(server) -> None:
    address, _ = server
    reply = httpx.post(f"{address}/open", content=with_line("target", "error = 0.1"), timeout=30)
    assert reply.status_code == 200
    assert "error=0.1" in reply.json()["query"]
