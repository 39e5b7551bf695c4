"""The program against an oracle of its own, on random studies.

PLANNER_SEED and PLANNER_STUDIES choose others than the fixed ones, PLANNER_MECHANISM one mechanism
of `tests.thorough.case`.
"""

import os

from tests.thorough import harness

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "250"))
MECHANISM = os.environ.get("PLANNER_MECHANISM")
UNDECIDED = 0.02


def test_program_and_oracle_agree():
    result = harness.run_in_parts(SEED, STUDIES, mechanism=MECHANISM)
    summary = harness.report(result)
    print(summary)  # noqa: T201
    assert not result.differences, summary
    assert result.undecided <= UNDECIDED * result.decided, summary
