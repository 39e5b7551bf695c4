"""Checks that the files here share; each error names field, value and what to give."""

import math
from typing import Any

import numpy as np

from planner.numbers import Array


def positive(name: str, value: float) -> None:
    """Refuse what is not a finite number above 0."""
    if not _real(value) or not 0 < value < math.inf:
        raise ValueError(f"{name} = {value!r} is not allowed; give a finite number above 0")


def probability(name: str, value: float, least: float | None = None) -> None:
    """Refuse what is not a probability under 1 and above 0 (or at least `least`)."""
    if not _real(value) or not value < 1 or not (value > 0 if least is None else value >= least):
        words = "above 0" if least is None else f"of at least {least:g}"
        raise ValueError(
            f"{name} = {value!r} is not allowed; give a probability {words} and below 1"
        )


def fraction(name: str, value: float) -> None:
    """Refuse what is not above 0 and at most 1."""
    if not _real(value) or not 0 < value <= 1:
        raise ValueError(
            f"{name} = {value!r} is not allowed; give a fraction of 1, above 0 and at most 1"
        )


def whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Refuse what is not a whole number from `least` to `most`."""
    known = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not known or value < least or (most is not None and value > most):
        words = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} = {value!r} is not allowed; give a whole number {words}")


def finite(name: str, values: Any) -> Array:
    """The values as an array of floats, if a list of one or more finite numbers."""
    found = np.asarray(values)
    known = found.dtype.kind in "biuf" and found.ndim == 1 and found.size > 0
    if not known or not np.isfinite(found).all():
        raise ValueError(f"{name} must be a list of one or more finite numbers; give no other")
    return found.astype(float)


def people(histogram: Any) -> Array:
    """How many people have each record, as an array of floats, if whole and not all zero."""
    found = np.asarray(histogram)
    known = found.dtype.kind in "iu" and found.ndim == 1 and found.size >= 2
    if not known or (found < 0).any() or not found.any():
        raise ValueError(
            "histogram must be a list of whole numbers of people, one for each of two or more "
            "possible records; give counts of at least 0, not all 0"
        )
    return found.astype(float)


def shares(name: str, values: Any, universe_size: int, dimensions: int) -> Array:
    """Queries as an array of floats, if each has a value from 0 to 1 for each record."""
    found = np.asarray(values)
    shaped = found.ndim == dimensions and found.size and found.shape[-1] == universe_size
    if not shaped or found.dtype.kind not in "biuf" or not ((found >= 0) & (found <= 1)).all():
        shape = f"({'queries, ' * (dimensions - 1)}{universe_size})"
        raise ValueError(
            f"{name} must hold values from 0 to 1, one for each of the {universe_size} possible "
            f"records; give an array of shape {shape}"
        )
    return found.astype(float)


def _real(value: Any) -> bool:
    """Whether a value is a number."""
    known = isinstance(value, float | int | np.floating | np.integer)
    return known and not isinstance(value, bool)
