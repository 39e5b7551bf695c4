"""The reader with every word of the schema at every place: a study, or one sentence."""

import copy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from planner.study_file import reader

FILES = {
    "share": """
        currency = "EUR"
        [target]
        error = 0.05
        failure = 0.05
        [mechanism]
        kind = "laplace-mean"
        [individual]
        base_cost = 12.5
        [conditions]
        budget = 30000.0
        [costs]
        per_person = 5.0
        [sampling]
        population = 9000
    """,
    "survey": """
        [target]
        failure = 0.05
        [[question]]
        kind = "share"
        name = "smokes"
        error = 0.03
        [[question]]
        kind = "histogram"
        name = "age"
        groups = 8
        error = 0.03
        [[question]]
        kind = "quantile"
        name = "income"
        candidates = 10
        error = 0.1
        [individual]
        [[individual.events]]
        probability = 0.1
        cost = 5.0
    """,
}
VALUES: tuple[Any, ...] = (1, "share", {}, {"kind": "share"}, [], [{"kind": "mean"}], True)


def words(schema: Any) -> set[str]:
    """Every key and every constant of a schema."""
    if isinstance(schema, list):
        return set().union(*map(words, schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema.get("properties", ())) | set(schema.get("$defs", ()))
    found |= {str(word) for word in (schema.get("const"), *schema.get("enum", ())) if word}
    return found.union(*map(words, schema.values()))


WORDS = sorted(words(reader.schema()))


def places(data: Any) -> Iterator[list[str | int]]:
    """Where a table stands in the data."""
    if isinstance(data, dict):
        yield []
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in pairs:
        if isinstance(value, dict | list):
            for place in places(value):
                yield [key, *place]


def read(data: dict[str, Any]) -> str:
    """What the reader says; "" where it reads a study."""
    try:
        reader.study_of(data, "study.toml")
    except ValueError as error:
        return str(error)
    return ""


def with_word(
    data: dict[str, Any], place: list[str | int], word: str, value: Any
) -> dict[str, Any]:
    """The data with a word at a place."""
    changed = copy.deepcopy(data)
    at: Any = changed
    for key in place:
        at = at[key]
    at[word] = copy.deepcopy(value)
    return changed


@pytest.mark.slow
@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("name", FILES)
def test_every_word_at_every_place_is_read_or_refused_in_a_sentence(name, value):
    data = tomllib.loads(FILES[name])
    assert read(data) == ""
    assert len(WORDS) > 100
    for place in places(data):
        for word in WORDS:
            said = read(with_word(data, place, word, value))
            assert not said or said.startswith("study.toml: "), said
            assert len(said) < 1500
