"""`python -m tests.guide.renew FILE ...`: the output shown in Markdown files, printed anew.

Read the difference before it is committed. Where the last line shown is `...`, as many lines as
before are shown above it; output with such a line elsewhere stays.
"""

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

from planner.guide import chapters
from tests.guide.blocks import run_blocks, write_files


def renewed(path: Path) -> str:
    """The text of a Markdown file with what its commands print now."""
    text = path.read_text("utf-8")
    stream = io.StringIO()

    def printed() -> str:
        said = stream.getvalue()
        stream.seek(0)
        stream.truncate()
        return said

    def replace(said: str, shown: str, place: str) -> None:
        nonlocal text
        command = f"$ {place.partition(': ')[2]}\n"
        lines = [line.rstrip() for line in said.strip("\n").rstrip().splitlines()]
        above, dots, below = shown.partition("...\n")
        if below.strip():
            return
        if dots:
            lines = [*lines[: above.count("\n")], "..."]
        new = "\n".join([*lines, ""])
        text = text.replace(command + shown, command + new, 1)

    with contextlib.redirect_stdout(stream):
        run_blocks(path, printed, slow=True, check=replace)
    return text


def main(files: list[str]) -> None:
    for path in [Path(name).resolve() for name in files]:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            os.environ["XDG_DATA_HOME"] = folder
            write_files(chapters()[0])
            path.write_text(renewed(path), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
