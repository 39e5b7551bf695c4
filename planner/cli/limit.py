"""`planner limit`: how far each quantity can go."""

from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from planner.cli.settings import Set, settings_of
from planner.quantities import LIMITED, limited, of_question


def limit(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    quantity: Annotated[
        str | None,
        typer.Argument(metavar="[QUANTITY]", help=f"One of {', '.join(LIMITED)}; default: all."),
    ] = None,
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Find the furthest value of a quantity at which a study is still feasible.

    The study's own value of QUANTITY is ignored. Without QUANTITY the limit of every quantity of
    the study is reported. Exit status: 0 if there is a limit, 1 if no value helps, 64 bad input.
    """
    from planner.answer.answers import study_of
    from planner.cli.terminal import console, one_of, print_json, working
    from planner.decisions.limits import limit as limit_of
    from planner.explanation.results.changes import end_of, limit_in_words
    from planner.study_file.answer_file import read_given

    if quantity is not None and not of_question(quantity):
        quantity = limited(quantity)
        one_of(quantity, LIMITED, "QUANTITY")
    given = read_given(study, settings_of(settings))
    asked = study_of(given)
    if quantity is None:
        return _each(given, as_json)
    with working(f"computing the {end_of(quantity)}"):
        end = limit_of(asked, quantity)
    if as_json:
        nowhere = {"quantity": quantity, "value": None, "attained": None, "unlimited": False}
        print_json(nowhere if end is None else end.to_dict())
    else:
        console().print(limit_in_words(end, quantity, asked))
    return 0 if end is not None else 1


def _each(given: Any, as_json: bool) -> int:
    """Print the limit of every quantity; returns the exit status."""
    from planner.answer.solve import answer_to
    from planner.cli.terminal import STATUS, console, print_json, progress, working
    from planner.decisions.changes import limits
    from planner.explanation.results.changes import in_words

    with working("planning"):
        answer = answer_to(given)
    study = answer.study
    changes = limits(answer, watch=lambda each: progress(each, "computing limits"))
    if as_json:
        print_json(list(changes))
        return STATUS[answer.verdict]
    title = study.title or "Study"
    console().print(f"{title}: {answer.verdict}. Each quantity on its own:")
    for words in in_words(changes):
        console().print(fill(words, 80, initial_indent=" - ", subsequent_indent="   "))
    return STATUS[answer.verdict]
