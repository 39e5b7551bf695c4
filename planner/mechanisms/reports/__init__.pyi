"""The public names of this part, imported when used."""

from .drawn_floor import floor_of_population as floor_of_population
from .floor import ReportsFloor as ReportsFloor
from .least import least_epsilon as least_epsilon
from .power import ReportedPowerFloor as ReportedPowerFloor
from .sampled import SampledReportsFloor as SampledReportsFloor
from .worst import failure_at as failure_at
