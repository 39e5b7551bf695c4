"""The wheel, installed alone and run outside the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "scenarios" / "hsu14" / "mean-education.toml"
COMMANDS = {
    "solve": ["solve", str(STUDY)],
    "plot": ["plot", str(STUDY), "-o", "region.svg"],
    "report": ["report", str(STUDY), "-o", "report.html", "--quick"],
    "scenarios": ["scenarios"],
    "figures": ["figures", "drawn"],
    "app": ["app", "--help"],
    "guide": ["guide", "reading the a"],
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder that holds what the wheel holds; its dependencies are those of the tests."""
    wheels, target = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", target, wheel], check=True)
    return target


def run(installed: Path, arguments: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_it_takes_one_name(installed) -> None:
    names = {path.name for path in installed.iterdir() if path.suffix != ".dist-info"}
    assert names - {"bin", "__pycache__"} == {"planner"}


def test_every_public_name_is_there(installed, tmp_path) -> None:
    code = "import planner; [getattr(planner, name) for name in planner.__all__]"
    place = run(installed, ["-c", f"{code}; print(planner.__file__)"], tmp_path).strip()
    assert Path(place).is_relative_to(installed)


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_run(installed, tmp_path, name) -> None:
    code = "import sys; from planner.cli import run; sys.exit(run(sys.argv[1:]))"
    run(installed, ["-c", code, *COMMANDS[name]], tmp_path)
    if name in ("plot", "report", "figures"):
        assert any(tmp_path.rglob("*.*"))
