"""Every claim of Hsu14, checked by computation; no result is typed in."""

from importlib import import_module

from planner.audit.claim import Claim

_SECTIONS = ("basics", "mean", "harms", "mwem", "non_private", "side_conditions", "delta")


def claims() -> list[Claim]:
    """Every claim, in the order of the paper."""
    every = []
    for section in (*_SECTIONS, "literature"):
        module = import_module(f"{__name__}.{section}")
        every += [value for value in vars(module).values() if isinstance(value, Claim)]
    return sorted(every, key=lambda c: [int(part) for part in c.section.split(".")])
