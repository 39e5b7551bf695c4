"""The questions of a survey in the explorer: their boxes, and a new one."""

from collections.abc import Mapping

from planner.explorer.rows import Box, Row, Section

SURVEY = "added-noise"
"""The kind of mechanism that answers a survey."""
KINDS = {
    "share": "proportion of people",
    "histogram": "proportions of groups",
    "mean": "mean of numbers",
    "quantile": "quantile of numbers",
}
BOXES = (
    Box("error", "error", "0.05"),
    Box("times", "times asked", "1"),
    Box("groups", "groups", "8", "histogram"),
    Box("low", "lowest value", "0", "mean"),
    Box("high", "highest value", "1", "mean"),
    Box("candidates", "candidates", "100", "quantile"),
    Box("at", "rank (median: 0.5)", "0.5", "quantile"),
)
QUESTIONS = Section(
    "question", {"kind": "kind", "name": "name", **{box.key: box.words for box in BOXES}}, 40
)


def kind_of(question: Row) -> str:
    """The kind of a question; a share where none is given."""
    return question.texts.get("kind", "share")


def numbers_of(question: Row) -> list[Box]:
    """The boxes of its kind that are filled."""
    kinds = "", kind_of(question)
    return [box for box in BOXES if box.only in kinds and box.key in question.texts]


def added(texts: Mapping[str, str]) -> list[Row]:
    """The questions, and a new one with a name of its own."""
    questions = QUESTIONS.asked(texts)
    names = {question.texts.get("name") for question in questions}
    number = next(n for n in range(1, QUESTIONS.most + 2) if f"question {n}" not in names)
    first = {} if questions or "error" not in texts else {"error": texts["error"]}
    new = {"kind": "share", "name": f"question {number}"}
    new |= {box.key: box.start for box in BOXES if not box.only} | first
    return QUESTIONS.numbered([*(question.texts for question in questions), new])
