"""The blocks of the README and the guide run, and print what is shown."""

from pathlib import Path

import pytest

from planner.cli import run
from planner.guide import FOLDER, chapters
from tests.guide.blocks import run_blocks

ROOT = Path(__file__).parents[2]
LONG = (
    "04-accuracy-and-samples",
    "05-surveys",
    "06-groups-and-comparisons",
    "07-reading-the-answer",
    "09-reading-your-data-file",
    "03-from-a-pilot-to-a-payment",
    "02-costs-and-payments",
    "08-limits-prices-and-what-to-relax",
    "11-python-and-scripts",
)


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one.name, marks=[pytest.mark.slow] if one.name in LONG else [])
        for one in chapters()
    ],
)
def test_the_blocks_of_a_chapter_run_with_its_files(name, here, capsys) -> None:
    assert run(["guide", name[:2], "--files"]) == 0
    capsys.readouterr()
    run_blocks(FOLDER / f"{name}.md", lambda: capsys.readouterr().out)


@pytest.mark.slow
def test_the_blocks_of_the_readme(here, capsys) -> None:
    run_blocks(ROOT / "README.md", lambda: capsys.readouterr().out)
