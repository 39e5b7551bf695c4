"""The studies that the gallery draws."""

import planner
from planner import scenarios


def worked(name: str) -> planner.Study:
    """One of Hsu14's worked studies."""
    return planner.read_study(scenarios.WORKED_STUDIES / f"{name}.toml")


def four_studies() -> list[planner.Study]:
    """The four mean studies of Hsu14 §5.2."""
    return [planner.read_study(path) for path in scenarios.four_scenarios()]
