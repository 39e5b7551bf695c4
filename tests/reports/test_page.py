"""The page: whole, escaped, reachable, and saying what the answer says."""

import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from itertools import pairwise

import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.explanation.papers.consent import consent
from planner.explanation.papers.sheet import markdown
from planner.model import Records
from planner.numbers import round_up
from planner.reports.content import content_of
from planner.reports.page import page, powers
from planner.wording import confidence

DAY = date(2026, 1, 2)
VOID = {"meta", "br", "link", "img", "rect", "circle", "path", "use"}
BAD = '<b>bold</b> & "$x^2$" <script>alert(1)</script>'


class Outline(HTMLParser):
    """What a page is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "xlink:href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@pytest.mark.slow
def test_an_annex_of_two_noisy_counts_defines_what_the_test_reads() -> None:
    target = planner.Difference(baseline=0.2, change=0.4, power=0.8, significance=0.05, ratio=3.0)
    conditions = [planner.EpsilonAtMost(1.0), planner.MinParticipants(80)]
    study = planner.Study(planner.NoisyCounts(), target, planner.Individual(0.0), conditions)
    plan = planner.solve(study)
    assert plan.participants % 2 == 0
    words = Outline(planner.report([plan], annex=True, day=DAY)).text
    assert "rejects equal proportions if z, the difference of the two noisy" in words


def quick(*studies, sources=()) -> str:
    return planner.report(studies, sources=sources, quick=True, day=DAY)


def annex(*studies, sources=()) -> str:
    return planner.report(studies, sources=sources, quick=True, annex=True, day=DAY)


@pytest.fixture(scope="module")
def several(mean_study) -> str:
    feasible = replace(mean_study(12.5, worst_cost=1274.0), title="One", currency="EUR")
    no = replace(mean_study(254.8, worst_cost=1274.0), title="Two", currency="EUR")
    return planner.report([feasible, no], day=DAY)


@pytest.mark.slow
def test_the_page_is_whole_and_alone(several: str) -> None:
    found = Outline(several)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert "script" not in found.tags
    inside = [link for link in found.links if link.startswith("#")]
    assert inside == found.links  # nothing is fetched
    assert {link[1:] for link in inside} <= set(found.ids)
    named = re.findall(r"url\(#([^)]+)\)", several)
    assert named
    assert set(named) <= set(found.ids)
    assert not re.search(r"(@import|url\(['\"]?http)", several)


@pytest.mark.slow
@pytest.mark.parametrize("is_annex", [False, True])
def test_it_can_be_read_without_eyes(several: str, is_annex: bool, mean_study) -> None:
    found = Outline(annex(mean_study(12.5)) if is_annex else several)
    assert ("html", "lang", "en") in found.attributes
    levels = [int(tag[1]) for tag in found.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    headers = found.tags.count("th")
    scoped = [a for a in found.attributes if a[0] == "th" and a[1] == "scope"]
    assert len(scoped) == headers
    labelled = [a[2] for a in found.attributes if a[1] == "aria-labelledby"]
    assert set(labelled) <= set(found.ids)
    pictures = [a for a in found.attributes if a[0] == "svg" and a[1] in ("role", "aria-hidden")]
    assert len(pictures) == found.tags.count("svg")
    assert ("a", "class", "skip") in found.attributes


def test_both_verdicts_say_their_numbers(several: str) -> None:
    text = Outline(several).text
    for words in (
        "Feasible with 35,509 people, 0.05 EUR each, 1,512.85 EUR in total.",
        "the budget can fall from 30,000 EUR to 1,497.87 EUR",
        "Infeasible by this bound on its accuracy: no study combines",
        "5 percentage points at 95 % confidence and the budget of 30,000 EUR.",
        "costs more than 30,532.5 EUR",
        "a budget of 30,532.51 EUR instead of 30,000 EUR",
        "the study that is not private is cheaper",
        "Report of 2026-01-02",
    ):
        assert words in text


@pytest.mark.slow
def test_the_same_input_gives_the_same_page(mean_study) -> None:
    study = mean_study(12.5)
    assert quick(study) == quick(study)


@pytest.mark.slow
def test_a_title_of_html_is_text(mean_study) -> None:
    study = replace(mean_study(12.5), title=BAD, currency="<i>$a_b$")
    for page_of in (quick, annex):
        found = Outline(page_of(study, study, sources=[f"# {BAD}", "# </pre>"]))
        assert not {"script", "b", "i"} & set(found.tags)
        assert found.open == []
        assert BAD in found.text
    assert "# </pre>" in found.text


@pytest.mark.slow
def test_an_endless_title_is_cut_but_kept_in_the_file(mean_study) -> None:
    title = "x" * 100_000
    study = replace(mean_study(12.5), title=title)
    html = annex(study, sources=[f'title = "{title}"'])
    assert html.count("x" * 200) == 500  # once, in the study file
    assert "x" * 99 + "…" in html


@pytest.mark.slow
def test_a_quick_report_says_what_is_left_out(mean_study, several: str) -> None:
    words = "Left out of this quick report"
    assert words in quick(mean_study(12.5))
    assert words not in several


@pytest.mark.slow
def test_parts_that_a_study_has_not_say_why(mean_study) -> None:
    content = content_of(mean_study(12.5))
    assert "give worst_cost in [individual] to compare" in content.gaps["beside"]
    assert content.gaps["beside"] in Outline(page([content], DAY)).text


@pytest.mark.slow
def test_a_whole_report_of_a_survey_leads_with_money() -> None:
    shares = [planner.Share("smokes", error=0.05), planner.Share("drinks", error=0.06)]
    study = planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(shares, failure=0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(90_000.0)],
        planner.Costs(5.0),
    )
    found = Outline(page([content_of(study)], DAY))
    assert "What accuracy costs" in found.text
    assert "What you might publish" not in found.text  # it has several answers
    assert found.open == []


@pytest.mark.slow
def test_a_survey_shows_what_each_question_gets(survey) -> None:
    html = quick(survey)
    found = Outline(html)
    assert found.open == []
    assert "publish the answers to 14 questions: smokes" in found.text
    assert "The questions What each question gets of the plan" in found.text
    sure = confidence(round_up(survey.questions[2].failure, 3)).removesuffix(" confidence")
    assert f"visits</th><td>12 times</td><td>± 10</td><td>{sure}</td>" in html
    assert "12 × visits: ε = " in found.text
    words = "probability of a larger error in smokes, a proportion within 3 percentage points"
    assert words in Outline(annex(survey)).text
    assert {"s1-questions-wide-t", "s1-questions-narrow-t"} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))


def test_only_a_survey_has_questions(several: str) -> None:
    assert "The questions" not in Outline(several).text


@pytest.mark.slow
def test_an_answer_is_not_solved_again(mean_study, monkeypatch) -> None:
    answer = planner.solve(mean_study(12.5))
    monkeypatch.setattr("planner.reports.content.solve", lambda study: pytest.fail("solved again"))
    assert "35,509" in quick(answer)


@pytest.mark.slow
def test_an_undecided_study_says_so(mean_study) -> None:
    from planner.answer.proof.plan import Proof

    answer = planner.answer.Undecided(
        mean_study(12.5), Proof("search", False, "Nothing was found.")
    )
    text = Outline(quick(answer)).text
    assert "Undecided: we could prove neither" in text
    assert "that none exists. Nothing was found." in text
    assert "What was tried Nothing was found." in Outline(annex(answer)).text
    assert "The proof" not in text


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("δ of 1e-08 <", "δ of 10<sup>−8</sup> &lt;"),
        ("2.5e+16 USD", "2.5 · 10<sup>16</sup> USD"),
        ("made1e5 of 30,000", "made1e5 of 30,000"),
    ],
)
def test_powers_of_ten(words: str, shown: str) -> None:
    assert powers(words) == shown


@pytest.mark.slow
def test_refusals(mean_study, monkeypatch) -> None:
    with pytest.raises(ValueError, match="give at least one"):
        planner.report([])
    with pytest.raises(ValueError, match="2 sources for 1 studies"):
        planner.report(mean_study(12.5), sources=["", ""])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH = 'soon'"):
        planner.report(mean_study(12.5), quick=True)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert "Report of 1970-01-02" in planner.report(mean_study(12.5), quick=True)


def test_one_report_builds_each_problem_once(mean_study) -> None:
    problem_of.cache_clear()
    content_of(mean_study(12.5))
    built = problem_of.cache_info()
    assert built.misses == built.currsize  # none was built again
    assert built.hits > 0


@pytest.mark.slow
def test_a_notebook_shows_the_report_as_a_page(mean_study) -> None:
    page = planner.report(mean_study(12.5), quick=True)
    assert page.startswith("<!DOCTYPE html>")
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<script" not in shown
    assert "&lt;html" in shown


def offering(**changed) -> planner.Study:
    people = planner.People(planner.model.LogNormal(12.5, 2.0), 0.5)
    given = {
        "mechanism": planner.LaplaceMean("hoeffding"),
        "target": planner.Accuracy(0.1, 0.05),
        "individual": planner.Individual.of_people(people),
        "conditions": [planner.Budget(20_000)],
        "costs": planner.Costs(5.0, per_invitation=2.0),
        "title": BAD,
        "currency": "US$",
    }
    return planner.Study(**(given | changed))


@pytest.mark.slow
def test_a_report_says_what_to_offer() -> None:
    content = content_of(offering())
    html = page([content], DAY)
    outline = Outline(html)
    assert outline.open == []
    assert content.offer is not None
    assert "What to offer" in outline.text
    assert "everybody invited is offered 5.15 US$. 49.05 %" in outline.text
    assert html.count("what each payment costs") == 2  # wide and narrow
    assert len(set(outline.ids)) == len(outline.ids)


@pytest.mark.slow
def test_a_report_says_why_there_is_no_offer() -> None:
    free = Outline(page([content_of(offering(costs=planner.Costs(5.0)))], DAY)).text
    assert "Invitations cost nothing" in free
    quick = Outline(page([content_of(offering(), quick=True)], DAY)).text
    assert "Left out of this quick report" in quick
    poor = Outline(page([content_of(offering(conditions=[planner.Budget(100)]))], DAY)).text
    assert "Every payment is proved infeasible" in poor
    alike = Outline(page([content_of(offering(individual=planner.Individual(5.0)))], DAY)).text
    assert "What to offer" not in alike


@pytest.mark.slow
@pytest.mark.parametrize("curated", [True, False])
def test_the_signature_names_the_question_and_who_keeps_the_answers(curated: bool) -> None:
    records = Records(
        wording="Do you smoke?", holder="the registry office", kept="until 1 May 2028"
    )
    study = planner.Study(
        planner.LaplaceMean() if curated else planner.RandomizedResponse(),
        planner.Accuracy(0.2, 0.1),
        conditions=[planner.EpsilonAtMost(1.0)],
        records=records,
    )
    text = Outline(quick(study)).text
    signed = text[text.index("Whoever signs accepts") :]
    assert "the question “Do you smoke?”" in signed
    assert "kept by the registry office, until 1 May 2028" in signed
    assert ("nobody has the true answers" in signed) is not curated
    sheet = markdown(consent(planner.solve(study)))
    assert "kept by the registry office, until 1 May 2028" in sheet
    assert "If you change your mind" in sheet
