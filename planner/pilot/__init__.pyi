"""The public names of this part, imported when used."""

from .acceptance import AcceptanceCurve as AcceptanceCurve, acceptance_curve as acceptance_curve
from .answers import (
    Answers as Answers,
    Pilot as Pilot,
    PilotError as PilotError,
    read_pilot as read_pilot,
)
from .estimate import Estimate as Estimate, estimate as estimate
from .log_normal import Fit as Fit, fit as fit
