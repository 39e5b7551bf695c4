"""The public names of this part, imported when used."""

from .bayesian import BayesianConsumer as BayesianConsumer
from .derivability import derivable as derivable
from .geometric import matrix as matrix
from .loss import OffBy as OffBy
from .minimax import MinimaxConsumer as MinimaxConsumer
from .releases import release as release
