"""Words, labels, bins, columns and [records] in files: read, written, and read again."""

import tomllib

import jsonschema
import pytest

import planner
from planner.model import Records
from planner.study_file import reader
from planner.study_file.writer import as_toml

FILE = """
[target]
failure = 0.1
[[question]]
kind = "share"
name = "smokes"
error = 0.2
column = "Q7_smokes"
yes = ["ja", 1]
no = "nein"
missing = "no"
[[question]]
kind = "histogram"
name = "age"
labels = ["18–24", "25–34", "35 or \\"more\\""]
missing = "own"
error = 0.2
[[question]]
kind = "histogram"
name = "years"
bins = [0, 18, 25.5, 65]
error = 0.2
[individual]
base_cost = 1.0
[costs]
per_person = 1.0
[records]
decimal = ","
separator = "\\t"
yes = ["ja"]
no = ["nein", "weiß nicht"]
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "study.toml").write_text(FILE, "utf-8")
    return tmp_path / "study.toml"


def test_a_study_file_is_read_written_and_read_again(path) -> None:
    study = planner.read_study(path)
    smokes, age, years = study.survey.questions
    assert (smokes.yes, smokes.no, smokes.column) == (("ja", "1"), ("nein",), "Q7_smokes")
    assert age.labels == ("18–24", "25–34", '35 or "more"')
    assert years.bins == (0.0, 18.0, 25.5, 65.0)
    no = ["nein", "weiß nicht"]
    assert study.records == Records(decimal=",", separator="\t", yes="ja", no=no)
    text = as_toml(study.to_dict())
    assert "groups" not in text
    path.write_text(text, "utf-8")
    assert planner.read_study(path) == study


@pytest.mark.slow
def test_a_plan_file_is_read_as_it_was_written(path, tmp_path) -> None:
    answer = planner.solve(planner.read_study(path))
    answer.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    assert again.study == answer.study
    assert planner.check(again).holds


def test_a_study_without_them_is_written_as_before(path) -> None:
    """So the digests of old plans stay."""
    question = planner.Share("smokes", 0.2)
    study = planner.Study(
        planner.AddedNoise(), planner.Survey(question, 0.1), planner.Individual(1.0)
    )
    assert "records" not in study.to_dict()
    assert study.to_dict()["question"] == [
        {"kind": "share", "name": "smokes", "error": 0.2, "times": 1}
    ]


@pytest.mark.slow
def test_the_schema_knows_the_keys(path) -> None:
    schema = reader.schema()
    jsonschema.validate(tomllib.loads(FILE), schema)
    for old, new in {
        'labels = ["18–24"': 'lables = ["18–24"',
        'decimal = ","': 'decimal = ";"',
        'missing = "own"': 'missing = "skip"',
    }.items():
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tomllib.loads(FILE.replace(old, new)), schema)


def test_refusals_name_file_key_and_value(path) -> None:
    for old, new, words in [
        ('decimal = ","', "decimals = 1", "unknown key records.decimals; did you mean decimal?"),
        ('decimal = ","', 'weights = "w"', "records: weights cannot be used"),
        ('missing = "own"', 'missing = "skip"', r"question.missing \(table 2\): 'skip' is not"),
        ("bins = [0, 18, 25.5, 65]", "", r"question.groups \(table 3\) is missing"),
        ("bins = [0, 18, 25.5, 65]", "bin = 1", "did you mean bins"),
        ("bins = [0, 18", "bins = [18, 18", r"question.bins \(table 3\).*rising numbers"),
        ('no = "nein"', 'no = "ja"', r"question \(table 1\): 'ja' means both yes and no"),
        ('["ja", 1]', "[1.5]", r"question.yes \(table 1\): 1.5 cannot stand for an answer"),
        ('column = "Q7_smokes"', "column = 7", r"question.column \(table 1\) = 7"),
    ]:
        assert old in FILE
        path.write_text(FILE.replace(old, new, 1), "utf-8")
        with pytest.raises(ValueError, match=words):
            planner.read_study(path)


def test_a_mark_is_set_like_any_key(path) -> None:
    study = planner.read_study(path, {"decimal": ".", "age.missing": "refuse"})
    assert study.records.decimal == "."
    assert study.asked("age").missing == "refuse"


@pytest.mark.parametrize("section", ["target", "records"])
def test_empty_cells_of_a_single_question_say_how_to_ask_it(tmp_path, section: str) -> None:
    place = f'[{section}]\nmissing = "own"\n' + ("error = 0.1\n" if section == "target" else "")
    path = tmp_path / "study.toml"
    path.write_text(f"{place}failure = 0.1\n[individual]\nbase_cost = 1.0\n", "utf-8")
    with pytest.raises(ValueError, match=r"ask it in a section \[\[question\]\], with its error"):
        planner.read_study(path)


@pytest.mark.slow
def test_a_share_of_those_who_answer_is_read_and_in_the_schema(path) -> None:
    text = FILE.replace('missing = "no"', 'missing = "own"\nanswer_rate = 0.8')
    path.write_text(text, "utf-8")
    study = planner.read_study(path)
    assert study.survey.questions[0].answer_rate == 0.8
    assert reader.study_of(study.to_dict(), "again") == study
    jsonschema.validate(tomllib.loads(text), reader.schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text.replace("0.8", "1.8")), reader.schema())
    path.write_text(text.replace("answer_rate = 0.8", ""), "utf-8")
    with pytest.raises(ValueError, match=r"question.answer_rate .* is missing"):
        planner.read_study(path)


def test_an_answer_rate_is_of_proportions_and_means_alone(tmp_path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        '[target]\nfailure = 0.05\n[[question]]\nkind = "histogram"\nname = "visits"\n'
        "groups = 4\nerror = 0.2\nanswer_rate = 0.8\n",
        "utf-8",
    )
    with pytest.raises(ValueError, match=r'answer_rate .*"share" or "mean" with missing = "own"'):
        planner.read_study(path)
