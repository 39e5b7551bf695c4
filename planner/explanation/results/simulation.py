"""A simulation in words: how often the planned study failed, beside what was promised."""

from planner.simulation.simulate import Simulation
from planner.wording import at_least, at_most, plain

VERDICTS = {
    "kept": "the promise is kept",
    "broken": "the promise is broken",
    "consistent": "the runs are consistent with the promise",
}


def rows(simulation: Simulation) -> list[tuple[str, str]]:
    """The runs, the failures, their interval and the test of the promise."""
    low, high = at_least(simulation.low, 3), at_most(simulation.high, 3)
    test = (
        f"this many failures or more occur with probability {simulation.above:.3g} if the failure "
        "probability is the promised one; below 0.001 the promise is broken"
    )
    questions = [
        (name, f"failed in {plain(count)} runs, which is {100 * count / simulation.runs:.4g} %")
        for name, count in simulation.questions.items()
    ]
    return [
        *questions,
        ("runs", plain(simulation.runs)),
        ("failed", f"{plain(simulation.failures)}, which is {100 * simulation.rate:.4g} %"),
        ("failure", f"{low} to {high}, with 95 % confidence (Clopper-Pearson)"),
        ("promised", f"at most {plain(simulation.promised)}"),
        ("the plan's", f"at most {at_most(simulation.computed, 4)}, as computed"),
        ("test", test),
        ("one run", simulation.simulated),
    ]
