"""The public names of this part, imported when used."""

from .look import (
    Expected as Expected,
    Look as Look,
    expected as expected,
    look as look,
)
from .publish import rehearse as rehearse
from .results import Publication as Publication
from .results_file import read_results as read_results
