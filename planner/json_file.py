"""JSON files, which may be hostile: read within a size, and only where they are strictly JSON."""

import json
import math
from pathlib import Path
from typing import Any

from planner.wording import quoted, shortened


def read(path: str | Path, largest: int, kind: str, by: str) -> Any:
    """The data of a JSON file.

    Raises:
        ValueError: it cannot be read, or is too large, too deep or not strictly JSON.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ValueError(f"{path}: {reason}; give the path of a {kind}") from None
    if len(content) > largest:
        raise ValueError(f"{path}: more than {largest:,} bytes, too large for a {kind}")
    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_once,
            parse_constant=_finite,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
        if isinstance(error, json.JSONDecodeError):
            reason = f"line {error.lineno} is not JSON"
        raise ValueError(
            f"{path}: not a {kind}: {shortened(reason, 150)}; give a file that {by} wrote"
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {quoted(twice)} is given twice")
    return found


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"{shortened(digits, 40)} is not a finite number")
    return number
