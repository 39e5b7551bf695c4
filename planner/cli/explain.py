"""`planner explain`: a study's constraints as formulas, and what the answer means."""

from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.settings import Set, settings_of

if TYPE_CHECKING:
    import sympy

    from planner.answer.answers import Plan
    from planner.explanation.explain import Explanation


def explain(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, formulas in LaTeX.")] = False,
) -> int:
    """Explain a study: its constraints, the answer, and what it means for one participant.

    Exit status: 0 feasible, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.cli.terminal import STATUS, print_json, working
    from planner.explanation.explain import explain as explained
    from planner.study_file.answer_file import read_given

    given = read_given(study, settings_of(settings))
    with working("planning"):
        explanation = explained(given)
    if as_json:
        print_json(explanation.to_dict())
    else:
        _print(explanation)
    return STATUS[explanation.answer.verdict]


def _print(explanation: "Explanation") -> None:
    """Print constraints, answer, meaning, derivations and practice."""
    from planner.answer.answers import Plan
    from planner.cli.terminal import console, typeset
    from planner.explanation.constraints import legend
    from planner.explanation.derivations import worked_out
    from planner.explanation.questions import legend_rows, plan_words, question_rows

    answer, study = explanation.answer, explanation.answer.study
    terminal = console()

    def show(formula: "sympy.Expr") -> None:
        terminal.print(indent(typeset(formula), "    "), soft_wrap=True, end="\n\n")

    terminal.print(f"{study.title or 'Study'}: {answer.verdict}", style="bold")
    terminal.print(f"By {study.mechanism.words}.\n")
    conditions = explanation.constraints
    terminal.print("The constraints, in symbols and with the study's numbers:\n", style="bold")
    names = [f"{typeset(name)} {words}" for name, words in legend(conditions).items()]
    terminal.print(fill("; ".join(names), 80), end="\n\n")
    for constraint in conditions:
        terminal.print(f"{constraint.label}:")
        show(constraint.in_symbols)
        if constraint.in_numbers != constraint.in_symbols:
            show(constraint.in_numbers)
    for name, words in legend_rows(study):
        terminal.print(fill(f"{name}: the failure probability of {words}", 80))
    if study.survey is not None:
        terminal.print(fill(f"Composition: {plan_words(study)}.", 80), end="\n\n")
    terminal.print("The answer:\n", style="bold")
    terminal.print(fill(answer.proof.statement, 80), end="\n\n")
    if isinstance(answer, Plan) and answer.questions:
        terminal.print("What each question gets:\n", style="bold")
        for name, words in question_rows(answer):
            terminal.print(fill(f"{name}: {words}.", 80))
        terminal.print()
    if explanation.participant:
        terminal.print(f"For one participant{explanation.condition}:\n", style="bold")
        for sentence in explanation.participant:
            terminal.print(fill(sentence, 80))
        terminal.print()
    if answer.notes:
        terminal.print("Notes:\n", style="bold")
        for note in answer.notes:
            terminal.print(fill(note, 80))
        terminal.print()
    if explanation.steps:
        terminal.print("What follows from the constraints by hand:\n", style="bold")
    for step in explanation.steps:
        terminal.print(fill(f"{step.says} ({step.equation})", 80))
        show(step.formula)
        here = worked_out(step, study)
        if here:
            terminal.print(f"    here: {here}\n")
    if isinstance(answer, Plan):
        _print_practice(answer)


def _print_practice(plan: "Plan") -> None:
    """Print how to run the plan, and what to publish about it."""
    from planner.cli.terminal import console
    from planner.explanation.running.practice import opendp_call, registry_fields, why_no_call, yaml

    terminal, call = console(), opendp_call(plan)
    if call is None:
        terminal.print(fill(why_no_call(plan), 80), end="\n\n")
    else:
        terminal.print("To run the plan with OpenDP (pip install opendp):\n", style="bold")
        terminal.print(indent(call, "    "), soft_wrap=True)
    terminal.print(
        "For the Differential Privacy Deployments Registry (fill in what is empty):\n",
        style="bold",
    )
    terminal.print(indent(yaml(registry_fields(plan)), "    "), soft_wrap=True)
