"""Error, people and ε: two of them give the third."""

from typing import Annotated

import typer

import planner
from planner.cli.shared import Json
from planner.cli.terminal import STATUS, complain, finish, working
from planner.study_file.text import reply_of

_Text = str | None


def calibrate(
    error: Annotated[
        _Text, typer.Option(metavar="SHARE", help="The margin of error: 5%, 0.05, or in the unit.")
    ] = None,
    people: Annotated[_Text, typer.Option(metavar="N", help="How many people take part.")] = None,
    epsilon: Annotated[_Text, typer.Option(metavar="X", help="The privacy parameter ε.")] = None,
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="proportion, mean, histogram, count or difference."),
    ] = "proportion",
    low: Annotated[float, typer.Option(help="Of a mean: the smallest number.")] = 0.0,
    high: Annotated[float, typer.Option(help="Of a mean: the largest number.")] = 1.0,
    deviation_at_most: Annotated[
        float | None, typer.Option(help="Of a mean: the most its standard deviation is.")
    ] = None,
    groups: Annotated[int, typer.Option(help="Of a histogram: how many groups.")] = 2,
    confidence: Annotated[
        str, typer.Option(metavar="SHARE", help="How often the answer is within the error.")
    ] = "95%",
    noise: Annotated[
        str | None, typer.Option(metavar="NOISE", help="laplace, geometric or gaussian.")
    ] = None,
    delta: Annotated[float, typer.Option(help="δ, for Gaussian noise.")] = 0.0,
    as_json: Json = False,
) -> int:
    """Compute the ε, the error or the people of a study from the other two.

    Nobody is paid.
    """
    from planner.decisions.calibrate import NotEnoughError

    try:
        with working("calibrating"):
            found = planner.calibrate(
                error=_number("error", error),
                people=_number("people", people),
                epsilon=_number("epsilon", epsilon),
                kind=kind,  # type: ignore[arg-type]  # refused where it is none
                low=low,
                high=high,
                deviation_at_most=deviation_at_most,
                groups=groups,
                confidence=_number("confidence", confidence) or 0.0,
                noise=noise,  # type: ignore[arg-type]
                delta=delta,
            )
            sentence = found.shown_title()
    except NotEnoughError as error_found:
        complain(str(error_found))
        return STATUS["infeasible"]
    most = _number("epsilon", epsilon)
    less = ["More ε than that would not make the error smaller."]
    return finish(
        as_json, found.to_dict, [f"{sentence}.", *less * bool(most and found.epsilon < most)]
    )


def _number(name: str, text: str | None) -> float | None:
    """The number of an option, as people write it."""
    value = None if text is None else reply_of(text)
    if isinstance(value, str):
        such = {"people": "516", "epsilon": "0.2"}.get(name, "5% or 0.05")
        raise ValueError(f"--{name} = {text!r} is not a number; give one such as {such}")
    return value
