"""Speed of sweeps against what a user would otherwise do; a row of the table is a group.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

import math
import resource
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

import planner
from planner import scenarios

EDUCATION = scenarios.WORKED_STUDIES / "mean-education.toml"
STUDY = planner.read_study(EDUCATION)
BUDGETS, BASE_COSTS = np.geomspace(1e3, 1e6, 1000), np.linspace(0.1, 300, 1000)
ONCE = {"rounds": 2, "warmup_rounds": 1}


def by_hand(count: int) -> None:
    """The least N within 1 % of the infimum, with the problem reduced by hand to one equation."""
    n_epsilon = 2 * math.log(1 / 0.05) / 0.05
    for base_cost in BASE_COSTS[:count]:
        share = 1.01 * n_epsilon * base_cost

        def excess(n: float, share: float = share, base_cost: float = base_cost) -> float:
            for_noise = 0.05 - 2 * math.exp(-n * 0.05**2 / 12)
            return n * math.log1p(share / n / base_cost) + 2 / 0.05 * math.log(for_noise)

        brentq(excess, 17_800, 1e9)


def slsqp(count: int) -> None:
    """The same, to a solver."""
    for base_cost in BASE_COSTS[:count]:
        constraints = [
            {
                "type": "ineq",
                "fun": lambda x: (
                    0.05
                    - 2 * np.exp(-1e4 * x[0] * 0.05**2 / 12)
                    - np.exp(-0.05 * 10 * x[0] * x[1] / 2)
                ),
            },
            {"type": "ineq", "fun": lambda x, e=base_cost: 3 - e * x[0] * np.expm1(x[1] * 1e-3)},
        ]
        minimize(
            lambda x: x[0], (2.5, 6.0), method="SLSQP", constraints=constraints,
            bounds=((1, 1e3), (1e-2, 1e3)),
        )  # fmt: skip


@pytest.mark.benchmark(
    group="10^6 studies by the sweep: at most 100 x 1,000 by brentq, 1 x 1,000 by SLSQP"
)
@pytest.mark.parametrize("what", ["sweep 10^6", "brentq 10^3", "slsqp 10^3", "numpy 10^6"])
def test_sweep(benchmark, what: str) -> None:
    n = np.full(10**6, 35_509.0)
    mechanism = STUDY.mechanism
    runs = {
        "sweep 10^6": lambda: planner.sweep(STUDY, budget=BUDGETS, base_cost=BASE_COSTS),
        "brentq 10^3": lambda: by_hand(1000),
        "slsqp 10^3": lambda: slsqp(1000),
        "numpy 10^6": lambda: [mechanism.epsilon_floor(n, 0.05, 0.05) for _ in range(10)],
    }
    benchmark.pedantic(runs[what], **ONCE)


EXACT = replace(STUDY, mechanism=planner.LaplaceMean())


@pytest.mark.benchmark(group="10^5 exact studies by the sweep: at most 100 x 20 by solve")
@pytest.mark.parametrize("what", ["sweep 10^5", "solve 20"])
def test_exact_sweep(benchmark, what: str) -> None:
    budgets, costs = BUDGETS[::10], BASE_COSTS

    def solved() -> None:
        for budget in BUDGETS[25::50]:
            conditions = (planner.Budget(float(budget)),)
            planner.solve(replace(EXACT, conditions=conditions), prove=False)

    def swept() -> None:
        planner.sweep(EXACT, budget=budgets, base_cost=costs)

    benchmark.pedantic(swept if what == "sweep 10^5" else solved, rounds=1)


@pytest.mark.benchmark(group="10^5 surveys of 5 questions: at most 8 x the same of one")
@pytest.mark.parametrize("questions", [1, 5])
def test_sweep_of_surveys(benchmark, questions: int) -> None:
    asked = [planner.Share(f"q{k}", error=0.05 - k / 500) for k in range(questions)]
    study = planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(asked, failure=0.05),
        planner.Individual(10.0),
        [planner.Budget(30_000.0)],
        planner.Costs(per_person=1.0),
    )
    axes = {"budget": BUDGETS[::10], "base_cost": BASE_COSTS}
    benchmark.pedantic(lambda: planner.sweep(study, **axes), rounds=1)


def on_disk(folder: str, side: int, *more: str) -> None:
    vary = [f"budget=1e3:1e6:{side}:log", f"base_cost=0.1:300:{side}"]
    options = [word for text in vary for word in ("--vary", text)]
    command = ["sweep", str(EDUCATION), *options, "-o", f"{folder}/sweep.nc", *more]
    code = f"import sys; from planner.cli import run; sys.exit(run({command!r}))"
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)


@pytest.mark.benchmark(group="peak memory of a sweep to disk: 10^8 at most 1.5 x 10^6")
@pytest.mark.parametrize("side", [1000, 10_000])
def test_memory(benchmark, tmp_path, side: int) -> None:
    benchmark.pedantic(on_disk, (str(tmp_path), side), rounds=1)
    # of the largest child so far: the smaller sweep comes first
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    benchmark.extra_info["peak memory, MB"] = peak / 1024


@pytest.mark.benchmark(group="two Dask workers: at least 1.6 x faster than one")
@pytest.mark.parametrize("workers", [1, 2])
def test_workers(benchmark, workers: int) -> None:
    import dask.array as da
    from distributed import Client, LocalCluster

    budgets = da.from_array(np.geomspace(1e3, 1e6, 3000), chunks=125)
    lazy = planner.sweep(STUDY, budget=budgets, base_cost=BASE_COSTS)
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        benchmark.pedantic(lambda: lazy.verdict.sum().compute(), **ONCE)
