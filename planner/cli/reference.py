"""What can be looked up without a study: guide, scenarios, mechanisms, words, schemas, audit."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import planner
from planner.cli.shared import Force, Json, check_writable, write_text
from planner.cli.terminal import WIDTH, Unbroken, bold, console, finish, progress, typeset, working
from planner.libraries import sympy
from planner.wording import at_most, money, plain

if TYPE_CHECKING:
    from rich.markdown import Markdown

    from planner.comparison.compare import Paid


def guide(
    chapter: Annotated[
        str, typer.Argument(metavar="CHAPTER", help="A chapter's number or title.")
    ] = "",
    files: Annotated[
        bool, typer.Option("--files", help="Write the chapter's files into the current folder.")
    ] = False,
    force: Force = False,
) -> int:
    """Show the guide: its chapters, or one of them by number or by the beginning of its title."""
    from rich.table import Table

    from planner import guide as chapters

    if not chapter and files:
        raise ValueError("--files writes the files of one chapter; give its number")
    if not chapter:
        table = Table(box=None, pad_edge=False, show_header=False)
        for wraps in (False, False, False, True):
            table.add_column(no_wrap=not wraps)
        for part, of_part in chapters.parts().items():
            for one in of_part:
                beside = part if one == of_part[0] else ""
                table.add_row(beside, str(one.number), one.title, one.summary)
        more = "\nplanner guide 1 shows the first chapter; so does planner guide first."
        return finish(False, None, [table, more])
    shown = chapters.chapter(chapter)
    if files:
        _write(shown.files, force)
        return finish(False, "\n".join(shown.files))
    text = _markdown(shown.for_terminal)
    terminal = console()
    if not terminal.is_terminal:
        return finish(False, text)
    os.environ.setdefault("LESS", "-FRX")  # show colours, and leave short texts on the screen
    with terminal.pager(styles=True):
        terminal.print(text)
    return 0


def _write(files: dict[str, str], force: bool) -> None:
    """Write files into this folder; one that is there and the same is no obstacle."""
    for name, text in files.items():
        target = Path(name)
        if not target.exists() or target.read_bytes() != text.encode("utf-8"):
            check_writable(target, (target.suffix,), (), force)
    for name, text in files.items():
        write_text(Path(name), text)


def _markdown(text: str) -> "Markdown":
    from rich.markdown import CodeBlock, Markdown
    from rich.text import Text

    class Code(CodeBlock):
        def __rich_console__(self, console: Any, options: Any) -> Iterator[Text]:
            yield Text(str(self.text).rstrip(), style="cyan")

    class Chapter(Markdown):
        elements = {**Markdown.elements, "fence": Code}  # noqa: RUF012

    return Chapter(text, hyperlinks=False)


def scenarios(as_json: Json = False) -> int:
    """List the scenarios of what people fear, and the worked studies of Hsu et al. (2014)."""
    from planner import scenarios as worked
    from planner.comparison.compare import paid

    with working("planning the four scenarios"):
        studies = [planner.read_study(path) for path in worked.four_scenarios()]
        owed = {
            study.individual.fears[0].event: paid(study)
            for study in studies
            if study.individual.fears
        }
    listed = [
        {**one._asdict(), "compensation": [row._asdict() for row in owed.get(one.harm, [])]}
        for one in worked.read_all().values()
    ]
    data = {"scenarios": listed, "studies": list(map(str, worked.worked_studies()))}
    return finish(as_json, data, _scenarios(owed))


def _scenarios(owed: dict[str, list["Paid"]]) -> Iterator[Any]:
    """Each scenario with its sources, what its participants are paid, and the worked studies."""
    from rich.table import Table

    from planner import scenarios as worked

    known = worked.read_all().values()
    for one in known:
        yield f"{one.name}: {one.title}. What people fear: {one.harm}."
        yield (
            f"  base cost {money(one.base_cost, one.currency)}, worst cost "
            f"{money(one.worst_cost, one.currency)}, probability {one.probability:g} for those "
            "who stay out"
        )
        yield from (f"  {name}: {source}" for name, source in one.sources.items())
        if one.note:
            yield f"  note: {one.note}"
        yield ""
    yield (
        "What each person is paid, in USD, for a margin of error of 5 percentage points at "
        "95 % confidence (exact analysis), in the cheapest study within a budget of 30,000 and in "
        "the smallest study at any cost, beside the harm itself. A dash: a scenario without a "
        "worked study.\n"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for head in ("people", "ε", "payment", "the harm"):
        table.add_column(head, justify="right")
    for one in known:
        name = one.name.capitalize()
        if not owed.get(one.harm):  # a scenario without a worked study
            table.add_row(name, *("-" * 4))
        for row in owed.get(one.harm, []):
            amounts = map(money, (row.cost, row.harm))
            of_plan = f"{name}, {row.plan.partition(' ')[0]}"
            table.add_row(of_plan, plain(row.participants), at_most(row.epsilon, 4), *amounts)
    yield table
    yield "\nThe worked studies of Hsu et al. (2014), to solve, plot or copy:"
    yield from (Unbroken(path) for path in worked.worked_studies())


def mechanisms(as_json: Json = False) -> int:
    """List the mechanisms, with their accuracy."""
    from planner.explanation.mechanisms import KNOWN, formulas
    from planner.mechanisms import KINDS, kinds

    rows: list[dict[str, Any]] = [
        {
            "kind": name,
            "parameters": kinds.parameters(kind),
            **KNOWN[kind]._asdict(),
            "formulas": formulas(kind),
        }
        for name, kind in KINDS.items()
    ]

    def data() -> list[dict[str, Any]]:
        written = [{name: sympy.latex(f) for name, f in row["formulas"].items()} for row in rows]
        return [{**row, "formulas": latex} for row, latex in zip(rows, written, strict=True)]

    return finish(as_json, data, _mechanisms(rows))


def _mechanisms(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield f"{row['kind']}: {row['summary']}"
        yield f"  parameters: {', '.join(row['parameters']) or 'none'}"
        yield f"  defined for: {row['domain']}"
        yield f"  monotone: {row['monotone']}"
        yield f"  convexity: {row['convexity']}"
        for name, formula in row["formulas"].items():
            yield f"  failure probability at most{name and f' ({name})'}:"
            named = formula.is_Symbol
            written = fill(formula.name, WIDTH - 4) if named else typeset(formula, "none")
            yield indent(written, "    ")
        yield ""
    yield (
        "With times = 10 any ε-private mechanism answers ten questions; composition = "
        '"optimal", "closed", "advanced" or "basic" selects how their privacy losses are added. '
        'With several [[mechanism]] sections, or kind = "best" (and universe_size and queries '
        "for many questions), the planner chooses the best."
    )


def glossary(as_json: Json = False) -> int:
    """List the vocabulary: name, symbol, meaning, unit and range of each quantity."""
    from planner.explanation.vocabulary import TERMS, words

    rows = [{name: words(cell) for name, cell in term._asdict().items()} for term in TERMS]

    def shown() -> Iterator[Any]:
        for row in rows:
            yield bold(f"{row['name']}, {row['symbol']}")
            unit = f"unit: {row['unit']}; range: {row['range']}"
            for line in (row["meaning"], unit, row["says"]):
                yield fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ")

    return finish(as_json, rows, shown())


def schema(
    of: Annotated[
        Literal["study", "answer"], typer.Argument(metavar="KIND", help="Which files.")
    ] = "study",
) -> int:
    """Print the JSON Schema of study files, or of the answers that planner solve -o writes."""
    from planner.study_file import answer_file, reader

    return finish(True, reader.schema() if of == "study" else answer_file.schema())


def audit(as_json: Json = False) -> int:
    """Check each claim in numbers or logic of Hsu et al. (2014): printed, computed, status, why.

    Status: confirmed; rounded; misprint (an error without consequences); wrong (the conclusion or
    the point fails).
    """
    from planner.audit import claims

    rows = [claim.row() for claim in progress(claims(), "checking")]
    return finish(as_json, [row._asdict() for row in rows], _claims(rows))


def _claims(rows: list[Any]) -> Iterator[Any]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    styles = {"confirmed": "", "rounded": "", "misprint": "yellow", "wrong": "bold red"}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=False)
    table.add_column("§", no_wrap=True)
    # what is printed is longer than what is computed
    table.add_column("claim and what is printed", ratio=5, overflow="fold")
    table.add_column("computed", ratio=4, overflow="fold")
    table.add_column("status", no_wrap=True)
    for row in rows:
        slip = row.status in ("misprint", "wrong")
        computed = f"{row.computed} ({row.why})" if slip and row.why else row.computed
        computed += f"; exactly: {row.exact}" if row.exact else ""
        claim, status = f"{row.claim}: {row.printed}", Text(row.status, style=styles[row.status])
        table.add_row(row.section, Text(claim), Text(computed), status)
    yield table
    found = Counter(row.status for row in rows)
    counts = ", ".join(f"{found[status]} {status}" for status in styles)
    yield f"{len(rows)} claims: {counts}. All details: planner audit --json"
