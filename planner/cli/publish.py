"""`planner publish`: a proven plan and records become published answers, once."""

from pathlib import Path
from typing import Annotated

import typer


def publish(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A file of planner solve -o.")],
    records: Annotated[
        Path | None,
        typer.Argument(metavar="[RECORDS]", help="A CSV file with a column for each question."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A .json file of results.")
    ] = None,
    people: Annotated[
        str, typer.Option(help="Name of those whose records these are; the file's path by default.")
    ] = "",
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The ledger; your own by default.")
    ] = None,
    column: Annotated[
        str, typer.Option(help="Column of the records where the study asks one question.")
    ] = "answer",
    clamp: Annotated[
        bool, typer.Option("--clamp", help="Move numbers out of range to its ends.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Publish although these people or this plan were used.")
    ] = False,
    same_people: Annotated[
        bool,
        typer.Option("--same-people", help="The people are those of a similar name; as --again."),
    ] = False,
    other_people: Annotated[
        bool, typer.Option("--other-people", help="The people are not those of a similar name.")
    ] = False,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Invent records, and enter nothing in the ledger.")
    ] = False,
    proportion: Annotated[
        float, typer.Option(help="For --rehearse: the share of ones among the invented records.")
    ] = 0.5,
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a Python program that publishes elsewhere."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check a plan, draw its noise with OpenDP, and publish each answer with its error; once.

    What was spent of whom is entered in a ledger before anything is shown. Where the file of
    results is missing, the same command writes it again from the ledger. Exit status: 0 published,
    64 refused.
    """
    from planner.cli.terminal import console, print_json, working
    from planner.publication import publish as publication
    from planner.study_file.answer_file import read_answer

    answer = read_answer(plan)
    if script is not None:
        from planner.cli.terminal import check_writable
        from planner.explanation.running.script import script as script_of
        from planner.output import write_whole

        check_writable(script, (".py",), [plan], force=False)
        text = script_of(publication.checked(answer), column)
        write_whole(script, lambda part: part.write_text(text, "utf-8"))
        console().print(f"{script}: run it with python {script} RECORDS.csv")
        return 0
    if rehearse:
        with working("rehearsing"):
            done = publication.rehearse(answer, proportion, column, clamp)
    elif records is None or output is None:
        raise ValueError(
            "publishing needs the records and a file of results: planner publish PLAN RECORDS.csv "
            "-o results.json; or --rehearse, or --script"
        )
    else:
        with working("publishing"):
            done = publication.publish(
                answer,
                records,
                output,
                people=people,
                ledger=ledger,
                column=column,
                clamp=clamp,
                again=again,
                same_people=same_people,
                other_people=other_people,
            )
    if as_json:
        print_json(done.to_dict())
    else:
        console().print(done)
    return 0
