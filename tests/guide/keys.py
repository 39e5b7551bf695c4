"""The guide's table of keys by kinds of study: each study is planned with and without each key.

`python -m tests.guide.keys` prints it. A cell is "yes" where the key changes the plan, "safe" where
the plan is as without it and says so, and "no" where the key is refused.
"""

import tomllib
from collections.abc import Iterator
from typing import Any

import planner
from planner.answer.strata.together import plans_of
from planner.study_file.reader import StudyFileError, study_of

_WITH = "individual = { base_cost = 1, worst_cost = 50 }\ncosts = { per_person = 4 }\n"
_JOINTLY = "target = { failure = 0.1 }\n"
_FOR_ALL = "target = { error = 0.1, failure = 0.1 }\n"
_QUANTILE = "kind = 'quantile', name = 'a', low = 0, high = 9, step = 1, error = 0.2"
KINDS = {
    "proportion": _FOR_ALL,
    "mean": "target = { low = 0, high = 20, error = 2, failure = 0.1 }",
    "no curator": "target = { error = 0.2, failure = 0.1, curator = false }",
    "survey": _JOINTLY + "question = [{ kind = 'share', name = 'a', error = 0.1 }]",
    "quantile": f"{_JOINTLY}question = [{{ {_QUANTILE} }}]",
    "strata": f"{_JOINTLY}[[stratum]]\nname = 'A'\nshare = 0.4\nerror = 0.1\n"
    "[[stratum]]\nname = 'B'\nshare = 0.6\nerror = 0.1\n",
    "one answer of strata": f"{_FOR_ALL}[[stratum]]\nname = 'A'\nshare = 0.4\n"
    "[[stratum]]\nname = 'B'\nshare = 0.6\n",
    "two groups": "target = { kind = 'difference', error = 0.2, failure = 0.1 }",
    "test": "target = { kind = 'power', null = 0.3, alternative = 0.5 }",
}
"""A study of each kind; what people lose and cost is added."""
KEYS: dict[str, tuple[str, Any]] = {
    "population": ("sampling", 900),
    "design_effect": ("sampling", 1.5),
    "clusters_of": ("sampling", 3),
    "deviation_at_most": ("target", 2.0),
    "mean_range": ("mechanism", [0.0, 0.2]),
    "delta": ("conditions", 1e-6),
}
"""Keys that are not for every kind: their section, and a value that matters."""
FOR_ALL: dict[str, tuple[str, Any]] = {
    "response_rate": ("sampling", 0.5),
    "incentive": ("costs", 9.0),
    "smallest_coin": ("costs", 0.5),
    "overhead": ("costs", 100.0),
    "max_harm": ("conditions", 0.1),
    "max_participants": ("conditions", 1),
    "epsilon_at_most": ("conditions", 1e-3),
    "budget": ("conditions", 1.0),
}
"""Keys that every kind of study has."""


def tables(kind: str, key: str = "", section: str = "", value: Any = None) -> dict[str, Any]:
    """A study of a kind, with a key."""
    data = tomllib.loads(f"{_WITH}{KINDS[kind]}")
    return {**data, section: {**data.get(section, {}), key: value}} if key else data


def cell(kind: str, key: str, section: str, value: Any) -> str:
    """What a key does in a kind of study.

    Raises:
        AssertionError: the key changes nothing, and no note says why.
        StudyFileError: it is refused by a message that does not name it.
    """
    try:
        study = study_of(tables(kind, key, section, value), "study.toml")
    except StudyFileError as error:
        if key in str(error) or section in str(error):
            return "no"
        raise
    changed = planner.solve(study, prove=False)
    plain = planner.solve(study_of(tables(kind), "study.toml"), prove=False)
    if _numbers(changed) != _numbers(plain):
        return "yes"
    assert len(changed.shown_rows()) > len(plain.shown_rows()), f"{key} is ignored: {kind}"
    return "safe"


def _numbers(answer: Any) -> list[tuple[Any, ...]]:
    if answer.verdict != "feasible":
        return []
    return [
        (one.epsilon, one.participants, one.cost, one.invitations, answer.cost)
        for one in plans_of(answer)
    ]


def lines() -> Iterator[str]:
    """The table in Markdown."""
    yield f"| | {' | '.join(f'`{key}`' for key in KEYS)} |"
    yield "|---" * (len(KEYS) + 1) + "|"
    for kind in KINDS:
        yield f"| {kind} | {' | '.join(cell(kind, key, *KEYS[key]) for key in KEYS)} |"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201
