"""What the planner says of the frozen studies is what it said when they were frozen.

`PLANNER_FROZEN` says how many of them, spread evenly, are looked at; the reference is made by
`python -m tests.reference.make_frozen_studies`. Where several plans cost the same, another one of
them is allowed.
"""

import json
import math
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tests.reference.make_frozen_studies import PATH, said

COUNT = int(os.environ.get("PLANNER_FROZEN", "100"))
SAME = 2e-6
"""How far, as a part, a cost may lie over the least one for ε to have few digits."""
LIMITS = 1e-5
"""Limits are the proved values nearest to the edge, which need not be the nearest ones."""
SMALLEST = 1e-12
"""Of failure probabilities no smaller limit is searched."""


def differences(line: str) -> str:
    """What differs from a line of the file; "" if nothing does."""
    frozen = json.loads(line)
    now = json.loads(json.dumps(said(frozen["study"], frozen["quantity"])))
    was = frozen["said"]
    if _was_looser(frozen["study"]):
        return _no_dearer(line, was, now)
    wrong = [
        f"{name} was {was.get(name)!r}, is {now.get(name)!r}"
        for name in was.keys() | now.keys()
        if not _same(name, was, now)
    ]
    return f"{json.dumps(frozen['study'])}: {'; '.join(wrong)}" if wrong else ""


def _was_looser(study: dict[str, Any]) -> bool:
    """Whether it was planned by a looser bound when frozen: means, and histograms of few people."""
    exact = study.get("mechanism", {}).get("analysis", "exact") == "exact"
    kinds = {question["kind"] for question in study.get("question", [])}
    return exact and bool(kinds & {"mean", "histogram"})


def _no_dearer(line: str, was: dict[str, Any], now: dict[str, Any]) -> str:
    if was["verdict"] != "feasible":
        return ""
    if now["verdict"] == "feasible" and now["cost"] <= was["cost"] * (1 + SAME):
        return ""
    return f"{line[:300]}: {now['verdict']} at {now.get('cost')}, it cost {was['cost']}"


def _same(name: str, was: dict[str, Any], now: dict[str, Any]) -> bool:
    before, after = was.get(name), now.get(name)
    if before is None or after is None or before == after:  # None: it took too long
        return True
    if not all(isinstance(x, int | float) for x in (before, after)):
        return False
    if name in ("epsilon", "participants", "delta"):  # of an equally cheap plan
        costs = was["cost"], now["cost"]
        return costs[0] != costs[0] or math.isclose(*costs, rel_tol=SAME)
    if name == "limit" and after == SMALLEST:  # a smaller one was searched before
        return bool(before <= after)
    return math.isclose(before, after, rel_tol=LIMITS if name == "limit" else SAME)


def test_frozen_studies_are_answered_as_before() -> None:
    lines = PATH.read_text("utf-8").splitlines()
    some = lines[:: max(1, len(lines) // COUNT)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        wrong = [found for found in pool.map(differences, some, chunksize=5) if found]
    assert not wrong, "\n".join(wrong)
