"""The public names of this part, imported when used."""

from .limits import acceptances as acceptances
from .posted_payment import (
    Offer as Offer,
    PostedPayment as PostedPayment,
    posted_payment as posted_payment,
)
from .uncertain.sureness import (
    Sureness as Sureness,
    feasibility_probability as feasibility_probability,
)
from .uncertain.tornado import (
    Tornado as Tornado,
    tornado as tornado,
)
from .uncertain.uncertain_study import UncertainStudy as UncertainStudy, check_ends as check_ends
