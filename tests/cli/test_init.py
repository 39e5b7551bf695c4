"""`planner init` on a terminal: a menu, replies, refusals, and the file that they give."""

import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import planner
from planner.cli import init as module, run
from planner.study_file.questionnaire import MONEY, QUESTIONS, STUDIES, WHO
from planner.study_file.templates import TEMPLATES


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

    def saw(self, words: str) -> bool:
        return any(words in one for one in self.seen)


@pytest.fixture
def ask(monkeypatch, tmp_path):
    def asked(replies: list[str], *options: str) -> tuple[planner.Study, Person]:
        person = Person(replies)
        monkeypatch.setattr(module, "console", lambda: person)
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        path = tmp_path / "study.toml"
        path.unlink(missing_ok=True)
        assert run(["init", str(path), *options]) == 0
        return planner.read_study(path), person

    return asked


NUMBER = {kind.name: str(place) for place, kind in enumerate(STUDIES, 1)}
ENTER = [""]
UNPAID = ["", "", "", "no", ""]


@pytest.mark.slow
def test_enter_alone_gives_a_study_of_each_kind_that_can_be_planned(ask) -> None:
    for kind in [kind.name for kind in STUDIES]:
        study, person = ask([NUMBER[kind]])
        assert study.costs_nothing
        assert study.find(planner.EpsilonAtMost).x == 1.0
        assert planner.solve(study, prove=False).verdict == "feasible"
        assert person.saw("by how much two groups differ")


def test_a_number_that_is_not_in_the_menu_is_asked_for_again(ask) -> None:
    study, person = ask(["8", "?", "proportion", "6"])
    assert study.power == planner.Power(0.3, 0.35)
    assert person.saw("give a number from 1 to 7")
    assert person.saw("Type the number before your choice")


def test_replies_are_written_as_people_write_them(ask) -> None:
    replies = ["1", "Smokers", "3 points", "97 %", "8,000", "60%", "1'500", "yes"]
    study, _ = ask([*replies, "CHF", "20", "2000", "30'000", "2,5", "1 000"])
    assert (study.title, study.currency) == ("Smokers", "CHF")
    assert (study.accuracy.error, study.accuracy.failure) == (0.03, pytest.approx(0.03))
    assert study.sampling == planner.Sampling(population=8000, response_rate=0.6)
    assert study.find(planner.MaxParticipants).n == 1500
    assert study.individual == planner.Individual(20.0, 2000.0)
    assert study.find(planner.Budget).money == 30_000
    assert (study.costs.per_invitation, study.costs.overhead) == (2.5, 1000)
    assert study.costs.smallest_coin == 0.01


def test_one_wrong_reply_asks_for_that_one_again(ask) -> None:
    study, person = ask(["", "", "5", "?", "0.04", "95", "0.9"])
    assert (study.accuracy.error, study.accuracy.failure) == (0.04, pytest.approx(0.1))
    assert person.saw("target.error = 5.0 is not allowed")
    assert person.saw("Half of it needs about four times the people")  # the question mark
    assert person.saw("write 0.95 for 95 %")
    prompts = [one for one in person.seen if one.startswith("Margin of error")]
    assert len(prompts) == 3


def test_thousands_with_a_point_are_asked_for_again(ask) -> None:
    replies = [*ENTER * 7, "yes", "", "12.485", "12.485", "", "20.000", "20000"]
    study, person = ask(["1", *replies[1:]])
    assert study.individual.base_cost == 12.485  # as was said twice
    assert study.find(planner.Budget).money == 20_000
    said = [words.strip() for words in person.seen if "has a decimal point" in words]
    assert said[0].startswith("12.485 has a decimal point and means 12.485;")
    assert "if it separates thousands, write 20000, else" in said[1]


def test_remarks_stand_beside_the_values(ask, tmp_path) -> None:
    ask(["4", "", "", "", *ENTER * 3, "yes"])
    text = (tmp_path / "study.toml").read_text("utf-8")
    for ask_for in (*STUDIES[3].asks, *MONEY):
        name = ask_for.key.rpartition(".")[2]
        line = next(line for line in text.splitlines() if line.startswith(f"{name} = "))
        assert line.endswith(ask_for.remark)
    assert not any(f"{one.key.rpartition('.')[2]} = " in text for one in WHO)
    assert tomllib.loads(text)["target"]["kind"] == "difference"
    assert max(map(len, text.splitlines())) <= 100


def test_questions_of_a_survey_have_columns_words_and_missing_answers(ask) -> None:
    smokes = ["smokes", "1", "0.04", "Q7", "ja, oui", "nein", "own", "90 %"]
    rent = ["rent", "3", "", "2 thousand", "2000 EUR", "50 EUR", "", "300"]
    study, person = ask(["3", "", "", *smokes, *rent, ""])
    assert study.survey.questions == (
        planner.Share(
            "smokes", error=0.04, column="Q7", yes=["ja", "oui"], no=["nein"], missing="own",
            answer_rate=0.9,
        ),
        planner.Mean(name="rent", error=50.0, low=0.0, high=2000.0, missing=300.0),
    )  # fmt: skip
    assert person.saw("Name of question 3")
    assert person.saw("'2 thousand' is not")


def test_groups_are_a_number_or_labels(ask) -> None:
    age = ["age", "2", "many", "young, middle ,old", "0.04", "", "own"]
    size = ["size", "2", "4"]
    study, person = ask(["3", "", "", *age, *size])
    assert study.survey.questions == (
        planner.Histogram(name="age", labels=["young", "middle", "old"], error=0.04, missing="own"),
        planner.Histogram(name="size", groups=4, error=0.03),
    )
    assert person.saw("1 label cannot divide people; give from 2 to 10,000")


def test_groups_that_people_report_are_a_kind_of_question(ask) -> None:
    replies = ["smokes", "4", "smokes", "age", "a, b", "lots", "25 %", "15 %"]
    study, person = ask(["3", "", "", *replies])
    (question,) = study.survey.questions
    assert question == planner.ShareByGroup(
        "smokes", by="age", labels=["a", "b"], share_at_least=0.25, error=0.15
    )
    assert person.saw("is the column of the answers too")
    assert person.saw("= 'lots' is not allowed; give a proportion of all people")


def test_a_name_that_is_taken_is_asked_for_again(ask) -> None:
    study, _ = ask(["3", "", "", "q", "1", *ENTER * 5, "q", "1", "r", "1"])
    assert [question.name for question in study.survey.questions] == ["q", "r"]


def test_no_question_keeps_an_example(ask) -> None:
    study, _ = ask(["3"])
    assert [question.name for question in study.survey.questions] == ["smokes"]


def test_the_costs_of_a_pilot_take_the_place_of_one_base_cost(ask, tmp_path) -> None:
    costs = "median = 10.0\nlow = 8.0\nhigh = 12.0\nspread = 2.0\n"
    (tmp_path / "costs.toml").write_text(costs, "utf-8")
    for kind in STUDIES:
        before = [NUMBER[kind.name], "", *ENTER * (len(kind.asks) + (kind.name == "survey") + 3)]
        study, person = ask([*before, "yes", "", "?", "none.toml", "costs.toml"])
        assert study.individual.people == planner.People(planner.model.LogNormal(10.0, 2.0), 0.9)
        assert person.saw("none.toml: no such file")
        assert person.saw("A file that planner costs wrote from a pilot")
    text = (tmp_path / "study.toml").read_text("utf-8")
    assert "base_cost = " not in text
    assert "# the payment is enough for so many" in text


@pytest.mark.parametrize(
    ("replies", "target"),
    [
        (["6", "", "0.35"], planner.Power(0.35, 0.4)),
        (["6", "", "97 %"], planner.Power(0.97, 0.92)),
        (["6", "", "0.5", "0.4", "90 %", "0.01", "3", "2"], planner.Power(0.5, 0.4, 0.9, 0.01, 2)),
        (["5", "", "0.95"], planner.Difference(baseline=0.95, change=-0.1)),
    ],
)
def test_values_follow_from_the_replies_before(ask, replies, target) -> None:
    assert ask(replies)[0].target == target


def test_ranges_and_harms_follow_from_the_replies_before(ask) -> None:
    """So that a first reply beyond the value that follows it is not refused."""
    study, person = ask(["2", "", "100"])
    assert (study.target.values, study.accuracy.error) == ((100.0, 160.0), pytest.approx(1 / 30))
    study, _ = ask(["1", *ENTER * 6, "yes", "", "5,000"])
    assert study.individual == planner.Individual(5000.0, 500_000.0)
    assert not person.saw("not allowed")


@pytest.mark.parametrize("name", ["study", "survey", "no-curator", "test", "compare"])
def test_without_a_terminal_the_file_is_an_example(tmp_path, name) -> None:
    path = tmp_path / "study.toml"
    assert run(["init", str(path), *[f"--{name}"] * (name != "study")]) == 0
    assert planner.read_study(path) == planner.read_study(TEMPLATES / f"{name}.toml")


@pytest.mark.parametrize(
    ("options", "name"),
    [(["--test"], "test"), (["--compare"], "compare"), (["--compare", "--test"], "compare-test"),
     (["--survey"], "survey"), (["--no-curator"], "no-curator")],
)  # fmt: skip
def test_options_choose_from_the_menu(ask, options, name) -> None:
    study, person = ask([], *options)
    assert study == ask([NUMBER[name]])[0]
    assert not person.saw("What is the study to find out?")


def test_two_kinds_of_study_are_refused(tmp_path, capsys) -> None:
    for options in (["--survey", "--test"], ["--no-curator", "--compare"]):
        assert run(["init", str(tmp_path / "x.toml"), *options]) == 64
        assert "--compare with --test" in capsys.readouterr().err


def test_every_kind_of_question_can_be_asked_for() -> None:
    assert {kind.name for kind in QUESTIONS} == {"share", "histogram", "mean", "share-by-group"}
