"""The slow blocks of the guide."""

import re
from pathlib import Path

import pytest

from planner.cli import run
from planner.guide import FOLDER, chapters
from tests.guide.blocks import blocks, run_blocks, write_files

FILES = [FOLDER / f"{one.name}.md" for one in chapters()]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_files(chapters()[0])


@pytest.mark.parametrize(
    "path", [f for f in FILES if any(b.slow for b in blocks(f))], ids=lambda path: path.stem
)
def test_the_slow_blocks(path, capsys) -> None:
    run_blocks(path, lambda: capsys.readouterr().out, slow=True)


def test_the_picture_is_the_one_that_is_drawn() -> None:
    assert run(["plot", "clinic.toml", "-o", "region.svg"]) == 0
    drawn, shown = Path("region.svg"), FOLDER / "region.svg"
    words = [re.findall(r"<text[^>]*>([^<]+)<", one.read_text("utf-8")) for one in (drawn, shown)]
    assert words[0] == words[1]
    assert "516" in " ".join(words[1])
