"""The public names of this part, imported when used."""

from .look import (
    Look as Look,
    look as look,
)
from .publish import rehearse as rehearse
from .results import Publication as Publication
