"""What the program did once and does no longer: each key and option, and what to write instead."""

from collections.abc import Iterator, Mapping
from typing import Any

_PAYMENT = (
    "payment for each event has gone: events give the base cost, the sum of each probability times "
    "its cost; leave harms out"
)
_OWN_MECHANISM = (
    "questions that a mechanism of its own answers have gone; give "
    'kind = "share", "histogram", "mean" or "quantile"'
)
KEYS = {
    "target.kind = expected-loss": (
        "an expected loss as a target has gone; give error and failure, and "
        'kind = "geometric-count" in [mechanism]'
    ),
    "mechanism": (
        "a choice among several [[mechanism]] has gone; give one [mechanism], and compare others "
        "with --set mechanism.kind=geometric-mean"
    ),
    "mechanism.kind = best": (
        'the choice of a mechanism has gone; give kind = "laplace-mean", and compare others with '
        "--set mechanism.kind=geometric-mean"
    ),
    "mechanism.kind = count-test": (
        'tests by one noisy count of both groups have gone; give kind = "noisy-counts", where '
        "baseline is the first group's proportion, and change how much more the second has"
    ),
    "mechanism.kind = top-k": (
        'lists of the most popular have gone; ask a [[question]] with kind = "histogram"'
    ),
    "mechanism.times": (
        "repeated mechanisms have gone; ask a [[question]] with times, such as times = 12"
    ),
    "mechanism.composition": (
        'the choice of a composition has gone: ε adds up, or with noise = "gaussian" is composed '
        "exactly; leave composition out"
    ),
    "mechanism.noise = geometric": (
        'geometric noise in surveys has gone; give noise = "laplace", "gaussian" or "best"'
    ),
    "mechanism.for_total": (
        "a noise for all people beside answers of strata has gone; plan the study again, with "
        "errors either in each [[stratum]] or in [target]"
    ),
    "individual.harms": _PAYMENT,
    "question.kind = top-k": _OWN_MECHANISM,
    "question.kind = laplace-mean": _OWN_MECHANISM,
    "question.kind = geometric-mean": _OWN_MECHANISM,
    "question.kind = geometric-count": _OWN_MECHANISM,
    "question.kind = mwem": _OWN_MECHANISM,
    "question.kind = net": _OWN_MECHANISM,
    "strata.total = sum": (
        "sums of the strata's noisy answers have gone; leave total out for one noise on the sum, "
        "or give each [[stratum]] an error and leave that of [target] out"
    ),
    "strata.total = both": (
        "errors both of strata and of all people have gone; leave total out, and give errors "
        "either in each [[stratum]] or in [target]"
    ),
    "strata.total": "one answer for all people of strata always has one noise; leave total out",
    "sampling.secret": (
        "a sample that nobody learns of has gone; leave secret out, which asks no more people"
    ),
}
"""By section and key of a study file, with a value where only that has gone, and then first."""
PLANS = dict.fromkeys(
    ("way", "edge", "total_failure", "total_scale", "loss", "pool"),
    "the plan is of a kind that has gone; plan its study again with planner solve",
)
"""By key of the plan in a file of planner solve -o."""
EARLIER: dict[str, tuple[Any, ...]] = {
    "study.mechanism.composition": ("basic",),
    "plan.questions.participants": (None,),
    "plan.questions.truth": (None,),
    "plan.questions.other": (None,),
    "plan.shares.scale": (None,),
    "plan.way": ("one-noise",),
    "plan.ways": (),
    "plan.edge": (None,),
    "plan.total_failure": (None,),
    "plan.total_scale": (None,),
}
"""What plan files of version 0.2 say in vain, by place: these values, or any where none is here."""
ADDRESSES = {
    "mechanism = lots exact": "several questions without a curator have gone; choose another one",
    "mechanism = lots hoeffding": (
        "several questions without a curator have gone; choose another one"
    ),
    "mechanism = count-test": "tests by one noisy count have gone; choose a test again",
    "mechanism = two-groups exact": (
        "one noise on a difference has gone here; choose the difference of two groups again"
    ),
    "mechanism = compared exact": (
        "several answers of two groups have gone; choose the difference of two groups"
    ),
    "total": "one answer for all people of strata always has one noise; leave total out",
    "secret": KEYS["sampling.secret"],
}
"""By key of the explorer's addresses, with a value where only that has gone."""
OPTIONS = {
    "app --host": "the explorer listens on this computer only; leave --host out",
    "check --plan": (
        "checking results has gone; planner ledger checks each entry, and planner check the plan"
    ),
    "check --ledger": "checking results has gone; planner ledger checks each entry",
    "compare --independent": (
        "comparing two publications has gone; compare the intervals of both files of results"
    ),
    "costs --private-epsilon": "a pilot published with noise has gone; leave it out",
    "costs --brackets": "a pilot published with noise has gone; leave it out",
    "init --compare --survey": (
        "several answers of two groups have gone; give --compare alone, for one answer"
    ),
    "ledger --repair": "a damaged ledger is not repaired any more; restore it from a copy",
    "payment --auction": "the comparison with an auction has gone; leave --auction out",
    "payment --answer-cost": "the worth of a larger pilot has gone; leave --answer-cost out",
    "solve --minimise error": (
        "the least error of strata has gone; planner limit STUDY error gives that of one answer"
    ),
    "solve --probability": (
        "a plan that likely holds has gone; planner solve tells how likely the study is feasible"
    ),
}
"""By command and option, with a value or a second option where only that has gone."""


def gone_key(tables: Mapping[str, Any]) -> str:
    """The first key of a study file that has gone, with its sentence; "" if there is none."""
    found = (f"{place}: {KEYS[key]}" for place, key in _given(tables) if key in KEYS)
    return next(found, "")


def gone_name(name: str) -> str:
    """The same of a key that is named alone, with its section or without."""
    keys = (key for key in KEYS if name in (key, key.rpartition(".")[2]))
    return next((f"{key}: {KEYS[key]}" for key in keys), "")


def gone_in_plan(plan: Mapping[str, Any]) -> str:
    """The same of the keys of a plan that say something."""
    return next((f"plan.{key}: {PLANS[key]}" for key in plan if key in PLANS and plan[key]), "")


def without_earlier(data: Any, place: str = "") -> Any:
    """The data of a plan file without what an earlier version said in vain."""
    if isinstance(data, list):
        return [without_earlier(one, place) for one in data]
    if not isinstance(data, dict):
        return data
    found = {}
    for key, value in data.items():
        within = f"{place}.{key}" if place else key
        if within not in EARLIER or (EARLIER[within] and value not in EARLIER[within]):
            # these hold answers of their own
            found[key] = without_earlier(value, "" if key in ("alternatives", "strata") else within)
    return found


def gone_in_address(key: str, value: str) -> str:
    """The same of one key of an address."""
    for place in (f"{key} = {value}", key):
        if place in ADDRESSES:
            return f"{place}: {ADDRESSES[place]}"
    return ""


def gone_option(arguments: list[str]) -> str:
    """The first option of a command line that has gone, with its sentence; "" if there is none."""
    given = [part for text in arguments for part in text.split("=", 1)]
    for place, sentence in OPTIONS.items():
        command, *words = place.split()
        if command in given[:1] and all(word in given for word in words):
            return f"{words[0]}: {sentence}."
    return ""


def _given(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each key of a study file as messages write it, and as `KEYS` has it; with its value first."""
    for section, content in tables.items():
        if section == "mechanism" and isinstance(content, list):
            yield section, section
        for number, table in enumerate(content if isinstance(content, list) else [content], 1):
            which = f" (table {number})" if isinstance(content, list) else ""
            for key, value in table.items() if isinstance(table, dict) else ():
                place = f"{section}.{key}"
                if isinstance(value, str):
                    yield f'{place} = "{value}"{which}', f"{place} = {value}"
                yield f"{place}{which}", place
