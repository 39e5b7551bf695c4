"""Whole commands under the exact analyses beside the same with Hoeffding's bound.

Run with `python -m pytest tests/benchmarks`; the group's name says the most that the slowest may
take. "start" is what starting the program alone costs.
"""

import subprocess
import sys
from pathlib import Path

import pytest

PLANNER = str(Path(sys.executable).with_name("planner"))
CLINIC = """
title = "Clinic"
[target]
error = {error}
failure = 0.05
[mechanism]
{mechanism}
[individual]
base_cost = 12.5
worst_cost = 1274.0
[conditions]
budget = {budget}
{conditions}
[costs]
per_person = 5.0
"""
MECHANISMS = {
    "hoeffding": 'kind = "laplace-mean"\nanalysis = "hoeffding"',
    "laplace": 'kind = "laplace-mean"',
    "geometric": 'kind = "geometric-mean"',
    "gaussian": 'kind = "gaussian-mean"',
}
COMMANDS = {
    "solve": "at most 1.5 x",
    "limit": "at most 2, 3 and 5 x",
    "prices": "at most 1.5 x",
    "compare": "at most 1.5 x",
    "explain": "at most 1.5 x",
    "plot": "at most 1.5 x",
    "report": "at most 2.5 x",
    "infeasible": "at most 4 x",
}
CASES = [
    pytest.param(
        command, noise, marks=pytest.mark.benchmark(group=f"{command}, exactly: {most} Hoeffding")
    )
    for command, most in COMMANDS.items()
    for noise in MECHANISMS
]


@pytest.mark.parametrize(("command", "noise"), CASES)
def test_command(benchmark, tmp_path: Path, command: str, noise: str) -> None:
    feasible = command != "infeasible"
    conditions = ["delta = 1e-6"] if noise == "gaussian" else []
    study = CLINIC.format(
        mechanism=MECHANISMS[noise],
        error=0.05,
        budget=30_000.0 if feasible else 500.0,
        conditions="\n".join([*conditions, "max_participants = 4000"] if feasible else conditions),
    )
    (tmp_path / "clinic.toml").write_text(study, "utf-8")
    arguments = [PLANNER, command if feasible else "solve", "clinic.toml"]
    if command in ("plot", "report"):
        arguments += ["--force", "-o", "out.svg" if command == "plot" else "out.html"]

    def run() -> None:
        subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=feasible)

    benchmark.pedantic(run, rounds=2)


@pytest.mark.benchmark(group="a million people, solve: at most 10 s")
@pytest.mark.parametrize("noise", MECHANISMS)
def test_large(benchmark, tmp_path: Path, noise: str) -> None:
    conditions = "delta = 1e-6" if noise == "gaussian" else ""
    study = CLINIC.format(
        mechanism=MECHANISMS[noise], error=0.001, budget=3e7, conditions=conditions
    )
    (tmp_path / "clinic.toml").write_text(study, "utf-8")
    arguments = [PLANNER, "solve", "clinic.toml"]

    def run() -> None:
        subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=True)

    benchmark.pedantic(run, rounds=1)


@pytest.mark.benchmark(group="start")
def test_start(benchmark) -> None:
    benchmark.pedantic(lambda: subprocess.run([PLANNER, "--help"], capture_output=True), rounds=3)


ROOMY = {  # error, budget, most people
    "4,000 people": (0.05, 1e6, 4_000),
    "error 0.01": (0.01, 1e6, 10**6),
    "error 0.005": (0.005, 1e7, 10**6),
    "error 0.001": (0.001, 1e9, 10**7),
}


@pytest.mark.parametrize("noise", MECHANISMS)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.benchmark(group=f"limit, {n}: at most 3 x Hoeffding"))
        for n in ROOMY
    ],
)
def test_room(benchmark, tmp_path: Path, name: str, noise: str) -> None:
    error, budget, most = ROOMY[name]
    given = ["delta = 1e-6"] if noise == "gaussian" else []
    study = CLINIC.format(
        mechanism=MECHANISMS[noise],
        error=error,
        budget=budget,
        conditions="\n".join([*given, f"max_participants = {most}"]),
    )
    (tmp_path / "clinic.toml").write_text(study, "utf-8")

    def run() -> None:
        subprocess.run([PLANNER, "limit", "clinic.toml"], cwd=tmp_path, capture_output=True)

    benchmark.pedantic(run, rounds=1)


ASKED = {
    "share": ("error = 0.05\nfailure = 0.05", "laplace-mean"),
    "a test of a share": ('kind = "power"\nnull = 0.3\nalternative = 0.35', "count-test"),
    "a test of two groups": ('kind = "difference"\nbaseline = 0.3\nchange = 0.1', "count-test"),
    "a difference": ('kind = "difference"\nerror = 0.1\nfailure = 0.05', "laplace-mean"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.benchmark(group="solve of tests and differences: at most 1.5 x the share")
def test_solve_of_comparisons(benchmark, tmp_path: Path, asked: str) -> None:
    """The same clinic, which estimates a share, tests it, or compares two groups."""
    target, mechanism = ASKED[asked]
    given = {
        "mechanism": f'kind = "{mechanism}"',
        "error": "",
        "budget": 30_000.0,
        "conditions": "",
    }
    study = CLINIC.format(**given).replace("error = \nfailure = 0.05", target)
    (tmp_path / "clinic.toml").write_text(study, "utf-8")

    def run() -> None:
        subprocess.run(
            [PLANNER, "solve", "clinic.toml"], cwd=tmp_path, check=True, capture_output=True
        )

    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
