"""The table of quantities: no other file lists them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.explorer.fields import FIELDS
from planner.quantities import LIMITED, QUANTITIES, hint, limited, named

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("base_cost", "base cost"),
        ("min_participants", "minimum number of participants"),
        ("participants", "maximum number of participants"),
        ("harm", "maximum harm per person"),
        ("epsilon", "maximum ε"),
    ],
)
def test_a_bound_is_named_as_one_in_the_legend_and_beside_its_slider(name, words) -> None:
    row = QUANTITIES[name]
    assert row.input == FIELDS[row.key].words == words


def literals(path: Path) -> Iterator[list[str]]:
    """The texts of every list, tuple, set and table that a file writes out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            yield [x.value for x in node.elts if isinstance(x, ast.Constant)]
        elif isinstance(node, ast.Dict):
            yield [x.value for x in node.keys if isinstance(x, ast.Constant)]


COMPUTED = {
    "planner/decisions/prices.py",  # a formula for each quantity, not a list of them
    "planner/checks.py",  # arguments of formulas
}


@pytest.mark.slow
def test_no_other_file_lists_the_quantities() -> None:
    """A list of results, such as a plan's columns, holds more than quantities."""
    names = set(QUANTITIES) | {row.key for row in QUANTITIES.values()}
    for path in (ROOT / "planner").rglob("*.py"):
        if path.name != "quantities.py" and str(path.relative_to(ROOT)) not in COMPUTED:
            listed = [texts for texts in literals(path) if len(texts) > 3 and set(texts) <= names]
            assert not listed, f"{path} lists {listed}; read planner.quantities instead"


def test_a_limit_is_named_by_its_key_and_by_its_section_too() -> None:
    for row in QUANTITIES.values():
        for name in (row.name, row.key, f"{row.section}.{row.key}", f"{row.section}.{row.name}"):
            if row.limited:
                assert limited(name) == row.name
            assert limited(f"nowhere.{name}") == f"nowhere.{name}"
        assert limited(f"age group.{row.name}") == f"age group.{row.name}"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("margin margin_of_error Margin-of-error", "error"),
        ("cost money", "budget"),
        ("people n N sample_size sample-size", "participants"),
        ("confidence", "failure"),
        ("alternative", "change"),
        ("bas_cost", "base_cost"),
    ],
)
def test_words_of_planners_are_understood(words, name) -> None:
    for word in words.split():
        assert hint(word, LIMITED, LIMITED) == f"did you mean {name}?"
        with pytest.raises(ValueError, match=f"cannot be swept; did you mean {name}"):
            named(word)
    assert hint("weather", LIMITED, LIMITED).startswith("give one of base_cost, ")
    assert hint("margin", ["budget"], ["budget"]) == "give one of budget"
