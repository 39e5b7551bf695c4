"""NumPy, SciPy, SymPy and Jinja, each loaded when it is first used: what needs none starts fast."""

from typing import Any

import lazy_loader

jinja2 = lazy_loader.load("jinja2")
np = lazy_loader.load("numpy")
scipy = lazy_loader.load("scipy")
sympy = lazy_loader.load("sympy")


def find_root(*args: Any, **more: Any) -> Any:
    """SciPy's `optimize.elementwise.find_root`, whose module SciPy does not load by itself."""
    from scipy.optimize import elementwise

    return elementwise.find_root(*args, **more)
