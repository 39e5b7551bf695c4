"""The fields of the explorer: each quantity's words, unit and slider."""

from typing import NamedTuple

from planner.quantities import QUANTITIES

MEANS = ("laplace-mean", "geometric-mean", "gaussian-mean", "randomized-response")
_BOUNDED = ("laplace-mean", "randomized-response")
QUERIES = ("mwem", "mwem-approximate")
_SURVEY = "added-noise"
_TEST, _TEST_OF_GROUPS, _GROUPS = "noisy-counts", "two-groups-test", "two-groups"
_TESTS = (_TEST, _TEST_OF_GROUPS)
MECHANISMS = {
    "laplace-mean exact": "a proportion, Laplace noise: exact",
    "laplace-mean hoeffding": "a proportion, Laplace noise: Hoeffding's bound",
    "laplace-mean paper": "a proportion, Laplace noise: the paper's bound",
    "geometric-mean": "a proportion, geometric noise: exact",
    "gaussian-mean": "a proportion, Gaussian noise: exact (needs δ)",
    "randomized-response exact": "a proportion without a curator: exact",
    "randomized-response hoeffding": "a proportion without a curator: Hoeffding's bound",
    "added-noise exact": "several questions, each with its own noise: exact",
    "added-noise hoeffding": "several questions, each with its own noise: Hoeffding's bound",
    _GROUPS: "the difference of two groups, a noisy count of each",
    _TEST: "a test of a proportion against a value",
    _TEST_OF_GROUPS: "a test of two groups",
    "mwem": "many counting queries: MWEM",
    "mwem-approximate": "many counting queries: MWEM (needs δ)",
}
"""The mechanisms to choose from: kind and analysis, and words."""
KINDS_IN_FILES = {
    _GROUPS: "noisy-counts",
    _TEST_OF_GROUPS: "noisy-counts",
}
"""The kinds that study files name differently: there the target makes a comparison."""
TARGETS_IN_FILES = {
    _TEST: "power",
    **dict.fromkeys((_TEST_OF_GROUPS, _GROUPS), "difference"),
}
"""The kinds whose target study files name."""
_ALIKE = (MEANS, QUERIES, *((kind,) for kind in TARGETS_IN_FILES))


def alike(kind: str, other: str) -> bool:
    """Whether two kinds of mechanism answer the same questions."""
    return all((kind in kinds) == (other in kinds) for kinds in _ALIKE)


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
        flag: whether it is a box to tick, whose text is "yes".
        table: whether its text is the inside of a table of study files.
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
    flag: bool = False
    table: bool = False


def _field(
    name: str,
    low: float,
    high: float,
    start: float | None = None,
    only: tuple[str, ...] = (),
    at_least: bool = False,
) -> Field:
    """The field of a quantity, with the slider's ends and its value in a new study."""
    row = QUANTITIES[name]
    unit = "money" if row.money else ""
    return Field(row.key, row.section, row.input, unit, low, high, start, row.whole, only, at_least)


GROUPS: dict[str, tuple[Field, ...]] = {
    "How accurate must the answer be?": (
        _field("error", 0.001, 1, 0.05, only=(*MEANS, *QUERIES, _GROUPS)),
        _field("failure", 1e-9, 0.5, 0.05, only=(*MEANS, *QUERIES, _SURVEY, _GROUPS)),
        Field("null", "target", "null value", "", 0.01, 1, only=(_TEST,)),
        Field("alternative", "target", "alternative", "", 0.01, 1, only=(_TEST,)),
        Field(
            "baseline",
            "target",
            "proportion in the first group",
            "",
            0.01,
            1,
            only=(_TEST_OF_GROUPS,),
        ),
        Field(
            "change",
            "target",
            "change of the proportion in the second group",
            "",
            0.01,
            1,
            only=(_TEST_OF_GROUPS,),
        ),
        Field(
            "margin",
            "target",
            "margin (non-inferiority)",
            "",
            0.01,
            1,
            only=(_TEST_OF_GROUPS,),
            at_least=True,
        ),
        _field("power", 0.5, 0.999, only=_TESTS, at_least=True),
        _field("significance", 1e-6, 0.4, only=_TESTS),
        Field(
            "sides",
            "target",
            "sides of the test, 1 or 2",
            "",
            1,
            2,
            whole=True,
            only=_TESTS,
            at_least=True,
        ),
    ),
    "What do people stand to lose?": (
        _field("base_cost", 0.01, 1e6, 12.5),
        _field("worst_cost", 0.01, 1e8, 1274),
        Field(
            "base_costs",
            "individual",
            "base costs that differ",
            "",
            1,
            1,
            table=True,
        ),
        Field("accept", "individual", "proportion of them who must accept", "", 0.01, 1),
        Field(
            "breach",
            "individual",
            "probability that a curator loses the records",
            "",
            1e-6,
            0.5,
            at_least=True,
        ),
    ),
    "What is available?": (
        _field("budget", 10, 1e9, 30_000),
        _field("participants", 10, 1e8, 4000),
        _field("per_person", 0.01, 1e4, 5.0, at_least=True),
        _field("overhead", 1, 1e7, 2000, at_least=True),
        Field("incentive", "costs", "least payment to each", "money", 0.01, 1e4, at_least=True),
        Field("smallest_coin", "costs", "smallest coin", "money", 0.01, 1e3, 0.01, at_least=True),
    ),
    "Who is asked?": (
        Field(
            "population",
            "sampling",
            "size of the population",
            "people",
            10,
            1e9,
            None,
            True,
            MEANS,
        ),
        Field("response_rate", "sampling", "proportion of the invited who take part", "", 0.01, 1),
        Field(
            "per_invitation", "costs", "cost of an invitation", "money", 0.01, 1e4, at_least=True
        ),
        Field("design_effect", "sampling", "design effect", "", 1, 10, None, False, _BOUNDED, True),
        Field(
            "clusters_of",
            "sampling",
            "size of a group drawn together",
            "people",
            1,
            1000,
            None,
            True,
            _BOUNDED,
            True,
        ),
    ),
    "What else must hold?": (
        _field("min_participants", 1, 1e7, at_least=True),
        _field("harm", 0.001, 1e6),
        _field("epsilon", 0.001, 10),
        _field("delta", 1e-15, 0.01),
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
"""Sliders span what studies are planned with, and boxes take any value. New ones begin like those
of Hsu14: error, failure and budget of §5.1, the base cost of students and the harm of smokers."""
FIELDS = {field.key: field for fields in GROUPS.values() for field in fields}
EITHER = ("base_cost", "worst_cost")
"""Fields that a scenario replaces."""
