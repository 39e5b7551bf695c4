"""The report: one HTML page that needs no network and no script, on a screen and on paper.

The templates of pages, and the style that they have in common.
"""

import os
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from planner.answer.answers import AnyAnswer, Given
from planner.audit.literature import REGISTRY, deployments, names, placed
from planner.explanation import questions
from planner.explanation.accepted import accepted
from planner.explanation.question import question
from planner.explanation.results import comparison, comparison_of_strata, picture
from planner.explanation.results.payment import payment_words
from planner.explanation.results.posted_payment import in_words as offer_words
from planner.explanation.results.rows import (
    CELLS,
    achieved_rows,
    headline,
    other_rows,
    plan_cells,
    plan_rows,
    room_rows,
)
from planner.explanation.results.strata import by_title
from planner.explanation.vocabulary import TERMS, Term, words
from planner.libraries import jinja2
from planner.model import Study
from planner.output import program_version
from planner.reports import icons, pictures
from planner.reports.content import Annex, Content, annex_of, contents_of
from planner.wording import capital, confidence, plain

if TYPE_CHECKING:
    from jinja2 import Environment, Template


_SCIENTIFIC = re.compile(r"\b(\d+(?:\.\d+)?)e([+-]?)0*(\d+)\b")


def report(
    studies: Given | Sequence[Given],
    *,
    sources: Sequence[str] = (),
    quick: bool = False,
    annex: bool = False,
    day: date | None = None,
) -> "Page":
    """The report on one study or several, as an HTML page; a notebook shows the page.

    It holds what a study is decided on. Its annex is a page of its own, with the proof, the
    formulas, how to run the study, the papers and a glossary.

    Args:
        studies: studies, or answers of `solve`.
        sources: the text of each study's file; without, the studies' Python reprs are shown.
        quick: whether slow parts are left out, which the page then says.
        annex: whether the annex is written in place of the report.
        day: the date of the report; by default that of SOURCE_DATE_EPOCH, or today.

    Raises:
        ValueError: no study is given, or the number of sources differs.
    """
    given = [studies] if isinstance(studies, AnyAnswer | Study) else list(studies)
    if sources and len(sources) != len(given):
        raise ValueError(
            f"{len(sources)} sources for {len(given)} studies; give one for each, or none"
        )
    texts = sources or [""] * len(given)
    contents = [
        content
        for one, text in zip(given, texts, strict=True)
        for content in contents_of(one, text, quick)
    ]
    if not annex:
        return Page(page(contents, day))
    return Page(annex_page([annex_of(content, quick) for content in contents], day))


class Page(str):
    """The text of an HTML page, which notebooks show as a page within theirs."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that its styles stay in it."""
        return (
            f'<iframe srcdoc="{escape(self)}" title="Report" '
            'style="width: 100%; height: 40em; border: 1px solid #999"></iframe>'
        )


def page(contents: Sequence[Content], day: date | None = None) -> str:
    """The report on some studies, to decide on.

    Raises:
        ValueError: there are no contents, or SOURCE_DATE_EPOCH is not a time.
    """
    if not contents:
        raise ValueError("no study to report on; give at least one")
    return _template("report.html.jinja").render(
        contents=contents, name=_name(contents), day=day or _today(), version=program_version()
    )


def annex_page(annexes: Sequence[Annex], day: date | None = None) -> str:
    """The annex of a report, to check it and to run the study.

    Raises:
        ValueError: SOURCE_DATE_EPOCH is not a time.
    """
    contents = [annex.content for annex in annexes]
    return _template("annex.html.jinja").render(
        annexes=annexes,
        name=_name(contents),
        plans=names([content.answer for content in contents]),
        day=day or _today(),
        version=program_version(),
        terms=[_term(term, contents) for term in TERMS],
        deployments=deployments(),
        registry=REGISTRY,
    )


def _name(contents: Sequence[Content]) -> str:
    """What a report is about."""
    of_strata = sum(len(by_title(one.whole.plan)) - 1 for one in contents if one.whole)
    if len(contents) - of_strata > 1:
        return f"{len(contents) - of_strata} private studies"
    whole = contents[0].whole
    return whole.plan.study.title or "All strata" if whole else contents[0].title


def _term(term: Term, contents: Sequence[Content]) -> Term:
    """A term of the glossary; of the compensation, that of the study, where there is one study."""
    plain_term = term._replace(**{name: words(cell) for name, cell in term._asdict().items()})
    if term.name != "compensation" or contents[1:] or contents[0].study.costs_nothing:
        return plain_term
    here = payment_words(contents[0].answer.study)
    return plain_term._replace(says=f"{plain_term.says} {here}")


@cache
def _template(name: str) -> "Template":
    environment = page_environment()
    environment.globals |= {
        "region": pictures.region_for,
        "power": pictures.power,
        "strata": pictures.strata,
        "money": pictures.money_for,
        "costs": pictures.costs_for,
        "example": pictures.example,
        "money_caption": picture.of_money,
        "achieved_rows": achieved_rows,
        "shares": pictures.questions,
        "offers": pictures.offers,
        "offer_words": offer_words,
        "literature": pictures.literature,
        "people": icons.picture,
        "headline": headline,
        "accepted": accepted,
        "question": question,
        "plan_rows": plan_rows,
        "room_rows": room_rows,
        "other_rows": other_rows,
        "cells": CELLS,
        "plan_cells": plan_cells,
        "comparison": comparison,
        "of_strata": comparison_of_strata,
        "questions": questions,
        "caption": picture.caption,
        "description": picture.description,
        "placed": placed,
        "names": names,
        "plain": plain,
        "confidence": confidence,
        "capital": capital,
    }
    environment.filters["powers"] = powers
    return environment.get_template(name)


def powers(text: str) -> Markup:
    """Words for a page, escaped, with 1e-08 written as a power of ten."""

    def written(number: re.Match[str]) -> str:
        times = "" if number[1] == "1" else f"{number[1]} · "
        return f"{times}10<sup>{number[2].replace('-', '−').replace('+', '')}{number[3]}</sup>"

    return Markup(_SCIENTIFIC.sub(written, str(escape(text))))


def _today() -> date:
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(given), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise ValueError(
            f"SOURCE_DATE_EPOCH = {given!r} is not a time; give whole seconds since "
            "1970, or unset it"
        ) from None


def page_environment() -> "Environment":
    """Where templates of pages are found; each gets its own functions."""
    folder = Path(__file__).parent
    environment: Environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style"] = (folder / "report.css").read_text("utf-8")
    return environment
