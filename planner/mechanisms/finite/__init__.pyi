"""The public names of this part, imported when used."""

from .floor import finite_floor as finite_floor

LARGEST: int
