"""Composition: the privacy loss of several queries, by rules and exactly, and its inverse."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
