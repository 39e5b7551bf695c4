"""The public names of this part, imported when used."""

from .floor import ReportsFloor as ReportsFloor
from .least import least_epsilon as least_epsilon
from .worst import failure_at as failure_at
