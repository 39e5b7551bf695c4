"""What the README says is true."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import planner
from planner.cli import run
from planner.guide import chapters
from planner.publication.items import items
from planner.publication.publish import write_records
from tests.guide.blocks import blocks

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
LONGEST, MOST_PLACES = 150, 12


def table(heading: str, text: str = README) -> list[str]:
    rows = text.split(f"## {heading}\n")[1].split("\n##")[0].splitlines()
    return [row for row in rows if row.startswith("|")][2:]


def test_the_commands_are_those_of_ci() -> None:
    commands = [block.text for block in blocks(ROOT / "README.md") if block.words == ["sh"]][-1]
    install, tests = commands.strip().split(" && ", 1)[1].rsplit(" && ", 1)
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert install in script
    assert tests in script


@pytest.mark.slow
def test_a_survey_is_published_by_the_commands_shown(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (shown,) = [block.text for block in blocks(ROOT / "README.md") if block.words == ["shell"]]
    commands = [line.split()[1:] for line in shown.splitlines()]
    assert len(commands) <= 10
    for command in commands:
        if "records.csv" in command:
            plan = planner.read_answer("plan.json")
            write_records(Path("records.csv"), items(plan), plan.participants, 0.3)
        assert run(command) == 0
    results = json.loads(Path("results.json").read_text("utf-8"))
    assert results["answers"][0]["name"] == "smokes"


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= LONGEST
    assert len(table("Where things are", CONTRIBUTING)) <= MOST_PLACES


def test_every_chapter_has_its_question() -> None:
    links = [
        re.findall(r"\[(.*?)\]\(planner/guide/(.*?)\.md\)", row) for row in table("What it does")
    ]
    assert links == [[(one.title, one.name)] for one in chapters()]


def test_every_place_exists() -> None:
    for row in table("Where things are", CONTRIBUTING):
        folder = ""
        for name in re.findall(r"`(.*?)`", row.split("|")[1]):
            path = name if "/" in name else f"{folder}{name}"
            folder = path.rpartition("/")[0] + "/"
            assert (ROOT / path).exists(), path


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation


def test_the_changelog_has_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "\n## [Unreleased]\n" in changelog or f"\n## [{version}] - " in changelog
