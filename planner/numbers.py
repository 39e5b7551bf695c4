"""One formula, three number systems: floats and arrays, SymPy symbols, fractions.

A formula asks `of(...)` for the system its arguments belong to and then uses that system's
`exp`, `log`, ... so that the same lines compute, derive and decide. In every numeric system
`log` and `log1p` are −∞ where their argument is not positive, and exponentials overflow to ∞:
formulas then need no special cases for "cannot be met".
"""

import math
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any  # NumPy is imported where arrays are computed
"""A NumPy array."""

Number: TypeAlias = Any
"""A float, an array, a SymPy expression or a fraction: the argument of a formula."""

WHOLE_LIMIT = 2**53
"""Larger whole numbers have no exact double; no study is planned with more people."""

_PRECISE = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Of e^x, ln x and √x of fractions: differences that lose most of their digits keep a double's."""
_OVERFLOW = 10_000
"""From here on e^x is ∞, as no amount of money is as large."""


class NumberSystem(NamedTuple):
    """The functions that formulas need, for one kind of number."""

    exp: Callable[[Number], Number]
    expm1: Callable[[Number], Number]
    log: Callable[[Number], Number]
    log1p: Callable[[Number], Number]
    sqrt: Callable[[Number], Number]
    minimum: Callable[[Number, Number], Number]
    maximum: Callable[[Number, Number], Number]
    number: Callable[[Number], Number]
    """Turns a plain input (float, int) into a number of this system."""
    all_or_nothing: Callable[[Number], Number]
    """∞ where the argument is not negative, else −∞."""
    infinity: Number
    largest: Number
    """The largest finite number; ∞ where there is none."""
    in_units: Callable[[Number, Fraction], Number]
    """The least multiple of a unit that is not below the argument."""


def of(*values: Number) -> NumberSystem:
    """The number system to which `values` belong; plain floats and ints fit into any."""
    for value in values:
        kind: Any = type(value)
        if kind is float or kind is int:
            continue
        system = _system_of(kind)
        if system is not FLOATS:
            return system
    return FLOATS


@cache
def _system_of(kind: Any) -> NumberSystem:
    if issubclass(kind, float | int):
        return FLOATS
    if issubclass(kind, Fraction):
        return FRACTIONS
    return symbols() if kind.__module__.startswith("sympy") else arrays()


def _float_or_infinity(function: Callable[[float], float]) -> Callable[[float], float]:
    """The function with ∞ in place of an overflow."""

    def evaluate(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf

    return evaluate


def _units(x: Number, unit: Fraction) -> Number:
    """The least multiple of a unit that is at least x."""
    return math.ceil(x / unit) * unit if abs(x) < math.inf else x


def _float_in_units(x: float, unit: Fraction) -> float:
    return float(_units(decimal(x), unit)) if math.isfinite(x) else x


FLOATS = NumberSystem(
    exp=_float_or_infinity(math.exp),
    expm1=_float_or_infinity(math.expm1),
    log=lambda x: math.log(x) if x > 0 else -math.inf,
    log1p=lambda x: math.log1p(x) if x > -1 else -math.inf,
    sqrt=math.sqrt,
    minimum=min,
    maximum=max,
    number=lambda x: x,
    all_or_nothing=lambda x: math.inf if x >= 0 else -math.inf,
    infinity=math.inf,
    largest=sys.float_info.max,
    in_units=_float_in_units,
)
"""Doubles, with infinities in place of errors."""


@lru_cache(maxsize=4096)
def decimal(x: float) -> Fraction:
    """The exact value of an input: its shortest decimal, so that 0.05 is 1/20."""
    return Fraction(repr(x))


def _as_fraction(x: Number) -> Number:
    return x if isinstance(x, Fraction) or not math.isfinite(x) else decimal(x)


def _exp(x: Number) -> Number:
    if abs(x) > _OVERFLOW:
        return math.inf if x > 0 else Fraction(0)
    return Fraction(_written_out(x).exp(_PRECISE))


def _log(x: Number) -> Number:
    if not 0 < x < math.inf:
        return math.inf if x > 0 else -math.inf
    return Fraction(_written_out(x).ln(_PRECISE))


def _written_out(x: Number) -> Decimal:
    """A fraction as a decimal of many digits."""
    return _PRECISE.divide(*map(Decimal, x.as_integer_ratio()))


FRACTIONS = NumberSystem(
    exp=_exp,
    expm1=lambda x: _exp(x) - 1,
    log=_log,
    log1p=lambda x: _log(1 + x),
    sqrt=lambda x: Fraction(_written_out(x).sqrt(_PRECISE)),
    minimum=min,
    maximum=max,
    number=_as_fraction,
    all_or_nothing=lambda x: math.inf if x >= 0 else -math.inf,
    infinity=math.inf,
    largest=math.inf,
    in_units=_units,
)
"""Exact fractions, but for e^x, ln x and √x, which have 100 digits: they decide plans."""


@cache
def arrays() -> NumberSystem:
    """NumPy arrays (imported at first use)."""
    import numpy as np

    def quiet(function: Callable[[Number], Number]) -> Callable[[Number], Number]:
        def evaluate(x: Number) -> Number:
            with np.errstate(divide="ignore", over="ignore", under="ignore"):
                return function(x)

        return evaluate

    def in_units(x: Number, unit: Fraction) -> Number:
        """The double of the decimal k·unit is x itself where x is that decimal."""

        def multiple(count: Array) -> Array:
            return count * unit.numerator / unit.denominator

        with np.errstate(invalid="ignore", over="ignore"):
            count = np.rint(x * unit.denominator / unit.numerator)
            above = np.where(x <= multiple(count), multiple(count), multiple(count + 1))
            return np.where(count * unit.numerator < WHOLE_LIMIT, above, x)

    return NumberSystem(
        # NumPy is three times slower where exp underflows, and nothing here is below 1e-300
        exp=quiet(lambda x: np.exp(np.maximum(x, -700.0))),
        expm1=quiet(np.expm1),
        log=quiet(lambda x: np.log(np.maximum(x, 0.0))),
        log1p=quiet(lambda x: np.log1p(np.maximum(x, -1.0))),
        sqrt=np.sqrt,
        minimum=np.minimum,
        maximum=np.maximum,
        number=lambda x: x,
        all_or_nothing=lambda x: np.where(x >= 0, math.inf, -math.inf),
        infinity=math.inf,
        largest=sys.float_info.max,
        in_units=in_units,
    )


@cache
def symbols() -> NumberSystem:
    """SymPy expressions (imported at first use); inputs are read as exact decimals."""
    import sympy

    return NumberSystem(
        exp=sympy.exp,
        expm1=lambda x: sympy.exp(x) - 1,
        log=sympy.log,
        log1p=lambda x: sympy.log(1 + x),
        sqrt=sympy.sqrt,
        minimum=sympy.Min,
        maximum=sympy.Max,
        number=lambda x: sympy.Rational(repr(x)) if isinstance(x, float) else sympy.sympify(x),
        all_or_nothing=lambda x: sympy.Piecewise((sympy.oo, x >= 0), (-sympy.oo, True)),
        infinity=sympy.oo,
        largest=sympy.oo,
        in_units=lambda x, unit: sympy.ceiling(x / sympy.Rational(unit)) * sympy.Rational(unit),
    )


def not_above(x: Fraction) -> float:
    """The float nearest to x [≥ 0], or the one below it, whose decimal is not above x."""
    nearest = float(x)
    return nearest if decimal(nearest) <= x else math.nextafter(nearest, 0.0)


def round_up(x: float, digits: int) -> float:
    """The smallest number of `digits` significant digits that is not below `x`."""
    return _rounded(x, digits, ROUND_CEILING)


def round_down(x: float, digits: int) -> float:
    """The largest number of `digits` significant digits that is not above `x`."""
    return _rounded(x, digits, ROUND_FLOOR)


def _rounded(x: float, digits: int, direction: str) -> float:
    """The number rounded to significant digits in a direction."""
    if not math.isfinite(x):
        return x
    return float(Context(prec=digits, rounding=direction).create_decimal(Decimal(repr(float(x)))))


def first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least N in [low, high] at which `holds`, which then holds up to `high`."""
    return low + bisect_left(range(low, high), True, key=holds)


def least_decimals(
    holds: Callable[[float], bool], low: float, high: float, digits: int = 3
) -> Iterator[float]:
    """The numbers of so many digits from the least one on at which `holds`, found by bisection.

    Args:
        holds: what holds at larger numbers too, but perhaps for a few that are close to the least.
        low: no number is less [> 0].
        high: no number is larger; it need not be one of them.
        digits: significant ones.
    """
    power, ones = math.floor(math.log10(low)), 10 ** (digits - 1)

    def at(place: int) -> float:
        tens, of_power = divmod(place, 9 * ones)
        return float(Decimal(ones + of_power).scaleb(power + tens - digits + 1))

    end = 9 * ones * (math.floor(math.log10(high)) - power + 1)
    least = first(lambda k: low <= at(k) and (at(k) > high or holds(at(k))), 0, end)
    return takewhile(lambda x: x <= high, map(at, range(least, end)))
