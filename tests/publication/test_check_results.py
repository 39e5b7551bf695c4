"""A check of results finds whatever does not follow, from the plan, or from the ledger."""

import json
from dataclasses import replace

import pytest

from planner.cli import run
from planner.publication import check_results, read_results
from planner.publication.publish import publish, rehearse
from tests.publication import plans


@pytest.fixture(scope="module")
def done():
    return rehearse(plans.plan("survey"), 0.3)


def changed(done, at: int, **fields):
    """The publication with fields of one answer changed."""
    answers = list(done.answers)
    answers[at] = replace(answers[at], **fields)
    return replace(done, answers=tuple(answers))


@pytest.mark.slow
@pytest.mark.parametrize("name", plans.STUDIES)
@pytest.mark.parametrize("proportion", [0.0, 0.3, 1.0])
def test_what_was_published_holds(name, proportion):
    plan = plans.plan(name)
    found = check_results(rehearse(plan, proportion), plan)
    assert found.wrong == ()
    assert len(found.confirmed) == 4
    assert "confirmed" in str(found)


def test_what_needs_the_plan_or_the_ledger_is_listed(done):
    found = check_results(done)
    assert found.holds
    assert [words for words in found.unchecked if "give --" in words]
    assert found.to_dict()["unchecked"] == list(found.unchecked)


ALONE = [
    ({"participants": 0}, "not a number of people"),
    ({"epsilon": -0.1}, "epsilon = -0.1 is below 0"),
    ({"delta": 1.5}, "delta = 1.5 is not a probability"),
    ({"failure": 0.05}, "failure = 0.05 is less than the answers' failures allow"),
]
OF_ANSWERS = [
    (0, {"failure": 1.5}, "smokes 1: failure = 1.5"),
    (0, {"nearest": 0.31}, "is not the possible value nearest"),
    (0, {"answer": 0.9}, "interval"),
    (0, {"interval": [0.0, 0.1]}, "does not hold the nearest"),
    (0, {"interval": [0.0, 1.0]}, "longer than the promised error"),
    (2, {"fitted": [0.3, 0.3, 0.4]}, "not the nearest proportions that add up"),
    (2, {"fitted": [0.3, 0.3, 0.3]}, "not the nearest proportions that add up"),
    (4, {"nearest": 9.5}, "nearest candidate is not the answer"),
]


@pytest.mark.parametrize(("change", "words"), ALONE)
def test_numbers_that_cannot_be_are_found_without_the_plan(change, words, done):
    found = check_results(replace(done, **change))
    assert not found.holds
    assert words in " ".join(found.wrong)


@pytest.mark.parametrize(("at", "change", "words"), OF_ANSWERS)
def test_answers_that_do_not_follow_are_found_without_the_plan(at, change, words, done):
    done = changed(done, 0, answer=0.3, nearest=0.3, interval=[0.15, 0.45])
    assert check_results(done).holds
    found = check_results(changed(done, at, **change))
    assert words in " ".join(found.wrong)


BESIDE = [
    (None, {"participants": 282}, "planned = None"),
    (None, {"epsilon": 0.5}, "epsilon"),
    (None, {"delta": 0.1}, "delta"),
    (None, {"failure": 0.5}, "failure"),
    (None, {"plan": "0" * 64}, "plan"),
    (None, {"certificate": "0" * 64}, "certificate"),
    (None, {"title": "Other"}, "title"),
    (0, {"name": "x"}, "not those of the plan's questions"),
    (0, {"error": 0.19}, "smokes 1: error"),
    (0, {"failure": 0.001}, "smokes 1: failure"),
    (0, {"noise": "gaussian"}, "smokes 1: noise"),
    (0, {"scale": 1.0}, "smokes 1: scale"),
    (0, {"scale": None}, "smokes 1: scale"),
    (0, {"noise_error": 0.01}, "smokes 1: noise_error"),
    (0, {"sampling_error": 0.01}, "smokes 1: sampling_error"),
    (0, {"high": 2.0}, "smokes 1: high"),
    (2, {"groups": ("a", "b", "c")}, "age: groups"),
    (2, {"kind": "share"}, "age: kind"),
    (3, {"interval": [0.0, 60.0]}, "cigarettes: interval"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("at", "change", "words"), BESIDE)
def test_what_is_not_of_the_plan_is_found(at, change, words, done):
    other = replace(done, **change) if at is None else changed(done, at, **change)
    found = check_results(other, plans.plan("survey"))
    assert words in " ".join(found.wrong)


@pytest.mark.parametrize("part", [0, 1])
def test_an_end_of_an_interval_moved_by_a_millionth_is_found(part, done):
    for at in (0, 3):
        ends = list(done.answers[at].interval)
        ends[part] += 1e-6
        found = check_results(changed(done, at, interval=ends), plans.plan("survey"))
        assert not found.holds


def test_the_entry_of_the_ledger_holds_the_same(tmp_path):
    plan, book = plans.plan("laplace"), tmp_path / "ledger.sqlite"
    publish(plan, plans.records(tmp_path, plan), tmp_path / "results.json", ledger=book)
    done = read_results(tmp_path / "results.json")
    assert check_results(done, plan, book).unchecked[2:] == ()
    assert check_results(done, plan, book).holds
    other = changed(done, 0, answer=done.answers[0].answer + 1e-9)
    assert (
        "publication 1 of the ledger holds other results" in check_results(other, None, book).wrong
    )
    later = replace(done, published="2027-01-01T00:00:00+00:00")
    assert "no publication of this plan" in check_results(later, None, book).wrong[0]
    with pytest.raises(ValueError, match="no such file"):
        check_results(done, None, tmp_path / "none.sqlite")


def test_the_command_says_what_it_is_of(tmp_path, capsys):
    plan, book = plans.plan("laplace"), tmp_path / "ledger.sqlite"
    plan.save(tmp_path / "plan.json")
    results = tmp_path / "results.json"
    publish(plan, plans.records(tmp_path, plan), results, ledger=book)
    command = ["check", str(results), "--plan", str(tmp_path / "plan.json"), "--ledger", str(book)]
    assert run(command) == 0
    assert "results confirmed" in capsys.readouterr().out
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True
    data = json.loads(results.read_text("utf-8"))
    results.write_text(json.dumps(data | {"epsilon": 0.01}), "utf-8")
    assert run(command) == 1
    assert "does not hold" in capsys.readouterr().out
    results.write_text(json.dumps(data | {"epsilon": "x"}), "utf-8")
    assert run(command) == 64
    assert run(["check", str(tmp_path / "plan.json")]) == 0
    assert run(["check", str(tmp_path / "plan.json"), "--ledger", str(book)]) == 64
    assert run(["check", str(results), "--certificate", str(book)]) == 64
    assert "Traceback" not in capsys.readouterr().err
