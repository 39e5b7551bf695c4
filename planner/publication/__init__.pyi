"""The public names of this part, imported when used."""

from .look import (
    Look as Look,
    look as look,
)
from .publish import (
    Publication as Publication,
    rehearse as rehearse,
)
