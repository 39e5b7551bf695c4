"""Scenarios of what people fear, one data file each, and Hsu14's worked studies as study files.

This module reads the data; it does not depend on studies.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
WORKED_STUDIES = FOLDER / "hsu14"
DISTRICTS = FOLDER / "districts" / "districts.toml"
"""A study with strata, whose table is beside it."""


class Scenario(NamedTuple):
    """One harm that people fear (Hsu14 §5.2).

    Attributes:
        name: its name in study files.
        title: its title.
        currency: of all money.
        harm: what happens, as a clause addressed to the participant.
        probability: probability of the harm for those who stay out.
        base_cost: E [money].
        worst_cost: W [money].
        sources: the source of each number.
        note: where the paper's arithmetic is wrong.
    """

    name: str
    title: str
    currency: str
    harm: str
    probability: float
    base_cost: float
    worst_cost: float
    sources: dict[str, str]
    note: str = ""


@cache
def read_all() -> dict[str, Scenario]:
    """Every scenario by name, in alphabetical order."""
    scenarios = {}
    for path in sorted(FOLDER.glob("*.toml")):
        scenarios[path.stem] = Scenario(path.stem, **tomllib.loads(path.read_text("utf-8")))
    return scenarios


def worked_studies() -> list[Path]:
    """The files of Hsu14's worked studies."""
    return sorted(WORKED_STUDIES.glob("*.toml"))


def four_scenarios() -> list[Path]:
    """The files of the four mean studies, in the order of Hsu14 §5.2."""
    names = ("smoking", "education", "movies", "social")
    return [WORKED_STUDIES / f"mean-{name}.toml" for name in names]


def worked_by_name() -> dict[str, Path]:
    """The files of worked studies by name: of Hsu14's four mean studies by what people fear."""
    four = {path.stem.removeprefix("mean-"): path for path in four_scenarios()}
    others = {path.stem: path for path in worked_studies() if path not in four.values()}
    return four | others | {DISTRICTS.stem: DISTRICTS}
