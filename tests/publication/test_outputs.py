"""Results in every form: the same numbers, whole files that replace nothing, no code from names."""

import csv
import io
import json
from dataclasses import replace

import openpyxl
import pytest
from matplotlib.figure import Figure

import planner
from planner.cli import run
from planner.publication import ledger, results
from planner.publication.publish import publish, rehearse
from planner.publication.results import COLUMNS, ENDINGS, PICTURES
from planner.wording import at_most
from tests.publication import plans

ODD = "=cmd()|<img src=x onerror=alert(1)> $x$ *a* `b` & c"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture(scope="module")
def done():
    return rehearse(plans.plan("words"), 0.3)


def named(done, name: str):
    """The publication with another title, and its first answer with another name and no words."""
    first = replace(done.answers[0], name=name)
    return replace(done, title=name, answers=(first, *done.answers[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_form_is_written_and_never_replaced(ending, done, place):
    path = place / f"results{ending}"
    question = "age" if ending in PICTURES else None
    done.save(path, question)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="exists, and results are not replaced"):
        done.save(path, question)
    assert path.read_bytes() == before
    assert [one.name for one in place.iterdir()] == [path.name]
    with pytest.raises(ValueError, match="does not exist"):
        done.save(place / "nowhere" / path.name, question)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_form_is_written_again_from_the_ledger(ending, place):
    plan = plans.plan("laplace")
    path, target = plans.records(place, plan), place / f"results{ending}"
    first = publish(plan, path, target)
    before = target.read_bytes()
    target.unlink()
    path.unlink()
    again = publish(plan, path, target)
    assert again.answers == first.answers
    assert len(ledger.entries()) == 1
    if ending != ".xlsx":  # whose parts hold the time at which they are written
        assert target.read_bytes() == before


@pytest.mark.slow
def test_a_workbook_holds_the_table_and_what_was_promised(done, place):
    done.save(place / "a.xlsx")
    book = openpyxl.load_workbook(place / "a.xlsx")
    assert book.sheetnames == ["answers", "promised"]
    first, *rows = book["answers"].iter_rows(values_only=True)
    assert first == COLUMNS
    written = [["" if x is None else x for x in line.values()] for line in done.lines()]
    for row, line in zip(rows, written, strict=True):
        same = [x if isinstance(x, str) else pytest.approx(x, rel=1e-15) for x in line]
        assert ["" if x is None else x for x in row] == same
    lines = [row[:2] for row in book["promised"].iter_rows(values_only=True)]
    promised, notes = dict(lines), [text for name, text in lines if name == "note"]
    assert promised["participants"] == done.participants
    assert (promised["epsilon"], promised["plan"]) == (done.epsilon, done.plan)
    assert notes == ["The records were invented.", "In 'smokes' no answer counts as no."]
    assert promised["privacy"] == done.privacy


def test_text_is_no_formula(done, place):
    odd = named(done, ODD)
    odd.save(place / "a.xlsx")
    cell = openpyxl.load_workbook(place / "a.xlsx")["answers"]["A2"]
    assert (cell.value, cell.data_type) == (ODD, "s")
    assert next(csv.DictReader(io.StringIO(odd.text(".csv"))))["question"] == f"'{ODD}"


@pytest.mark.slow
def test_names_are_no_html_and_no_markdown(done, place):
    odd = named(done, ODD)
    page = odd.text(".html")
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/", "")  # the names of SVG
    lines = odd.text(".md").splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert {row.replace(r"\|", "").count("|") for row in rows} == {5}
    assert r"\<img" in rows[1]
    odd.save(place / "a.svg", ODD)
    assert "<img" not in (place / "a.svg").read_text("utf-8")


def test_markdown_states_each_answer_and_the_promise(done):
    text = done.text(".md")
    for one in done.answers:
        assert f"± {at_most(one.error)}" in text
        assert one.name in text
    for words in (
        f"{done.participants} people",
        f"ε = {at_most(done.epsilon)}",
        "90 % confidence",
        "invented",
    ):
        assert words in text


@pytest.mark.slow
def test_the_page_shows_each_question_and_what_was_promised(done):
    page = " ".join(done.text(".html").split())
    for one in done.answers:
        assert f">{one.name}</h2>" in page
    assert page.count('class="figure wide"') == page.count('class="figure narrow"') == 4
    for words in (
        "What was promised",
        "How to cite",
        done.plan,
        f"{done.participants} people",
        "25-34",
    ):
        assert words in page
    assert "records were invented" in page


@pytest.mark.slow
def test_a_quantile_has_words_and_no_picture(place):
    done = rehearse(plans.plan("survey"))
    page = done.text(".html")
    assert page.count('class="figure wide"') == 4
    income = next(one for one in done.answers if one.kind == "quantile")
    asked = plans.plan("survey").study.asked("income")
    assert (income.at, income.candidates) == (asked.at, asked.candidates)
    assert f"the median: candidate {income.answer:g} of 0 to {asked.candidates - 1}" in page
    assert "in rank" in page
    with pytest.raises(ValueError, match="'income' is a quantile"):
        done.save(place / "a.png", "income")
    with pytest.raises(ValueError, match="'income' is a quantile"):
        done.plot("income")


@pytest.mark.slow
def test_many_groups_are_cut_short_on_the_page_alone(done):
    one = done.answers[1]
    many = replace(
        one, answer=[0.001] * 1000, nearest=[0.001] * 1000, fitted=[0.001] * 1000, groups=(),
        interval=[[0.0, 0.002]] * 1000,
    )  # fmt: skip
    found = replace(done, answers=(many,))
    assert "800 more are in the results" in " ".join(found.text(".html").split())
    assert len(found.text(".csv").splitlines()) == 1001
    axes = found.plot(ax=Figure().add_subplot())
    assert "promised error" in axes.get_xlabel()


def test_a_picture_is_of_one_question(done, place):
    for question, words in (
        (None, "a picture shows one question; give --question with one of 'smokes', 'age'"),
        ("agee", "no question is named 'agee'; did you mean 'age'"),
        ("zzz", "there are 'smokes'"),
    ):
        with pytest.raises(ValueError, match=words):
            done.save(place / "a.png", question)
    with pytest.raises(ValueError, match="--question is for pictures"):
        done.save(place / "a.csv", "age")
    with pytest.raises(ValueError, match=r"end the name in \.json"):
        done.save(place / "a.pdf", "age")
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_nothing_is_spent_where_the_file_cannot_be_written(place, monkeypatch):
    plan = plans.plan("survey")
    path = plans.records(place, plan)
    for name, question in (("a.png", None), ("a.svg", "income"), ("a.md", "age")):
        with pytest.raises(ValueError, match=r"question|quantile"):
            publish(plan, path, place / name, question=question)
    monkeypatch.setattr(results, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match="a workbook needs openpyxl, which is not installed"):
        publish(plan, path, place / "a.xlsx")
    assert len(ledger.entries()) == 0
    assert [one.name for one in place.iterdir()] == ["records.csv"]


def test_a_frame_has_the_lines_of_the_table(done):
    frame = done.to_frame()
    assert tuple(frame.columns) == COLUMNS
    assert list(frame["answer"]) == [x for one in done.answers for x in one.numbers]


@pytest.mark.slow
def test_notebooks_show_pictures(done):
    assert done._repr_html_().count("<svg") == 4
    axes = planner.plot(rehearse(plans.plan("laplace")), Figure().add_subplot())
    assert axes.get_title(loc="left") == "Test (rehearsed with invented records)"


@pytest.mark.slow
def test_results_are_shown_and_written_by_a_command(place, capsys):
    plan = plans.plan("words")
    done = publish(plan, plans.records(place, plan), place / "results.json")
    there = str(place / "results.json")
    assert run(["results", there]) == 0
    assert "from" in capsys.readouterr().out
    assert run(["results", there, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(done.to_json())
    for ending in ENDINGS[1:]:
        more = ["--question", "age"] if ending in PICTURES else []
        assert run(["results", there, "-o", str(place / f"a{ending}"), *more]) == 0
    assert (place / "a.csv").read_text("utf-8") == done.text(".csv")
    capsys.readouterr()
    assert run(["results", there, "-o", there]) == 64
    assert run(["results", there, "--question", "age"]) == 64
    assert run(["results", str(place / "records.csv")]) == 64
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.slow
def test_a_rehearsal_can_be_written_and_says_what_it_is(place, capsys):
    plans.plan("laplace").save(place / "plan.json")
    for name in ("a.html", "a.md", "a.svg"):
        assert (
            run(["publish", str(place / "plan.json"), "--rehearse", "-o", str(place / name)]) == 0
        )
        assert "invented" in (place / name).read_text("utf-8")
    assert not (place / "data").exists()
