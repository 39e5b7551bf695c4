"""The record of a plan for the Differential Privacy Deployments Registry, as YAML."""

import re
from textwrap import fill
from typing import Any

from planner.answer.answers import Plan, TotalPlan
from planner.explanation.mechanisms import KNOWN
from planner.explanation.participant import attack_on
from planner.explanation.question import title_of
from planner.explanation.results.payment import paid_words
from planner.mechanisms import AddedNoise, Mechanism, kinds
from planner.model import Study
from planner.wording import at_least, at_most, plain

UNKNOWN_DAY = "1900-01-01"
"""The day of a publication that has not been: the registry's own template has it."""
_WIDTH = 76  # with an indent of four these lines still fit a terminal of 80 columns
_NOT_IN_ADDRESSES = re.compile(r"[^a-z0-9]+")


def registry_record(plan: Plan, whole: TotalPlan | None = None) -> dict[str, Any]:
    """The record of a plan, which the registry's schema accepts.

    What the plan does not know, about the data and those who publish them, is empty text for the
    user to fill in.

    Args:
        plan: of one population, or of one stratum.
        whole: of all strata, where one answer is published of all of them alone; else None.

    Source: schemas/deployments-schema.yaml of opendp/deployments-registry-data, July 2026.
    """
    mechanism, study = plan.study.mechanism, plan.study
    asked = study if whole is None else whole.study
    compared = whole is not None and whole.study.groups == 2
    attack = attack_on(plan)
    parameters: dict[str, Any] = {"epsilon": plan.epsilon}
    if plan.delta:
        parameters["delta"] = plan.delta
    if attack.rho is not None:
        parameters["rho"] = attack.rho
    name = title_of(study) if study.title else ""
    return {
        "url_slug": _NOT_IN_ADDRESSES.sub("-", name.lower()).strip("-"),
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": {
                "name": name,
                "data_curators": [""],
                "intended_use": "",
                "data_product_type": "Summary statistics",
                "data_product_region": "",
                "description": study.records.wording or "",
                "publication_date": UNKNOWN_DAY,
            },
            "dp_variant": {
                "variant_name": "Approximate DP" if plan.delta else "Pure DP",
                "data_domain": f"{plain(plan.participants)} records, one for each participant",
                "unprotected_quantities": "The number of participants"
                + (", and the group of each." if asked.groups == 2 else "."),
            },
            "privacy_loss": {
                "privacy_unit": "Person-level",
                "privacy_unit_details": "One participant's whole record is replaced by another.",
                "privacy_parameters": parameters,
                "privacy_parameters_details": _as_attack(attack.advantage, attack.mu),
            },
            "deployment_model": {
                "model_name": "Central" if kinds.is_curated(mechanism) else "Local",
                "release_type": "One release",
                "data_source_type": "Static",
                "access_type": "Non-interactive",
            },
            "accounting": {"post_processing": "", "composition": _composed(mechanism)},
            "implementation": {
                "mechanisms": _of_groups(asked) if compared else KNOWN[type(mechanism)].summary,
                "justification": _justification(plan, asked),
            },
            "administrative": {"sources": "", "registry_authors": [""]},
        },
    }


def _as_attack(advantage: float, mu: float | None) -> str:
    """The privacy as what an attacker gains, in sentences."""
    words = (
        "Attack advantage (the largest power of a test between two records, less its size): "
        f"{at_most(advantage, 4)}."
    )
    return words if mu is None else f"{words} Gaussian differential privacy: μ = {at_most(mu, 4)}."


def _composed(mechanism: Mechanism) -> str:
    """How the privacy losses of its answers add up, in a sentence."""
    if not isinstance(mechanism, AddedNoise):
        return "One answer; the parameters cover everything that is published."
    if mechanism.noise == "gaussian":
        return "Several answers with Gaussian noise, composed exactly."
    return "Several answers, basic composition."


def _of_groups(study: Study) -> str:
    of_what = "proportions" if study.target.values is None else "means"
    by = f"the difference of their {of_what} plus one Laplace noise"
    return f"{'an estimate' if study.power is None else 'a test'} of two groups, by {by}"


def _justification(plan: Plan, asked: Study) -> str:
    study = plan.study
    paid = paid_words(plan)
    gaussian = kinds.adds(study.mechanism) == "gaussian"
    noise = " The smallest noise that is (ε, δ)-private." if gaussian else ""
    if not plan.compensation:
        people = plain(plan.participants)
        return f"The study with {asked.promise}: {people} participants, not paid.{noise}"
    base = f"{at_least(study.individual.base_cost)} {study.currency}".rstrip()
    return (
        f"The cheapest study with {asked.promise}, by the economic method of Hsu et al. 2014: "
        f"each of {plain(plan.participants)} participants is paid {paid}, at least the rise in "
        f"what they must expect to lose, for a base cost of {base}.{noise}"
    )


def yaml(fields: dict[str, Any], indent: int = 0) -> str:
    """The fields as YAML; what is for the user to fill in is empty text."""
    lines = []
    for name, value in fields.items():
        start = " " * indent + f"{name}:"
        if isinstance(value, dict):
            lines.append(f"{start}\n{yaml(value, indent + 2)}")
        elif isinstance(value, list):
            lines += [start, *(f"{' ' * indent}  - {_quoted(one)}" for one in value)]
        elif isinstance(value, int | float):
            # YAML reads 1e-06 as text
            number = repr(value).replace("e", ".0e") if "." not in repr(value) else repr(value)
            lines.append(f"{start} {number}")
        elif len(value) + len(start) < _WIDTH:
            lines.append(f"{start} {_quoted(value)}")
        else:
            margin = " " * (indent + 2)
            folded = fill(value, _WIDTH, initial_indent=margin, subsequent_indent=margin)
            lines.append(f"{start} >-\n{folded}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
