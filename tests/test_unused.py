"""The walk over the program finds nothing that nothing reaches, and finds what is put there."""

import ast

import pytest

from tests import unused


@pytest.mark.slow
def test_everything_is_reached_by_a_command_or_a_public_name() -> None:
    dead = unused.Walk().dead()
    assert [f"{one.module}:{one.node.lineno} {one.key[1]}" for one in dead] == []


@pytest.mark.slow
def test_what_nothing_reaches_is_found(monkeypatch) -> None:
    more = unused.Module(
        "planner.more", ast.parse("def lost():\n    return kept()\n\ndef kept(): ...\n"), False
    )
    known = [*unused.modules(), more]
    monkeypatch.setattr(unused, "modules", lambda: iter(known))
    assert [one.key[1] for one in unused.Walk().dead()] == ["lost", "kept"]
