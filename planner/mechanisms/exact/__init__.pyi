"""The public names of this part, imported when used."""

from .failure import (
    SHARES as SHARES,
    Asked as Asked,
    NoisyShare as NoisyShare,
    failure_probability as failure_probability,
    noisy as noisy,
    refuse_parts_of_people as refuse_parts_of_people,
)
from .floor import ExactFloor as ExactFloor
from .least_rate import least_rates as least_rates
