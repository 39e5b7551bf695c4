"""What the planner says of the frozen studies is what it said when they were frozen.

`PLANNER_FROZEN` says how many of them, spread evenly, are looked at; the reference is made by
`python -m tests.reference.make_frozen_studies`. Plans by sums of floats may cost
a thousandth more, any may cost less, and near an edge a study may be undecided.
"""

import json
import math
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import planner
from planner.study_file.reader import study_of
from tests.reference.make_frozen_studies import PATH, said

COUNT = int(os.environ.get("PLANNER_FROZEN", "100"))
SAME = 2e-6
"""How far, as a part, a cost may lie over the least one for ε to have few digits."""
DEARER, LARGE, MUCH_DEARER = 1e-3, 100_000, 0.04
"""How much dearer, as a part, a plan by sums of floats may be; of so many people by a bound."""
LIMITS, OF_SUMS, OF_MANY = 1e-5, 2e-3, 5e-3
"""Limits are the proved values nearest to the edge, which need not be the nearest ones. Sums are
read up to ε = 512, and so many people have a bound."""
SMALLEST = 1e-12
"""Of failure probabilities no smaller limit is searched."""
EDGE, FAR = 1.05, 1.3
"""By what factor of the error a study may be undecided though it was decided: by sums with Laplace
noise; with other noises, reports, and where less is known."""


def differences(line: str) -> str:
    """What differs from a line of the file; "" if nothing does."""
    frozen = json.loads(line)
    study, was = frozen["study"], frozen["said"]
    if "response_rate" in study.get("sampling", {}):  # then so many came on average
        study["sampling"]["arrive"] = 0.5
    now = json.loads(json.dumps(said(study, frozen["quantity"])))
    wrong = list(_wrong(study, was, now))
    return f"{json.dumps(study)}: {'; '.join(wrong)}" if wrong else ""


def _wrong(study: dict[str, Any], was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    if was["verdict"] is None or now["verdict"] is None:  # it took too long
        return
    if was["verdict"] != now["verdict"]:
        if now["verdict"] != "undecided" or not _near_an_edge(study, was["verdict"]):
            looser = _was_looser(study) and was["verdict"] != "feasible"
            if not looser:
                yield f"verdict was {was['verdict']}, is {now['verdict']}"
        return
    if was["verdict"] == "feasible":
        most = _dearer(study, now["participants"])
        if not now["cost"] <= was["cost"] * (1 + most):
            yield f"cost was {was['cost']}, is {now['cost']}"
    before, after = was["limit"], now["limit"]
    numbers = all(isinstance(x, int | float) for x in (before, after))
    if before is None or after is None or before == after or _was_looser(study):
        return
    if not numbers:
        yield f"limit was {before}, is {after}"
    elif not (after == SMALLEST and before <= after):
        near = _near(study) if _summed(study) else LIMITS
        if not math.isclose(before, after, rel_tol=near):
            yield f"limit was {before}, is {after}"


def _summed(study: dict[str, Any]) -> bool:
    """Whether its accuracy is a sum of floats: of counts, or of strata that are."""
    mechanism = study.get("mechanism", {})
    exact = mechanism.get("analysis", "exact") == "exact"
    return exact and mechanism.get("kind") not in ("mwem", "mwem-approximate", "net")


def _near(study: dict[str, Any]) -> float:
    """How near a limit of sums is to the one before."""
    if study.get("conditions", {}).get("max_participants", math.inf) > LARGE:
        return OF_MANY
    return OF_SUMS


def _dearer(study: dict[str, Any], participants: int) -> float:
    if not _summed(study):
        return SAME
    return DEARER if participants <= LARGE else MUCH_DEARER


def _near_an_edge(tables: dict[str, Any], verdict: str) -> bool:
    """Whether a little more error makes the study feasible."""
    study = study_of(tables, "study")
    laplace = tables.get("mechanism", {}).get("kind", "") == "laplace-mean"
    by = EDGE if laplace and verdict != "feasible" else FAR
    if study.survey is not None or study.strata or study.groups == 2:
        return True
    error = min(study.accuracy.error * by, 1.0)
    target = replace(study.target, error=error)
    return planner.solve(replace(study, target=target), prove=False).verdict == "feasible"


def _was_looser(study: dict[str, Any]) -> bool:
    """Whether it was planned by a looser bound when frozen: means, and histograms of few people."""
    exact = study.get("mechanism", {}).get("analysis", "exact") == "exact"
    kinds = {question["kind"] for question in study.get("question", [])}
    return exact and bool(kinds & {"mean", "histogram"})


def test_frozen_studies_are_answered_as_before() -> None:
    lines = PATH.read_text("utf-8").splitlines()
    some = lines[:: max(1, len(lines) // COUNT)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        wrong = [found for found in pool.map(differences, some, chunksize=5) if found]
    assert not wrong, "\n".join(wrong)
