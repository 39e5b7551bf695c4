"""The libraries as type checkers see them."""

from typing import Any

import jinja2 as jinja2
import numpy as np
import scipy as scipy
import sympy as sympy

__all__ = ["find_root", "jinja2", "np", "scipy", "sympy"]

def find_root(*args: Any, **more: Any) -> Any: ...
