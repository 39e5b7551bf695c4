"""`python -m tests.reference.make_frozen_studies`: what the planner says of 3,400 studies.

Each line of frozen_studies.jsonl holds the tables of a study file, its answer and one limit, so
that a change of structure can be held against it: 2,200 random studies of the harness, 500 random
surveys, 300 studies of ordinary and of large size on a grid, and 400 of `further_studies`. Values
that took longer than `LONGEST` are null, and are not compared. The file in the tree has what is
left of an earlier one, without kinds of studies that are not planned any more.
"""

import itertools
import json
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import planner
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of
from tests.reference import further_studies
from tests.thorough import studies, survey_case
from tests.thorough.case import code

PATH = Path(__file__).with_name("frozen_studies.jsonl")
SEED = 24112026
RANDOM, SURVEYS, ORDINARY = 2200, 500, 300
LONGEST = 20
"""Seconds."""
MONEY = ("budget", "base_cost")
GRID = {
    "mechanism": [
        {"kind": "laplace-mean"},
        {"kind": "geometric-mean"},
        {"kind": "gaussian-mean"},
        {"kind": "laplace-mean", "analysis": "hoeffding"},
        {"kind": "randomized-response"},
    ],
    "error": [0.1, 0.05, 0.02, 0.01, 0.003],
    "failure": [0.2, 0.05, 1e-3, 1e-6],
    "budget": [3e3, 3e4, 1e6],
}


def asked(index: int) -> dict[str, Any]:
    """The tables of a study; those of random studies that no file can hold are left out."""
    if index < RANDOM:
        text = code(studies.draw(np.random.default_rng([SEED, index])))
    elif index < RANDOM + SURVEYS:
        text = survey_case.code(survey_case.draw(np.random.default_rng([SEED, index])))
    elif index >= RANDOM + SURVEYS + ORDINARY:
        return further_studies.draw(index - RANDOM - SURVEYS - ORDINARY, SEED)
    else:
        ways = list(itertools.product(*GRID.values()))
        mechanism, error, failure, budget = ways[index - RANDOM - SURVEYS]
        delta = {"delta": 1e-6} if mechanism["kind"] == "gaussian-mean" else {}
        return {
            "target": {"error": error, "failure": failure},
            "mechanism": mechanism,
            "individual": {"base_cost": 12.5, "worst_cost": 1274.0},
            "conditions": {"budget": budget, "max_participants": 1_000_000, **delta},
            "costs": {"per_person": 5.0},
        }
    return tables_of(eval(text, {"planner": planner}))


def quantity_of(tables: dict[str, Any], index: int) -> str:
    """Whose limit is computed: each in turn, and in a survey those of all questions together."""
    given = ["base_cost", "failure", "max_participants"]
    given.append("times_error" if "question" in tables else "error")
    given += ["budget"] * ("budget" in tables.get("conditions", ()))
    return given[index % len(given)]


def said(tables: dict[str, Any], quantity: str) -> dict[str, Any]:
    """The answer, and the limit of a quantity."""
    study = study_of(tables, "study")
    answer = _within(lambda: planner.solve(study))
    if answer is None:
        return {"verdict": None, "limit": None}
    result: dict[str, Any] = {"verdict": answer.verdict}
    if answer.verdict == "feasible":
        names = ("epsilon", "delta", "participants", "cost")
        result |= {name: getattr(answer, name) for name in names}
    result["limit"] = _within(lambda: _limit(study, quantity))
    return result


def _limit(study: planner.Study, quantity: str) -> float | str:
    try:
        end = planner.limit(study, quantity)
    except ValueError as error:
        return str(error)[:60]
    return "none" if end is None else float(end)


def _within(compute: Any) -> Any:
    """What is computed, or None where it takes too long.

    Libraries may turn what is raised within them into an error of their own: it counts as late too.
    """
    late = False

    def stop(*_: object) -> None:
        nonlocal late
        late = True
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        return compute()
    except Exception:
        if not late:
            raise
        return None
    finally:
        signal.alarm(0)


def line(index: int) -> str | None:
    """One line of the file; None for a study that no file can hold."""
    try:
        tables = asked(index)
        study_of(tables, "study")
    except ValueError:
        return None
    quantity = quantity_of(tables, index)
    return json.dumps({"study": tables, "quantity": quantity, "said": said(tables, quantity)})


def main() -> None:
    """Write the file; a number of studies may be given."""
    total = RANDOM + SURVEYS + ORDINARY + sum(further_studies.KINDS.values())
    count = int(sys.argv[1]) if len(sys.argv) > 1 else total
    with (
        ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool,
        PATH.open("w", encoding="utf-8") as file,
    ):
        for number, text in enumerate(pool.map(line, range(total - count, total), chunksize=5), 1):
            if text is not None:
                file.write(text + "\n")
            if number % 100 == 0:
                print(number, file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
