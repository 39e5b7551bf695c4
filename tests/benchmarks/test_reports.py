"""A report against the commands that it takes the place of."""

import subprocess
import sys
from pathlib import Path

import pytest

from planner import scenarios

PLANNER = str(Path(sys.executable).with_name("planner"))
FILES = [str(path) for path in scenarios.four_scenarios()]


def process(*command: str) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


@pytest.mark.benchmark(group="report of four studies: at most 3 x solve and four plots")
@pytest.mark.parametrize("way", ["solve and plot", "report", "quick report"])
def test_report(benchmark, tmp_path, way) -> None:
    def one_by_one() -> None:
        process(PLANNER, "solve", *FILES)
        for at, file in enumerate(FILES):
            process(PLANNER, "plot", file, "-o", str(tmp_path / f"{at}.svg"))

    page = str(tmp_path / "report.html")
    ways = {
        "solve and plot": one_by_one,
        "report": lambda: process(PLANNER, "report", *FILES, "-o", page),
        "quick report": lambda: process(PLANNER, "report", *FILES, "-o", page, "--quick"),
    }
    benchmark.pedantic(ways[way], rounds=3, warmup_rounds=1)
