"""What people ask to be paid: from the answers of a pilot to the spread of base costs."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
