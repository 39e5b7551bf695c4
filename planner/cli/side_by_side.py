"""Several answers beside one another: by other values of a study's keys, or by two analyses."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

    from planner.answer.answers import Answer
    from planner.answer.search.convex import Objective
    from planner.study_file.keys import Settings

_AS_GIVEN, _IN_A_ROW = "as given", 3


def what_ifs(path: Path, ways: "list[Settings]", minimise: "Objective", as_json: bool) -> int:
    """Plan a study as it is and with other values, in one table that marks what changed.

    Returns:
        The highest exit status of the answers.
    """
    from planner.answer.answers import study_of, to_dict
    from planner.answer.solve import solve
    from planner.cli.terminal import STATUS, console, print_json, progress
    from planner.explanation.results.rows import headline
    from planner.study_file.answer_file import read_given
    from planner.study_file.keys import value_in
    from planner.study_file.tables import tables_of

    asked = [(way, read_given(path, way)) for way in ({}, *ways)]
    answers = [(way, solve(study, minimise)) for way, study in progress(asked, "planning")]
    if as_json:
        print_json([{"set": dict(way), **to_dict(answer)} for way, answer in answers])
    else:
        terminal = console()
        data = tables_of(study_of(asked[0][1]))
        given = {key: value_in(data, key) for key in ways[0]}, answers[0][1]
        for start in range(1, len(answers), _IN_A_ROW):
            terminal.print(_table(answers[start : start + _IN_A_ROW], given))
        terminal.print("* differs from the study as given")
        for way, answer in answers:
            if answer.verdict != "feasible":
                terminal.print(f"{_in_words(way) or _AS_GIVEN}: {headline(answer)}")
    return max(STATUS[answer.verdict] for _, answer in answers)


def _table(answers: "list[tuple[Settings, Answer]]", given: "tuple[Settings, Answer]") -> "Group":
    """A column for each answer after the study as given; a mark on what differs from it."""
    from planner.cli.terminal import columns
    from planner.explanation.results.rows import CELLS, plan_cells

    names = (*given[0], "verdict", *CELLS)
    texts = [
        [*map(_shown, way.values()), answer.verdict, *plan_cells(answer, with_currency=False)]
        for way, answer in (given, *answers)
    ]
    rows = []
    for name, first, *others in zip(names, *texts, strict=True):
        marked = [each if each in (first, "-") else f"{each} *" for each in others]
        rows.append([name, first, *marked])
    study = given[1].study
    unit = f" (money in {study.currency})" if study.currency else ""
    heads = ("", _AS_GIVEN, *[""] * len(answers))
    return columns(f"{study.title or 'Study'}{unit}", heads, rows)


def _shown(value: Any) -> str:
    """A value as people read it."""
    from planner.wording import plain

    number = isinstance(value, int | float) and not isinstance(value, bool)
    return plain(value) if number else "-" if value is None else str(value)


def _in_words(way: "Settings") -> str:
    """The values that a study was given."""
    return ", ".join(f"{key} = {_shown(value)}" for key, value in way.items())


def four_scenarios(minimise: "Objective", as_json: bool) -> int:
    """Hsu14's four scenarios, exactly and by the paper's bound."""
    from planner.answer.answers import Plan, to_dict
    from planner.answer.problem.problem import exactly
    from planner.answer.solve import solve as answer_of
    from planner.cli.terminal import STATUS, console, print_json, progress
    from planner.decisions.changes import limits
    from planner.explanation.results.rows import answer_rows
    from planner.scenarios import four_scenarios as files
    from planner.show import terminal_table
    from planner.study_file.reader import read_study

    pairs = []
    for path in progress(files(), "planning"):
        study = read_study(path)
        pairs.append((answer_of(study, minimise), answer_of(exactly(study) or study, minimise)))
    if as_json:
        both = [(a, () if isinstance(a, Plan) else limits(a), b) for a, b in pairs]
        print_json([{**to_dict(a, changes), "exact": to_dict(b)} for a, changes, b in both])
    else:
        terminal = console()
        terminal.print("By the exact analysis, and by the looser bound of Hsu14 (eq. 5):")
        terminal.print(_by_two_analyses(pairs))
        for by_bound, exact in pairs:
            title = exact.study.title or "Study"
            for answer, how in ((exact, "exactly"), (by_bound, "by Hsu14's bound")):
                relaxed = answer is by_bound and not isinstance(answer, Plan)
                changes = limits(answer) if relaxed else ()
                head = f"{title}, {how}: {answer.verdict}"
                terminal.print(terminal_table(head, answer_rows(answer, changes)))
    return 2 if any(STATUS[a.verdict] == 2 for pair in pairs for a in pair) else 0


def _by_two_analyses(pairs: "list[tuple[Answer, Answer]]") -> "Group":
    """A table of the four studies, planned exactly and by the bound."""
    from planner.cli.terminal import columns
    from planner.explanation.results.rows import plan_cells

    rows = []
    for by_bound, exact in pairs:
        row = [(exact.study.title or "study").partition(",")[0]]
        for answer in (exact, by_bound):
            _, people, _, cost = plan_cells(answer, with_currency=False)
            row += [answer.verdict, people, cost]
        rows.append(row)
    names = ("study", "exactly", "people", "cost", "by bound", "people", "cost")
    return columns("", names, rows)
