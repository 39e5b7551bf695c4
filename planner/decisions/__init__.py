"""What follows from an answer: limits, what to change, prices, and uncertain inputs."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
