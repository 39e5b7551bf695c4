"""The fields of the explorer: each quantity's words, unit and slider."""

from typing import NamedTuple

MEANS = ("laplace-mean", "geometric-mean", "gaussian-mean")
QUERIES = ("mwem", "mwem-approximate")
MECHANISMS = {
    "laplace-mean exact": "a share, Laplace noise: exact",
    "laplace-mean hoeffding": "a share, Laplace noise: Hoeffding's bound",
    "laplace-mean paper": "a share, Laplace noise: the paper's bound",
    "geometric-mean": "a share, geometric noise: exact",
    "gaussian-mean": "a share, Gaussian noise: exact (needs δ)",
    "mwem": "many counting queries: MWEM",
    "mwem-approximate": "many counting queries: MWEM (needs δ)",
}
"""The mechanisms to choose from: kind and analysis, and words."""


class Field(NamedTuple):
    """One quantity.

    Attributes:
        key: its name in study files and in the address.
        section: its section in study files.
        words: its label.
        unit: "money", "people", "queries", "records" or "" for plain numbers.
        low: the slider's left end, above 0: sliders are logarithmic.
        high: its right end.
        start: its value in a new study; None leaves it out.
        whole: whether it is a count.
        only: the kinds of mechanism that have it; empty for all.
        at_least: whether leaving it out is like a small value rather than a large one.
    """

    key: str
    section: str
    words: str
    unit: str
    low: float
    high: float
    start: float | None = None
    whole: bool = False
    only: tuple[str, ...] = ()
    at_least: bool = False


GROUPS: dict[str, tuple[Field, ...]] = {
    "How accurate must the answer be?": (
        Field("error", "target", "error", "", 0.001, 1, 0.05),
        Field("failure", "target", "failure probability", "", 1e-9, 0.5, 0.05),
    ),
    "What do people stand to lose?": (
        Field("base_cost", "individual", "base cost", "money", 0.01, 1e6, 12.5),
        Field("worst_cost", "individual", "worst cost", "money", 0.01, 1e8, 1274),
    ),
    "What is available?": (
        Field("budget", "conditions", "budget", "money", 10, 1e9, 30_000),
        Field(
            "max_participants", "conditions", "maximum participants", "people", 10, 1e8, None, True
        ),
        Field(
            "per_person", "costs", "cost of recruiting a person", "money", 0.01, 1e4, at_least=True
        ),
        Field("overhead", "costs", "overhead", "money", 1, 1e7, at_least=True),
    ),
    "What else must hold?": (
        Field(
            "min_participants",
            "conditions",
            "minimum participants",
            "people",
            1,
            1e7,
            None,
            True,
            at_least=True,
        ),
        Field("max_harm", "conditions", "maximum harm per person", "money", 0.001, 1e6),
        Field("epsilon_at_most", "conditions", "maximum ε", "", 0.001, 10),
        Field("delta", "conditions", "δ", "", 1e-15, 0.01, None, False),
    ),
    "Which questions are asked?": (
        Field(
            "universe_size",
            "mechanism",
            "possible records",
            "records",
            2,
            1e12,
            None,
            True,
            QUERIES,
        ),
        Field("queries", "mechanism", "counting queries", "queries", 1, 1e9, None, True, QUERIES),
    ),
}
FIELDS = {field.key: field for fields in GROUPS.values() for field in fields}
NEEDED = ("error", "failure")
EITHER = ("base_cost", "worst_cost")
"""Fields that a scenario replaces."""
