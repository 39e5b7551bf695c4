"""The true failure probability of a noisy share in a finite population, N drawn from its M people.

The number drawn with the property is hypergeometric instead of binomial, and the means are K/M for
whole K: a `lattice`. `counts` are sums in floats, `worst` the worst K over `cells` of them; `balls`
are the sums in ball arithmetic, `proof` and `sizes` what is proved with them. `noises` puts them
together as what the searches of `exact` ask of a noise, and `floor` is what an accuracy asks of ε.
A census has noise alone.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


LARGEST = 100_000
"""Larger populations are planned by Hoeffding's bound."""
