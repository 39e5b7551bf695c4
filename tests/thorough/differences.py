"""A difference between program and oracle, and how the program is called: within limits."""

import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import planner
from tests.thorough.case import Case, code, mechanism_code

SECONDS = 60
"""A call that takes longer is a difference of its own."""
ROUNDED = 1e-8
"""How far numbers that are equal may lie apart, as a fraction."""


class Difference(NamedTuple):
    """One difference.

    Attributes:
        property: the property that does not hold, the same for the same kind of difference.
        case: the study.
        words: what the program says and what the oracle says.
    """

    property: str
    case: Case
    words: str


class TooSlow(Exception):
    """The program took longer than it may."""


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """Stop after this much processor time."""

    def stop(*_: Any) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds or SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@lru_cache(maxsize=10_000)
def build(python: str) -> Any:
    """What the code builds."""
    return eval(python, {"planner": planner})


def study(case: Case) -> planner.Study:
    """The program's study."""
    return build(code(case))


def mechanism(case: Case) -> Any:
    """The program's mechanism."""
    return build(mechanism_code(case))


def guarded(name: str, case: Case, call: Callable[[], Any], found: list[Difference]) -> Any:
    """What a call returns; a difference, and None, where it breaks, warns or takes too long."""
    started = time.process_time()
    try:
        with limited(), warnings.catch_warnings():
            warnings.simplefilter("error")
            return call()
    except TooSlow:
        spent = time.process_time() - started
        found.append(Difference(f"{name}: slow", case, f"stopped after {spent:.0f} s"))
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        found.append(Difference(f"{name}: {type(error).__name__}", case, words))
    return None


def near(left: float, right: float, tolerance: float = ROUNDED) -> bool:
    """Whether two numbers are as good as equal."""
    return left == right or abs(left - right) <= tolerance * max(abs(left), abs(right))
