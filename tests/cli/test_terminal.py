"""Progress where the output is captured: a line on standard error for what takes long."""

import time

import pytest

from planner.cli import terminal


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.working("planning"):
        pass
    assert list(terminal.progress([1, 2, 3], "planning")) == [1, 2, 3]
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_what_takes_long_says_where_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE", 0.05)
    with terminal.working("planning"):
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "planning\n")
    for item in terminal.progress("abc", "computing limits"):
        if item == "b":
            time.sleep(0.3)
    assert capsys.readouterr() == ("", "computing limits: 2 of 3\n")


def test_what_is_left_early_says_no_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE", 0.05)
    with pytest.raises(RuntimeError), terminal.working("planning"):
        raise RuntimeError
    steps = iter(terminal.progress("abc", "planning"))
    next(steps)
    del steps
    time.sleep(0.2)
    assert capsys.readouterr() == ("", "")
