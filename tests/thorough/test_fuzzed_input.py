"""Study files and addresses at random: each gets a verdict, or one sentence, in time.

PLANNER_SEED and PLANNER_FILES choose others than the fixed ones, and how many.
"""

import os
import random
import resource
import signal
import time
import warnings
from pathlib import Path
from urllib.parse import urlencode

import pytest

from planner import scenarios
from planner.explorer import content
from planner.explorer.content import Asked
from planner.explorer.fields import FIELDS, MECHANISMS
from planner.explorer.state import StateError, state_of
from planner.study_file.reader import study_of
from planner.study_file.text import StudyFileError, decoded, parsed

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
COUNT = int(os.environ.get("PLANNER_FILES", "600"))
SECONDS = 10
LATE = 0.001
"""What share may take longer, as where the machine is busy."""
_NUMBERS = (
    "0", "1", "-1", "0.05", "0.2", "0.5", "0.999", "1e-6", "1e-12", "1e-60", "1e-308", "5e-324",
    "1e12", "1e300", "1.8e308", "inf", "nan", "12.5", "1274", "30000", "100", "256", "10000",
    "9007199254740992", "9007199254740993", "99999999999999999999", "0x10", "true", "[1, 2]",
    "{ uniform = [1, 2] }", "{ log_normal = [12.5, 2.0] }", '"text"', '"\\u001b[31m"', "1979-05-27",
)  # fmt: skip
_KEYS = {
    "target": ("error", "failure", "low", "high", "kind", "at_most", "reader", "loss", "off_by"),
    "mechanism": ("kind", "analysis", "times", "composition", "universe_size", "queries",
                  "mean_range", "constant"),
    "individual": ("base_cost", "worst_cost", "capped", "family", "scenario", "harms", "accept",
                   "base_costs", "events"),
    "conditions": ("budget", "max_harm", "min_participants", "max_participants", "epsilon_at_most",
                   "epsilon_at_least_one_over_n", "delta", "delta_at_most", "target_probability",
                   "universe_size", "delta_times_n_at_most"),
    "costs": ("per_person", "overhead"),
}  # fmt: skip
_KINDS = (
    *["laplace-mean"] * 8, *["mwem"] * 3, *["mwem-approximate"] * 3, *["net"] * 2, "best",
    "gaussian-mean", "geometric-mean", "geometric-count", "none",
)  # fmt: skip
_CAPS = ("max_harm", "max_participants", "min_participants", "epsilon_at_most", "delta_at_most")
_FILES = sorted(Path(scenarios.WORKED_STUDIES).glob("*.toml"))
_TEXTS = [path.read_text("utf-8") for path in _FILES]


class TooSlow(Exception):
    """More processor time than a user would wait."""


@pytest.fixture
def limited():
    def late(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, late)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def outcome(ask) -> tuple[str, float]:
    """What was said, "" for a verdict; and the seconds that it took."""
    started = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ask()
        said = ""
    except (StudyFileError, StateError) as error:
        said = str(error)
    except ValueError as error:
        said = str(error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return said, time.process_time() - started


def a_file(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.25:  # a real one with some characters changed
        text = list(rng.choice(_TEXTS))
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice("[]{}=.,\"'#\n\r\t0123456789e-aZε\x00")
        return "".join(text)
    odd = 0.5 if kind < 0.5 else 0.0  # any key anywhere, or those that a study has
    mechanism = rng.choice(_KINDS)
    tables = {
        "target": {"error": "0.05", "failure": "0.05"},
        "mechanism": {"kind": f'"{mechanism}"'},
        "individual": {"base_cost": "12.5", "worst_cost": "1274"},
        "conditions": {"budget": "30000"},
        "costs": {},
    }
    if mechanism == "laplace-mean" and rng.random() < 0.8:
        tables["mechanism"]["analysis"] = rng.choice(('"paper"', '"hoeffding"'))
    if mechanism in ("mwem", "mwem-approximate", "net", "best"):
        tables["mechanism"] |= {"universe_size": "256", "queries": "100"}
    if mechanism in ("mwem-approximate", "gaussian-mean"):
        tables["conditions"]["delta"] = "1e-6"
    for _ in range(rng.randint(1, 4)):
        section = rng.choice(list(tables))
        known = tables[section] if rng.random() > odd else _KEYS[section]
        for key in rng.sample(list(known), min(1, len(known))):
            tables[section][key] = rng.choice(_NUMBERS)
    for key in rng.sample(_CAPS, rng.randint(0, 1)):
        tables["conditions"][key] = rng.choice(_NUMBERS)
    lines = []
    for section, table in tables.items():
        lines += [f"[{section}]", *(f"{key} = {value}" for key, value in table.items())]
    return "\n".join(lines)


def an_address(rng: random.Random) -> str:
    quick = [
        name for name in MECHANISMS if "paper" in name or "hoeffding" in name or "mwem" in name
    ]
    mechanism = rng.choice(list(MECHANISMS) if rng.random() < 0.1 else quick)
    given = {"mechanism": mechanism, "error": "0.05", "failure": "0.05", "base_cost": "12.5",
             "worst_cost": "1274", "budget": "30000"}  # fmt: skip
    for key in rng.sample(list(FIELDS), rng.randint(1, 3)):
        given[key] = rng.choice(_NUMBERS)
    if rng.random() < 0.1:
        given[rng.choice(("bugdet", "lock", "narrow", "", "\x00"))] = rng.choice(_NUMBERS)
    return urlencode(given)


def check(draw, ask) -> None:
    rng = random.Random(SEED)
    wrong, late, slow = [], [], 0.0
    for _ in range(COUNT):
        given = draw(rng)
        try:
            said, seconds = outcome(lambda given=given: ask(given))
        except TooSlow:
            late.append(given)
            continue
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {str(error)[:200]}\n{given}")
            continue
        slow = max(slow, seconds)
        if len(said) >= 300 or "\n" in said.strip():
            wrong.append(f"a sentence of {len(said)} characters: {said[:400]}\n{given}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(  # noqa: T201
        f"{COUNT} inputs, {len(late)} given up after {SECONDS} s, the others at most {slow:.1f} s; "
        f"{peak:.0f} MB"
    )
    assert len(late) <= LATE * COUNT, "\n\n".join(late)
    assert not wrong, f"{len(wrong)} of {COUNT}:\n\n" + "\n\n".join(wrong[:20])


@pytest.mark.usefixtures("limited")
def test_study_files_at_random() -> None:
    import planner

    def ask(text: str) -> None:
        data = parsed(decoded(text.encode(), "f.toml"), "f.toml")
        planner.solve(study_of(data, "f.toml"))

    check(a_file, ask)


@pytest.mark.usefixtures("limited")
def test_addresses_at_random() -> None:
    check(an_address, lambda query: content.answered(Asked(state_of(query))))
