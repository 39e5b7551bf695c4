"""Which answers of the README, the guide and the worked studies have a whole certificate."""

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import planner
import scenarios
from planner.answer import Undecided
from planner.answer.problem.problem import is_computed
from planner.certificate import verify
from planner.guide import FOLDER, chapters
from planner.study_file import templates
from tests.guide.blocks import run_blocks, write_files

ROOT = Path(__file__).parents[2]
_LAST_DIGITS = re.compile(r"(\d\.\d{8})\d+")
"""Of a limit: they differ between processors."""
NOT_COVERED = {
    "05-surveys.md": [
        "Health survey: no certificate is written of a limit of age group.error, of one question",
    ],
    "06-groups-and-comparisons.md": [
        "Districts: this is for one population, and each stratum is a study by itself; choose one, "
        "as in --set stratum=North; in Python answer.stratum('North')",
        ": smokes, a proportion in each of 3 groups by age group, within 10 percentage points in "
        "those of at least 20 % of the people",
        ": this is for one population without strata; leave the strata out, or give each an "
        "error and leave target.error out, and choose one, as in --set stratum=City",
    ],
    "districts.toml": [
        "Blood pressure by district: this is for one population, and each stratum is a study by "
        "itself; choose one, as in --set stratum=Harbour; in Python answer.stratum('Harbour')"
    ],
}
"""The answers of a file that are not covered: the title of the study, and what is not."""
FILES = [ROOT / "README.md", *(FOLDER / f"{one.name}.md" for one in chapters())]
WORKED = [
    path
    for package in (scenarios, templates)
    for path in sorted(Path(package.__file__ or "").parent.rglob("*.toml"))
    if "[target]" in path.read_text("utf-8")
]


def answers_of(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> list[Any]:
    """The answers and limits that the blocks of a file compute, or that to a study file."""
    if path.suffix == ".toml":
        return [planner.solve(planner.read_study(path))]
    found: list[Any] = []
    for name in ("solve", "limit"):
        kept = partial(_kept, found, getattr(planner, name))
        monkeypatch.setattr(planner, name, kept)
    run_blocks(path, lambda: capsys.readouterr().out, slow=True)
    return found


def _kept(found: list[Any], function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What a function returns, and keep it."""
    found.append(function(*given, **named))
    return found[-1]


def not_covered(found: list[Any]) -> Iterator[str]:
    """The titles of those that no certificate without a gap is about, and the first gap."""
    for answer in found:
        if isinstance(answer, Undecided) or answer == math.inf:
            continue
        if getattr(answer, "study", None) and is_computed(answer.study):
            continue  # tests and two groups are not proved
        try:
            gaps = verify(answer.certificate())[1]
        except ValueError as error:
            gaps = [str(error)]
        if gaps:
            yield f"{answer.study.title}: {gaps[0].removeprefix('unproved ')}"


@pytest.mark.slow
@pytest.mark.parametrize("path", [*FILES, *WORKED], ids=lambda path: path.name)
def test_answers_are_covered(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_files(chapters()[0])
    if path == FILES[0]:
        (tmp_path / "clinic.toml").unlink()
    found = not_covered(answers_of(path, monkeypatch, capsys))
    left = {_LAST_DIGITS.sub(r"\1", one) for one in found}
    assert left == {*NOT_COVERED.get(path.name, [])}
