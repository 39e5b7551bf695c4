"""Runs the blocks of a Markdown file, in order and in one folder.

The words after a block's opening fence say what it is:

- `toml NAME`, `csv NAME`: the content of a file.
- `toml NAME from OTHER`: a study file like OTHER, where the sections of the block take the place of
  those of the same name.
- `console`: commands after `$`, each with the output that it prints; a line `...` stands for any
  lines.
- `sh`: commands without their output.
- `shell`: commands with a test of their own.
- `python`: runs; the blocks of a file share their names.
- a last word `slow`: left out unless asked for.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from planner.cli import run
from planner.guide import Chapter, changed

ELSEWHERE = ("planner app", "planner guide", "python", "bash", ".venv", "pip", "npm", "git")
"""Commands with tests of their own: they wait for a person, or install."""


class Block(NamedTuple):
    words: list[str]
    text: str
    line: int

    @property
    def slow(self) -> bool:
        return self.words[-1] == "slow"


def blocks(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    found = re.finditer(r"^```(\w[^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [Block(one[1].split(), one[2], text[: one.start()].count("\n") + 1) for one in found]


def run_blocks(
    path: Path,
    printed: Callable[[], str],
    slow: bool = False,
    check: Callable[[str, str, str], None] | None = None,
) -> None:
    """Run the blocks in the present folder.

    Args:
        path: the Markdown file.
        printed: what the last command has printed.
        slow: whether slow blocks run too.
        check: compares what is printed with what is shown, at a place in the file.
    """
    names: dict[str, Any] = {}
    for block in blocks(path):
        if block.slow and not slow:
            continue
        place = f"{path.name}, line {block.line}"
        match block.words:
            case ["toml", name, "from", other, *_]:
                _write(name, changed(Path(other).read_text("utf-8"), block.text))
            case ["toml" | "csv", name, *_]:
                _write(name, block.text)
            case ["console", *_]:
                for command, shown in shown_in(block.text):
                    (check or same)(_run(command, printed, place), shown, f"{place}: {command}")
            case ["sh", *_]:
                for command in block.text.splitlines():
                    _run(command, printed, place)
            case ["shell", *_]:
                pass
            case ["python", *_]:
                exec(compile("\n" * block.line + block.text, str(path), "exec"), names)
                printed()
            case _:
                raise AssertionError(f"{place}: {' '.join(block.words)} is not known")


def write_files(chapter: Chapter) -> None:
    """Write the files of a chapter into the present folder."""
    for name, text in chapter.files.items():
        _write(name, text)


def shown_in(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that is shown."""
    return [
        (one[1], one[2]) for one in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    ]


def same(printed: str, shown: str, place: str) -> None:
    """Check that the output shown, where there is any, is the one printed."""
    lines = [line.rstrip() for line in shown.splitlines() if line.strip()]
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in lines
    )
    text = "".join(f"{line.rstrip()}\n" for line in printed.splitlines() if line.strip())
    assert not lines or re.fullmatch(pattern, text), f"{place} prints\n{text}"


def _write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def _run(command: str, printed: Callable[[], str], place: str) -> str:
    if command.startswith(ELSEWHERE):
        return ""
    first, *arguments = shlex.split(command, comments=True)
    assert first == "planner", f"{place}: {command}"
    status = run(arguments)
    text = printed()
    assert status in (0, 1, 2), f"{place}: {command} ends with {status}\n{text}"
    return text
