"""What the explorer shows for a state, as plain data, since it is computed in other processes."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, Any

from planner.answer.answers import Infeasible, Plan, StrataPlan, TotalPlan
from planner.answer.solve import solve
from planner.comparison.cost_of_accuracy import cost_of_accuracy, has_cost_of_accuracy
from planner.comparison.strata import StrataComparison, compare
from planner.decisions.changes import Changes, looked_at
from planner.decisions.posted_payment import posted_payment
from planner.decisions.uncertain.sureness import default_draws, feasibility_probability
from planner.decisions.uncertain.tornado import tornado
from planner.explanation import questions
from planner.explanation.participant import meaning
from planner.explanation.results import (
    comparison as comparison_words,
    comparison_of_strata as words_of_strata,
    strata,
    uncertain as uncertain_words,
)
from planner.explanation.results.changes import in_words
from planner.explanation.results.picture import caption, description
from planner.explanation.results.posted_payment import in_words as in_words_of_offer
from planner.explanation.results.rows import conflict, headline, plan_cells
from planner.explorer.fields import MECHANISMS, alike
from planner.explorer.state import State, StateError, asked, is_uncertain, state_of, study_of
from planner.explorer.state_file import as_toml, from_toml
from planner.quantities import ALIASES, QUANTITIES
from planner.reports.content import changes_of
from planner.reports.pictures import (
    costs_for,
    money_for,
    offers_for,
    power_for,
    questions_for,
    ranking_for,
    region_for,
    strata_for,
)
from planner.wording import capital

if TYPE_CHECKING:
    from jinja2 import Template

    from planner.answer.answers import Answer
    from planner.decisions.uncertain.uncertain_study import UncertainStudy
    from planner.model import Study

Shown = dict[str, Any]
_QUICK_DRAWS = 10_000
"""Where so many draws are the default, each takes no search."""
SHARES = 3
"""What could change is computed in so many shares, up to two at once: first what reads the floors
of the study itself, which takes longest, then errors and failure probabilities in turns."""


def warm() -> None:
    """Import what answers need and draw once, before the first request."""
    query = "mechanism=laplace-mean+paper&error=0.05&failure=0.05&base_cost=1&budget=1e5"
    answered(Asked(state_of(query)))


def load() -> None:
    """Import what answers need."""
    import planner.answer.solve
    import planner.reports.content  # noqa: F401


@dataclass(frozen=True)
class Asked:
    """What is asked of a state.

    Attributes:
        state: the state.
        share: which share of the changes, from 0 to `SHARES` − 1.
        solved: the answer to its study, pickled, where it is already known.
    """

    state: State
    share: int = 0
    solved: bytes | None = field(default=None, compare=False)


def _of_a_study(show: Callable[[Asked, "Answer"], Shown]) -> Callable[[Asked], Shown]:
    """A function of a state that solves and shows its study; errors are returned as data."""

    @wraps(show)
    def shown(asked: Asked) -> Shown:
        try:
            study = study_of(asked.state)
            if is_uncertain(asked.state):
                return _uncertain(show.__name__, study)
        except StateError as error:
            return {"error": str(error), "key": error.key}
        known = pickle.loads(asked.solved) if asked.solved else None
        return show(asked, solved(study, known))

    return shown


@dataclass(frozen=True)
class _Question:
    """A study whose answer is asked; known or not, it is the same study."""

    study: "Study"
    known: "Answer | None" = field(compare=False)


def solved(study: "Study", known: "Answer | None" = None) -> "Answer":
    """The answer to a study; kept, as the parts of the page show the same answers."""
    return _kept(_Question(study, known))


@lru_cache(maxsize=32)
def _kept(question: _Question) -> "Answer":

    return question.known or solve(question.study)


def _uncertain(part: str, study: "UncertainStudy") -> Shown:
    """What is shown of a study with uncertain numbers: how likely it is, then what matters most."""
    if part == "changes":
        return {"html": "<p>What could change is computed where no number is a range.</p>"}
    page = _template("uncertain.html.jinja")
    try:
        if part == "more":
            ranked = tornado(study)
            rows = uncertain_words.ranking(ranked)
            return {
                "html": page.render(
                    sure=None, title=ranked.shown_title(), rows=rows, picture=ranking_for(ranked)
                )
            }
        quick = default_draws(study) == _QUICK_DRAWS
        sure = feasibility_probability(study, 2_000 if quick else 100)
    except ValueError as error:
        raise StateError(str(error)) from None
    return {
        "verdict": sure.verdict,
        "html": page.render(
            sure=sure, title=uncertain_words.title(sure), rows=uncertain_words.rows(sure)
        ),
    }


@_of_a_study
def answered(question: Asked, answer: "Answer") -> Shown:
    """Verdict, plan, questions and pictures of a state, or its error."""
    state = question.state
    plan = answer if isinstance(answer, Plan) and answer.questions else None
    divided = answer if isinstance(answer, StrataPlan | TotalPlan) else None
    # the headline says why there is no plan
    in_table = [("conflict", conflict(answer))] if isinstance(answer, Infeasible) else []
    if plan is not None:
        in_table = questions.question_rows(plan, in_full=False)
    if divided is not None:
        in_table = divided.shown_rows()[: len(strata.cells(divided))]
    return {
        "verdict": answer.verdict,
        "solved": pickle.dumps(answer),
        "html": _template("answer.html.jinja").render(
            answer=answer,
            headline=headline(answer),
            rows=[row for row in answer.shown_rows() if row not in in_table],
            money=money_for(answer, "money", state.narrow) if isinstance(answer, Plan) else "",
            picture=picture_of(answer, state.narrow),
            caption=[] if answer.study.strata else caption(answer),
            power=power_for(answer, "power", state.narrow)
            if isinstance(answer, Plan) and answer.study.power
            else "",
            divided=divided,
            strata=strata,
            plan=plan,
            questions=questions,
            shares=questions_for(plan, "shares", questions.description(plan), state.narrow)
            if plan
            else "",
            asked=asked(state),
            toml=as_toml(state),
        ),
    }


def picture_of(answer: "Answer", narrow: bool) -> str:
    """The region of a study, or what each stratum gets; empty where no plan has any."""
    if isinstance(answer, StrataPlan | TotalPlan):
        return strata_for(answer, "strata", narrow)
    if answer.study.strata:
        return ""
    return region_for(answer, "region", description(answer), narrow)


@_of_a_study
def more(question: Asked, answer: "Answer") -> Shown:
    """What is shown later: the meaning for a person, other mechanisms, the non-private study."""
    return {
        "html": _template("more.html.jinja").render(
            costs=_cost_of_accuracy(answer, question.state.narrow),
            meaning=meaning(answer) if isinstance(answer, Plan) else [],
            others=side_by_side(question.state),
            compared=_compared(answer),
        )
    }


def _cost_of_accuracy(answer: "Answer", narrow: bool) -> str:
    """The picture of what accuracy costs; empty where the study has no one error."""
    if not has_cost_of_accuracy(answer.study):
        return ""
    return costs_for(answer, cost_of_accuracy(answer), "accuracy-costs", narrow)


@_of_a_study
def offer(question: Asked, answer: "Answer") -> Shown:
    """The payment to offer to people who differ, who accepts it, and the same pickled."""
    if answer.study.individual.people is None:
        return {"html": "", "posted": pickle.dumps(None)}
    posted, picture = None, ""
    try:
        posted = posted_payment(answer)
        words = in_words_of_offer(posted)
    except ValueError as error:  # the study has no best payment; the error says why
        words = [f"{capital(str(error))}."]
    if posted and posted.offers:
        about = "Who accepts which payment, and the one that is offered."
        picture = offers_for(posted, "accept", about, question.state.narrow, ("accept",))
    return {
        "html": _template("offer.html.jinja").render(words=words, picture=picture),
        "posted": pickle.dumps(posted),
    }


def offer_costs(asked: tuple[State, bytes]) -> Shown:
    """What each payment costs, which takes longer: a picture, where there is an offer."""
    state, pickled = asked
    posted = pickle.loads(pickled)
    picture = ""
    if posted and posted.offers:
        about = "What each payment costs in total, and the least."
        picture = offers_for(posted, "offer-cost", about, state.narrow, ("cost",))
    return {"html": _template("offer.html.jinja").render(words=[], picture=picture)}


@_of_a_study
def changes(question: Asked, answer: "Answer") -> Shown:
    """A share of what takes longest: what could be relaxed or tightened, pickled."""
    names = looked_at(answer.study)
    costly = [name for name in names if QUANTITIES[name].accuracy]
    shares = [[name for name in names if name not in costly], costly[::2], costly[1::2]]
    locked = {ALIASES.get(key, key) for key in question.state.locks}
    others = set(names) - set(shares[question.share])
    return {"changes": pickle.dumps(changes_of(answer, locked | others))}


def joined(asked: tuple[State, tuple[bytes, ...]]) -> Shown:
    """What could be relaxed or tightened, from all its shares."""
    state, shares = asked
    found, left_out = zip(*map(pickle.loads, shares), strict=True)
    study, feasible = found[0].study, found[0].feasible
    at = {name: place for place, name in enumerate(looked_at(study))}
    members = sorted((one for share in found for one in share), key=lambda one: at[one.quantity])
    return {
        "html": _template("changes.html.jinja").render(
            feasible=feasible,
            changes=in_words(Changes(study, feasible, tuple(members))),
            left_out=left_out[0],
            locks=state.locks,
        )
    }


def side_by_side(state: State) -> list[list[str]]:
    """The same study by each analysis and mechanism: its name, verdict, ε, people and cost."""
    kind = state.texts.get("mechanism", "").partition(" ")[0]
    has_delta = "delta" in state.texts
    rows = []
    for name, words in MECHANISMS.items():
        needs_delta = name in ("gaussian-mean", "mwem-approximate")
        if not alike(name.partition(" ")[0], kind) or (needs_delta and not has_delta):
            continue
        other = State(tuple((state.texts | {"mechanism": name}).items()))
        try:
            answer = solved(study_of(other))
        except (StateError, ValueError):
            continue
        epsilon, people, _, cost = plan_cells(answer)
        rows.append([words, answer.verdict, epsilon, people, cost])
    return rows


def _compared(answer: "Answer") -> Shown:
    """With a curator, without one, and without privacy: table and sentences; {} where not asked."""
    try:
        compared = compare(answer)
    except ValueError:  # the study has no such part
        return {}
    if isinstance(compared, StrataComparison):
        return {
            "title": words_of_strata.title(compared),
            "columns": [],
            "rows": words_of_strata.rows(compared),
            "sentences": [],
        }
    return {
        "title": comparison_words.title(compared),
        "columns": comparison_words.columns(compared),
        "rows": comparison_words.rows(compared),
        "sentences": comparison_words.in_words(compared),
    }


def opened(content: bytes) -> Shown:
    """The address of a study file's state, or its error."""
    try:
        return {"query": from_toml(content).query}
    except StateError as error:
        return {"error": str(error)}


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment, PackageLoader

    return Environment(loader=PackageLoader("planner.explorer"), autoescape=True).get_template(name)
