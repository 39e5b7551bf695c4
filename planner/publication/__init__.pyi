"""The public names of this part, imported when used."""

from .publish import (
    Publication as Publication,
    rehearse as rehearse,
)
