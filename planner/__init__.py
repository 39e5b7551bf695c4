"""Plans differentially private studies: ε, δ, N and money, with proof (Hsu et al. 2014).

The public names stand in `__init__.pyi` and are imported when they are first used: `planner --help`
must not wait for pydantic.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
