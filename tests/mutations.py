"""`python -m tests.mutations`: small faults in `planner/`, and those that the README's tests miss.

One line at a time is changed in a copy of the tree: a sign, a comparison, a constant by some per
cent, a check that is dropped, a proof that always holds. A first run notes which tests reach each
line; these are run on the changed copy, quickest first; then, on what they miss, all of the
README's tests. What survives is printed: each needs a test, or a reason why nobody could notice.
The faults are drawn by a seed from all files alike; `--folders` looks at some folders alone.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple
from xml.etree import ElementTree

import coverage
import pytest

ROOT = Path(__file__).parents[1]
COPIED = (
    "planner", "tests", "figures", "scenarios", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
    "CITATION.cff", "LICENSE", "pyproject.toml", ".ci",
)  # fmt: skip
SIGNS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}
COMPARISONS = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
CHANGED = 1.03
"""What a constant is multiplied by; a whole number grows by one, and 0.0 becomes this."""
_NEAR = 400
"""Tests that reach a fault's line, of which so many are run first."""
LIMIT = 900.0
"""Seconds after which a run counts as failed: what never ends is noticed."""


class Fault(NamedTuple):
    """One change: where in which file, what stands there, and what is written instead."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:70] for text in (self.old, self.new))
        return f"{self.path}:{self.line}: {old}  →  {new}"


def faults(path: Path, root: Path = ROOT) -> Iterator[Fault]:
    """Every small change of a file that leaves it a program."""
    text = path.read_text(encoding="utf-8")
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line.encode()))
    source = text.encode()

    def at(line: int, column: int) -> int:
        return begins[line - 1] + column

    def fault(node: Any, new: str) -> Fault:
        start, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
        place = path.relative_to(root).as_posix()
        return Fault(place, node.lineno, start, end, source[start:end].decode(), new)

    def written(node: ast.AST) -> str:
        return ast.get_source_segment(text, node) or ""

    tree = ast.parse(text)
    words = (
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
    )
    in_words = set(map(id, words))  # texts, whose places Python 3.11 tells wrongly
    for node in ast.walk(tree):
        if id(node) in in_words:
            continue
        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS and not any(
                isinstance(part, ast.JoinedStr | ast.Constant)
                and isinstance(getattr(part, "value", ""), str)
                for part in ast.walk(node)
            ):
                yield fault(node, f"({written(left)} {SIGNS[type(op)]} {written(right)})")
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                yield fault(node, f"({written(left)} {COMPARISONS[type(op)]} {written(right)})")
            case ast.Constant(value=int(value)) if value is not True and value is not False:
                yield fault(node, str(value + 1))
            case ast.Constant(value=float(value)):
                yield fault(node, repr(value * CHANGED or CHANGED))
            case ast.If(test=test, body=[ast.Raise(), *_]):
                yield fault(test, "False")
            case ast.Assert(test=test):
                yield fault(test, "True")
            case ast.Return(value=ast.Compare() | ast.BoolOp() as value):
                yield fault(value, "True")
            case ast.Expr(value=ast.Call() as call):
                yield fault(call, "None")


def drawn(folders: list[str], count: int, seed: int) -> list[Fault]:
    """Faults of the files of some folders, in order of their place: all, or a draw of them."""
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    everything = [fault for file in files for fault in faults(file)]
    chosen = random.Random(seed).sample(everything, min(count, len(everything)))
    return sorted(chosen)


class Reached(NamedTuple):
    """Which tests reach a line, and how many seconds each takes."""

    tests: dict[tuple[str, int], set[str]]
    seconds: dict[str, float]

    def by(self, fault: Fault) -> list[str]:
        """The tests of a fault's line, quickest first."""
        found = self.tests.get((fault.path, fault.line), set())
        return sorted(found, key=lambda test: self.seconds.get(test, 0.0))


def reached(copy: Path, workers: int) -> Reached:
    """Run all of the README's tests once, on the tree as it is."""
    report = copy / "seconds.xml"
    run = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--cov=planner",
           "--cov-context=test", "--cov-report=", f"--junit-xml={report}"]  # fmt: skip
    ended = subprocess.run(run, cwd=copy, env=_environment(copy), capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"the tests fail before anything is changed:\n{ended.stdout[-3000:]}")
    data = coverage.CoverageData(basename=str(copy / ".coverage"))
    data.read()
    tests: dict[tuple[str, int], set[str]] = defaultdict(set)
    for file in data.measured_files():
        place = Path(file).relative_to(copy).as_posix()
        for line, contexts in data.contexts_by_lineno(file).items():
            tests[place, line] |= {_function(name) for name in contexts if name}
    return Reached(dict(tests), _seconds(report))


def _function(test: str) -> str:
    """A test without its parameters, of which some cannot be named on a command line."""
    return test.partition("[")[0].partition("|")[0]


def _seconds(report: Path) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for case in ElementTree.parse(report).iter("testcase"):
        place = case.get("classname", "").replace(".", "/") + ".py"
        found[_function(f"{place}::{case.get('name')}")] += float(case.get("time", 0))
    return dict(found)


def _environment(copy: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}


def noticing(fault: Fault, copy: Path, tests: list[str]) -> str:
    """The first of some tests that fails where the fault stands in the copy; "" if none does."""
    file = copy / fault.path
    right = file.read_bytes()
    file.write_bytes(right[: fault.start] + fault.new.encode() + right[fault.end :])
    try:
        return _failing(copy, tests)
    finally:
        file.write_bytes(right)


def _failing(copy: Path, tests: list[str]) -> str:
    """The first of some tests that fails, of all where none is named."""
    run = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no", *tests]
    temporary = tempfile.mkdtemp(prefix="m")  # a short name, as some tests count letters
    environment = {**_environment(copy), "TMPDIR": temporary}
    try:
        ended = subprocess.run(
            run, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return "no end"
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    files = sorted({test.partition("::")[0] for test in tests})
    if ended.returncode == pytest.ExitCode.USAGE_ERROR and files not in ([], tests):
        return _failing(copy, files)  # some test is not found by its name
    if not ended.returncode:
        return ""
    failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else "the tests do not start"


def main() -> None:
    """Draw faults, run the tests on each, and print what survives."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    asked.add_argument("--count", type=int, default=200, help="how many faults")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--folders", nargs="+", default=["planner"], help="planner/certificate, …")
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = asked.parse_args()
    chosen = drawn(given.folders, given.count, given.seed)
    with tempfile.TemporaryDirectory(prefix="m") as place:
        copies: Queue[Path] = Queue()
        for number in range(given.workers):
            copy = Path(place) / str(number)
            for name in COPIED:
                source = ROOT / name
                (shutil.copytree if source.is_dir() else _file)(source, copy / name)
            copies.put(copy)
        reach = reached(Path(place) / "0", given.workers)

        def survives(fault: Fault, every: bool) -> bool:
            tests = [] if every else reach.by(fault)[:_NEAR]
            copy = copies.get()
            try:
                found = noticing(fault, copy, tests) if tests or every else ""
            finally:
                copies.put(copy)
            _say(f"{'noticed ' if found else 'SURVIVES'} {fault}  {found[:90]}")
            return not found

        survive = chosen
        with ThreadPoolExecutor(given.workers) as pool:
            for every in (False, True):  # those that a fault's own tests miss, by all others
                found = pool.map(survives, survive, repeat(every))
                survive = [fault for fault, one in zip(survive, found, strict=True) if one]
                _say(f"\n{len(survive)} survive {'all tests' if every else 'their own tests'}\n")
    _say(f"\n{len(survive)} of {len(chosen)} faults survive (seed {given.seed}):")
    _say("\n".join(map(str, survive)))


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def _file(source: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)


if __name__ == "__main__":
    main()
