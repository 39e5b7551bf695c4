"""How the records of a saved plan are written, told later by another file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.answer.answers import Answer, StrataPlan
from planner.model import Records
from planner.publication.identity import WRITTEN
from planner.study_file import reader
from planner.study_file.text import StudyFileError


def with_mapping(answer: Answer, path: str | Path) -> Answer:
    """A plan whose records are written as a study file says in [records] and its questions.

    Nothing else of the file is read. The plan stays the same, also in the ledger.

    Raises:
        StudyFileError: (a ValueError) the file cannot be read, or does not fit the plan.
    """
    data = reader.load(path)
    asked = [one for one in data.get("question", []) if isinstance(one, dict)]
    own = [{key: one[key] for key in ("name", *WRITTEN) if key in one} for one in asked]
    table: Any = data.get("records", {})
    if not isinstance(table, dict) or not (table or own):
        raise StudyFileError(f"{path}: there is no section [records]; give one")
    listed = [*own, *table.get("question", [])]
    written = {**table, "question": listed} if listed else table
    try:
        records = Records(**written)
        if records.of_each != (most := answer.study.records.of_each):
            remedy = f'give rows = "at most {most}"' if most > 1 else "leave rows out"
            raise ValueError(
                f"the plan is for {most} record{'s' * (most > 1)} of each person at most; "
                f"{remedy}, or plan again"
            )
        return _written(answer, records)
    except (ValueError, TypeError) as error:
        words = str(error).partition("Records.__init__() ")[2] or str(error)
        raise StudyFileError(f"{path}: [records]: {words}") from None


def _written(answer: Answer, records: Records) -> Answer:
    study = replace(answer.study, records=records)
    if not isinstance(answer, StrataPlan):
        return replace(answer, study=study)
    strata = (replace(one, study=replace(one.study, records=records)) for one in answer.strata)
    return replace(answer, study=study, strata=tuple(strata))
