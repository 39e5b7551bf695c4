"""Speed against what a user would otherwise do; a row of the table is a group.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import planner
from planner import scenarios

PLANNER = str(Path(sys.executable).with_name("planner"))
SMOKING = str(scenarios.WORKED_STUDIES / "mean-smoking.toml")
EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")
COLD = {"rounds": 9, "warmup_rounds": 1}


def process(*command: str) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


@pytest.mark.benchmark(group="cold solve: at most 2 x the imports of numpy and scipy")
@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-c", "import numpy, scipy.special, scipy.optimize"),
        (PLANNER, "solve", EDUCATION),
        (PLANNER, "solve", SMOKING),
    ],
    ids=["imports", "feasible", "infeasible"],
)
def test_cold_solve(benchmark, command) -> None:
    benchmark.pedantic(process, command, **COLD)


@pytest.mark.benchmark(group="help: at most 12 x bare Python")
@pytest.mark.parametrize(
    "command", [(sys.executable, "-c", "pass"), (PLANNER, "--help")], ids=["bare", "help"]
)
def test_help(benchmark, command) -> None:
    benchmark.pedantic(process, command, **COLD)


def slsqp(base_cost: float) -> None:
    """A user's own attempt: the fewest people, from a good start, in scaled variables."""

    def accuracy(x):
        n, epsilon = 1e4 * x[0], 1e-3 * x[1]
        return 0.05 - 2 * np.exp(-n * 0.05**2 / 12) - np.exp(-0.05 * n * epsilon / 2)

    def money_left(x):
        return 3 - base_cost * x[0] * np.expm1(x[1] * 1e-3)

    constraints = [{"type": "ineq", "fun": accuracy}, {"type": "ineq", "fun": money_left}]
    bounds = ((1, 1e3), (1e-2, 1e3))
    start = (2.5, 6.0)
    minimize(lambda x: x[0], start, method="SLSQP", bounds=bounds, constraints=constraints)


@pytest.mark.benchmark(group="warm solve with proof: at most 1 x SLSQP")
@pytest.mark.parametrize("base_cost", [200.0, 254.8])
@pytest.mark.parametrize("solver", ["slsqp", "planner"])
def test_warm_solve(benchmark, mean_study, solver, base_cost) -> None:
    study = mean_study(base_cost)
    runs = {
        "slsqp": lambda: slsqp(base_cost),
        "planner": lambda: planner.solve(study, minimise="participants"),
    }
    benchmark.pedantic(runs[solver], rounds=30, warmup_rounds=3)


@pytest.mark.benchmark(group="epsilon_floor on 10^7 points: at most 1.5 x the bare expression")
@pytest.mark.parametrize("method", ["bare", "planner"])
def test_epsilon_floor(benchmark, method) -> None:
    n = np.linspace(18_000, 1e6, 10**7)
    mechanism = planner.LaplaceMean("paper")

    def bare():
        return -2 / (0.05 * n) * np.log(0.05 - 2 * np.exp(-n * 0.05**2 / 12))

    run = bare if method == "bare" else (lambda: mechanism.epsilon_floor(n, 0.05, 0.05))
    benchmark.pedantic(run, rounds=5, warmup_rounds=1)
