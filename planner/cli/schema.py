"""`planner schema`: the JSON Schema of study files, for editors that check while typing."""

from typing import Annotated

import typer


def schema(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, as it always does.")] = True,
) -> int:
    """Print the JSON Schema of study files."""
    from planner.cli.terminal import print_json
    from planner.study_file.reader import schema as schema_of

    print_json(schema_of())
    return 0
