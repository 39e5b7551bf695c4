"""What an answer means: its constraints as formulas, its odds, and the study run many times."""

from collections.abc import Iterator
from functools import partial
from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

import planner
from planner.cli import terminal
from planner.cli.shared import Json, Set, StudyFile, planned_from, read
from planner.cli.terminal import STATUS, WIDTH, Unbroken, bold, finish, progress, typeset
from planner.show import terminal_table

if TYPE_CHECKING:
    from planner.answer.answers import Answer
    from planner.explanation.explain import Explanation


def explain(
    study: StudyFile,
    settings: Set = None,
    code: Annotated[
        bool, typer.Option("--code", help="Print the Python code that runs the plan with OpenDP.")
    ] = False,
    registry: Annotated[
        bool, typer.Option("--registry", help="Print the record for the deployments registry.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, formulas in LaTeX.")] = False,
) -> int:
    """Explain a study: its constraints, the answer, and what it means for one participant.

    With --code or --registry only these are printed.
    """
    given = read(study, settings)
    with terminal.working("planning"):
        explanation = planner.explain(given)
    status = STATUS[explanation.answer.verdict]
    if code or registry:
        return finish(as_json, explanation, _practice(explanation.answer, code, registry), status)
    return finish(as_json, explanation, _explained(explanation), status)


def _explained(explanation: "Explanation") -> Iterator[Any]:
    from planner.explanation.constraints import legend
    from planner.explanation.derivations import worked_out
    from planner.explanation.question import labels
    from planner.explanation.questions import legend_rows, plan_words, question_rows
    from planner.mechanisms import kinds

    answer, study = explanation.answer, explanation.answer.study
    phrases = labels(study)
    conditions = explanation.constraints
    yield bold(f"{study.title or 'Study'}: {answer.verdict}")
    yield f"By {kinds.words(study.mechanism)}.\n"
    yield bold("The constraints, in symbols and with the study's numbers:\n")
    names = [f"{typeset(name)} {words}" for name, words in legend(conditions).items()]
    yield _filled("; ".join(names)) + "\n"
    for constraint in conditions:
        yield f"{phrases.get(constraint.label, constraint.label)}:"
        yield _formula(constraint.in_symbols)
        if constraint.in_numbers != constraint.in_symbols:
            yield _formula(constraint.in_numbers)
    for name, words in legend_rows(study):
        yield _filled(f"{name}: the probability of a larger error in {words}")
    if study.survey is not None:
        yield _filled(f"Composition: {plan_words(study)}.") + "\n"
    yield bold("The answer:\n")
    yield _filled(answer.proof.statement) + "\n"
    if isinstance(answer, planner.answer.Plan) and answer.questions:
        rows = [f"{name}: {words}." for name, words in question_rows(answer)]
        yield from _listed("What each question gets", rows)
    yield from _listed(f"For one participant{explanation.condition}", explanation.participant)
    yield from _listed("Notes", explanation.notes)
    if explanation.steps:
        yield bold("What follows from the constraints by hand:\n")
    for step in explanation.steps:
        yield _filled(f"{step.says} ({step.equation})")
        yield _formula(step.formula)
        here = worked_out(step, study)
        if here:
            yield f"    here: {here}\n"
    if isinstance(answer, planner.answer.Plan):
        yield "--code prints the plan as Python code, --registry its record for the registry."


def _practice(answer: "Answer", code: bool, registry: bool) -> Iterator[Any]:
    from planner.explanation.papers.registry import registry_record, yaml
    from planner.explanation.running.practice import opendp_call, why_no_call

    if not isinstance(answer, planner.answer.Plan):
        yield f"{answer.study.title or 'Study'} is {answer.verdict}: there is no plan to run."
        return
    call = opendp_call(answer) if code else ""
    if call is None:
        yield _filled(why_no_call(answer)) + "\n"
    elif call:
        yield bold("To run the plan with OpenDP (pip install opendp):\n")
        yield Unbroken(indent(call, "    "))
    if registry:
        yield bold("For the Differential Privacy Deployments Registry (fill in what is empty):\n")
        yield Unbroken(indent(yaml(registry_record(answer)), "    "))


def _listed(heading: str, sentences: Any) -> Iterator[Any]:
    if sentences:
        yield bold(f"{heading}:\n")
        yield from map(_filled, sentences)
        yield ""


def _filled(text: str) -> str:
    return fill(text, WIDTH)


def _formula(formula: Any) -> Unbroken:
    return Unbroken(indent(typeset(formula), "    ") + "\n")


def simulate(
    study: StudyFile,
    runs: Annotated[
        int | None, typer.Option(help="Number of runs; 10,000 for a mean, 100 for MWEM by default.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the runs.")] = 0,
    mean: Annotated[
        float | None,
        typer.Option(help="Mean of the population; the one nearest 1/2 by default."),
    ] = None,
    settings: Set = None,
    as_json: Json = False,
) -> int:
    """Run the planned study many times, and compare how often it fails with what was promised."""
    from planner.explanation.results.simulation import VERDICTS, rows
    from planner.simulation.simulate import to_dict

    answer = planned_from(study, settings)
    title = answer.study.title or "Study"
    data: dict[str, Any] = {"title": title, "verdict": answer.verdict, "simulation": None}
    if answer.verdict != "feasible":
        words = f"{title} is {answer.verdict}: there is no plan to simulate."
        return finish(as_json, data, [words], STATUS[answer.verdict])
    watch = partial(progress, words="simulating")
    result = planner.simulate(answer, runs, seed, mean, watch=watch)
    table = terminal_table(f"{title}: {VERDICTS[result.verdict]}", rows(result))
    return finish(as_json, {**data, "simulation": to_dict(result)}, [table])
