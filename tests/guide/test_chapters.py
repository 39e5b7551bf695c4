"""The blocks of the README and the guide run, and print what is shown."""

from pathlib import Path

import pytest

from planner.guide import FOLDER, chapters
from tests.guide.blocks import run_blocks, write_files

ROOT = Path(__file__).parents[2]
LONG = (
    "03-accuracy-and-samples",
    "04-surveys",
    "05-groups-and-comparisons",
    "06-reading-the-answer",
    "08-reading-your-data-file",
    "10-from-a-pilot-to-a-payment",
    "02-costs-and-payments",
    "07-limits-prices-and-what-to-relax",
    "11-python-and-scripts",
)
FIRST = FOLDER / f"{chapters()[0].name}.md"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder with the files of the first chapter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_files(FIRST)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one.name, marks=[pytest.mark.slow] if one.name in LONG else [])
        for one in chapters()
    ],
)
def test_the_blocks_of_a_chapter(name, here, capsys) -> None:
    run_blocks(FOLDER / f"{name}.md", lambda: capsys.readouterr().out)


def test_the_blocks_of_the_readme(here, capsys) -> None:
    (here / "clinic.toml").unlink()
    run_blocks(ROOT / "README.md", lambda: capsys.readouterr().out)
