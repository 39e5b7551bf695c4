"""The faults that are planted are programs, and other ones."""

import ast
from pathlib import Path

from tests.mutations import Fault, faults

TEXT = '''\
def kept(x: float, most: float) -> bool:
    """Whether x é is small."""
    if x < 0:
        raise ValueError(f"{x + 1} is under 0")
    check(x - 2 * most)
    return x <= 0.5 * most and most > 0
'''


def planted(tmp_path: Path) -> list[tuple[Fault, str]]:
    file = tmp_path / "kept.py"
    file.write_text(TEXT, "utf-8")
    source = TEXT.encode()
    return [
        (one, (source[: one.start] + one.new.encode() + source[one.end :]).decode())
        for one in faults(file, tmp_path)
    ]


def test_each_fault_is_a_program_of_its_own(tmp_path) -> None:
    programs = planted(tmp_path)
    assert len({text for _, text in programs}) == len(programs)
    for one, text in programs:
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(TEXT)), one


def test_signs_comparisons_constants_checks_and_proofs_are_changed(tmp_path) -> None:
    changes = {(one.old, one.new) for one, _ in planted(tmp_path)}
    assert {
        ("x - 2 * most", "(x + 2 * most)"),
        ("2 * most", "(2 / most)"),
        ("x < 0", "(x >= 0)"),
        ("0.5", "0.515"),
        ("x < 0", "False"),
        ("check(x - 2 * most)", "None"),
        ("x <= 0.5 * most and most > 0", "True"),
    } <= changes
