"""The public names of this part, imported when used."""

from .check_results import (
    ResultsCheck as ResultsCheck,
    check_results as check_results,
)
from .difference import (
    Difference as Difference,
    Differences as Differences,
    difference as difference,
)
from .look import (
    Expected as Expected,
    Look as Look,
    expected as expected,
    look as look,
)
from .publish import rehearse as rehearse
from .results import Publication as Publication
from .results_file import read_results as read_results
