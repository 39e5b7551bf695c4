"""The tests of Markdown files fail where such a file is wrong."""

from pathlib import Path

import pytest

from planner.guide import changed
from tests.guide.blocks import blocks, run_blocks, same, shown_in

FENCE = "```"


def file(tmp_path: Path, *given: str) -> Path:
    path = tmp_path / "file.md"
    path.write_text("\n".join(f"{FENCE}{one}\n{FENCE}\n" for one in given), "utf-8")
    return path


def test_sections_are_replaced_or_added() -> None:
    old = (
        "title = 'a'\n[target]\nerror = 1\n[individual]\n[[individual.events]]\ncost = 1\n[costs]\n"
    )
    new = changed(old, "[individual]\nbase_cost = 2\n[sampling]\nsecret = true\n")
    assert "events" not in new
    assert "title" in new
    assert "base_cost = 2\n" in new
    assert new.endswith("secret = true\n")


def test_commands_have_their_output() -> None:
    text = "$ planner solve a\nfeasible\n\n ε 1\n$ planner check b\n"
    assert shown_in(text) == [("planner solve a", "feasible\n\n ε 1\n"), ("planner check b", "")]


def test_another_output_is_found() -> None:
    same("a\n\nb  \nc\n", "a\n...\nc\n", "here")
    same("a\n", "", "here")
    with pytest.raises(AssertionError, match="here prints"):
        same("a\nb\nc\n", "a\nc\n", "here")
    with pytest.raises(AssertionError):
        same("a 2\n", "a 1\n", "here")


@pytest.mark.parametrize(
    "wrong", ["sh\nplanner solve none.toml", "python\nassert 1 == 2", "rust\n", "sh\nrm -r x"]
)
def test_what_fails_is_found(wrong, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError):
        run_blocks(file(tmp_path, wrong), lambda: "")


def test_blocks_share_names_and_slow_ones_wait(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = file(tmp_path, "python\na = 1", "python slow\nassert a == 2", "csv b.csv\nc\n1")
    assert [block.line for block in blocks(path)] == [1, 5, 9]
    run_blocks(path, lambda: "")
    assert (tmp_path / "b.csv").read_text("utf-8") == "c\n1\n"
    with pytest.raises(AssertionError):
        run_blocks(path, lambda: "", slow=True)
