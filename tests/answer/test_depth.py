"""How far a question is from `solve` to a sum and to the checker: few files, few calls."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import planner

MOST = 15
"""Files, and calls one within another."""
FOLDER = str(Path(planner.__file__).parent)


def stacks(study: planner.Study, names: set[tuple[str, str]]) -> dict[str, list[str]]:
    """The files of the deepest stack of our own calls at each of some functions."""
    deepest: dict[str, list[str]] = {}

    def seen(frame: FrameType, event: str, _: Any) -> None:
        place = Path(frame.f_code.co_filename).name, frame.f_code.co_name
        if event != "call" or place not in names:
            return
        files, at = [], frame
        while at is not None:
            if at.f_code.co_filename.startswith(FOLDER):
                files.append(at.f_code.co_filename)
            at = at.f_back  # type: ignore[assignment]
        deepest[place[1]] = max(deepest.get(place[1], []), files, key=len)

    planner.solve(study, prove=False)  # what is imported late is there
    sys.setprofile(seen)
    try:
        planner.solve(study)
    finally:
        sys.setprofile(None)
    return deepest


@pytest.mark.slow
def test_a_question_is_near_its_sums_and_its_proof() -> None:
    study = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5),
        [planner.Budget(30_000)],
        planner.Costs(per_person=5.0),
    )
    found = stacks(study, {("counts.py", "summed"), ("check.py", "verify")})
    assert set(found) == {"summed", "verify"}
    for name, files in found.items():
        assert len(files) <= MOST, (name, files)
        assert len(set(files)) <= MOST, (name, files)
