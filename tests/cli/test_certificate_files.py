"""`planner certify`, and `planner check` with a certificate."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from planner.certificate import check, check_surveys
from planner.cli import run
from tests.cli.test_commands import EDUCATION, SMOKING

MWEM = EDUCATION.replace("mean-education", "mwem-movies")


@pytest.mark.slow
@pytest.mark.parametrize(("study", "status"), [(EDUCATION, 0), (SMOKING, 0), (MWEM, 0)])
def test_a_certificate_is_written_and_checked(study, status, tmp_path, capsys):
    path, plan = tmp_path / "study.cert", tmp_path / "plan.json"
    assert run(["certify", study, "-o", str(path)]) == status
    assert ("proved" if status == 0 else "incomplete") in capsys.readouterr().out
    assert check.main(str(path)) == status
    run(["solve", study, "-o", str(plan)])
    capsys.readouterr()
    assert run(["check", str(plan), "--certificate", str(path)]) == 0
    out = capsys.readouterr().out
    assert ("SHA-256" if status == 0 else "by the certificate: unproved") in out
    assert "the SHA-256 of its certificate" not in out
    named = json.loads(plan.read_text("utf-8"))["certificate"]
    assert named == (hashlib.sha256(path.read_bytes()).hexdigest() if status == 0 else "")
    assert run(["certify", str(plan)]) == status
    assert capsys.readouterr().out == path.read_text("utf-8")
    assert run(["certify", study, "-o", str(path)]) == 64
    assert "exists" in capsys.readouterr().err


@pytest.mark.slow
def test_the_survey_of_the_guide_is_certified(tmp_path, capsys):
    guide = Path(check.__file__).parents[1] / "guide" / "05-surveys.md"
    found = re.search(r"```toml survey.toml\n(.*?)```", guide.read_text("utf-8"), re.DOTALL)
    assert found is not None
    study, path, plan = (tmp_path / name for name in ("survey.toml", "survey.cert", "plan.json"))
    study.write_text(found[1], "utf-8")
    assert run(["certify", str(study), "-o", str(path)]) == 0
    assert check.main(str(path), check_surveys.Survey) == 0
    run(["solve", str(study), "-o", str(plan)])
    capsys.readouterr()
    assert run(["check", str(plan), "--certificate", str(path)]) == 0
    assert "SHA-256" in capsys.readouterr().out


def test_that_of_another_study_is_not_confirmed(tmp_path, capsys):
    path, plan = tmp_path / "other.cert", tmp_path / "plan.json"
    run(["certify", SMOKING, "-o", str(path)])
    run(["solve", EDUCATION, "-o", str(plan)])
    assert run(["check", str(plan), "--certificate", str(path)]) == 1
    assert "another study" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_a_limit_is_certified(tmp_path, capsys):
    path = tmp_path / "limit.cert"
    assert run(["certify", EDUCATION, "--limit", "budget", "-o", str(path)]) == 0
    assert check.main(str(path)) == 0
    assert "claim infeasible with conditions.budget = " in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([EDUCATION, "--limit", "bugdet"], "has no limit"),
        ([EDUCATION, "-o", "certificate.txt"], ".cert"),
        (["nothing.toml"], "nothing.toml"),
    ],
)
def test_wrong_input_is_one_sentence(arguments, said, capsys):
    assert run(["certify", *arguments]) == 64
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_certificate_that_cannot_be_read_is_named(tmp_path, capsys):
    plan = tmp_path / "plan.json"
    run(["solve", EDUCATION, "-o", str(plan)])
    (tmp_path / "bytes.cert").write_bytes(b"\xff\xfe")
    for name in ("missing.cert", "bytes.cert"):
        assert run(["check", str(plan), "--certificate", str(tmp_path / name)]) == 64
        assert name in capsys.readouterr().err
