"""What changes with a study's numbers: limits, prices, and studies over the same people."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

import planner
from planner.cli.shared import Json, Set, StudyFile, computed, read, settings_of
from planner.cli.terminal import STATUS, WIDTH, bold, columns, finish, progress, working
from planner.quantities import LIMITED, hint, limited, of_question
from planner.show import terminal_table

if TYPE_CHECKING:
    from planner.answer.answers import Answer, Given
    from planner.decisions.prices import Prices


def limit(
    study: StudyFile,
    quantity: Annotated[
        str | None,
        typer.Argument(
            metavar="QUANTITY",
            help=f"One of {', '.join(LIMITED)}, confidence; or NAME.error of a question; default: "
            "all.",
        ),
    ] = None,
    settings: Set = None,
    as_json: Json = False,
) -> int:
    """Find the furthest value of a quantity at which a study is still feasible.

    The study's own value of QUANTITY is ignored. Without QUANTITY the limit of every quantity of
    the study is reported.
    """
    from planner.answer.answers import study_of
    from planner.explanation.results.changes import end_of, limit_in_words

    if quantity is not None:
        quantity = limited(quantity)
        if quantity not in LIMITED and not of_question(quantity):
            words = hint(quantity, LIMITED, LIMITED)
            raise ValueError(f"QUANTITY = {quantity!r} is not known; {words}")
    given = read(study, settings)
    if quantity is None:
        return _every_limit(given, as_json)
    asked = study_of(given)
    with working(f"computing the {end_of(quantity)}"):
        end = planner.limit(asked, quantity)
    nowhere = {"quantity": quantity, "value": None, "attained": None, "unlimited": False}
    data = nowhere if end is None else end.to_dict()
    words = limit_in_words(end, quantity, asked)
    return finish(as_json, data, [words], STATUS["infeasible" if end is None else "feasible"])


def _every_limit(given: "Given", as_json: bool) -> int:
    from planner.explanation.results.changes import in_words

    with working("planning"):
        answer = computed(given)
    changes = planner.limits(answer, watch=partial(progress, words="computing limits"))
    title = f"{answer.study.title or 'Study'}: {answer.verdict}. Each quantity on its own:"
    lines = [
        fill(each, WIDTH, initial_indent=" - ", subsequent_indent="   ")
        for each in in_words(changes)
    ]
    return finish(as_json, list(changes), [title, *lines], STATUS[answer.verdict])


def prices(study: StudyFile, settings: Set = None, as_json: Json = False) -> int:
    """Compute how one more unit or percent of each quantity changes the cheapest plan."""
    given = read(study, settings)
    with working("computing prices"):
        answer = computed(given)
        worth = planner.prices(answer)
    data = [price.to_dict() for price in worth]
    return finish(as_json, data, _prices(answer, worth), STATUS[answer.verdict])


def _prices(answer: "Answer", worth: "Prices") -> Iterator[Any]:
    from planner.explanation.amounts import given
    from planner.explanation.results.changes import cost_per_unit, signed, words_in

    if not worth:
        yield "Only a feasible study has prices; `planner solve` says what to relax."
        return
    study = answer.study
    cost = f"cost, {study.currency}" if study.currency else "cost"
    rows = [
        (
            words_in(worth.study, price.quantity),
            given(worth.study, price.quantity, price.value),
            signed(cost_per_unit(worth.study, price)),
            signed(price.cost_of_a_percent),
            *(
                signed(None if change is None else change * price.value / 100)
                for change in (price.participants, price.epsilon)
            ),
        )
        for price in worth
        if price.value or price.quantity != "overhead"
    ]
    heads = ("input", "now", cost, cost, "people", "ε")
    units = ("", "", "+ 1 unit", "+ 1 %", "+ 1 %", "+ 1 %")
    table = [units, *rows]
    used = [any(row[at] not in ("", "-") for row in rows) for at in range(len(heads))]
    title = f"{study.title or 'Study'}: what changes in the cheapest plan"
    yield columns(
        title,
        [head for head, kept in zip(heads, used, strict=True) if kept],
        [[cell for cell, kept in zip(row, used, strict=True) if kept] for row in table],
    )
    yield "A unit is 1 of the currency, one percentage point or one person."
    if not all(used):
        yield "The number of people is whole: it and ε change in jumps, which are left out."
    if study.survey is not None:
        with working("computing what each question costs"):
            dropped = planner.drops(answer)
        yield terminal_table(dropped.shown_title(), dropped.shown_rows())


def sequence(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY", help="Study files, in order.")],
    settings: Set = None,
    as_json: Json = False,
) -> int:
    """Plan several studies over the same people: each raises the base cost of the next.

    Budgets are added up.
    """
    from planner.explanation.results.sequence import CELLS, step_rows, title, total_row

    asked = [planner.read_study(path, settings_of(settings)) for path in studies]
    with working("planning the sequence"):
        answer = planner.plan_sequence(asked)

    def shown() -> Iterator[Any]:
        if isinstance(answer, planner.answer.SequencePlan):
            yield columns(title(answer), CELLS, [*step_rows(answer), total_row(answer)])
        else:
            yield bold(f"Sequence: {answer.verdict}")
        yield f"{answer.proof.statement} ({answer.proof.method})"
        yield from getattr(answer, "notes", ())

    return finish(as_json, answer, shown(), STATUS[answer.verdict])
