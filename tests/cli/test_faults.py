"""Faults of disks, terminals and input: one sentence, and nothing half-written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import planner
from planner import scenarios
from planner.cli import run

PLANNER = str(Path(sys.executable).with_name("planner"))
EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")
PAPER = 'analysis = "paper"'


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, timeout=60, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip


SWEEP = f"{PLANNER} sweep {EDUCATION} --vary budget=1e3:1e6:150 --vary base_cost=1:100:100 -o"


def nothing_is_left_of_it(command: str, name: str, tmp_path: Path) -> None:
    # Python does not notice that its own compiled files are cut off
    ran = shell(f"ulimit -f 4; {command} {name}", tmp_path, PYTHONDONTWRITEBYTECODE="1")
    # what is done is said where it takes two seconds
    said = re.sub(r"^((planning|drawing|writing)\n)*", "", ran.stderr.decode())
    assert ran.returncode == 64, said
    assert said.startswith(f"planner: {name}: ")
    assert said.count("\n") == 1
    assert "make room or give another file" in said
    assert not (tmp_path / name).exists()


@pytest.mark.slow
def test_a_disk_without_room(tmp_path: Path) -> None:
    nothing_is_left_of_it(SWEEP, "a.csv", tmp_path)


def test_too_little_memory_is_said_at_once(tmp_path: Path) -> None:
    ran = shell(f"ulimit -v 200000; {PLANNER} solve {EDUCATION}", tmp_path)
    assert ran.returncode == 64
    assert b"memory is limited to 204 MB" in ran.stderr


@pytest.mark.parametrize("command", ["glossary"])
def test_who_reads_may_stop_reading(command: str, tmp_path: Path) -> None:
    ran = shell(f"{PLANNER} {command} | head -1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii"])
def test_letters_that_cannot_be_printed_are_spelled(encoding: str, tmp_path: Path) -> None:
    ran = shell(f"{PLANNER} solve {EDUCATION}", tmp_path, PYTHONIOENCODING=encoding)
    assert ran.returncode == 0
    assert "epsilon" in ran.stdout.decode(encoding)


def test_what_is_read_is_never_written_over(tmp_path: Path, capsys) -> None:
    table = tmp_path / "t.csv"
    table.write_text("title,budget\nA,3e4\n", "utf-8")
    study = tmp_path / "s.zarr"
    study.write_text(Path(EDUCATION).read_text("utf-8"), "utf-8")
    for command in (
        ["solve", EDUCATION, "--table", str(table), "-o", str(table), "--force"],
        ["sweep", str(study), "--vary", "budget=1e4,2e4", "-o", str(study), "--force"],
    ):
        before = Path(command[-2]).read_bytes()
        assert run(command) == 64
        assert "is an input; give another file" in capsys.readouterr().err
        assert Path(command[-2]).read_bytes() == before


@pytest.mark.slow
def test_files_that_exist_are_replaced_only_by_force(tmp_path: Path, capsys) -> None:
    there = tmp_path / "a.svg"
    there.write_text("mine", "utf-8")
    assert run(["plot", EDUCATION, "-o", str(there)]) == 64
    assert "--force to replace it" in capsys.readouterr().err
    assert there.read_text("utf-8") == "mine"
    assert run(["plot", EDUCATION, "-o", str(there), "--force"]) == 0
    assert "</svg>" in there.read_text("utf-8")


def test_folders_of_others_are_kept(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "d.zarr"
    folder.mkdir()
    (folder / "mine").touch()
    sweep = ["sweep", EDUCATION, "--vary", "budget=1e4,2e4", "-o", str(folder), "--force"]
    assert run(sweep) == 64
    assert "was not written by the planner" in capsys.readouterr().err
    assert (folder / "mine").exists()


@pytest.mark.parametrize("kept", ["[1]", "[1", "{}"])
def test_parts_of_something_else_are_refused(kept: str, tmp_path: Path, capsys) -> None:
    parts = tmp_path / "a.zarr.parts"
    parts.mkdir()
    (parts / "zarr.json").write_text(kept, "utf-8")
    sweep = ["sweep", EDUCATION, "--vary", "budget=1e4,2e4", "-o", str(tmp_path / "a.zarr")]
    assert run(sweep) == 64
    assert "a.zarr.parts" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("left", [None, "sweep.lock", "zarr.0a.partial", "zarr.json"])
def test_a_sweep_killed_as_it_began_goes_on(left: str | None, tmp_path, capsys) -> None:
    parts = tmp_path / "a.zarr.parts"
    parts.mkdir()
    if left:  # the metadata of a store without arrays, or its beginning
        whole = (
            '{"zarr_format": 3, "node_type": "group", "attributes": {"source": "epsilon-planner"}}'
        )
        (parts / left).write_text(whole if left == "zarr.json" else whole[:9], "utf-8")
    sweep = ["sweep", EDUCATION, "--vary", "budget=1e4,2e4", "-o", str(tmp_path / "a.zarr")]
    assert run(sweep) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.zarr"]


def test_a_sweep_by_another_version_is_refused(tmp_path: Path, capsys, monkeypatch) -> None:
    sweep = ["sweep", EDUCATION, "--vary", "budget=1e4,2e4", "-o", str(tmp_path / "a.zarr")]
    with monkeypatch.context() as change:
        change.setattr("planner.sweeps.store.Store.finish", _interrupted)
        assert run(sweep) == 130
    capsys.readouterr()
    monkeypatch.setattr("planner.sweeps.dataset.program_version", lambda: "another")
    assert run(sweep) == 64
    assert "another version of the planner computed" in capsys.readouterr().err


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_second_sweep_to_the_same_file_is_refused(tmp_path: Path, capsys, monkeypatch) -> None:
    sweep = ["sweep", EDUCATION, "--vary", "budget=1e4,2e4", "-o", str(tmp_path / "a.zarr")]
    said = []

    def again(*_: object) -> None:
        said.append(run(sweep))
        raise KeyboardInterrupt

    monkeypatch.setattr("planner.sweeps.store.Store.finish", again)
    assert run(sweep) == 130
    assert said == [64]
    assert "another sweep is writing to it" in capsys.readouterr().err


def test_a_fault_is_a_sentence_with_a_status_of_its_own(capsys, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("x" * 5000)

    monkeypatch.setattr(planner, "solve", broken)
    assert run(["solve", EDUCATION]) == 70
    said = capsys.readouterr().err
    assert "internal error (ZeroDivisionError: xxx" in said
    assert len(said) < 510
    assert run(["--debug", "solve", EDUCATION]) == 70
    file = Path(capsys.readouterr().err.rsplit("traceback is in ", 1)[1].strip().rstrip("."))
    assert "Traceback" in file.read_text("utf-8")
    file.unlink()


def test_titles_hold_no_control_characters_and_text_is_no_formula(tmp_path, capsys) -> None:
    study = tmp_path / "s.toml"
    text = Path(EDUCATION).read_text("utf-8").splitlines()
    text = [r'title = "a\u001b[31m"' if line.startswith("title") else line for line in text]
    study.write_text("\n".join(text), "utf-8")
    assert run(["solve", str(study)]) == 64
    assert "holds control characters" in capsys.readouterr().err
    table = tmp_path / "t.csv"
    table.write_text("title,budget\n=cmd(),3e4\n", "utf-8")
    run(["solve", EDUCATION, "--table", str(table)])
    assert "'=cmd()" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("individual", "words"),
    [
        ("base_costs = {groups = [[{a = 1}, 1.0]]}", "is not a pair of numbers"),
        ("base_costs = {groups = 3}", "is not a list"),
    ],
)
def test_groups_that_are_none(individual: str, words: str, tmp_path, capsys) -> None:
    study = tmp_path / "s.toml"
    text = Path(EDUCATION).read_text("utf-8").replace('scenario = "education"', individual)
    study.write_text(text, "utf-8")
    assert run(["solve", str(study)]) == 64
    assert words in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("change", ["per_person = 1e-308", "per_person = 5e-324"])
def test_the_least_amounts_can_be_drawn(change: str, tmp_path) -> None:
    study = tmp_path / "s.toml"
    text = Path(EDUCATION).read_text("utf-8")
    study.write_text(f"{text}\n[costs]\n{change}\n", "utf-8")
    assert run(["plot", str(study), "-o", str(tmp_path / "a.svg")]) == 0
