"""Random tables of study files of kinds that the harness does not draw, for the frozen studies.

Strata with errors of their own or with one answer, two groups of equal size, payments in coins,
people who do not respond, one mean, a known deviation and a known range of means.
"""

from typing import Any

import numpy as np

Tables = dict[str, Any]
Rng = np.random.Generator


def _study(rng: Rng, **tables: Any) -> Tables:
    """Tables with what people stand to lose, costs, and sometimes a budget."""
    base = float(rng.choice([0.5, 3.0, 12.5, 60.0]))
    study = {
        "target": _accuracy(rng),
        "mechanism": {"kind": "laplace-mean"},
        "individual": {"base_cost": base},
        "conditions": {"max_participants": 100_000},
        "costs": {"per_person": float(rng.choice([0.5, 2.0, 5.0, 20.0]))},
    }
    if rng.random() < 0.3:
        study["conditions"]["budget"] = float(rng.choice([1e3, 5e3, 2e4, 1e5]))
    return study | tables


def _with_delta(study: Tables) -> Tables:
    study["conditions"]["delta"] = 1e-6
    study["individual"]["worst_cost"] = 100 * study["individual"]["base_cost"]
    return study


def _accuracy(rng: Rng) -> Tables:
    error = float(rng.choice([0.03, 0.04, 0.05, 0.08, 0.1, 0.15]))
    return {"error": error, "failure": float(rng.choice([0.01, 0.05, 0.1, 0.2]))}


def _strata(rng: Rng, error: bool) -> list[Tables]:
    count, finite = int(rng.integers(2, 5)), bool(rng.integers(2))
    cuts = np.sort(rng.choice(np.arange(1, 20), count - 1, replace=False))
    strata = []
    for name, share in zip("ABCD", np.diff([0, *cuts, 20]) / 20, strict=False):
        size: Tables = {"people": int(rng.integers(500, 50_000))} if finite else {"share": share}
        stratum: Tables = {"name": name, **size}
        if error:
            stratum["error"] = float(rng.choice([0.06, 0.08, 0.1, 0.15]))
        if rng.random() < 0.4:
            stratum["per_person"] = float(rng.choice([1.0, 5.0, 20.0]))
        if rng.random() < 0.3:
            stratum["base_cost"] = float(rng.choice([1.0, 10.0, 40.0]))
        if error and rng.random() < 0.25:
            stratum["response_rate"] = float(rng.choice([0.3, 0.8]))
        if rng.random() < 0.2:
            stratum["max_participants"] = int(rng.integers(200, 2_000))
        strata.append(stratum)
    return strata


def _own_errors(rng: Rng) -> Tables:
    study = _study(rng, stratum=_strata(rng, True))
    study["target"].pop("error")
    study["conditions"].pop("max_participants")
    return study


def _one_answer(rng: Rng) -> Tables:
    study = _study(rng, stratum=_strata(rng, False))
    study["conditions"].pop("max_participants")
    if rng.random() < 0.25:
        study["target"] |= {"low": 0.0, "high": 100.0, "error": 100 * study["target"]["error"]}
    return study


def _difference(rng: Rng) -> Tables:
    target = {"kind": "difference", **_accuracy(rng)}
    kind = str(rng.choice(["laplace-mean", "laplace-mean", "geometric-mean", "gaussian-mean"]))
    study = _study(rng, target=target, mechanism={"kind": kind})
    if kind == "gaussian-mean" or (kind == "laplace-mean" and rng.random() < 0.3):
        study["target"] |= {"low": 0.0, "high": 10.0, "error": 10 * target["error"]}
    return _with_delta(study) if kind == "gaussian-mean" else study


def _test_of_groups(rng: Rng) -> Tables:
    target: Tables = {
        "kind": "difference",
        "baseline": float(rng.choice([0.1, 0.2, 0.3, 0.5, 0.6])),
        "change": float(rng.choice([-0.08, 0.08, 0.1, 0.15, 0.2])),
        "power": float(rng.choice([0.7, 0.8, 0.9])),
        "significance": float(rng.choice([0.01, 0.05, 0.1])),
        "sides": int(rng.choice([1, 2])),
    }
    if target["sides"] == 1 and rng.random() < 0.2:
        target["margin"] = 0.03
    if rng.random() < 0.2:
        target["baseline_range"] = [0.05, 0.85]
    return _study(rng, target=target, mechanism={"kind": "noisy-counts"})


def _coins(rng: Rng) -> Tables:
    study = _study(rng)
    study["costs"]["smallest_coin"] = float(rng.choice([0.01, 0.05, 0.5, 1.0]))
    if rng.random() < 0.5:
        study["costs"]["overhead"] = 1_000.0
    return study


def _response(rng: Rng) -> Tables:
    study = _study(rng, sampling={"response_rate": float(rng.choice([0.1, 0.4, 0.75]))})
    study["costs"] = {"per_invitation": float(rng.choice([0.1, 1.0])), "per_person": 2.0}
    if rng.random() < 0.5:
        study["sampling"]["population"] = int(rng.integers(2_000, 50_000))
    return study


def _one_mean(rng: Rng) -> Tables:
    study = _study(rng)
    low, high = ((0.0, 1.0), (0.0, 60.0), (-5.0, 5.0))[int(rng.integers(3))]
    study["target"] |= {"low": low, "high": high}
    study["target"]["error"] *= high - low
    if rng.random() < 0.3:
        study = _with_delta(study | {"mechanism": {"kind": "gaussian-mean"}})
    return study


def _deviation(rng: Rng) -> Tables:
    study = _study(rng)
    study["target"] |= {"low": 0.0, "high": 60.0, "error": 60 * study["target"]["error"]}
    study["target"]["deviation_at_most"] = float(rng.choice([5.0, 9.0, 15.0]))
    return study


def _mean_range(rng: Rng) -> Tables:
    ranges = [[0.0, 0.1], [0.1, 0.3], [0.02, 0.02], [0.4, 0.9], [0.9, 1.0]]
    study = _study(rng)
    study["mechanism"]["mean_range"] = ranges[int(rng.integers(len(ranges)))]
    return study


KINDS = {
    _own_errors: 70, _one_answer: 60, _difference: 60, _test_of_groups: 60, _coins: 40,
    _response: 40, _one_mean: 30, _deviation: 20, _mean_range: 20,
}  # fmt: skip
"""What draws the tables of a study, and how many of its kind are frozen."""


def draw(index: int, seed: int) -> Tables:
    """The tables of one study, of any index below the sum of `KINDS`."""
    each = [kind for kind, count in KINDS.items() for _ in range(count)]
    return each[index](np.random.default_rng([seed, index]))
