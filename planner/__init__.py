"""Plans differentially private studies: ε, δ, N and money, with proof (Hsu et al. 2014).

The public names stand in `__init__.pyi` and are imported when they are first used: `planner --help`
must not wait for pydantic.
"""

from typing import Any

import lazy_loader

from planner.output import program_version

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """A public name, imported now; `__version__` is read from the installed package."""
    return program_version() if name == "__version__" else _public(name)
