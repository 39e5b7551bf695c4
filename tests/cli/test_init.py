"""`planner init` on a terminal: replies, explanations, refusals, and the file that they give."""

import re
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import planner
from planner.cli import init as module, run
from planner.study_file.questionnaire import ASKS, STUDIES, filled
from planner.study_file.templates import TEMPLATES

SHARES = ("null", "alternative", "baseline", "change", "power", "significance", "error", "failure")
TEXTS = ("title", "currency", "sides")


class Person:
    """Replies in order, and Enter after the last."""

    def __init__(self, replies: list[str]) -> None:
        self.replies: Iterator[str] = iter(replies)
        self.seen: list[str] = []

    def input(self, prompt: str, markup: bool) -> str:
        self.seen.append(prompt)
        return next(self.replies, "")

    def print(self, words: Any) -> None:
        self.seen.append(str(words))


def written(
    monkeypatch, tmp_path, replies: list[str], *options: str
) -> tuple[planner.Study, Person]:
    person = Person(replies)
    monkeypatch.setattr(module, "console", lambda: person)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    path = tmp_path / "study.toml"
    assert run(["init", str(path), *options]) == 0
    return planner.read_study(path), person


def test_enter_keeps_the_template(monkeypatch, tmp_path) -> None:
    study, _ = written(monkeypatch, tmp_path, [])
    assert study == planner.read_study(TEMPLATES / "study.toml")


def test_replies_are_put_in_and_remarks_stay(monkeypatch, tmp_path) -> None:
    replies = ["", "My study", "CHF", "5", "0.04", "?", "0.01", "20", "2000", "5e4", "", "0", ""]
    study, person = written(monkeypatch, tmp_path, replies)
    assert (study.title, study.currency) == ("My study", "CHF")
    assert study.accuracy == planner.Accuracy(0.04, 0.01)
    assert study.individual == planner.Individual(20.0, 2000.0)
    assert study.find(planner.Budget).money == 50_000
    assert study.costs == planner.Costs(0.0, 2000.0, smallest_coin=0.01)
    assert any("from 1e-60 to 1" in words for words in person.seen)  # the error of 5
    assert any("confidence of 95 %" in words for words in person.seen)  # the question mark
    text = (tmp_path / "study.toml").read_text("utf-8")
    assert text.count("#") == (TEMPLATES / "study.toml").read_text("utf-8").count("#")
    assert re.search(r"^error = 0\.04 +# margin of error: 4 percentage points$", text, re.MULTILINE)
    assert re.search(r"^failure = 0\.01 +# at 99 % confidence$", text, re.MULTILINE)


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("share", [0.035, 0.955])
def test_numbers_of_remarks_follow_from_the_values(path, share) -> None:
    """Also those of money and people, of which no remark states a number."""
    values = {ask.key: share if ask.key in SHARES else 7.0 for ask in ASKS if ask.key not in TEXTS}
    filled_in = filled(path.read_text("utf-8"), values)
    of_all = filled_in.partition("[[question]]")[0] + filled_in.partition("[individual]")[2]
    allowed = {repr(share), f"{100 * share:g}", f"{100 - 100 * share:g}"}
    seen = 0
    for key, value, remark in re.findall(r"^(\w+) = (\S+) *(#.*)?$", of_all, re.MULTILINE):
        if key in values:
            assert float(value) == values[key]
            assert set(re.findall(r"\d[\d.,]*\d|\d", remark)) <= (
                allowed if key in SHARES else set()
            )
            seen += 1
    assert seen >= 6


def test_thousands_with_a_point_are_asked_for_again(monkeypatch, tmp_path) -> None:
    replies = ["", "", "", "0.035", "", "12.485", "12.485", "", "20.000", "20000", "4.000", "5000"]
    study, person = written(monkeypatch, tmp_path, replies)
    assert study.accuracy.error == 0.035  # asked for once
    assert study.individual.base_cost == 12.485  # as was said twice
    assert study.find(planner.Budget).money == 20_000
    assert study.find(planner.MaxParticipants).n == 5000
    said = [words.strip() for words in person.seen if "has a decimal point" in words]
    assert [words.split(";")[0] for words in said] == [
        f"{reply} has a decimal point and means {meant}"
        for reply, meant in (("12.485", "12.485"), ("20.000", "20"), ("4.000", "4"))
    ]
    assert "if it separates thousands, write 20000, else" in said[1]


def test_a_currency_is_a_word_or_a_sign(monkeypatch, tmp_path) -> None:
    study, person = written(monkeypatch, tmp_path, ["", "", "6", "€"])
    assert study.currency == "€"
    assert any("'6' is no currency" in words for words in person.seen)


def test_per_cent_is_a_reply_where_a_share_is_asked_for(monkeypatch, tmp_path) -> None:
    replies = ["", "", "", "4 %", "2.5%", "3%", "20", "2000"]
    study, person = written(monkeypatch, tmp_path, replies)
    assert study.accuracy == planner.Accuracy(0.04, 0.025)
    assert study.individual == planner.Individual(20.0, 2000.0)
    assert any("base_cost = '3%' is not allowed" in words for words in person.seen)


def test_questions_of_a_survey_are_asked_for(monkeypatch, tmp_path) -> None:
    replies = ["?", "drinks", "", "0.04", "weight", "number", "mean", "30", "200", "lots", "3", ""]
    study, person = written(monkeypatch, tmp_path, replies, "--survey")
    assert [question.name for question in study.survey.questions] == ["drinks", "weight"]
    assert study.survey.questions[1] == planner.Mean("weight", error=3.0, low=30.0, high=200.0)
    assert any("give one of share, histogram, mean" in words for words in person.seen)
    assert any("give a number" in words for words in person.seen)


def test_groups_are_a_number_or_labels(monkeypatch, tmp_path) -> None:
    replies = ["age", "histogram", "many", "young, middle ,old", "0.04"]
    replies += ["size", "histogram", "4", "", ""]
    study, person = written(monkeypatch, tmp_path, replies, "--survey")
    age, size = study.survey.questions
    assert age == planner.Histogram("age", labels=["young", "middle", "old"], error=0.04)
    assert size == planner.Histogram("size", groups=4, error=0.03)
    assert any("give a number" in words for words in person.seen)


def test_groups_that_people_report_are_a_kind_of_question(monkeypatch, tmp_path) -> None:
    replies = ["smokes", "share-by-group", "", "one", "", "many", "", "", ""]
    replies[5:] = ["0.25", "lots", "15 %", ""]
    study, person = written(monkeypatch, tmp_path, replies, "--survey")
    assert study.survey.questions == (
        planner.ShareByGroup(
            "smokes", by="age group", labels=["18-39", "40-64", "65 or more"],
            share_at_least=0.25, error=0.15,
        ),
    )  # fmt: skip
    assert any("two names or more" in words for words in person.seen)
    assert any("give a number" in words for words in person.seen)
    assert planner.solve(study).verdict == "feasible"


def test_what_a_group_cannot_be_is_said(monkeypatch, tmp_path) -> None:
    replies = ["smokes", "share-by-group", "smokes", "a, b", "0.2", "0.1"]
    replies += ["smokes", "share-by-group", "age", "a, b", "0.2", "0.1", ""]
    study, person = written(monkeypatch, tmp_path, replies, "--survey")
    assert [question.by for question in study.survey.questions] == ["age"]
    assert any("is the column of the answers too" in words for words in person.seen)


def test_no_name_keeps_the_questions_of_the_template(monkeypatch, tmp_path) -> None:
    study, _ = written(monkeypatch, tmp_path, [], "--survey")
    assert study == planner.read_study(TEMPLATES / "survey.toml")


@pytest.mark.parametrize(
    "name", ["study", "survey", "no-curator", "test", "compare", "compare-test"]
)
def test_only_the_values_change(name: str) -> None:
    template = (TEMPLATES / f"{name}.toml").read_text("utf-8")
    text = filled(template, {"title": 'A "title" # with a sign', "error": 0.1})
    old, new = tomllib.loads(template), tomllib.loads(text)
    assert new["title"] == 'A "title" # with a sign'
    assert new.get("question") == old.get("question")
    if "error" in old["target"]:
        assert new["target"].pop("error") == 0.1
        old["target"].pop("error")
    old.pop("title"), new.pop("title")
    assert new == old


def test_the_costs_of_a_pilot_take_the_place_of_one_base_cost(monkeypatch, tmp_path) -> None:
    costs = "median = 10.0\nlow = 8.0\nhigh = 12.0\nspread = 2.0\n"
    (tmp_path / "costs.toml").write_text(costs, "utf-8")
    replies = [*[""] * 11, "?", "none.toml", "costs.toml"]
    study, person = written(monkeypatch, tmp_path, replies)
    assert study.individual.people == planner.People(planner.model.LogNormal(10.0, 2.0), 0.9)
    assert any("none.toml: no such file" in words for words in person.seen)
    assert any("planner costs answers.csv" in words for words in person.seen)
    text = (tmp_path / "study.toml").read_text("utf-8")
    assert "base_cost = " not in text.replace("base_costs = ", "")
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("kind", STUDIES)
def test_what_is_to_be_found_out_is_asked_first(monkeypatch, tmp_path, kind) -> None:
    study, person = written(monkeypatch, tmp_path, ["?", "difference", kind])
    assert study == planner.read_study(TEMPLATES / f"{STUDIES[kind].key}.toml")
    assert any(f"give one of {', '.join(STUDIES)}" in words for words in person.seen)
    assert any("power of 80 %" in words for words in person.seen)


@pytest.mark.parametrize(
    ("options", "target"),
    [
        (["--test"], planner.Power(0.3, 0.35)),
        (["--compare"], planner.Difference(error=0.1, failure=0.05)),
        (["--compare", "--test"], planner.Difference(baseline=0.3, change=0.1)),
    ],
)
def test_options_give_what_is_to_be_found_out(monkeypatch, tmp_path, options, target) -> None:
    study, person = written(monkeypatch, tmp_path, [], *options)
    assert study.target == target
    assert not any("find out" in words for words in person.seen)


def test_two_kinds_of_study_are_refused(tmp_path, capsys) -> None:
    for options in (["--survey", "--test"], ["--no-curator", "--compare"]):
        assert run(["init", str(tmp_path / "x.toml"), *options]) == 64
        assert "--compare with --test" in capsys.readouterr().err


def test_an_alternative_is_suggested_beside_each_null_value(monkeypatch, tmp_path) -> None:
    """Also beside the alternative of the template, and where a larger one would not be a share."""
    for null, alternative in (("0.35", 0.4), ("97 %", 0.92), ("0", 0.05), ("0.3", 0.35)):
        (tmp_path / "study.toml").unlink(missing_ok=True)
        study, _ = written(monkeypatch, tmp_path, ["", "", null], "--test")
        assert (study.power.null, study.power.alternative) == (
            float(null.replace(" %", "e-2")), alternative
        )  # fmt: skip
    replies = ["", "", "0.5", "0.5", "0.4", "90 %", "0.01", "3", "2"]
    (tmp_path / "study.toml").unlink()
    study, person = written(monkeypatch, tmp_path, replies, "--test")
    assert study.power == planner.Power(0.5, 0.4, 0.9, 0.01, 2)
    assert any("give another proportion" in words for words in person.seen)
    assert any("sides = 3 is not allowed" in words for words in person.seen)


def test_a_change_is_suggested_that_ends_in_a_share(monkeypatch, tmp_path) -> None:
    replies = ["", "", "0.95", "0.1", "", "0.9"]
    study, person = written(monkeypatch, tmp_path, replies, "--test", "--compare")
    assert study.power == planner.Difference(baseline=0.95, change=-0.1, power=0.9)
    assert any("which is not a proportion" in words for words in person.seen)


@pytest.mark.parametrize(
    "options",
    [
        ["--survey"],
        ["--no-curator"],
        ["--test"],
        ["--compare"],
        ["--compare", "--test"],
    ],
)
def test_every_template_takes_a_pilot(monkeypatch, tmp_path, options) -> None:
    costs = "median = 10.0\nlow = 8.0\nhigh = 12.0\nspread = 2.0\n"
    (tmp_path / "costs.toml").write_text(costs, "utf-8")
    template = (TEMPLATES / f"{'-'.join(option[2:] for option in options)}.toml").read_text("utf-8")
    before, _, rest = template.partition("[[question]]")
    of_all = before + rest.partition("[individual]")[2]  # each question has an error of its own
    asked = sum(f"\n{ask.key} = " in f"\n{of_all}" for ask in ASKS)
    replies = [""] * (asked + ("--survey" in options))
    study, _ = written(monkeypatch, tmp_path, [*replies, "costs.toml"], *options)
    assert study.individual.people is not None
