"""Optimal releases of a count for each reader (Ghosh09, Gupte10)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
