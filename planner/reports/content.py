"""What a report says about one study: every number and word, apart from the page.

The picture of a study or of a result, on axes of Matplotlib.

Formulas as MathML, from the same SymPy expressions that are solved and proved.
"""

import re
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from markupsafe import Markup

from planner.answer.answers import (
    Answer,
    Given,
    Plan,
    StrataPlan,
    TotalPlan,
)
from planner.answer.problem.problem import each, exactly, problem_of
from planner.answer.problem.vary import value_of
from planner.answer.proof.certificate import sha256_if_proved
from planner.answer.solve import answer_to, solve
from planner.answer.strata.together import plans_of
from planner.comparison.compare import Comparison
from planner.comparison.cost_of_accuracy import (
    CostOfAccuracy,
    cost_of_accuracy,
    has_cost_of_accuracy,
)
from planner.comparison.strata import StrataComparison, compare
from planner.decisions.changes import Changes, limits, looked_at
from planner.decisions.drops import drops
from planner.decisions.limits import questions_limited
from planner.decisions.posted_payment import PostedPayment, posted_payment
from planner.decisions.prices import prices as prices_of
from planner.decisions.uncertain.tornado import tornado
from planner.decisions.uncertain.uncertain_study import UncertainStudy
from planner.explanation.accepted import accepted
from planner.explanation.constraints import Constraint, legend
from planner.explanation.of_total import constraints_of, meaning_of
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import Sheet
from planner.explanation.participant import meaning, risks
from planner.explanation.question import labels, title_of
from planner.explanation.questions import legend_rows
from planner.explanation.results.changes import drop_in_words, in_words
from planner.explanation.results.publication import fewer_rows
from planner.explanation.results.rows import headline
from planner.explanation.results.strata import by_title
from planner.explanation.running.practice import opendp_call, why_no_call
from planner.libraries import sympy
from planner.model import Study
from planner.publication.look import expected
from planner.publication.parts import parts_of
from planner.publication.turnout import with_fewer
from planner.quantities import QUANTITIES
from planner.reports.icons import Odds, odds
from planner.reports.pictures import Bar, bars
from planner.show import Drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SLOW = tuple(name for name, row in QUANTITIES.items() if row.section == "target")
"""Quantities whose limits take long where several exact answers compose by a free δ."""
_LEFT_OUT = (
    "How far the accuracy itself could change is not computed here, because that takes long "
    "where δ composes and is free; planner solve --room and planner limit compute it."
)
_ERRORS_LEFT_OUT = (
    "How far errors and the confidence could change is not computed here, because that "
    "takes long for strata and surveys; planner limit computes it."
)
_OF_ALL_STRATA = (
    "planner limit says how far each number of the strata could be tightened, looking at all of "
    "them together."
)
_LEFT_OUT_OF_SURVEYS = (
    "How far the confidence and the error of a single question could change is not "
    "computed here, because that takes long for many questions; planner limit computes it."
)
_FEW = 4
"""Questions; of more the report does not search the limit of each."""
_FREE_DELTA = (
    "The room that is left is not computed here, because that takes long where δ composes and is "
    "free; planner solve --room computes it."
)
_QUICK = "Left out of this quick report; planner report without --quick includes it."
_STAGES = {
    "beside": "comparing with the study that is not private",
    "costs": "computing what accuracy costs",
    "changes": "computing what could change; with the exact analysis this takes some seconds",
    "drops": "planning without some of the questions",
    "offer": "looking for the best payment",
    "prices": "computing the prices of the inputs",
    "exact": "planning by the exact analysis",
    "program": "writing the program",
    "certificate": "writing the certificate",
    "fewer": "computing what fewer people would mean",
}
Found = TypeVar("Found")


class Formula(NamedTuple):
    """One condition: as a phrase, in symbols, and with the study's numbers put in."""

    label: str
    in_symbols: Markup
    in_numbers: Markup | None


class Whole(NamedTuple):
    """What a report says about all strata together.

    Attributes:
        plan: of all of them.
        beside: other ways to do the same study; None where there are none.
        gaps: by the name of a missing part, why it is missing.
        changes_note: where to find how far their numbers could be tightened.
    """

    plan: StrataPlan
    beside: Comparison | StrataComparison | None
    gaps: dict[str, str]
    changes_note: str = _OF_ALL_STRATA


@dataclass(frozen=True)
class Content:
    """What a study is decided on: all that a report says about it.

    Attributes:
        answer: what `solve` answered, of the first mechanism where several all fail.
        title: short enough to be shown.
        source: the study file to copy.
        headline: the answer in a sentence.
        odds: each risk before and after taking part; none without a plan.
        meaning: the same and the payment in sentences.
        signed: what whoever signs accepts, in sentences; none without a plan, and of one of
            several strata, which are signed for together.
        changes: what to relax or what room is left, in words.
        changes_note: which changes were not computed.
        drops: what leaving out questions of a survey does, in words.
        beside: the comparison with one that is not private; None where there is none.
        costs: what accuracy costs, where the study has one error; else None.
        offer: where people differ, the payment to offer to everybody; None without.
        exact: the exact analysis's headline where the study is planned by a bound.
        gaps: by the name of a missing part, why it is missing.
        whole: of the first of several strata, what is said of all of them.
    """

    answer: Answer
    title: str
    source: str
    headline: str
    odds: list[Odds]
    meaning: list[str]
    signed: list[str]
    changes: list[str]
    changes_note: str
    drops: list[str]
    beside: Comparison | StrataComparison | None
    costs: CostOfAccuracy | None
    offer: PostedPayment | None
    exact: str
    gaps: dict[str, str] = field(default_factory=dict)
    whole: Whole | None = None

    @property
    def study(self) -> Study:
        return self.answer.study


@dataclass(frozen=True)
class Annex:
    """What else those who check or run a study need: the annex of a report.

    Attributes:
        content: what the report says.
        fewer: the errors if fewer people come than planned, in words.
        prices: what 1 % more of each input costs.
        formulas: every condition typeset.
        legend: the symbols typeset, and what they stand for.
        program: the OpenDP call that publishes the plan; else empty, and `gaps` says why.
        papers: the sheet for participants and the paragraph on methods; empty without a plan.
        certificate: SHA-256 of the answer's certificate; empty where it is incomplete.
        gaps: by the name of a missing part, why it is missing.
    """

    content: Content
    fewer: list[tuple[str, str]]
    prices: list[Bar]
    formulas: list[Formula]
    legend: list[tuple[Markup, str]]
    program: str
    papers: list[Sheet]
    certificate: str
    gaps: dict[str, str]


def contents_of(
    given: Given,
    source: str = "",
    quick: bool = False,
    stage: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> list[Content]:
    """What a report says about a study; of one with strata for each, those alike once.

    Args: as of `content_of`.
    """
    with stage("planning"):
        answer = answer_to(given)
    if not isinstance(answer, StrataPlan):
        return [content_of(answer, source, quick, stage)]
    found = [content_of(one, source, quick, stage, in_strata=True) for one in by_title(answer)]
    parts = _Parts(quick, stage)
    beside = parts.made("beside", lambda: compare(given), None)
    return [replace(found[0], whole=Whole(answer, beside, parts.gaps)), *found[1:]]


def content_of(
    given: Given,
    source: str = "",
    quick: bool = False,
    stage: Callable[[str], AbstractContextManager[object]] = nullcontext,
    in_strata: bool = False,
) -> Content:
    """Gather what a report says about a study.

    What is said of all strata together is not said of one: what could be tightened, as they share
    one budget, what accuracy costs, and other ways to do the same study.
    """
    with stage("planning"):
        answer = answer_to(given)
    asked = answer
    answer = replace(answer, study=each(answer.study)[0])
    parts = _Parts(quick, stage)
    part = parts.made
    plan = answer if isinstance(answer, Plan | TotalPlan) else None
    changes, note = Changes(asked.study, False), ""
    if not in_strata:
        changes, note = part("changes", lambda: changes_of(asked, brief=True), (changes, ""))
    has_costs = not in_strata and has_cost_of_accuracy(answer.study)
    return Content(
        answer=answer,
        title=title_of(answer.study),
        source=source or repr(asked.study),
        headline=headline(answer),
        odds=_odds(plan) if plan else [],
        meaning=_meaning(plan) if plan else [],
        signed=accepted(plan) if plan and not in_strata else [],
        changes=in_words(changes),
        changes_note=note,
        drops=part("drops", lambda: _drops(asked), []) if asked.study.survey else [],
        beside=None if in_strata else part("beside", lambda: compare(asked), None),
        costs=part("costs", lambda: cost_of_accuracy(answer), None) if has_costs else None,
        offer=part("offer", lambda: posted_payment(asked), None) if _differ(asked) else None,
        exact=part("exact", lambda: _exactly(answer), ""),
        gaps=parts.gaps,
    )


def annex_of(
    content: Content,
    quick: bool = False,
    stage: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Annex:
    """Gather what the annex adds to a report on one study."""
    answer, parts = content.answer, _Parts(quick, stage)
    plan = answer if isinstance(answer, Plan | TotalPlan) else None
    # strata without a plan are several studies, none of which is the reason
    written = [] if answer.study.strata and plan is None else constraints_of(answer)
    phrases, part = labels(answer.study), parts.made
    free = answer.study.costs_nothing
    return Annex(
        content=content,
        fewer=part("fewer", lambda: _with_fewer(plan), []) if plan else [],
        prices=[] if free else part("prices", lambda: bars(prices_of(answer)), []),
        formulas=[_formula(phrases.get(c.label, c.label), *c[1:]) for c in written],
        legend=[(mathml(name, block=False), words) for name, words in _legend(written, answer)],
        program=part("program", lambda: _program(plan) if plan else "", "", slow=False),
        papers=_papers(plan) if plan else [],
        certificate=part("certificate", lambda: sha256_if_proved(answer), ""),
        gaps=parts.gaps,
    )


class _Parts:
    """The parts of a report, and of those that it has not, why."""

    def __init__(self, quick: bool, stage: Callable[[str], AbstractContextManager[object]]) -> None:
        self.quick, self.stage = quick, stage
        self.gaps: dict[str, str] = {}

    def made(self, name: str, make: Callable[[], Found], empty: Found, slow: bool = True) -> Found:
        """A part; `empty` where it is left out, or the study has no such part."""
        if self.quick and slow:
            self.gaps[name] = _QUICK
            return empty
        try:
            with self.stage(_STAGES[name]):
                return make()
        except ValueError as error:  # it says why the study has no such part
            self.gaps[name] = str(error)[0].upper() + str(error)[1:].rstrip(".") + "."
            return empty


def _differ(answer: Answer) -> bool:
    return answer.study.individual.people is not None


def _odds(plan: Plan | TotalPlan) -> list[Odds]:
    """The risks before and after; of strata those of the people who lose the most."""
    worst = max(plans_of(plan), key=lambda one: one.epsilon)
    return [odds(risk) for risk in risks(worst)]


def _meaning(plan: Plan | TotalPlan) -> list[str]:
    return meaning(plan) if isinstance(plan, Plan) else meaning_of(plan)


def _program(plan: Plan | TotalPlan) -> str:
    call = opendp_call(plan) if isinstance(plan, Plan) else None
    if call is None and isinstance(plan, Plan):
        raise ValueError(why_no_call(plan))
    if call is None:
        raise ValueError("no program publishes one answer of several strata; planner publish does")
    return call


def _papers(plan: Plan | TotalPlan) -> list[Sheet]:
    """The sheets for participants, one for each kind of stratum, and the paragraph on methods."""
    sheet = consent(plan)
    return [sheet._replace(others=()), *sheet.others, methods(plan)]


def _with_fewer(plan: Plan | TotalPlan) -> list[tuple[str, str]]:
    """The errors if fewer people come; nothing of two noisy counts."""
    if isinstance(plan, TotalPlan):
        return fewer_rows(expected(plan).fewer)
    whole, *groups = parts_of(plan)
    if groups:  # a plan of its own, by max_participants, says what fewer of each would mean
        return []
    return fewer_rows(with_fewer(plan, whole.items))


def _formula(label: str, in_symbols: Any, in_numbers: Any) -> Formula:
    worked = mathml(in_numbers) if in_numbers != in_symbols else None
    return Formula(label, mathml(in_symbols), worked)


def _legend(written: list[Constraint], answer: Answer) -> list[tuple[Any, str]]:
    """The symbols in the formulas, those of a survey's questions last, and what they stand for."""
    symbols = {name.name: name for one in written for name in one.in_symbols.free_symbols}
    return [*legend(written).items()] + [
        (symbols[name], f"probability of a larger error in {words}")
        for name, words in legend_rows(answer.study)
        if name in symbols
    ]


def changes_of(
    answer: Answer, leave_out: Collection[str] = (), brief: bool = False
) -> tuple[Changes, str]:
    """What to relax, or the room that is left; and which of it was not computed, in words.

    Args:
        answer: the answer.
        leave_out: quantities that are not looked at.
        brief: whether of a survey with a plan no errors are looked at, which takes long.
    """
    survey = answer.study.survey if brief else None
    if answer.verdict == "feasible" and (answer.study.strata or survey is not None):
        errors = {name for name in looked_at(answer.study) if QUANTITIES[name].accuracy}
        return limits(answer, {*leave_out, *errors}), _ERRORS_LEFT_OUT
    if answer.study.strata:
        return limits(answer, leave_out), ""
    if answer.study.survey is not None and len(answer.study.survey.questions) > _FEW:
        leave_out = {*leave_out, "failure", *questions_limited(answer.study)}
        return limits(answer, leave_out), _LEFT_OUT_OF_SURVEYS
    slow = any(map(takes_long, each(answer.study)))
    if isinstance(answer, Plan):
        none = Changes(answer.study, True)
        return (none, _FREE_DELTA) if slow else (limits(answer, leave_out), "")
    target = SLOW if slow else ()
    return limits(answer, {*leave_out, *target}), _LEFT_OUT if slow else ""


def _drops(answer: Answer) -> list[str]:
    return [drop_in_words(drop) for drop in drops(answer)]


def takes_long(study: Study) -> bool:
    """Whether limits of the accuracy take long: several exact answers that compose by a free δ."""
    problem, several = problem_of(study), value_of(study, "queries") is not None
    low, high = problem.delta_bounds
    return problem.saw_toothed and problem.uses_delta and several and low < high


def _exactly(answer: Answer) -> str:
    """The exact analysis's headline where the accuracy is computed by a bound, else empty."""
    study = exactly(answer.study)
    if study is None:
        return ""
    exact = solve(study)
    said = headline(exact)
    return f"By the exact analysis the same study is {said[0].lower()}{said[1:]}"


def plot(given: Given | UncertainStudy | Drawn, ax: "Axes | None" = None) -> "Axes":
    """Draw the feasible region of a study, or any result that has a picture.

    Args:
        given: the study, solved first, or its answer; of an uncertain study, which input matters
            most is drawn; of another result, its own picture.
        ax: the axes to draw on; by default new ones.

    Returns:
        The axes.

    Raises:
        ValueError: it is not a study, and has no picture.
    """
    if isinstance(given, UncertainStudy):
        given = tornado(given)
    if not isinstance(given, Drawn) or isinstance(given, Study):
        given = answer_to(given)
    return given.plot(ax=ax)


_POWER = re.compile(r"(.+)e([+-]?\d+)")
_LETTERS = re.compile(r"\\[a-z]+|[{}]")
_BREAKS = re.compile(r"[{}()]| \+ | \\leq ")
_LINE = 75
"""Letters that fit on a line of a printed page."""
_LONG = re.compile(r"<mn>(\d{4,})(\.\d+)?</mn>")


def mathml(formula: "sympy.Basic", block: bool = True) -> Markup:
    """A formula for a browser, thousands separated.

    It is converted from LaTeX, since SymPy's own MathML reorders terms and nests too much.
    """
    from latex2mathml.converter import convert

    names = {name: _written(name) for name in formula.free_symbols if _written(name)}
    # a dot between factors separates numbers that were put in for symbols
    numbers = any(name.name[0].isdigit() for name in names)
    tex = sympy.latex(
        formula, ln_notation=True, symbol_names=names, mul_symbol="dot" if numbers else None
    )
    tex = _in_lines(tex) if block else tex
    return Markup(_LONG.sub(_separated, convert(tex, display="block" if block else "inline")))


def _in_lines(tex: str) -> str:
    """A long formula in lines that fit on paper, broken before + and ≤ outside inner brackets."""
    if _length(tex) <= _LINE:
        return tex
    flat = tex.replace(r"\left", "").replace(r"\right", "")  # brackets may close on another line
    lines, depth, start = [""], 0, 0
    for match in _BREAKS.finditer(flat):
        depth += (match[0] in "{(") - (match[0] in "})")
        if match[0][0] == " " and depth <= 1:
            lines = _packed(lines, flat[start : match.start()])
            start = match.start()
    lines = _packed(lines, flat[start:])
    return r"\begin{array}{l} " + r" \\ ".join(lines) + r" \end{array}"


def _packed(lines: list[str], part: str) -> list[str]:
    """The lines with a part after the last of them, or on a new one where that would be long."""
    together = lines[-1] + part
    return [*lines[:-1], together] if _length(together) <= _LINE else [*lines, part]


def _length(tex: str) -> int:
    return len(_LETTERS.sub("x", tex))


def _separated(number: re.Match[str]) -> str:
    return f"<mn>{int(number[1]):,}{number[2] or ''}</mn>"


def _written(name: "sympy.Symbol") -> str:
    """LaTeX of a symbol that SymPy would not write in the usual way; else empty."""
    text = name.name
    if text[0].isdigit():
        text = text.replace(",", "")  # a comma would be punctuation
        power = _POWER.fullmatch(text)
        return rf"{power[1]} \cdot 10^{{{int(power[2])}}}" if power else text
    if text.startswith("epsilon"):
        return r"\varepsilon" + (r"_{\text{max}}" if text.endswith("_max") else "")
    return rf"\text{{{text}}}" if " " in text else ""
