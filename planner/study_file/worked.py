"""Worked studies by name, which are files of this package: Hsu14's, and one with strata."""

from difflib import get_close_matches
from typing import overload

from planner import scenarios
from planner.model import Study
from planner.study_file.reader import read_study
from planner.wording import quoted


@overload
def scenario(name: None = None) -> tuple[str, ...]: ...
@overload
def scenario(name: str) -> Study: ...
def scenario(name: str | None = None) -> Study | tuple[str, ...]:
    """A worked study, ready to solve; without a name, the names of all.

    "smoking", "education", "movies" and "social" are the four mean studies of §5.2, which
    `planner solve --scenarios` plans. They are analysed by the paper's bound, as there;
    `dataclasses.replace(study, mechanism=planner.LaplaceMean())` analyses them exactly.
    "districts" has strata; all others are of Hsu14 too.

    Args:
        name: the name of a study.

    Raises:
        ValueError: no study has this name.
    """
    known = scenarios.worked_by_name()
    if name is None:
        return tuple(known)
    if name not in known:
        near = get_close_matches(str(name), known, 1)
        hint = f"did you mean {quoted(near[0])}?" if near else f"give one of {', '.join(known)}"
        raise ValueError(f"{quoted(name)} is not a worked study; {hint}")
    return read_study(known[name])
