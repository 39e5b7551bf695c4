"""The files that the explorer makes of a state, as text, since they are made in other processes."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import each
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explorer.content import Shown, picture_of, solved
from planner.explorer.state import State, StateError, is_uncertain, study_of
from planner.explorer.state_file import as_toml
from planner.reports.content import takes_long
from planner.reports.page import report
from planner.reports.sheet import page
from planner.study_file.answer_file import text_of

if TYPE_CHECKING:
    from planner.model import Study


def _file_of_a_study(make: Callable[[State, "Study"], str]) -> Callable[[State], Shown]:
    """A function of a state that makes a file of its study; errors are returned as data."""

    @wraps(make)
    def made(state: State) -> Shown:
        try:
            if is_uncertain(state) and make.__name__ != "study_file":
                return {"error": "some numbers are ranges; give one number for each of them here"}
            return {"file": make(state, study_of(state))}
        except ValueError as error:  # the study has no such file; the error says why
            return {"error": str(error)}

    return made


@_file_of_a_study
def study_file(state: State, study: "Study") -> str:
    """The study file."""
    return as_toml(state)


@_file_of_a_study
def plan_json(state: State, study: "Study") -> str:
    """The answer as the file that `planner solve -o` writes."""
    return text_of(solved(study))


def _file_of_a_plan(
    make: Callable[[Plan | StrataPlan | TotalPlan], str],
) -> Callable[[State], Shown]:
    """A function of a state that makes a file of its plan; errors are returned as data."""

    @_file_of_a_study
    def made(state: State, study: "Study") -> str:

        answer = solved(study)
        if not isinstance(answer, Plan | StrataPlan | TotalPlan):
            raise StateError(f"the study is {answer.verdict}, so there is no plan to describe")
        return make(answer)

    return wraps(make)(made)


@_file_of_a_plan
def consent_page(plan: Plan | StrataPlan | TotalPlan) -> str:
    """The sheet for participants."""
    return page(consent(plan))


@_file_of_a_plan
def methods_page(plan: Plan | StrataPlan | TotalPlan) -> str:
    """The paragraph on methods, its citations and the registry's record."""
    return page(methods(plan))


@_file_of_a_study
def region_svg(state: State, study: "Study") -> str:
    """The picture of the region, or of what strata get, as an SVG file."""
    picture = picture_of(solved(study), narrow=False)
    if not picture:
        raise StateError("there is no plan, so there is no picture of what strata get")
    return str(picture).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


@_file_of_a_study
def report_page(state: State, study: "Study") -> str:
    """The report of the study."""
    return _report(state, study, annex=False)


@_file_of_a_study
def annex_page(state: State, study: "Study") -> str:
    """The annex of the report."""
    return _report(state, study, annex=True)


def _report(state: State, study: "Study", annex: bool) -> str:
    quick = not study.strata and any(map(takes_long, each(study)))
    return report([study], sources=[as_toml(state)], quick=quick, annex=annex)
