"""What takes long: every figure in both formats, a sweep by its own workers, the whole audit."""

import json

import distributed
import xarray as xr

from planner import audit
from planner.cli import run
from planner.figures import gallery
from tests.cli import test_sweep as sweep


def test_every_figure_is_written_as_svg_and_png(tmp_path) -> None:
    assert run(["figures", str(tmp_path)]) == 0
    files = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(files) == {f"{e.name}{end}" for e in gallery.GALLERY for end in (".svg", ".png")}
    assert min(files.values()) > 1000


def test_a_scheduler_that_runs_is_used(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        command = ["sweep", sweep.EDUCATION, *sweep.VARY, "-o", "a.zarr"]
        assert run([*command, "--dask", cluster.scheduler_address]) == 0
    xr.testing.assert_equal(sweep.opened("a.zarr"), sweep.expected())


def test_dask_workers_write_the_same(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["sweep", sweep.EDUCATION, *sweep.VARY, "-o", "a.zarr", "--dask", "1"]) == 0
    xr.testing.assert_equal(sweep.opened("a.zarr"), sweep.expected())


def test_the_whole_audit(capsys) -> None:
    assert run(["audit", "--json"]) == 0
    exact = {row["id"]: row["exact"] for row in json.loads(capsys.readouterr().out) if row["exact"]}
    assert set(exact) == {claim.id for claim in audit.claims() if claim.exactly}
    assert exact["feasible-base-cost"] == "500.712"
    assert exact["non-private-participants"] == "391"
    assert exact["non-private-cost"] == "1,955"
    assert exact["closed-participants"] == "387 suffice"
    for name in ("smoking", "education", "movies", "social"):
        assert exact[f"{name}-verdict"] == "feasible"
    for name in ("education", "movies", "social"):
        assert exact[f"eq-9-{name}"] == "the private study is cheaper"
