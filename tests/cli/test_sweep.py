"""`planner sweep`: files alike, interrupted and resumed, refusals."""

import errno
import os
from functools import cache

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import planner
from planner import scenarios
from planner.cli import run
from planner.sweeps import store
from planner.sweeps.store import Store

EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")
VARY = [
    "--vary",
    "budget=1e3:1e6:7:log",
    "--vary",
    "base_cost=0:300:5",
    "--vary",
    "failure=0.01,0.05",
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(store, "BLOCK", 12)
    monkeypatch.chdir(tmp_path)


@cache
def expected() -> xr.Dataset:
    return planner.sweep(
        planner.read_study(EDUCATION),
        budget=np.geomspace(1e3, 1e6, 7),
        base_cost=np.linspace(0, 300, 5),
        failure=[0.01, 0.05],
    )


def opened(name: str) -> xr.Dataset:
    if name.endswith(".zarr"):
        return xr.open_zarr(name).load()
    return pd.read_csv(name).set_index(["budget", "base_cost", "failure"]).to_xarray()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.zarr", "a.csv"])
def test_files_hold_what_python_finds(name: str, tmp_path, capsys, monkeypatch) -> None:
    if name == "a.csv":
        monkeypatch.setattr(store, "BLOCK", 100)
    for _ in range(2):  # the second time over the first
        assert run(["sweep", EDUCATION, *VARY, "-o", name, "--force"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"70 studies: 44 feasible, 26 infeasible, 0 undecided. See {name}" in shown
    assert [path.name for path in tmp_path.iterdir()] == [name]
    found, wanted = opened(name), expected()
    if name.endswith(".zarr"):
        xr.testing.assert_equal(found, wanted)
        assert found.cost.attrs == wanted.cost.attrs
        assert list(found.verdict.attrs["flag_values"]) == [1, 0, -1]
        assert found.attrs == wanted.attrs
    else:
        xr.testing.assert_allclose(found, wanted, rtol=1e-15)


@pytest.mark.slow
def test_an_interrupted_sweep_goes_on(tmp_path, capsys, monkeypatch) -> None:
    real, decided = Store.decide, []

    def interrupted(self, at: int, workers: int = 0) -> None:
        if len(decided) == 3:
            raise KeyboardInterrupt
        decided.append(at)
        real(self, at, workers)

    monkeypatch.setattr(Store, "decide", interrupted)
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 130
    said = capsys.readouterr().err
    assert "3 of 7 parts are kept in a.zarr.parts" in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "a.zarr").exists()
    decided.clear()
    monkeypatch.setattr(Store, "decide", lambda self, at, w: decided.append(at) or real(self, at))
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 0
    assert decided == [3, 4, 5, 6]
    xr.testing.assert_equal(opened("a.zarr"), expected())
    assert not (tmp_path / "a.zarr.parts").exists()


@pytest.mark.slow
@pytest.mark.parametrize("damaged", ["verdict", "cost"])
@pytest.mark.parametrize("left", [0, 0.5])
def test_a_damaged_block_is_planned_again(damaged: str, left: float, tmp_path, monkeypatch) -> None:
    def stopped(self) -> None:
        raise KeyboardInterrupt

    real, decided = Store.decide, []
    with monkeypatch.context() as change:
        change.setattr(Store, "finish", stopped)
        assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 130
    chunk = tmp_path / "a.zarr.parts" / damaged / "c" / "5" / "0" / "0"
    whole = chunk.read_bytes()
    chunk.write_bytes(whole[: int(left * len(whole))])
    monkeypatch.setattr(Store, "decide", lambda self, at, w: decided.append(at) or real(self, at))
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 0
    assert decided == [5]
    xr.testing.assert_equal(opened("a.zarr"), expected())


def test_parts_of_another_sweep_are_not_mixed_in(capsys, monkeypatch) -> None:
    real = Store.decide

    def interrupted(self, at: int, workers: int = 0) -> None:
        if at == 1:
            raise KeyboardInterrupt
        real(self, at)

    monkeypatch.setattr(Store, "decide", interrupted)
    run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"])
    capsys.readouterr()
    for change, words in (
        (["--vary", "budget=1e3:1e5:7:log", *VARY[2:]], "its budget axis differs"),
        (VARY[:4], "its list of quantities differs"),
        ([*VARY, "--minimise", "epsilon"], "its objective differs"),
    ):
        assert run(["sweep", EDUCATION, *change, "-o", "a.zarr"]) == 64
        assert words in capsys.readouterr().err
    other = str(scenarios.WORKED_STUDIES / "mean-movies.toml")
    assert run(["sweep", other, *VARY, "-o", "a.zarr"]) == 64
    assert "its study differs" in capsys.readouterr().err


def test_a_folder_of_something_else_is_left_alone(tmp_path, capsys) -> None:
    (tmp_path / "a.zarr.parts").mkdir()
    (tmp_path / "a.zarr.parts" / "mine.txt").write_text("mine")
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 64
    assert "a.zarr.parts does not belong to a sweep" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "a.zarr.parts").iterdir()] == ["mine.txt"]
    assert (tmp_path / "a.zarr.parts" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*VARY, "-o", "a.txt"], "end the name in .zarr, .csv"),
        ([*VARY, "-o", "no/a.zarr"], "folder no does not exist"),
        ([*VARY, *VARY[:2], "-o", "a.zarr"], "budget is swept twice"),
        (["--vary", "budget=5:1:3", "-o", "a.zarr"], "give the lower end first"),
        (["--vary", "budget=1,2", "-o", "a.zarr", "--dask", "many"], "neither a number of workers"),
        (["--vary", "budget=1,2", "-o", "a.zarr", "--dask", "0"], "neither a number of workers"),
        (["--vary", "budget=1,2", "-o", "a.zarr", "--plot", "a.png"], "needs two quantities"),
        (["-o", "a.zarr"], "Missing option"),
    ],
)
def test_bad_input_is_one_sentence(arguments, words: str, tmp_path, capsys) -> None:
    assert run(["sweep", EDUCATION, *arguments]) == 64
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence(capsys, monkeypatch, tmp_path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("zarr.storage._local._put", full)
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr"]) == 64
    said = capsys.readouterr().err
    assert "a.zarr: no space left on device; the finished parts are kept in a.zarr.parts" in said
    assert len(said.splitlines()) == 1
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".part", ".partial")]


@pytest.mark.slow
def test_a_sweep_can_be_drawn(tmp_path) -> None:
    assert run(["sweep", EDUCATION, *VARY, "-o", "a.zarr", "--plot", "a.png"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"a.zarr", "a.png"}
