"""The true failure probability of a noisy share, at the worst mean of a range.

It is a sampling law times a noise (design idea 6): `law` and `noise` hold what each supplies,
`failure` puts them together by branch and bound along lines of means (`branch`) with bounds on how
little a failure probability bends (`curvature`). `least_rate` is the least rate of noise at each N,
which is ε or, for Gaussian noise, 1/σ; `floor` is what an accuracy asks of ε; `no_noise` is the
study without noise.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
