"""The record for the registry of deployments is one that the registry's schema accepts."""

import json
from pathlib import Path

import jsonschema
import pytest

import planner
from planner.answer.strata.together import plans_of
from planner.explanation.papers.registry import registry_record, yaml
from planner.model import Records

read_yaml = pytest.importorskip("yaml").safe_load
SCHEMA = json.loads(
    Path(__file__).parents[2].joinpath("reference/registry_schema.json").read_text("utf-8")
)
CLINIC = planner.Study(
    target=planner.Accuracy(0.21, 0.05),
    individual=planner.Individual(12.5, 1274.0),
    conditions=[planner.Budget(30_000)],
    title="Clinic's study: 2026",
    currency="EUR",
    records=Records(wording="Do you smoke?"),
)
STUDIES = {
    "laplace": CLINIC,
    "gaussian": planner.Study(
        planner.GaussianMean(), CLINIC.target, CLINIC.individual,
        [planner.Budget(30_000), planner.Delta(1e-6)],
    ),
    "nobody paid": planner.Study(target=CLINIC.target, conditions=[planner.EpsilonAtMost(1e-1)]),
    "cards": planner.Study(
        planner.RandomizedResponse(), CLINIC.target, conditions=[planner.EpsilonAtMost(1.0)]
    ),
    "survey": planner.Study(
        target=planner.Survey([planner.Share("a", 0.2), planner.Share("b", 0.2)], 0.1),
        conditions=[planner.EpsilonAtMost(1.0)],
    ),
    "strata": planner.Study(
        target=planner.Accuracy(0.2, 0.1), conditions=[planner.EpsilonAtMost(1.0)],
        strata=[planner.Stratum("A", share=0.4), planner.Stratum("B", share=0.6)],
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", STUDIES)
def test_a_record_is_accepted_by_the_schema(kind: str) -> None:
    plan = planner.solve(STUDIES[kind], prove=False)
    whole = plan if kind == "strata" else None
    for one in plans_of(plan):
        record = registry_record(one, whole)
        jsonschema.validate(record, SCHEMA, format_checker=jsonschema.FormatChecker())
        assert read_yaml(yaml(record)) == record
        deployment = record["deployment"]
        loss = deployment["privacy_loss"]["privacy_parameters"]
        assert loss["epsilon"] == one.epsilon
        assert loss.get("delta", 0.0) == one.delta
        variant = "Approximate DP" if one.delta else "Pure DP"
        assert deployment["dp_variant"]["variant_name"] == variant
        model = "Local" if kind == "cards" else "Central"
        assert deployment["deployment_model"]["model_name"] == model


def test_the_schema_refuses_what_it_does_not_know() -> None:
    record = registry_record(planner.solve(CLINIC, prove=False))
    record["deployment"]["product"] = record["deployment"].pop("basic")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, SCHEMA)


def test_a_record_names_the_study_and_its_attack() -> None:
    record = registry_record(planner.solve(STUDIES["gaussian"], prove=False))
    loss = record["deployment"]["privacy_loss"]
    assert loss["privacy_parameters"]["rho"] > 0
    assert "Gaussian differential privacy: μ = " in loss["privacy_parameters_details"]
    named = registry_record(planner.solve(CLINIC, prove=False))
    assert named["url_slug"] == "clinic-s-study-2026"
    assert named["deployment"]["basic"]["description"] == "Do you smoke?"
    assert "    name: 'Clinic''s study: 2026'" in yaml(named)
