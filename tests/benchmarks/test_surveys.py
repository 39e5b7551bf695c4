"""Surveys beside one of their questions, as whole commands.

Run with `python -m pytest tests/benchmarks/test_surveys.py`; the group's name says the most that
the survey may take beside one share with the same analysis.
"""

import subprocess
import sys
from pathlib import Path

import pytest

PLANNER = str(Path(sys.executable).with_name("planner"))
SHARE = """
[[question]]
kind = "share"
name = "share {k}"
error = {error}
"""
ORDINARY = """
[[question]]
kind = "share"
name = "yes/no questions"
error = 0.03
times = 12
[[question]]
kind = "histogram"
name = "age group"
groups = 8
error = 0.03
[[question]]
kind = "mean"
name = "visits"
low = 0
high = 200
error = 5.0
"""
REST = """
[mechanism]
kind = "added-noise"
noise = "{noise}"
[individual]
base_cost = 1.0
worst_cost = 500.0
[conditions]
budget = {budget}
min_participants = 2000
max_participants = 6000
{delta}
[costs]
per_person = 5.0
"""
QUESTIONS = {
    "one share": SHARE.format(k=1, error=0.03),
    "ordinary": ORDINARY,
    "100 questions": "".join(SHARE.format(k=k, error=0.05 + k / 4000) for k in range(100)),
}
CASES = [
    pytest.param(questions, noise, marks=pytest.mark.benchmark(group=f"solve, {noise}: {most}"))
    for noise, most in (("laplace", "at most 3 x"), ("gaussian", "at most 6 x"))
    for questions in ("one share", "ordinary")
]
CASES += [
    pytest.param(
        "100 questions", "laplace", marks=pytest.mark.benchmark(group="solve, laplace: at most 3 x")
    )
]


def written(tmp_path: Path, questions: str, noise: str, budget: float) -> Path:
    delta = "delta = 1e-6" if noise == "gaussian" else ""
    rest = REST.format(noise=noise, budget=budget, delta=delta)
    path = tmp_path / "survey.toml"
    path.write_text(f"[target]\nfailure = 0.05\n{QUESTIONS[questions]}{rest}", "utf-8")
    return path


@pytest.mark.parametrize(("questions", "noise"), CASES)
def test_solve(benchmark, tmp_path: Path, questions: str, noise: str) -> None:
    path = written(tmp_path, questions, noise, 90_000.0)

    def run() -> None:
        subprocess.run([PLANNER, "solve", path], capture_output=True, check=True)

    benchmark.pedantic(run, rounds=2)


@pytest.mark.benchmark(group="the ordinary survey: at most 10 s")
@pytest.mark.parametrize("command", ["explain", "compare", "prices", "limit", "plot", "report"])
def test_commands(benchmark, tmp_path: Path, command: str) -> None:
    arguments = [PLANNER, command, written(tmp_path, "ordinary", "laplace", 60_000.0)]
    if command in ("plot", "report"):
        arguments += ["--force", "-o", tmp_path / ("out.svg" if command == "plot" else "out.html")]

    def run() -> None:
        subprocess.run(arguments, capture_output=True, check=True)

    benchmark.pedantic(run, rounds=1)
