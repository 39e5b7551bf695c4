"""The strata of a study in the explorer: groups with results of their own, and new ones."""

from collections.abc import Mapping

from planner.explorer.questions import SURVEY
from planner.explorer.rows import Box, Row, Section

_OF_SURVEYS, _OF_ONE = "several", "one"
BOXES = (
    Box("people", "people in it", "10000"),
    Box("share", "or proportion of all", ""),
    Box("error", "error", "0.1", _OF_ONE),
    Box("times_error", "times each error", "1", _OF_SURVEYS),
    Box("per_person", "cost of recruiting", ""),
    Box("base_cost", "base cost", ""),
    Box("worst_cost", "worst cost", ""),
    Box("response_rate", "proportion taking part", ""),
    Box("max_participants", "most people asked", ""),
)
"""What a stratum has; where a box is empty, it is as the study has it."""
STRATA = Section("stratum", {"name": "name", **{box.key: box.words for box in BOXES}}, 40)


def shown(box: Box, mechanism: str) -> bool:
    """Whether a kind of mechanism has a box: several questions have a factor on their errors."""
    return box.only in ("", _OF_SURVEYS if mechanism == SURVEY else _OF_ONE)


def added(texts: Mapping[str, str]) -> tuple[list[Row], dict[str, str]]:
    """The strata and a new one, of none two; and the other texts.

    The error of a study without strata becomes that of each: it is then none for all people. A new
    one has the error of the last.
    """
    strata, others = STRATA.asked(texts), dict(texts)
    rows = [dict(row.texts) for row in strata]
    if rows:
        error = {"error": rows[-1].get("error", "")}
    else:
        error = {"error": others.pop("error")} if "error" in texts else {}
    for _ in range(1 if strata else 2):
        names = {row.get("name") for row in rows}
        number = next(n for n in range(1, STRATA.most + 3) if f"stratum {n}" not in names)
        starts = {box.key: box.start for box in BOXES if box.start}
        new = {"name": f"stratum {number}", **starts, **error}
        rows.append({key: text for key, text in new.items() if text})
    return STRATA.numbered(rows), others
