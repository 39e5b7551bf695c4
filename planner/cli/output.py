"""How commands print: JSON for programs, tables of at most 80 columns for people."""

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80


def print_json(data: Any) -> None:
    """Print data as JSON; it holds no NaN, and no infinity but as null."""
    print(json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False))  # noqa: T201


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and abs(data) == float("inf"):
        return None
    return data


def console() -> "Console":
    """A console no wider than 80 columns, with colour only on a terminal."""
    from rich.console import Console

    terminal = Console(highlight=False, emoji=False, file=sys.stdout)
    terminal.width = min(terminal.width, WIDTH) if terminal.is_terminal else WIDTH
    return terminal
