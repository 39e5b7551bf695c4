"""The direction of imports: what computes knows nothing of scenarios, figures or printing."""

import ast
import os
import subprocess
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import planner
from planner import show
from planner.certificate import check

ROOT = Path(__file__).parents[1]
READERS = (
    "planner/study_file/",
    "planner/show.py",  # the one door to what draws and prints
    "planner/explorer/",
    "planner/cli/",
    "planner/reports/",  # a report shows pictures, so it draws
)
FORBIDDEN = ("planner.scenarios", "planner.figures", "matplotlib", "rich", "typer")
FOLDERS = """
 scenarios certificate gone libraries numbers wording encoding json_file checks checked quantities
output show privacy consumers mechanisms selection model answer decisions sweeps comparison
simulation publication study_file pilot explanation audit figures reports guide explorer cli
""".split()  # noqa: SIM905
"""Each imports only from those before it, lazily or not; `show` names later ones in its table."""


class WithoutTypes(ast.NodeTransformer):
    """What runs: imports for types alone do not."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if "TYPE_CHECKING" in ast.unparse(node.test) else self.generic_visit(node)


@cache
def imported(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(WithoutTypes().visit(ast.parse(path.read_text("utf-8")))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def computing() -> list[str]:
    files = [str(path.relative_to(ROOT)) for path in (ROOT / "planner").rglob("*.py")]
    return sorted(f for f in files if not f.startswith(READERS))


@pytest.mark.slow
@pytest.mark.parametrize("name", computing())
def test_what_computes_does_not_print_or_draw(name: str) -> None:
    assert not [found for found in imported(ROOT / name) if found.startswith(FORBIDDEN)]


@cache
def graph() -> dict[str, set[str]]:
    """Each module of the project, and those it imports, lazily or not."""
    files = [f for top in ("planner", "figures", "scenarios") for f in (ROOT / top).rglob("*.py")]
    names = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in files}
    names = {name.removesuffix(".__init__"): file for name, file in names.items()}
    names = {n if n.startswith("planner") else f"planner.{n}": f for n, f in names.items()}

    def module(name: str) -> str:
        return name if name in names else name.rpartition(".")[0]

    found = {name: {module(n) for n in imported(file)} for name, file in names.items()}
    return {name: others & names.keys() - {name} for name, others in found.items()}


@pytest.mark.slow
def test_no_folder_imports_from_a_later_one() -> None:
    for module, others in graph().items():
        top = module.split(".")
        if len(top) == 1 or top[-1] == "__main__":  # `python -m` is a way in, as the command is
            continue
        before = FOLDERS[: FOLDERS.index(top[1]) + 1]
        found = {n for n in others if n.startswith("planner.") and n.split(".")[1] not in before}
        assert not found, f"{module} imports {found}"


def test_the_checker_alone_uses_ball_arithmetic() -> None:
    others = [p for p in (ROOT / "planner").rglob("*.py") if p.parent.name != "certificate"]
    assert others
    assert not [p for p in others if "flint" in p.read_text("utf-8").replace("python-flint", "")]


def test_threads_share_the_checkers_precision() -> None:
    code = "import planner.certificate, flint; print(flint.ctx.prec)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(shown.stdout) >= check.PRECISION


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle() -> None:
    left = {module: set(others) for module, others in graph().items() if module != "planner"}
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not left, f"these import each other in a circle, or what does: {sorted(left)}"


@pytest.mark.parametrize("place", [p for view in show.VIEWS.values() for p in view.values()])
def test_every_view_is_there(place: str) -> None:
    module, _, name = place.partition(":")
    assert callable(getattr(import_module(module), name))


HEAVY = ("numpy._core", "scipy._lib", "sympy.core", "matplotlib", "pydantic", "flint")
"""What is in `sys.modules` where a library is loaded, and not only named."""


@pytest.mark.slow
def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from planner.cli import run; run(['--help']); "
        "print([m for m in HEAVY if m in sys.modules])".replace("HEAVY", repr(HEAVY))
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip().splitlines()[-1] == "[]"


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert planner.__version__ == project["version"]
    with pytest.raises(AttributeError, match="attribute no_such_name"):
        planner.no_such_name  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "unused"),
    [("hsu14/mean-education.toml", HEAVY[1:4]), ("districts/districts.toml", HEAVY[2:4])],
)
def test_a_plan_needs_no_scipy_and_invitations_no_sympy(name: str, unused: tuple[str]) -> None:
    study = ROOT / "scenarios" / name
    code = f"import sys; from planner.cli import run; run(['solve', {str(study)!r}]); print([m for m in {unused} if m in sys.modules])"  # noqa: E501
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip().splitlines()[-1] == "[]"


COMMANDS = (
    "solve {study} -o plan.json",
    "check plan.json",
    "sweep {study} --vary budget=1e3:1e6:9 -o sweep.csv",
    "sweep {study} --vary budget=1e3:1e6:9 -o sweep.zarr",
    "plot {study} -o region.png",
)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc to see open files")
def test_nothing_needs_what_windows_lacks(tmp_path: Path) -> None:
    study = ROOT / "scenarios" / "hsu14" / "mean-education.toml"
    commands = [command.format(study=study) for command in COMMANDS]
    program = [sys.executable, "-X", "warn_default_encoding", str(ROOT / "tests" / "windows.py")]
    ran = subprocess.run([*program, *commands], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    written = {"plan.json", "sweep.csv", "sweep.zarr", "region.png", "ledger.sqlite"}
    assert {path.name for path in tmp_path.iterdir()} == written


def test_every_package_is_installed_and_no_link_is_needed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = {
        ".".join(p.parent.relative_to(ROOT).parts) for p in ROOT.glob("planner/**/__init__.py")
    }
    found |= {"planner.figures", "planner.scenarios"}
    assert set(project["tool"]["setuptools"]["packages"]) == found
    tops = [ROOT / top for top in ("planner", "figures", "scenarios", "tests")]
    assert not [path for top in tops for path in (top, *top.rglob("*")) if path.is_symlink()]


def test_a_person_can_read_the_public_list() -> None:
    names = [name for name in planner.__all__ if not hasattr(getattr(planner, name), "__path__")]
    assert 40 < len(names) <= 60
    assert all(getattr(planner, name).__doc__ for name in names)


@pytest.mark.slow
def test_every_name_is_imported_when_all_are_at_once() -> None:
    stubs = sorted(ROOT.glob("planner/**/__init__.pyi"))
    packages = [".".join(path.parent.relative_to(ROOT).parts) for path in stubs]
    code = f"""
import importlib
for name in {packages!r}:
    package = importlib.import_module(name)
    assert all(hasattr(package, public) for public in package.__all__), name
"""
    eager = {**os.environ, "EAGER_IMPORT": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, env=eager, cwd=ROOT)
