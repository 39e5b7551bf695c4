"""What the explorer shows for a state, as plain data, since it is computed in other processes."""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, Any

from planner.explorer.state import State, StateError, asked, is_uncertain, study_of
from planner.explorer.state_file import as_toml, from_toml

if TYPE_CHECKING:
    from jinja2 import Template

    from planner.answer.answers import Answer, Plan
    from planner.decisions.uncertain.uncertain_study import UncertainStudy
    from planner.model import Study

Shown = dict[str, Any]
_QUICK_DRAWS = 10_000
"""Where so many draws are the default, each takes no search."""


def warm() -> None:
    """Import what answers need and draw once, before the first request."""
    from planner.explorer.state import state_of

    answered(
        state_of("mechanism=laplace-mean+paper&error=0.05&failure=0.05&base_cost=1&budget=1e5")
    )


def load() -> None:
    """Import what answers need."""
    import planner.answer.solve
    import planner.reports.content  # noqa: F401


def _of_a_study(show: Callable[[State, "Answer"], Shown]) -> Callable[[State], Shown]:
    """A function of a state that solves and shows its study; errors are returned as data."""

    @wraps(show)
    def shown(state: State) -> Shown:
        try:
            study = study_of(state)
            if is_uncertain(state):
                return _uncertain(show.__name__, study)
        except StateError as error:
            return {"error": str(error), "key": error.key}
        return show(state, _solved(study))

    return shown


@lru_cache(maxsize=32)
def _solved(study: "Study") -> "Answer":
    """The answer to a study; kept, as the parts of the page show the same answers."""
    from planner.answer.solve import solve

    return solve(study)


def _uncertain(part: str, study: "UncertainStudy") -> Shown:
    """What is shown of a study with uncertain numbers: how likely it is, then what matters most."""
    from planner.decisions.uncertain.sureness import default_draws, how_sure
    from planner.decisions.uncertain.tornado import tornado
    from planner.explanation.results import uncertain as words
    from planner.reports.pictures import ranking_for

    if part == "changes":
        return {"html": "<p>What could change is computed where no number is a range.</p>"}
    page = _template("uncertain.html.jinja")
    try:
        if part == "more":
            ranked = tornado(study)
            rows = words.ranking(ranked)
            return {
                "html": page.render(
                    sure=None, title=ranked.shown_title(), rows=rows, picture=ranking_for(ranked)
                )
            }
        quick = default_draws(study) == _QUICK_DRAWS
        sure = how_sure(study, 2_000 if quick else 100)
    except ValueError as error:
        raise StateError(str(error)) from None
    return {
        "verdict": sure.verdict,
        "html": page.render(sure=sure, title=words.title(sure), rows=words.rows(sure)),
    }


@_of_a_study
def answered(state: State, answer: "Answer") -> Shown:
    """Verdict, plan, questions and pictures of a state, or its error."""
    from planner.answer.answers import Plan
    from planner.explanation import questions
    from planner.explanation.results.picture import caption, description
    from planner.explanation.results.rows import headline
    from planner.reports.pictures import questions_for, region_for

    plan = answer if isinstance(answer, Plan) and answer.questions else None
    in_table = questions.question_rows(plan) if plan else []
    return {
        "verdict": answer.verdict,
        "html": _template("answer.html.jinja").render(
            answer=answer,
            headline=headline(answer),
            rows=[row for row in answer.shown_rows() if row not in in_table],
            picture=region_for(answer, "region", description(answer), state.narrow),
            caption=caption(answer),
            plan=plan,
            questions=questions,
            shares=questions_for(plan, "shares", questions.description(plan), state.narrow)
            if plan
            else "",
            asked=asked(state),
            toml=as_toml(state),
        ),
    }


@_of_a_study
def more(state: State, answer: "Answer") -> Shown:
    """What is shown later: the meaning for a person, other mechanisms, the non-private study."""
    from planner.answer.answers import Plan
    from planner.explanation.participant import meaning

    return {
        "html": _template("more.html.jinja").render(
            meaning=meaning(answer) if isinstance(answer, Plan) else [],
            others=side_by_side(state),
            compared=_compared(answer),
        )
    }


@_of_a_study
def changes(state: State, answer: "Answer") -> Shown:
    """What takes longest: what could be relaxed or tightened."""
    from planner.quantities import ALIASES
    from planner.reports.content import changes_of

    words, left_out = changes_of(answer, {ALIASES.get(key, key) for key in state.locks})
    return {
        "html": _template("changes.html.jinja").render(
            feasible=answer.verdict == "feasible",
            changes=words,
            left_out=left_out,
            locks=state.locks,
        )
    }


def side_by_side(state: State) -> list[list[str]]:
    """The same study by each analysis and mechanism: its name, verdict, ε, people and cost."""
    from planner.explanation.results.rows import plan_cells
    from planner.explorer.fields import MECHANISMS, alike

    kind = state.texts.get("mechanism", "").partition(" ")[0]
    has_delta = "delta" in state.texts
    rows = []
    for name, words in MECHANISMS.items():
        needs_delta = name in ("gaussian-mean", "mwem-approximate")
        if not alike(name.partition(" ")[0], kind) or (needs_delta and not has_delta):
            continue
        other = State(tuple((state.texts | {"mechanism": name}).items()))
        try:
            answer = _solved(study_of(other))
        except (StateError, ValueError):
            continue
        epsilon, people, _, cost = plan_cells(answer)
        rows.append([words, answer.verdict, epsilon, people, cost])
    return rows


def _compared(answer: "Answer") -> Shown:
    """With a curator, without one, and without privacy: table and sentences; {} where not asked."""
    from planner.comparison.compare import compare
    from planner.explanation.results import comparison as words

    try:
        compared = compare(answer)
    except ValueError:  # the study has no such part
        return {}
    return {
        "title": words.title(compared),
        "columns": words.columns(compared),
        "rows": words.rows(compared),
        "sentences": words.in_words(compared),
    }


def opened(content: bytes) -> Shown:
    """The address of a study file's state, or its error."""
    try:
        return {"query": from_toml(content).query}
    except StateError as error:
        return {"error": str(error)}


def _file_of_a_study(make: Callable[[State, "Study"], str]) -> Callable[[State], Shown]:
    """A function of a state that makes a file of its study; errors are returned as data."""

    @wraps(make)
    def made(state: State) -> Shown:
        try:
            if is_uncertain(state) and make.__name__ != "study_file":
                return {"error": "some numbers are ranges; give one number for each of them here"}
            return {"file": make(state, study_of(state))}
        except StateError as error:
            return {"error": str(error)}

    return made


@_file_of_a_study
def study_file(state: State, study: "Study") -> str:
    """The study file."""
    return as_toml(state)


@_file_of_a_study
def plan_json(state: State, study: "Study") -> str:
    """The answer as the file that `planner solve -o` writes."""
    from planner.study_file.answer_file import text_of

    return text_of(_solved(study))


def _file_of_a_plan(make: Callable[["Plan"], str]) -> Callable[[State], Shown]:
    """A function of a state that makes a file of its plan; errors are returned as data."""

    @_file_of_a_study
    def made(state: State, study: "Study") -> str:
        from planner.answer.answers import Plan

        answer = _solved(study)
        if not isinstance(answer, Plan):
            raise StateError(f"the study is {answer.verdict}, so there is no plan to describe")
        try:
            return make(answer)
        except ValueError as error:
            raise StateError(str(error)) from None

    return wraps(make)(made)


@_file_of_a_plan
def consent_page(plan: "Plan") -> str:
    """The sheet for participants."""
    from planner.explanation.papers.consent import consent
    from planner.reports.sheet import page

    return page(consent(plan))


@_file_of_a_plan
def methods_page(plan: "Plan") -> str:
    """The paragraph on methods, its citations and the registry's record."""
    from planner.explanation.papers.methods import methods
    from planner.reports.sheet import page

    return page(methods(plan))


@_file_of_a_plan
def release_script(plan: "Plan") -> str:
    """The program that publishes the plan."""
    from planner.explanation.running.script import script
    from planner.publication.publish import checked

    return script(checked(plan))


@_file_of_a_study
def region_svg(state: State, study: "Study") -> str:
    """The picture of the region, as an SVG file."""
    from planner.explanation.results.picture import description
    from planner.reports.pictures import region_for

    answer = _solved(study)
    picture = region_for(answer, "region", description(answer), narrow=False)
    return str(picture).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


@_file_of_a_study
def report_page(state: State, study: "Study") -> str:
    """The report of the study."""
    from planner.answer.problem.problem import each
    from planner.reports.content import takes_long
    from planner.reports.page import report

    quick = any(map(takes_long, each(study)))
    return report([study], sources=[as_toml(state)], quick=quick)


@cache
def _template(name: str) -> "Template":
    """One of the explorer's templates."""
    from jinja2 import Environment, PackageLoader

    return Environment(loader=PackageLoader("planner.explorer"), autoescape=True).get_template(name)
