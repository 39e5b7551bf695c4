from pathlib import Path

import pytest

import planner
from planner import scenarios
from planner.study_file import reader

GOOD = """
title = "Clinic"
currency = "EUR"
[target]
error = 0.05
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_cost = 12.5
worst_cost = 12500
[conditions]
budget = 30000.0
max_harm = 10.0
max_participants = 100000
epsilon_at_most = 1.0
epsilon_at_least_one_over_n = true
target_probability = 0.1
universe_size = 8000
delta_at_most = 1e-6
delta_times_n_at_most = 0.01
[costs]
per_person = 20.0
overhead = 5000.0
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, "utf-8")
    return path


def test_every_key_reaches_the_model(tmp_path: Path) -> None:
    study = planner.read_study(written(tmp_path, GOOD))
    assert study == planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding"),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(12.5, 12500.0),
        conditions=[
            planner.Budget(30_000),
            planner.MaxHarm(10),
            planner.MaxParticipants(100_000),
            planner.EpsilonAtMost(1.0),
            planner.DeltaAtMost(1e-6),
            planner.DeltaTimesNAtMost(0.01),
            planner.EpsilonAtLeastOneOverN(),
            planner.TargetedPublication(0.1, 8000),
        ],
        costs=planner.Costs(20.0, 5000.0),
        title="Clinic",
        currency="EUR",
    )


def test_the_worked_studies_can_be_read() -> None:
    for path in scenarios.worked_studies():
        assert "Hsu14" in planner.read_study(path).title


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("error = 0.05", "eror = 0.05", "unknown key target.eror; did you mean error?"),
        ("error = 0.05", "", "target.error is missing; give a fraction of 1"),
        ("error = 0.05", "error = 0", "target.error = 0 is not allowed; give a fraction of 1"),
        ("failure = 0.05", "failure = 1", "target.failure = 1 is not allowed; give a probability"),
        ("failure = 0.05", "failure = nan", "target.failure = nan is not allowed"),
        ("failure = 0.05", 'failure = "5 %"', "target.failure = '5 %' is not allowed"),
        ("failure = 0.05", 'failure = "2.5%"', "such as 0.05; write 0.025 for 2.5 %"),
        ("failure = 0.05", "failure = 5", "such as 0.05; write 0.05 for 5 %"),
        ("failure = 0.05", "confidence = 95", "such as 0.95; write 0.95 for 95 %"),
        ("error = 0.05", "error = 4", "such as 0.05; write 0.04 for 4 percentage points"),
        ("error = 0.05", 'error = "4 %"', "high - low; write 0.04 for 4 percentage points of a"),
        ("[costs]", "[sampling]\nresponse_rate = 60\n[costs]", "write 0.6 for 60 %"),
        ('"EUR"', '"6"', "currency: '6' is no currency; give letters or a sign, such as EUR"),
        ("budget = 30000.0", "budget = -1.0", "conditions.budget = -1.0 is not allowed"),
        ("budget = 30000.0", "budget = inf", "conditions.budget = inf is not allowed"),
        ("budget = 30000.0", "budgt = 3.0", "unknown key conditions.budgt; did you mean budget?"),
        ("= 100000", "= 1e5", "max_participants = 100000.0 is not allowed; give a whole number"),
        ("= 100000", "= 9007199254740993", "max_participants = 9007199254740993 is not allowed"),
        ("base_cost = 12.5", 'scenario = "smoking"', "scenario or base_cost (and worst_cost), not"),
        ("worst_cost = 12500", "worst_cost = 1", "worst_cost = 1.0 is below base_cost = 12.5"),
        ("base_cost = 12.5\nworst_cost = 12500", "", "give a scenario, or base_cost"),
        (
            "base_cost = 12.5\nworst_cost = 12500",
            'scenario = "smokers"',
            "is unknown; give one of ",
        ),
        ('"laplace-mean"', '"laplace"', "mechanism.kind = 'laplace' is unknown; give one of"),
        ("failure = 0.05", "", "failure is missing; give a probability such as 0.05"),
        ('"hoeffding"', '"guess"', "mechanism.analysis = 'guess' is not allowed"),
        ('analysis = "hoeffding"', 'analyses = "paper"', "did you mean analysis?"),
        ("= true", "= 1", "epsilon_at_least_one_over_n = 1 is not allowed; give true or false"),
        ("universe_size = 8000", "", "target_probability and universe_size must be given together"),
        ("= 8000", "= 5", "probability = 0.1 is not above 1/universe_size = 1/5"),
        ('title = "Clinic"', "title = 3", "title = 3 is not allowed; give text in quotes"),
        ('title = "Clinic"', "title = ", "not valid TOML"),
        ('title = "Clinic"', "mechanism = 3", "line 7: [mechanism] is given twice"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(reader.StudyFileError) as caught:
        planner.read_study(path)
    message = str(caught.value)
    assert words in message
    assert message.startswith(str(path))
    assert "\n" not in message


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such file"):
        planner.read_study(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="directory"):
        planner.read_study(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="UTF-8"):
        planner.read_study(tmp_path / "binary.toml")


def test_the_schema_names_every_kind_and_key() -> None:
    schema = reader.schema()
    kinds = {
        table["properties"]["kind"]["const"]
        for table in schema["$defs"].values()
        if "const" in table.get("properties", {}).get("kind", {})
    }
    assert {"laplace-mean", "mwem", "mwem-approximate"} <= kinds
    assert "max_harm" in schema["$defs"]["_Conditions"]["properties"]


def test_a_mean_of_values(tmp_path: Path) -> None:
    text = GOOD.replace("error = 0.05", "error = 2.0\nlow = 18.0\nhigh = 65.0")
    ages = planner.Accuracy.of_values(2.0, 18.0, 65.0, 0.05)
    assert planner.read_study(written(tmp_path, text)).target == ages
    exact = text.replace('"hoeffding"', '"exact"')
    assert planner.read_study(written(tmp_path, exact)).mechanism.values == "any"
    shares = text.replace('"hoeffding"', '"exact"\nvalues = "zero-one"')
    with pytest.raises(reader.StudyFileError, match="is for proportions only"):
        planner.read_study(written(tmp_path, shares))
    with pytest.raises(reader.StudyFileError, match="is for proportions only"):
        planner.read_study(written(tmp_path, shares.replace('"exact"', '"hoeffding"')))
    one = text.replace("low = 18.0\n", "")
    with pytest.raises(reader.StudyFileError, match="low and high must be given together"):
        planner.read_study(written(tmp_path, one))
    over = text.replace("error = 2.0", "error = 50.0")
    with pytest.raises(reader.StudyFileError, match="give at most 47"):
        planner.read_study(written(tmp_path, over))


def test_what_newcomers_write(tmp_path: Path) -> None:
    text = GOOD.replace("[mechanism]", "[mechanism]\nmean_range = 0.5")
    with pytest.raises(reader.StudyFileError, match="mean_range is not a pair"):
        planner.read_study(written(tmp_path, text))
