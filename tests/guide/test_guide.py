"""The chapters, the command that shows them, and how easily they are read."""

import re
from pathlib import Path

import pytest

from planner.cli import run
from planner.guide import FOLDER, chapter, chapters
from tests.explanation.papers.test_papers import grade
from tests.guide import keys
from tests.guide.blocks import blocks

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "README.md", *(FOLDER / f"{one.name}.md" for one in chapters())]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
LONGEST = 230
MOST_WORDS = 12_500
GRADE, WORDS = 10.0, 18.0


def prose(text: str) -> str:
    """The paragraphs and lists of a Markdown file, one sentence or more a line."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`\n]*`", "name", text)  # a name of the program is one short word
    parts = [part for part in re.split(r"\n\n|\n(?=- |\d+\. )", text) if part.strip()]
    kept = [part for part in parts if not part.lstrip().startswith(("#", "|"))]
    return "\n".join(" ".join(part.split()).replace("*", "") for part in kept)


def words_a_sentence(text: str) -> float:
    sentences = [s for s in re.split(r"[.!?]\s|\n", text) if re.search("[a-z]", s)]
    return len(re.findall(r"[A-Za-z]+", " ".join(sentences))) / len(sentences)


def test_there_are_twelve_chapters_in_order() -> None:
    assert [one.number for one in chapters()] == list(range(1, 13))
    assert [one.title for one in chapters()][:2] == ["First plan", "Costs and payments"]


@pytest.mark.parametrize("asked", ["2", "02", "costs and payments", "COSTS AND P", "Costs a"])
def test_a_chapter_is_found(asked) -> None:
    assert chapter(asked).number == 2


@pytest.mark.parametrize("asked", ["13", "0", "reading", "privacy", "?"])
def test_others_are_refused(asked, capsys) -> None:
    assert run(["guide", asked]) == 64
    assert "from 1 to 12" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_shows_all_chapters_and_each(capsys) -> None:
    assert run(["guide"]) == 0
    shown = capsys.readouterr().out
    assert all(one.title in shown for one in chapters())
    for one in chapters():
        assert run(["guide", str(one.number)]) == 0
        shown = capsys.readouterr().out
        assert one.title in shown
        assert max(map(len, shown.splitlines())) <= 80
        assert ".md)" not in shown


@pytest.mark.parametrize("one", chapters(), ids=lambda one: one.title)
def test_a_chapter_begins_with_its_question_and_files(one, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert one.summary.endswith("?")
    assert f"`planner guide {one.number} --files`" in one.text.split("\n## ")[0]
    for _ in range(2):  # files that are there and the same are no obstacle
        assert run(["guide", str(one.number), "--files"]) == 0
        written = capsys.readouterr().out.split()
        assert sorted(written) == sorted(path.name for path in tmp_path.iterdir()) != []


def test_other_files_are_not_replaced(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text("mine", "utf-8")
    assert run(["guide", "8", "--files"]) == 64
    assert "small.toml exists" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]
    assert run(["guide", "8", "--files", "--force"]) == 0
    assert "max_participants = 350" in (tmp_path / "small.toml").read_text("utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert link.startswith("https://") or (path.parent / link).exists(), link


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_easily_read(path) -> None:
    text = prose(path.read_text("utf-8"))
    assert words_a_sentence(text) <= WORDS
    assert grade(text) <= GRADE


@pytest.mark.parametrize("path", FILES[1:], ids=lambda path: path.stem)
def test_a_chapter_is_short(path) -> None:
    shown = sum(block.text.count("\n") for block in blocks(path) if block.words[0] == "console")
    assert path.read_text("utf-8").count("\n") - shown <= LONGEST


def test_the_guide_is_short() -> None:
    assert sum(len(one.text.split()) for one in chapters()) <= MOST_WORDS


@pytest.mark.slow
def test_the_claims_of_the_audit_are_counted(audit_rows) -> None:
    statuses = [row.status for row in audit_rows.values()]
    counts = [statuses.count(one) for one in ("confirmed", "rounded", "misprint", "wrong")]
    text = " ".join(CONTRIBUTING.split())
    assert f"all {len(statuses)} claims" in text
    assert "{} confirmed, {} rounded, {} misprints and {} wrong".format(*counts) in text


def test_every_file_that_the_reference_names_is_there() -> None:
    text = CONTRIBUTING.split("## Reference: how")[1]
    names = re.findall(r"`(planner/[\w/]+\.py)`", text)
    assert len(names) > 8
    assert all((ROOT / name).is_file() for name in names)
    table = re.findall(r"^\| `(\w+\.py)`", text, re.MULTILINE)
    assert len(table) >= 7
    folders = ("planner/mechanisms", "planner/certificate")
    assert all(any((ROOT / of / name).is_file() for of in folders) for name in table)


@pytest.mark.slow
def test_the_table_of_keys_is_what_the_program_does() -> None:
    """No key is ignored: it changes the plan, is safe to leave out and says so, or is refused."""
    assert "\n".join(keys.lines()) in chapter("accuracy").text


@pytest.mark.slow
@pytest.mark.parametrize("kind", keys.KINDS)
def test_other_keys_are_for_every_kind_of_study(kind) -> None:
    for key, (section, value) in keys.FOR_ALL.items():
        assert keys.cell(kind, key, section, value) == "yes", key
