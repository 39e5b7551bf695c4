"""From a plan to practice: the OpenDP call that runs it, and what a public registry asks of it.

OpenDP counts the rounding of floats against ε, by a part in 10^11 at these sizes; so the Laplace
scale given here is that little larger than 1/(Nε). Whole counts need no such room.
"""

from decimal import ROUND_CEILING, Context, Decimal
from textwrap import fill
from typing import Any

from planner.answer.answers import Plan
from planner.mechanisms import (
    GaussianMean,
    GeometricCount,
    GeometricMean,
    LaplaceMean,
    Mechanism,
    Repeated,
)
from planner.model import Accuracy, ExpectedLoss
from planner.wording import at_least, payment, plain

ROUNDING_ROOM = Decimal("1e-9")
"""By what part a scale of Laplace noise on floats is larger than its exact value."""
_DIGITS = 15
_WIDTH = 76


def opendp_call(plan: Plan) -> str | None:
    """Python that publishes the planned mean or count with OpenDP; None for other mechanisms.

    The call ends in `measurement`, which takes the records as a list; what it promises is asserted.
    """
    mechanism, n = plan.study.mechanism, plan.participants
    if isinstance(mechanism, LaplaceMean):
        scale = _up(1 / (n * Decimal(repr(plan.epsilon))) * (1 + ROUNDING_ROOM))
        low, high = _values(plan)
        width = Decimal(repr(high)) - Decimal(repr(low))
        scale = _up(Decimal(scale) * width)
        steps = f"dp.t.then_mean() >> dp.m.then_laplace(scale={scale})"
        domain = f"dp.atom_domain(bounds=({low!r}, {high!r}), nan=False)"
        return _call(domain, n, steps, plan.epsilon, "the mean of the records")
    if isinstance(mechanism, GeometricMean | GeometricCount):
        scale = _up(1 / Decimal(repr(plan.epsilon)))
        steps = f"dp.t.then_sum() >> dp.m.then_laplace(scale={scale})"
        words = "the number of ones"
        if isinstance(mechanism, GeometricMean):
            words += f"; divide it by {n:_} for the share"
        elif isinstance(plan.study.target, ExpectedLoss):
            words += "\n# with noise; the planned loss is that of a reader who reads it as planned"
        return _call("dp.atom_domain(bounds=(0, 1))", n, steps, plan.epsilon, words)
    return None


def why_no_call(plan: Plan) -> str:
    """Why there is no one OpenDP call for a plan, in a sentence."""
    mechanism = plan.study.mechanism
    if isinstance(mechanism, Repeated):
        return (
            f"This plan asks {plain(mechanism.times)} questions: with OpenDP each is a measurement "
            "of its own, at its share of ε by the composition that the plan names."
        )
    if isinstance(mechanism, GaussianMean):
        return (
            "OpenDP calibrates Gaussian noise by zero-concentrated privacy, which asks for more "
            "noise than this plan's, so there is no OpenDP call that runs it."
        )
    return f"There is no single OpenDP call for {mechanism.words}."


def _call(domain: str, n: int, steps: str, epsilon: float, words: str) -> str:
    return (
        "import opendp.prelude as dp\n"
        "\n"
        'dp.enable_features("contrib")\n'
        f"record = {domain}\n"
        f"records = dp.vector_domain(record, size={n})\n"
        "measurement = (\n"
        "    (records, dp.symmetric_distance())\n"
        f"    >> {steps}\n"
        ")\n"
        "# one person's record replaced by another is a distance of 2\n"
        f"assert measurement.map(d_in=2) <= {epsilon!r}\n"
        f"# measurement(data) publishes {words}\n"
    )


def _up(x: Decimal) -> str:
    return str(Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(x))


def _values(plan: Plan) -> tuple[float, float]:
    target = plan.study.target
    values = target.values if isinstance(target, Accuracy) else None
    return values or (0.0, 1.0)


def registry_fields(plan: Plan) -> dict[str, Any]:
    """What the plan answers of the fields of the Differential Privacy Deployments Registry.

    Fields about the data and the people who publish them are None: they are the user's to tell.

    Source: the record format of the registry (opendp/deployments-registry-data), 2026.
    """
    mechanism, study = plan.study.mechanism, plan.study
    pure = not plan.delta
    parameters: dict[str, Any] = {"epsilon": plan.epsilon}
    if plan.delta:
        parameters["delta"] = plan.delta
    return {
        "deployment": {
            "product": {
                "name": study.title or None,
                "data_curators": None,
                "intended_use": None,
                "description": None,
                "publication_date": None,
            },
            "dp_flavor": {
                "name": "Pure DP" if pure else "Approximate DP",
                "input_metric": "Change-one distance (one record replaced by another)",
                "bound_on_input_distance": 1,
                "output_measure": "Max divergence" if pure else "Smoothed max divergence",
                "bound_on_output_distance": parameters,
                "data_domain": f"{plain(plan.participants)} records, one for each participant",
                "unprotected_quantities": "The number of participants.",
            },
            "privacy_loss": {
                "privacy_unit": "Person-level",
                "privacy_unit_description": "One participant's whole record.",
                "privacy_parameters": parameters,
            },
            "model": {
                "model_name": "Central",
                "release_type": "One-time release",
                "data_source_type": "Static",
                "access_type": "Non-interactive",
            },
            "accounting": {"post_processing": None, "composition": _composition(mechanism)},
            "implementation": {
                "mechanisms": mechanism.summary,
                "justification": _justification(plan),
            },
            "resources": {"sources": None, "registry_authors": None},
        }
    }


def _composition(mechanism: Mechanism) -> str:
    if isinstance(mechanism, Repeated):
        return f"{plain(mechanism.times)} answers, {mechanism.composition} composition."
    return "One answer; the parameters are those of all that is published."


def _justification(plan: Plan) -> str:
    study = plan.study
    paid = payment(plan.compensation, plan.participants, study.currency)
    noise = (
        " Least noise that is (ε, δ)-private." if isinstance(study.mechanism, GaussianMean) else ""
    )
    base = f"{at_least(study.individual.base_cost)} {study.currency}".rstrip()
    return (
        f"The cheapest study with {study.target.label}, by the economic method of Hsu et al. 2014: "
        f"each of {plain(plan.participants)} participants is paid {paid}, at least the rise in "
        f"what they must expect to lose, for a base cost of {base}.{noise}"
    )


def yaml(fields: dict[str, Any], indent: int = 0) -> str:
    """The fields as YAML; those that are the user's to tell are left empty."""
    lines = []
    for name, value in fields.items():
        start = " " * indent + f"{name}:"
        if isinstance(value, dict):
            lines.append(f"{start}\n{yaml(value, indent + 2)}")
        elif value is None:
            lines.append(start)
        elif isinstance(value, int | float):
            lines.append(f"{start} {value!r}")
        elif len(value) + len(start) < _WIDTH:
            quoted = value.replace("'", "''")
            lines.append(f"{start} '{quoted}'")
        else:
            margin = " " * (indent + 2)
            folded = fill(value, _WIDTH, initial_indent=margin, subsequent_indent=margin)
            lines.append(f"{start} >-\n{folded}")
    return "\n".join(lines)
