"""[groups] of a study file, and questions of kind share-by-group."""

import pytest

from planner.study_file.reader import read_study, schema
from planner.study_file.text import StudyFileError
from planner.study_file.writer import as_toml

HEAD = "[target]\nfailure = 0.05\n[individual]\nbase_cost = 12.5\n"
SHARE = '[[question]]\nkind = "share"\nname = "smokes"\nerror = 0.1\nyes = "ja"\n'
GROUPS = (
    '[groups]\nby = "reported"\ncolumn = "age"\nlabels = ["young", "old"]\nshare_at_least = 0.1\n'
)
OWN = (
    '[[question]]\nkind = "share-by-group"\nname = "smokes"\nerror = 0.1\nyes = "ja"\n'
    'by = "age"\nlabels = ["young", "old"]\nshare_at_least = 0.1\n'
)


def read(tmp_path, text: str, **settings):
    path = tmp_path / "study.toml"
    path.write_text(text)
    return read_study(path, settings)


def test_groups_ask_every_share_for_each_group(tmp_path) -> None:
    other = SHARE.replace("smokes", "drinks")
    study = read(tmp_path, HEAD + SHARE + other + GROUPS)
    assert [q.kind for q in study.survey.questions] == ["share-by-group"] * 2
    assert study.survey.questions[0] == read(tmp_path, HEAD + OWN).survey.questions[0]


@pytest.mark.parametrize("text", [HEAD + SHARE + GROUPS, HEAD + OWN])
def test_what_is_written_is_read_again(tmp_path, text) -> None:
    study = read(tmp_path, text)
    assert read(tmp_path, as_toml(study.to_dict())) == study


def test_a_value_may_be_set(tmp_path) -> None:
    study = read(tmp_path, HEAD + SHARE + GROUPS, share_at_least=0.3)
    assert study.survey.questions[0].share_at_least == 0.3


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("share_at_least = 0.1\n", "", "groups.share_at_least is missing; give a proportion of"),
        ("share_at_least = 0.1", "share_at_least = 3", "groups.share_at_least = 3 is not allowed"),
        ('column = "age"\n', "", "groups.column is missing; give the column that holds"),
        ('labels = ["young", "old"]\n', "", "groups.labels is missing; give the groups' names"),
        ("reported", "known", "groups.by = 'known' is not allowed; give 'reported'"),
        ("column", "colum", "unknown key groups.colum; did you mean column"),
        ('kind = "share"', 'kind = "quantile"\ncandidates = 9', "unknown key question.yes"),
        ("yes =", 'missing = "no"\nyes =', "cannot divide 'smokes'"),
        (SHARE, "", "groups is for questions; ask in a section"),
    ],
)
def test_bad_groups_are_refused_in_a_sentence(tmp_path, old, new, words) -> None:
    text = (HEAD + SHARE + GROUPS).replace(old, new, 1)
    text = text.replace("failure =", "error = 0.1\nfailure =", 1) if old == SHARE else text
    text += '[mechanism]\nkind = "laplace-mean"\n' * (old == SHARE)
    with pytest.raises(StudyFileError) as refused:
        read(tmp_path, text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_schema_has_both() -> None:
    whole = schema()
    assert {"column", "labels", "share_at_least"} <= {*whole["$defs"]["GroupsTable"]["required"]}
    assert "by" in whole["$defs"]["ShareByGroup"]["required"]
