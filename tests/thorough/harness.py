"""Draws studies, compares what the program says of them with the oracle, and reports."""

import itertools
import os
import time
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

import numpy as np

from tests.thorough import (
    check_comparison,
    check_floors,
    check_limits,
    check_plans,
    check_prices,
    oracle,
    shrink,
    studies,
)
from tests.thorough.case import Case, code
from tests.thorough.differences import Difference

Check = Callable[[Case, np.random.Generator], list[Difference]]
_SHRUNK = 10
"""How many differences are made plain; the others are reported as they were drawn."""


@dataclass
class Run:
    """What a run found.

    Attributes:
        seed: of the studies.
        studies: how many were drawn.
        decided: how many lie outside 1e-9 of the edge.
        undecided: how many of those the program leaves undecided.
        differences: all others.
        spent: processor time by check [s].
    """

    seed: int
    studies: int = 0
    decided: int = 0
    undecided: int = 0
    differences: list[Difference] = field(default_factory=list)
    spent: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Run") -> "Run":
        """Both runs together."""
        return Run(
            self.seed,
            self.studies + other.studies,
            self.decided + other.decided,
            self.undecided + other.undecided,
            self.differences + other.differences,
            self.spent + other.spent,
        )


def run(seed: int, count: int, first: int = 0, mechanism: str | None = None) -> Run:
    """Draw and check `count` studies, of one mechanism if it is named."""
    result = Run(seed)
    for index in range(first, first + count):
        started = time.process_time()
        case = studies.draw(np.random.default_rng([seed, index]), mechanism)
        result.spent["oracle"] += time.process_time() - started
        result.studies += 1
        result.decided += oracle.truth(case).verdict != "edge"
        for name in CHECKS:
            started = time.process_time()
            found = check(name, case)
            result.spent[name] += time.process_time() - started
            result.undecided += any(d.property == "undecided" for d in found)
            result.differences.extend(d for d in found if d.property != "undecided")
    return result


def run_in_parts(seed: int, count: int, mechanism: str | None = None) -> Run:
    """As `run`, in as many processes as there are processors."""
    parts = os.cpu_count() or 1
    starts = [count * part // parts for part in range(parts + 1)]
    result = Run(seed)
    with ProcessPoolExecutor(parts, get_context("spawn")) as pool:
        jobs = [
            pool.submit(run, seed, end - first, first, mechanism)
            for first, end in itertools.pairwise(starts)
        ]
        for job in jobs:
            result += job.result()
    return result


def check(name: str, case: Case) -> list[Difference]:
    """One kind of check of a study; what it draws depends on the study alone."""
    return CHECKS[name](case, np.random.default_rng(zlib.crc32(code(case).encode())))


def _floors(case: Case, rng: np.random.Generator) -> list[Difference]:
    n = int(rng.integers(1, case.people + 1))
    epsilon = float(np.exp(rng.uniform(np.log(1e-3), np.log(30))))
    return check_floors.floors(case, n) + check_floors.failures(case, epsilon, n)


def _some(share: float, checked: Check) -> Check:
    """A check that is slow: of all bounds, and of this share of exact studies."""

    def check_some(case: Case, rng: np.random.Generator) -> list[Difference]:
        drawn = rng.random() < share or not case.exact
        return checked(case, rng) if drawn else []

    return check_some


CHECKS: dict[str, Check] = {
    "plans": check_plans.verdicts,
    "floors": _floors,
    "limits": _some(0.1, check_limits.limits),
    "prices": _some(0.2, lambda case, rng: check_prices.prices(case)),
    "comparison": _some(0.2, check_comparison.comparison),
}
"""What is checked of every study, or of some."""


def report(result: Run) -> str:
    """All differences, by property, the first of each made plain."""
    kinds = Counter(d.property for d in result.differences)
    lines = [
        f"seed {result.seed}: {result.studies} studies, {result.decided} outside 1e-9 of the "
        f"edge, {result.undecided} of those undecided; "
        + ", ".join(f"{name} {spent:.0f} s" for name, spent in result.spent.items())
    ]
    shown: Counter[str] = Counter()
    for difference in result.differences:
        name = difference.property
        shown[name] += 1
        if shown[name] == 1 and len(shown) <= _SHRUNK:
            difference = _plain(difference)
        if shown[name] <= 3:
            lines += [
                f"\n{name} ({kinds[name]} times)" if shown[name] == 1 else "",
                f"    {code(difference.case)}",
                f"    {difference.words}",
            ]
    return "\n".join(lines)


def _plain(difference: Difference) -> Difference:
    for name in CHECKS:
        if any(d.property == difference.property for d in check(name, difference.case)):
            return shrink.shrunk(difference, lambda case, name=name: check(name, case))
    return difference
