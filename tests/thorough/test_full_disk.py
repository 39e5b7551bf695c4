"""Every kind of file that is written, on a disk without room (the shell's limit on file sizes)."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from planner.publication.publish import rehearse
from planner.publication.results import ENDINGS, PICTURES
from tests.cli.test_faults import EDUCATION, PLANNER, SWEEP, nothing_is_left_of_it
from tests.publication import plans


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (f"{PLANNER} plot {EDUCATION} -o", "a.png"),
        (f"{PLANNER} plot {EDUCATION} -o", "a.svg"),
        (f"{PLANNER} plot {EDUCATION} -o", "a.pdf"),
        (f"{PLANNER} report {EDUCATION} --quick -o", "a.html"),
        (SWEEP, "a.zarr"),
    ],
)
def test_a_disk_without_room(command: str, name: str, tmp_path: Path) -> None:
    nothing_is_left_of_it(command, name, tmp_path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_results_on_a_disk_without_room(ending: str, tmp_path: Path) -> None:
    done, rng = rehearse(plans.plan("words")), random.Random(1)
    numbers = [rng.random() for _ in range(200)]
    answer = replace(
        done.answers[1], answer=numbers, nearest=numbers, fitted=None, groups=(),
        interval=[[x, x + rng.random()] for x in numbers],
    )  # fmt: skip
    notes = tuple(f"{rng.random()}" for _ in range(300))  # for the text of a paper
    replace(done, answers=(answer,), notes=notes).save(tmp_path / "results.json")
    question = "--question age" if ending in PICTURES else ""
    command = f"{PLANNER} results results.json {question} -o"
    nothing_is_left_of_it(command, f"a{ending}", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]
