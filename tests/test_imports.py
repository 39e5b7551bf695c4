"""The direction of imports: what computes knows nothing of scenarios, figures or printing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READERS = (
    "planner/study_file.py",
    "planner/study_individual.py",
    "planner/study_tables.py",
    "planner/study_rows.py",
    "planner/shown.py",  # the one door to what draws and prints
    "planner/explorer/",
    "planner/cli/",
    "planner/reports/",  # a report shows pictures, so it draws
)
FORBIDDEN = {"scenarios", "figures", "matplotlib", "rich", "typer"}
READING = {
    "planner.study_file",
    "planner.study_individual",
    "planner.study_rows",
    "planner.study_spreads",
    "planner.study_tables",
    "planner.cli",
    "planner.reports",
}
LOWER = {
    "planner/mechanisms": {"planner.model", "planner.answer", "planner.study_file", "planner.cli"},
    "planner/consumers": {"planner.mechanisms", "planner.model", "planner.answer", *READING},
    "planner/composition": {"planner.model", "planner.answer", *READING},
    "planner/selection": {"planner.model", "planner.answer", *READING},
    "planner/model": {"planner.answer", "planner.study_file", "planner.cli"},
    "planner/sweeps": {
        "planner.comparison",
        "planner.explanation",
        "planner.audit",
        "planner.uncertainty",
        *READING,
    },
    "planner/uncertainty": {"planner.comparison", "planner.explanation", "planner.audit", *READING},
    "planner/answer": {
        "planner.sweeps",
        "planner.uncertainty",
        "planner.comparison",
        "planner.explanation",
        "planner.audit",
        *READING,
    },
    "planner/comparison": {"planner.explanation", "planner.audit", *READING},
    "planner/sensitivity": {"planner.comparison", "planner.audit", *READING},
    "planner/explanation": {"planner.sensitivity", "planner.audit", *READING},
    "planner/reports": READING - {"planner.reports"} | {"scenarios", "typer", "rich"},
    "planner/audit": READING,
    "planner/simulation": {"planner.explanation", "planner.audit", *READING},
}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or ""}
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def computing() -> list[str]:
    files = [str(path.relative_to(ROOT)) for path in (ROOT / "planner").rglob("*.py")]
    return sorted(f for f in files if not f.startswith(READERS))


@pytest.mark.parametrize("name", computing())
def test_what_computes_does_not_print_or_draw(name: str) -> None:
    assert not {module.split(".")[0] for module in imported(ROOT / name)} & FORBIDDEN


@pytest.mark.parametrize(("folder", "above"), LOWER.items())
def test_lower_layers_do_not_import_higher_ones(folder: str, above: set[str]) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        found = {name for name in imported(path) for high in above if name.startswith(high)}
        assert not found, f"{path} imports {found}"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from planner.cli import run; run(['--help']); "
        "print([m for m in ('numpy', 'scipy', 'sympy', 'pydantic', 'flint') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip().splitlines()[-1] == "[]"


def test_a_plan_needs_no_scipy() -> None:
    study = ROOT / "scenarios" / "hsu14" / "mean-education.toml"
    code = f"import sys; from planner.cli import run; run(['solve', {str(study)!r}]); print([m for m in ('numpy', 'scipy', 'sympy', 'matplotlib') if m in sys.modules])"  # noqa: E501
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip().splitlines()[-1] == "[]"
