"""The reference of the API is built without warnings, and holds every public name."""

import subprocess
import sys

import pytest

import planner


def test_every_public_name_is_in_it(tmp_path) -> None:
    pytest.importorskip("pdoc")
    command = [sys.executable, "-W", "error", "-m", "planner.guide.reference", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    page = (tmp_path / "planner.html").read_text("utf-8")
    pages = {path.stem for path in (tmp_path / "planner").glob("*.html")}
    assert not [n for n in planner.__all__ if f'id="{n}"' not in page and n not in pages]
    answers = (tmp_path / "planner" / "answer.html").read_text("utf-8")
    assert not [name for name in planner.answer.__all__ if f'id="{name}"' not in answers]
    assert (tmp_path / "planner" / "sweeps" / "sweep.html").exists()
