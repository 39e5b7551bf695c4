"""Each mechanism states how it differs from the others."""

import ast
from pathlib import Path

import pytest

from planner.mechanisms import KINDS
from planner.mechanisms.mechanism import Mechanism

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.kind)
def test_every_kind_says_whether_its_sample_errs(kind) -> None:
    assert any("sampled" in vars(base) for base in kind.__mro__ if base is not Mechanism)


def test_a_mechanism_must_say_it() -> None:
    class Silent(KINDS["laplace-mean"]):  # type: ignore[misc]
        sampled = Mechanism.sampled

    with pytest.raises(TypeError, match="sampled"):
        Silent()


def test_only_noise_on_a_proportion_has_a_noise() -> None:
    noisy = {kind.kind for kind in KINDS.values() if kind.adds}
    assert noisy == {"laplace-mean", "geometric-mean", "gaussian-mean"}


KIND_NAMES = {
    *("Person", "Individual", "AtRisk", "PaidByCost", "PaidByEvents", "PaidInFull"),
    *("Accuracy", "ExpectedLoss"),
}


@pytest.mark.slow
def test_nobody_else_asks_for_a_kind_of_mechanism_person_or_target() -> None:
    asked = []
    for file in (ROOT / "planner").rglob("*.py"):
        if file.parent.name in ("mechanisms", "study_file", "exact"):
            continue
        lines = file.read_text("utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                kinds = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
                if kinds & KIND_NAMES and "#" not in lines[node.lineno - 1]:
                    asked.append(f"{file}:{node.lineno}")
    assert not asked
