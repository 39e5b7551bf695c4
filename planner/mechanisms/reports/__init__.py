"""Without a curator: each person randomises their own answer (Warner 1965).

`card` is what a person is handed: how likely the truth is reported at ε. `worst` is the failure
probability of a share estimated from the reports, `least` the least ε at which it is small enough,
`proof` proves both in ball arithmetic, and `floor` is what an accuracy asks of ε.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
