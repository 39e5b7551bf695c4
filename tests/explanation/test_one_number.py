"""A plan's numbers are printed alike by the terminal, the report, the sheets and the plan file."""

import json
import re

import pytest

import planner
from planner.cli import run
from planner.study_file.templates import TEMPLATES

STUDY = str(TEMPLATES / "study.toml")


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("documents")
    plan = str(folder / "plan.json")
    assert run(["solve", STUDY, "-o", plan]) == 0
    for command, name in (("consent", "consent.md"), ("methods", "methods.md")):
        assert run([command, plan, "-o", str(folder / name)]) == 0
    assert run(["report", plan, "--quick", "-o", str(folder / "report.html")]) == 0
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_the_payment_people_and_epsilon_are_the_same(documents, capsys) -> None:
    assert run(["solve", STUDY]) == 0
    documents = documents | {"terminal": capsys.readouterr().out}
    plan = json.loads(documents["plan.json"])["plan"]
    paid, people = f"{plan['compensation']:.2f} EUR", f"{plan['participants']:,}"
    assert plan["compensation"] == float(paid.removesuffix(" EUR"))
    for name in ("terminal", "report.html", "consent.md", "methods.md"):
        assert paid in documents[name], name
        assert f"{people} people" in documents[name], name
        others = set(
            re.findall(r"[\d.,]+\d EUR each|pa[iy]d? (?:you )?([\d.,]+\d) EUR", documents[name])
        )
        assert others - {""} <= {paid.removesuffix(" EUR")}, name
    for name in ("terminal", "report.html", "methods.md"):
        assert repr(plan["epsilon"]) in documents[name], name
    cost = f"{plan['cost']:,.2f} EUR"
    for name in ("terminal", "report.html"):
        assert cost in documents[name], name


def test_an_answer_takes_at_most_twelve_lines(capsys) -> None:
    assert run(["solve", STUDY]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert len(lines) <= 12
    assert run(["solve", STUDY, "--proof"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(lines)
    assert planner.read_study(STUDY).costs.smallest_coin == 0.01
