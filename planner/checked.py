"""Dataclasses whose fields are checked, and refused in one sentence."""

from collections.abc import Callable
from dataclasses import field
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast, dataclass_transform, overload

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as pydantic_dataclass

from planner.wording import quoted

_CONFIG = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
Kind = TypeVar("Kind")


class Refused(ValueError):
    """Arguments that a class does not take: which, and what to give."""

    def __init__(self, message: str, error: ValidationError) -> None:
        super().__init__(message)
        self.errors = error.errors

    def __reduce__(self) -> tuple[type[ValueError], tuple[str]]:
        return ValueError, (str(self),)


@overload
def dataclass(kind: type[Kind]) -> type[Kind]: ...
@overload
def dataclass(*, kw_only: bool = False) -> Callable[[type[Kind]], type[Kind]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def dataclass(kind: Any = None, *, kw_only: bool = False) -> Any:
    """A frozen dataclass whose fields pydantic checks."""

    def made(one: type[Kind]) -> type[Kind]:
        checked: Any = pydantic_dataclass(one, frozen=True, kw_only=kw_only, config=_CONFIG)
        construct = checked.__init__

        @wraps(construct)
        def init(self: Any, *args: Any, **given: Any) -> None:
            try:
                construct(self, *args, **given)
            except ValidationError as error:
                raise Refused(_sentence(checked, error), error) from None

        checked.__init__ = init
        checked.__signature__ = _names_and_defaults(checked)
        return cast(type[Kind], checked)

    return made if kind is None else made(kind)


def _names_and_defaults(kind: Any) -> Signature:
    """The signature as `help` shows it: what is allowed is said by the docstring and by errors."""
    shown = signature(kind)
    names = [one.replace(annotation=Parameter.empty) for one in shown.parameters.values()]
    return shown.replace(parameters=names, return_annotation=Signature.empty)


def _sentence(kind: Any, error: ValidationError) -> str:
    known = [name for name, one in kind.__pydantic_fields__.items() if one.init is not False]
    errors = error.errors()
    # a misspelt name is also a missing one: report the misspelling, and a range before a kind
    first = min(
        errors, key=lambda e: (not e["type"].startswith("unexpected"), e["type"] != "quantity")
    )
    name = first["loc"][0] if first["loc"] else ""
    if isinstance(name, int):  # a positional argument
        name = known[name] if name < len(known) else ""
    value = quoted(first["input"])
    match first["type"]:
        case "unexpected_keyword_argument":
            near = get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
            return f"{kind.__name__} has no field {name}; {hint}"
        case "unexpected_positional_argument":
            return f"{kind.__name__} takes its fields by name: {', '.join(known)}"
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            metadata = kind.__pydantic_fields__[name].metadata
            wanted = [x.words for x in metadata if hasattr(x, "words")]
            return f"{kind.__name__}: {name} is missing; give {' '.join(wanted) or 'it'}"
        case "value_error":
            message = str(first["ctx"]["error"])
            return f"{name}: {message}" if name else message
        case "quantity":
            return f"{name} = {first['msg']}"
        case "is_instance_of":
            return f"{name} = {value} is not allowed; give a {first['ctx']['class']}"
        case "literal_error":
            return f"{name} = {value} is not allowed; give {first['ctx']['expected']}"
        case "too_short":
            return f"{name} = {value} is not allowed; give at least {first['ctx']['min_length']}"
    return f"{name} = {value} is not allowed: {first['msg']}"
