"""The public names of this part, imported when used."""

from .exponential import chances as chances, choose as choose, run_net as run_net
from .online import PrivateWeights as PrivateWeights
from .ranking import (
    draws as draws,
    gap as gap,
    noisy_scores as noisy_scores,
)
