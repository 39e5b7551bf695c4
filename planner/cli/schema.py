"""`planner schema`: the JSON Schemas of study files and answers, for editors and other programs."""

from enum import StrEnum
from typing import Annotated

import typer


class Of(StrEnum):
    """What a schema is of."""

    study = "study"
    answer = "answer"


def schema(
    of: Annotated[Of, typer.Argument(metavar="[study|answer]", help="Which files.")] = Of.study,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, as it always does.")] = True,
) -> int:
    """Print the JSON Schema of study files, or of the answers that planner solve -o writes."""
    from planner.cli.terminal import print_json
    from planner.study_file import answer_file, reader

    print_json(reader.schema() if of is Of.study else answer_file.schema())
    return 0
