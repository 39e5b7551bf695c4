"""The planned study, run once on real records: noisy answers, and a ledger of what was spent."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
