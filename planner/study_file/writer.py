"""The tables of a study as the text of its file."""

import json
from collections.abc import Mapping
from typing import Any

_TITLES = ("title", "currency")


def as_toml(tables: Mapping[str, Any]) -> str:
    """The study file of tables: the title, then a section for each table that is not empty."""
    lines = [_line(key, tables[key]) for key in _TITLES if key in tables]
    for key, section in tables.items():
        if key in _TITLES:
            continue
        several = isinstance(section, list)
        for table in section if several else [section]:
            if table:
                head = f"[[{key}]]" if several else f"[{key}]"
                lines += ["", head, *(_line(name, value) for name, value in table.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _line(key: str, value: Any) -> str:
    return f"{key} = {value_text(value)}"


def value_text(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, str):  # JSON strings are TOML strings, except for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_line(name, one) for name, one in value.items())} }}"
    return repr(value)
