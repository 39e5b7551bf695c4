"""From a plan to published answers: checked, announced, published once, and kept in a ledger."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import planner
from planner.cli import shared
from planner.cli.shared import Force, Json, Ledger, PlanFile, Set, check_writable
from planner.cli.terminal import STATUS, Unbroken, finish, working

if TYPE_CHECKING:
    from planner.answer.answers import Answer
    from planner.explanation.papers.sheet import Sheet

_CHANGED = "The file was changed after it was written: its digest does not match."
_PlanOrStudy = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A file of planner solve -o, or a study file.")
]
_RECORDS = "A CSV, .xlsx or Parquet file with a column for each question; - is standard input."
_Column = Annotated[
    str | None,
    typer.Option(help="Column of the records where the study asks one question."),
]
_Mapping = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A study file that says how these are written."),
]
_Clamp = Annotated[bool, typer.Option("--clamp", help="Move numbers out of range to its ends.")]
_MostError = Annotated[
    str | None,
    typer.Option(
        metavar="ERROR",
        help="With fewer people: the largest error, or 10% over the planned.",
    ),
]
_Everyone = Annotated[
    bool,
    typer.Option("--everyone", help="Use all records where there are more than planned."),
]
_OUTPUTS = "A .json, .csv, .xlsx, .md or .html file, or a .png or .svg picture."
_NO_PICTURE = "--question is for pictures; give -o with a .png or .svg file"
_Question = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of a picture, the question whose answers it shows."),
]
_Results = Annotated[
    Path, typer.Argument(metavar="RESULTS", help="A .json file of planner publish -o.")
]
_SheetFile = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="A .html, .pdf or .md file."),
]


def certify(
    study: _PlanOrStudy,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A .cert file.")
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(metavar="QUANTITY", help="Of the limit of a quantity, see planner limit."),
    ] = None,
    settings: Set = None,
    force: Force = False,
) -> int:
    """Write a certificate of an answer, which a small program checks by itself.

    It holds the study, the claim and, where no study exists, what excludes all of them. The program
    is planner/certificate/check.py, which needs python-flint alone, and reads the rules of each
    kind of study from the files beside it.
    """
    from planner.certificate import verify

    given = shared.read(study, settings)
    with working("writing the certificate"):
        found = shared.planned(given) if limit is None else planner.limit(given, limit)
        if found is None:
            raise ValueError(f"--limit {limit}: no value of it makes the study feasible")
        text = found.certificate()
        _, unproved = verify(text)
    if output is None:
        print(text, end="")  # noqa: T201
    else:
        check_writable(output, (".cert",), [study], force)
        shared.write_text(output, text)
        verdict = "incomplete; " + "; ".join(unproved) if unproved else "proved"
        return finish(False, Unbroken(f"{output}: {verdict}"), status=2 if unproved else 0)
    return 2 if unproved else 0


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of planner solve -o.")],
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its certificate, by planner certify."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Prove a plan again from its file alone, or that no study exists.

    Each field of the file is proved or computed again, or listed as not checked.
    """
    from planner.answer.proof.certificate import sha256_of
    from planner.study_file.answer_file import read_unchecked

    text = None if certificate is None else _text_of(certificate)
    opened = read_unchecked(file, "" if text is None else sha256_of(text))
    with working("checking"):
        checked = planner.check(opened.answer, text)
    changed = () if opened.unchanged else (_CHANGED,)
    checked = replace(
        checked,
        wrong=(*checked.wrong, *opened.contradictions, *changed),
        unchecked=(*checked.unchecked, *opened.unread),
    )
    return finish(as_json, checked, status=STATUS["feasible" if checked.holds else "infeasible"])


def _text_of(certificate: Path) -> str:
    try:
        return certificate.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise ValueError(f"{certificate}: {reason}; give a file of planner certify") from None


def consent(
    plan: _PlanOrStudy,
    output: _SheetFile = None,
    contact: Annotated[str, typer.Option(help="Who answers the participants' questions.")] = "",
    coin: Annotated[
        float, typer.Option(help="The smallest coin, to which payments are rounded up.")
    ] = 0.01,  # the smallest coin of most currencies
    settings: Set = None,
    force: Force = False,
) -> int:
    """Write a sheet for the participants: what is asked, published, risked and paid."""
    from planner.explanation.papers.consent import consent as sheet_of

    return _sheet(sheet_of(_plan_of(plan, settings), contact, coin), plan, output, force)


def methods(
    plan: _PlanOrStudy, output: _SheetFile = None, settings: Set = None, force: Force = False
) -> int:
    """Write the paragraph on methods for a paper, its citations, and the registry's record."""
    from planner.explanation.papers.methods import methods as sheet_of

    return _sheet(sheet_of(_plan_of(plan, settings)), plan, output, force)


def _plan_of(
    path: Path, settings: list[str] | None
) -> "planner.answer.Plan | planner.answer.StrataPlan | planner.answer.TotalPlan":
    answer = shared.planned_from(path, settings)
    plans = planner.answer.Plan, planner.answer.StrataPlan, planner.answer.TotalPlan
    if not isinstance(answer, plans):
        raise ValueError(f"{path}: the study is {answer.verdict}, so there is no plan to describe")
    return answer


def _sheet(sheet: "Sheet", plan: Path, output: Path | None, force: bool) -> int:
    from planner.explanation.papers.sheet import markdown
    from planner.reports.sheet import ENDINGS, write

    if output is None:
        print(markdown(sheet), end="")  # noqa: T201
        return 0
    check_writable(output, ENDINGS, [plan], force)
    write(sheet, output)
    return finish(False, Unbroken(output))


def _read(plan: Path, mapping: Path | None) -> "Answer":
    from planner.study_file.mapping import with_mapping

    answer = planner.read_answer(plan)
    return answer if mapping is None else with_mapping(answer, mapping)


def records(
    plan: PlanFile,
    records: Annotated[Path | None, typer.Argument(metavar="RECORDS", help=_RECORDS)] = None,
    mapping: _Mapping = None,
    column: _Column = None,
    clamp: _Clamp = False,
    most_error: _MostError = None,
    everyone: _Everyone = False,
    settings: Set = None,
    as_json: Json = False,
) -> int:
    """Look at records before anything is spent: what is read, and all that would be refused.

    What is shown is exact, so it is for those who hold the records, and not for publication.
    Without RECORDS: the columns that the plan needs, and what fewer people would mean, of one
    stratum with --set stratum=NAME.
    """
    if plan.suffix.lower() in (".csv", ".xlsx", ".parquet"):
        raise ValueError(f"{plan} is no plan; give one first: planner records plan.json {plan}")
    if settings and records is not None:
        raise ValueError("--set stratum=NAME says what fewer people mean; leave RECORDS out")
    answer = shared.planned(shared.read(plan, settings)) if settings else _read(plan, mapping)
    if records is None:
        with working("computing what fewer people would mean"):
            needed = planner.publication.expected(answer, column)
        return finish(as_json, needed)
    with working("reading"):
        found = planner.publication.look(answer, records, column, clamp, most_error, everyone)
    from planner.explanation.results.publication import PROPOSE
    from planner.show import terminal_table

    rows = [row for row in found.shown_rows() if row[0] != PROPOSE]
    table = terminal_table(found.shown_title(), rows)
    proposed = [Unbroken(words) for name, words in found.shown_rows() if name == PROPOSE]
    status = STATUS["feasible" if found.ready else "infeasible"]
    return finish(as_json, found, [table, *proposed], status)


def publish(
    plan: PlanFile,
    records: Annotated[Path | None, typer.Argument(metavar="RECORDS", help=_RECORDS)] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help=_OUTPUTS),
    ] = None,
    question: _Question = None,
    people: Annotated[
        str, typer.Option(help="Name of those whose records these are; the file's path by default.")
    ] = "",
    ledger: Ledger = None,
    mapping: _Mapping = None,
    column: _Column = None,
    clamp: _Clamp = False,
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
    most_error: _MostError = None,
    everyone: _Everyone = False,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Invent records, and enter nothing in the ledger.")
    ] = False,
    proportion: Annotated[
        float, typer.Option(help="For --rehearse: the proportion of ones in the invented records.")
    ] = 0.5,  # as in planner.publication.rehearse
    as_json: Json = False,
) -> int:
    """Check a plan, draw its noise with OpenDP, and publish each answer with its error; once.

    What was spent of whom is entered in a ledger before anything is shown. Where the file of
    results is missing, the same command writes it again from the ledger.
    """
    answer = _read(plan, mapping)
    if question is not None and output is None:
        raise ValueError(_NO_PICTURE)
    if rehearse:
        with working("rehearsing"):
            done = planner.publication.rehearse(answer, proportion, column, clamp)
        if output is not None:
            done.save(output, question)
    elif records is None or output is None:
        raise ValueError(
            "publishing needs the records and a file of results: planner publish PLAN RECORDS.csv "
            "-o results.json; or --rehearse"
        )
    else:
        with working("publishing"):
            done = planner.publish(
                answer,
                records,
                output,
                people=people,
                ledger=ledger,
                column=column,
                question=question,
                clamp=clamp,
                again=again,
                same_people=same_people,
                other_people=other_people,
                most_error=most_error,
                everyone=everyone,
            )
    return finish(as_json, done)


def results(
    results: _Results,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help=_OUTPUTS),
    ] = None,
    question: _Question = None,
    as_json: Json = False,
) -> int:
    """Show published results again, or write them in another form; nothing is spent."""
    publication = planner.publication.read_results(results)
    if output is None:
        if question is not None:
            raise ValueError(_NO_PICTURE)
        return finish(as_json, publication)
    with working("writing"):
        publication.save(output, question)
    return finish(False, Unbroken(output))


def ledger(
    path: Ledger = None,
    as_json: Json = False,
) -> int:
    """List what was published: whose records, when, and what ε and δ that has spent.

    The ledger records; it cannot stop anyone who deletes or copies it. One that is damaged is
    refused.
    """
    from planner.publication import ledger as ledgers

    if path is not None and not path.exists():
        raise ValueError(f"{path} does not exist; nothing has been published with this ledger")
    entries = ledgers.entries(path)
    return finish(as_json, entries, [entries, Unbroken(path or ledgers.default_path())])
