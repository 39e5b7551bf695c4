"""Every kind of file that is written, on a disk without room (the shell's limit on file sizes)."""

from pathlib import Path

import pytest

from tests.cli.test_faults import EDUCATION, PLANNER, SWEEP, nothing_is_left_of_it


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (f"{PLANNER} plot {EDUCATION} -o", "a.png"),
        (f"{PLANNER} plot {EDUCATION} -o", "a.svg"),
        (f"{PLANNER} plot {EDUCATION} -o", "a.pdf"),
        (f"{PLANNER} report {EDUCATION} --quick -o", "a.html"),
        (SWEEP, "a.nc"),
        (SWEEP, "a.parquet"),
        (SWEEP, "a.zarr"),
    ],
)
def test_a_disk_without_room(command: str, name: str, tmp_path: Path) -> None:
    nothing_is_left_of_it(command, name, tmp_path)
