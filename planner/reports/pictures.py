"""The figures as SVG for a page: text as text, and unique names for all parts.

Titles of studies are not in the drawing but on the page, where they are escaped.

Which inputs matter: the change of cost by 1 % more of each, as bars.
"""

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from markupsafe import Markup

from planner.answer.answers import Answer, Plan, StrataPlan, TotalPlan
from planner.audit.literature import deployments
from planner.comparison.cost_of_accuracy import CostOfAccuracy
from planner.decisions.posted_payment import PostedPayment
from planner.decisions.prices import Price, Prices
from planner.explanation.amounts import given
from planner.explanation.papers.published import table
from planner.explanation.questions import description
from planner.explanation.results.changes import words_in
from planner.explanation.results.strata import rows as strata_rows, rows_of_total
from planner.explanation.results.uncertain import ranking
from planner.figures import (
    answers as answers_figure,
    literature as literature_figure,
    money as money_figure,
    offers as offers_figure,
    power as power_figure,
    questions as questions_figure,
    region as region_figure,
    strata as strata_figure,
    tornado as tornado_figure,
)
from planner.figures.fit import text
from planner.figures.save import STYLE
from planner.model import Study
from planner.publication.published import Published
from planner.publication.results import Publication
from planner.wording import at_most, money as cost_words, persons, points

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from planner.decisions.uncertain.tornado import Tornado


_TAG = re.compile(r"<[^>]+>")
_WIDE, _NARROW = (0.1, 0.13, 0.635, 0.8), (0.19, 0.13, 0.78, 0.82)
"""The relative position of a region in its picture: labels are to the right of wide ones."""
_MOST_WORDS, _MOST_IN_NOTEBOOK = 40, 8
"""Groups that the words of a picture name; questions whose pictures a notebook shows."""
_NAMED = re.compile(r'(\bid="|url\(#|href="#)')


def strata(plan: StrataPlan | TotalPlan, name: str) -> Markup:
    """What each stratum gets, drawn once for wide pages and once for narrow ones."""
    both = (strata_for(plan, name, narrow) for narrow in (False, True))
    return Markup("").join(both)


def strata_for(plan: StrataPlan | TotalPlan, name: str, narrow: bool) -> Markup:
    """What each stratum gets, for one width of page."""
    rows = strata_rows(plan) if isinstance(plan, StrataPlan) else rows_of_total(plan)
    words = "; ".join(": ".join(row) for row in rows[:_MOST_WORDS])

    def draw(canvas: "Figure") -> None:
        strata_figure.draw(canvas.add_subplot(), plan, narrow)

    width, kind = (4.2, "narrow") if narrow else (8.0, "wide")
    return svg(draw, width, strata_figure.height(plan), f"{name}-{kind}", words, kind)


def region_for(answer: Answer, name: str, words: str, narrow: bool) -> Markup:
    """The region of a study, for one width of page."""

    def draw(canvas: "Figure") -> None:
        canvas.set_layout_engine("none")  # which would draw everything twice to place the labels
        axes = canvas.add_axes(_NARROW if narrow else _WIDE)
        region_figure.draw(axes, answer, panel=narrow)
        axes.set_title("", loc="left")

    size, kind = ((4.2, 3.4), "narrow") if narrow else ((8.0, 4.2), "wide")
    return svg(draw, *size, f"{name}-{kind}", words, kind)


def money_for(plan: Plan, name: str, narrow: bool) -> Markup:
    """Where the money of a plan goes, for one width of page; nothing where there is none."""
    if plan.cost == 0:
        return Markup("")
    words = "; ".join(one.words.replace("\n", " ") for one in money_figure.segments(plan))

    def draw(canvas: "Figure") -> None:
        canvas.set_layout_engine("none")
        axes = canvas.add_axes((0.02, 0.44, 0.96, 0.24 if narrow else 0.3))
        money_figure.draw_bar(axes, plan)

    width, kind = (4.2, "narrow") if narrow else (8.0, "wide")
    return svg(draw, width, 1.3, f"{name}-{kind}", words, kind)


def example(plan: Plan, name: str) -> Markup:
    """What might be published, drawn once for wide pages and once for narrow ones."""

    def draw(canvas: "Figure") -> None:
        answers_figure.draw_example(canvas.add_subplot(), plan)

    words = "An invented answer, with its interval."
    return Markup("").join(
        svg(draw, width, 1.0, f"{name}-{kind}", words, kind)
        for width, kind in ((8.0, "wide"), (4.2, "narrow"))
    )


def costs_for(answer: Answer, found: CostOfAccuracy, name: str, narrow: bool) -> Markup:
    """What accuracy costs, for one width of page."""

    def draw(canvas: "Figure") -> None:
        axes = canvas.add_subplot()
        money_figure.draw_cost(axes, found, answer)
        axes.set_title("", loc="left")  # it stands on the page

    width, height, kind = (4.2, 2.5, "narrow") if narrow else (8.0, 3.3, "wide")
    words = "The least cost of the study over its margin of error"
    if answer.study.survey is not None:
        words = "The least cost of the study over a factor on all its margins of error"
    if isinstance(answer, Plan):
        words += f"; the plan costs {cost_words(answer.cost, answer.study.currency)}"
    return svg(draw, width, height, f"{name}-{kind}", f"{words}.", kind)


def power(plan: Plan, name: str) -> Markup:
    """The power of a test, drawn once for wide pages and once for narrow ones."""
    return Markup("").join(power_for(plan, name, narrow) for narrow in (False, True))


def power_for(plan: Plan, name: str, narrow: bool) -> Markup:
    """The power of a test, for one width of page."""
    test = plan.study.power
    assert test is not None  # only tests are drawn
    words = (
        f"The power of the test grows with the number of people and with the change; "
        f"{persons(plan.participants)} at ε = {at_most(plan.epsilon, 4)} have a power of "
        f"{points(test.power)} % to find {test.at}."
    )
    size, kind = ((4.2, 7.6), "narrow") if narrow else ((8.0, 3.6), "wide")
    return svg(lambda canvas: power_figure.draw(canvas, plan), *size, f"{name}-{kind}", words, kind)


def questions(plan: Plan, name: str, words: str) -> Markup:
    """The questions of a survey, drawn once for wide pages and once for narrow ones."""
    both = (questions_for(plan, name, words, narrow) for narrow in (False, True))
    return Markup("").join(both)


def questions_for(plan: Plan, name: str, words: str, narrow: bool) -> Markup:
    """The questions of a survey, for one width of page."""

    def draw(canvas: "Figure") -> None:
        axes = canvas.add_subplot()
        questions_figure.draw(axes, plan, panel=narrow)
        axes.set_title("", loc="left")

    width, kind = (4.2, "narrow") if narrow else (8.0, "wide")
    return svg(draw, width, questions_figure.height(plan), f"{name}-{kind}", words, kind)


def of_questions(plan: Plan, name: str) -> Markup:
    """The picture of the questions under a plan in a notebook; empty where it is of no survey."""
    if not plan.questions:
        return Markup("")
    return questions_for(plan, name, description(plan), narrow=False)


def offers(posted: PostedPayment, name: str, words: str) -> Markup:
    """Who accepts which payment and what each costs, for wide pages and for narrow ones."""
    return Markup("").join(offers_for(posted, name, words, narrow) for narrow in (False, True))


def offers_for(
    posted: PostedPayment,
    name: str,
    words: str,
    narrow: bool,
    panels: tuple[Literal["accept", "cost"], ...] = ("accept", "cost"),
) -> Markup:
    """The same for one width of page, or one part of it."""
    count = len(panels)

    def draw(canvas: "Figure") -> None:
        rows, columns = (count, 1) if narrow else (1, count)
        for panel, axes in zip(
            panels, canvas.subplots(rows, columns, squeeze=False).flat, strict=True
        ):
            parts = {"accept": offers_figure.draw_acceptance, "cost": offers_figure.draw}
            parts[panel](axes, posted)

    size, kind = ((4.2, 3.2 * count), "narrow") if narrow else ((8.0, 3.6), "wide")
    return svg(draw, *size, f"{name}-{kind}", words, kind)


def answers(publication: Publication, answer: Published, name: str, narrow: bool) -> Markup:
    """The answers to one question of a publication, for one width of page."""

    def draw(canvas: "Figure") -> None:
        answers_figure.draw(canvas.add_subplot(), publication, answer, panel=True)

    width, kind = (4.2, "narrow") if narrow else (8.0, "wide")
    words = "; ".join(": ".join(filter(None, row)) for row in table(answer)[:_MOST_WORDS])
    return svg(draw, width, answers_figure.height(answer, True), f"{name}-{kind}", words, kind)


def of_answers(publication: Publication, name: str) -> Markup:
    """The pictures of what was published, in a notebook."""
    shown = [one for one in publication.shown if one.kind != "quantile"][:_MOST_IN_NOTEBOOK]
    return Markup("").join(
        Markup("<p>{}</p>").format(one.name)
        + answers(publication, one, f"{name}{at}", narrow=False)
        for at, one in enumerate(shown)
    )


def ranking_for(ranked: "Tornado") -> Markup:
    """Which uncertain input matters most."""
    words = "; ".join(f"{name}: {text}" for name, text in ranking(ranked))
    height = 1.6 + 0.5 * len(ranked.bars)
    return svg(
        lambda canvas: tornado_figure.draw(canvas.add_subplot(), ranked),
        8.0,
        height,
        "ranking",
        words,
    )


def literature(plans: dict[str, float], name: str, words: str) -> Markup:
    """The figure of the plans' ε, by name, and those of deployments."""
    named = {text(title): epsilon for title, epsilon in plans.items()}

    def draw(canvas: "Figure") -> None:
        axes = canvas.add_subplot()
        literature_figure.draw_deployments(axes, deployments(), named)
        axes.set_title("", loc="left")

    return svg(draw, 8.0, 6.4, name, words)


def svg(
    draw: "Callable[[Figure], None]",
    width: float,
    height: float,
    name: str,
    words: str,
    kind: str = "",
) -> Markup:
    """A figure [inches] as SVG to stand in a page.

    Args:
        draw: draws it on an empty figure.
        width: of the drawing [inches].
        height: of the drawing [inches].
        name: unique on the page.
        words: the alternative text.
        kind: a class for the style sheet.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    file = io.StringIO()
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        # savefig would draw twice, the first time for nothing
        canvas = FigureCanvasSVG(figure)
        canvas.print_svg(file, metadata={"Date": None})  # type: ignore[no-untyped-call]
    drawn = file.getvalue()
    inside = drawn[drawn.index(">", drawn.index("<svg")) + 1 :]
    inside = re.sub(r"<metadata>.*?</metadata>", "", inside, flags=re.DOTALL)
    # only in tags: the text between them is the user's
    inside = _TAG.sub(lambda tag: _NAMED.sub(rf"\g<1>{name}-", tag[0]), inside)
    opened = Markup(
        '<svg class="figure {kind}" viewBox="0 0 {w:.0f} {h:.0f}" role="img" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" '
        'aria-labelledby="{name}-t"><title id="{name}-t">{words}</title>'
    ).format(kind=kind, w=72 * width, h=72 * height, name=name, words=words)
    return opened + Markup(inside)


_WIDTH, _HEIGHT = 200, 14  # the proportions of svg.bar on the page, nearly


class Bar(NamedTuple):
    """One input: its name, its value, the change of cost by 1 % more in words, and the bar."""

    name: str
    now: str
    change: str
    bar: Markup


def bars(prices: Prices) -> list[Bar]:
    """The prices as bars, the largest change first; those without a finite price last.

    A quantity of 0, of which 1 % is nothing, has no bar.
    """
    known = [abs(p.cost_of_a_percent or 0.0) for p in prices]
    longest = max(known, default=0.0) or 1.0

    def weight(price: Price) -> float:
        change = price.cost_of_a_percent
        return -1.0 if change is None else abs(change)

    ordered = sorted((price for price in prices if price.value), key=weight, reverse=True)
    return [_bar(price, longest, prices.study) for price in ordered]


def _bar(price: Price, longest: float, study: Study) -> Bar:
    unit = f" {study.currency}" if study.currency else ""
    now = given(study, price.quantity, price.value)
    change = price.cost_of_a_percent
    if change is None:
        words = "no finite price"
    elif not change:
        words = "nothing"
    else:
        words = f"{'+' if change > 0 else '−'}{at_most(change, 3).removeprefix('-')}{unit}"
    return Bar(words_in(study, price.quantity), now, words, _drawn((change or 0.0) / longest))


def _drawn(share: float) -> Markup:
    """A bar from the middle: filled to the right for more cost, hollow to the left for less."""
    middle = _WIDTH / 2
    length = round(abs(share) * (middle - 2), 2)
    start = middle if share >= 0 else middle - length
    fill = "#1f4e79" if share >= 0 else "#fff"
    return Markup(
        '<svg class="bar" viewBox="0 0 {w} {h}" aria-hidden="true">'
        '<rect x="{x}" y="2" width="{length}" height="{tall}" fill="{fill}" stroke="#1f4e79"/>'
        '<path d="M{middle} 0v{h}" stroke="#222"/></svg>'
    ).format(
        w=_WIDTH, h=_HEIGHT, x=round(start, 2), length=length, tall=_HEIGHT - 4, fill=fill,
        middle=middle,
    )  # fmt: skip
