"""The public names of this part, imported when used."""

from .analysis import (
    Kind as Kind,
    failure_probability as failure_probability,
    formula as formula,
    least_rate as least_rate,
    noise_of as noise_of,
    refuse_parts_of_people as refuse_parts_of_people,
)
from .balls import rational as rational
from .floor import (
    ExactFloor as ExactFloor,
    GaussianFloor as GaussianFloor,
)
