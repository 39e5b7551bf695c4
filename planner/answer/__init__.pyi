"""The public names of this part, imported when used."""

from .accepting import (
    Acceptance as Acceptance,
    acceptance as acceptance,
)
from .answers import (
    Answer as Answer,
    Infeasible as Infeasible,
    Plan as Plan,
    StrataPlan as StrataPlan,
    TotalPlan as TotalPlan,
    Undecided as Undecided,
)
from .closed_form import closed_form_plan as closed_form_plan
from .sequence_plan import (
    NoSequence as NoSequence,
    SequencePlan as SequencePlan,
)
