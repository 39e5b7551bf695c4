"""The true failure probability of a noisy proportion, at the worst mean of a range.

`laplace_noise`, `geometric_noise` and `gaussian_noise` hold what is known of each: the failure
probability at one mean and at the worst, and its proofs; `large_study` bounds it for all means at
once. `floor` is what an accuracy asks of ε, which reads the `frontier`: the least rate of noise at
each N, which is ε or, for Gaussian noise, 1/σ. `no_noise` is the study without noise.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
