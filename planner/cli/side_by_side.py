"""Studies beside one another: by other values, by two analyses, and with and without privacy."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import planner
from planner.cli.shared import (
    Force,
    Json,
    Objective,
    Set,
    Settings,
    StudyFiles,
    check_writable,
    read,
    write_table,
)
from planner.cli.terminal import STATUS, columns, finish, progress
from planner.show import view
from planner.wording import plain

if TYPE_CHECKING:
    from rich.console import Group

    from planner.answer.answers import Answer
    from planner.comparison.compare import Comparison
    from planner.comparison.strata import StrataComparison

_AS_GIVEN = "as given"
_EXPOSURE = 0.002
"""As in planner.compare: Hsu14 §6."""
_IN_A_ROW = 3
"""Answers in a table beside the study as given: four columns of numbers fill 80 columns."""


def compare(
    studies: StudyFiles = None,
    exposure: Annotated[
        float, typer.Option(help="Fraction of people exposed by a study that is not private.")
    ] = _EXPOSURE,
    with_notes: Annotated[
        bool, typer.Option("--notes", help="Print also the other conditions, and the assumptions.")
    ] = False,
    settings: Set = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A table, .csv.")
    ] = None,
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Compare the cheapest private study with one that is not private.

    The study's budget is ignored.
    """
    from planner.answer.answers import study_of
    from planner.answer.problem.problem import exactly
    from planner.comparison.compare import compare as compare_one, to_dict
    from planner.comparison.strata import StrataComparison
    from planner.explanation.results import comparison as words
    from planner.scenarios import four_scenarios as files

    if output is not None:
        check_writable(output, (".csv",), studies or (), force)
    asked = [read(path, settings) for path in studies or files()]
    pairs: list[tuple[Comparison | StrataComparison, Comparison | None]] = []
    for study in progress(asked, "comparing"):
        other = exactly(study_of(study))
        by_bound = planner.compare(study, exposure)
        pairs.append((by_bound, compare_one(other, exposure) if other else None))

    def shown() -> Iterator[Any]:
        for by_bound, exact in pairs:
            for one in (exact, by_bound):
                if one is None:
                    continue
                if isinstance(one, StrataComparison):
                    yield one
                    continue
                yield columns(words.title(one), ("", *words.columns(one)), words.rows(one))
                sentences = words.in_words(one) if with_notes else words.decisive(one)
                yield "\n".join(sentences) + "\n"

    printed = [
        one.to_dict() if isinstance(one, StrataComparison) else to_dict(one, exact)
        for one, exact in pairs
    ]
    if output is not None:
        write_table(output, [line for pair in pairs for line in _lines(*pair)])
    status = max(STATUS.get(comparison.verdict, 0) for comparison, _ in pairs)
    return finish(as_json, printed[0] if len(printed) == 1 else printed, shown(), status)


def _lines(
    by_bound: "Comparison | StrataComparison", exact: "Comparison | None"
) -> list[dict[str, Any]]:
    """The rows of a comparison in a table, with the study that they are of."""
    one = exact or by_bound
    return [{"title": one.study.title, **line} for line in view(type(one), "frame")(one)]


def what_ifs(path: Path, ways: list[Settings], minimise: Objective, as_json: bool) -> int:
    """Plan a study as it is and with other values, in one table that marks what changed.

    Returns:
        The highest exit status of the answers.

    Raises:
        ValueError: the file cannot be read, or holds no such keys.
    """
    from planner.answer.answers import study_of, to_dict
    from planner.explanation.results.rows import headline
    from planner.study_file.answer_file import read_given
    from planner.study_file.keys import value_in
    from planner.study_file.tables import tables_of

    asked = [(way, read_given(path, way)) for way in ({}, *ways)]
    answers = [(way, planner.solve(one, minimise)) for way, one in progress(asked, "planning")]

    def shown() -> Iterator[Any]:
        tables = tables_of(study_of(asked[0][1]))
        given = {key: value_in(tables, key) for key in ways[0]}, answers[0][1]
        others = [one for one in answers[1:] if one[0] != given[0]] or answers[1:]
        for start in range(0, len(others), _IN_A_ROW):
            yield _table(others[start : start + _IN_A_ROW], given)
        yield "* differs from the study as given"
        for way, answer in answers:
            if answer.verdict != "feasible":
                values = ", ".join(f"{key} = {_value(value)}" for key, value in way.items())
                yield f"{values or _AS_GIVEN}: {headline(answer)}"

    data = [{"set": dict(way), **to_dict(answer)} for way, answer in answers]
    return finish(as_json, data, shown(), max(STATUS[answer.verdict] for _, answer in answers))


def _table(answers: "list[tuple[Settings, Answer]]", given: "tuple[Settings, Answer]") -> "Group":
    """A column for each answer after the study as given; a mark on what differs from it."""
    from planner.explanation.results.rows import CELLS, invited, plan_cells

    names = (*given[0], "verdict", *CELLS, "invited")
    texts = [
        [*map(_value, way.values()), answer.verdict, *plan_cells(answer, False), invited(answer)]
        for way, answer in (given, *answers)
    ]
    rows = []
    for name, first, *others in zip(names, *texts, strict=True):
        if name == "invited" and {first, *others} == {"-"}:
            continue
        marked = [each if each in (first, "-") else f"{each} *" for each in others]
        rows.append([name, first, *marked])
    study = given[1].study
    unit = f" (money in {study.currency})" if study.currency else ""
    heads = ("", _AS_GIVEN, *[""] * len(answers))
    return columns(f"{study.title or 'Study'}{unit}", heads, rows)


def _value(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return plain(value) if number else "-" if value is None else str(value)


def four_scenarios(minimise: Objective, as_json: bool) -> int:
    """Plan Hsu14's four scenarios, exactly and by the paper's bound.

    Returns:
        2 if some answer is undecided, else 0.
    """
    from planner.answer.answers import to_dict
    from planner.answer.problem.problem import exactly
    from planner.scenarios import four_scenarios as files

    pairs = []
    for path in progress(files(), "planning"):
        study = planner.read_study(path)
        by_bound = planner.solve(study, minimise)
        pairs.append((by_bound, planner.solve(exactly(study) or study, minimise)))

    def data() -> list[dict[str, Any]]:
        return [{**to_dict(a, _relaxed(a)), "exact": to_dict(b)} for a, b in pairs]

    undecided = any(answer.verdict == "undecided" for pair in pairs for answer in pair)
    return finish(as_json, data, _by_two_analyses(pairs), STATUS["undecided"] if undecided else 0)


def _relaxed(answer: "Answer") -> Any:
    return () if answer.verdict == "feasible" else planner.limits(answer)


def _by_two_analyses(pairs: "list[tuple[Answer, Answer]]") -> Iterator[Any]:
    """The four studies in a table, planned exactly and by the bound; then each of the answers."""
    from planner.explanation.results.rows import answer_rows, plan_cells
    from planner.show import terminal_table

    yield "By the exact analysis, and by the looser bound of Hsu14 (eq. 5):"
    rows = []
    for by_bound, exact in pairs:
        row = [(exact.study.title or "study").partition(",")[0]]
        for answer in (exact, by_bound):
            _, people, _, cost = plan_cells(answer, with_currency=False)
            row += [answer.verdict, people, cost]
        rows.append(row)
    names = ("study", "exactly", "people", "cost", "by bound", "people", "cost")
    yield columns("", names, rows)
    for by_bound, exact in pairs:
        for answer, how, changes in (
            (exact, "exactly", ()),
            (by_bound, "by Hsu14's bound", _relaxed(by_bound)),
        ):
            head = f"{exact.study.title or 'Study'}, {how}: {answer.verdict}"
            yield terminal_table(head, answer_rows(answer, changes))
