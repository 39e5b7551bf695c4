"""A mechanism is data; what is asked about its kind stands in tables."""

import ast
import inspect
from pathlib import Path

import pytest

from planner.explanation.mechanisms import KNOWN, formulas
from planner.mechanisms import KINDS, kinds
from planner.mechanisms.mechanism import Mechanism

ROOT = Path(__file__).parents[2]
MEMBERS, LINES = 6, 80
OWN = {"net": "database_size", "added-noise": "share"}
"""What one mechanism alone can say, beside its parameters and the interface."""


def test_the_interface_has_six_members() -> None:
    members = {name for name in vars(Mechanism) if not name.startswith("_")}
    assert len(members | set(Mechanism.__annotations__)) == MEMBERS


def test_a_mechanism_is_its_parameters_and_the_interface() -> None:
    for kind in KINDS.values():
        interface = {*vars(Mechanism), *Mechanism.__annotations__, *kinds.parameters(kind)}
        more = {name for name in vars(kind) if not name.startswith("_")} - interface
        assert more <= {OWN.get(kind.kind)}
        assert len(inspect.getsource(kind).splitlines()) <= LINES


def test_every_kind_is_known_in_words_and_symbols() -> None:
    for kind in KINDS.values():
        assert KNOWN[kind].summary
        assert formulas(kind)


KIND_NAMES = {
    *("Person", "Individual", "AtRisk", "PaidByCost", "PaidByEvents", "PaidInFull"),
    *("Accuracy", "ExpectedLoss"),
}


@pytest.mark.slow
def test_nobody_else_asks_for_a_kind_of_person_or_target() -> None:
    asked = []
    for file in (ROOT / "planner").rglob("*.py"):
        if file.parent.name in ("mechanisms", "study_file", "exact"):
            continue
        lines = file.read_text("utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                names = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
                if names & KIND_NAMES and "#" not in lines[node.lineno - 1]:
                    asked.append(f"{file}:{node.lineno}")
    assert not asked
