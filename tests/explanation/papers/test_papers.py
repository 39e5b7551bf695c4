"""The sheet for participants, and the paragraph on methods."""

import re
from dataclasses import replace

import pytest

import planner
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.reports.sheet import page
from planner.wording import persons
from tests.publication import plans

GRADE = 8.0


def syllables(word: str) -> int:
    """Groups of vowels, but for a silent e at the end."""
    word = word.lower()
    groups = len(re.findall(r"[aeiouy]+", word))
    silent = word.endswith("e") and not word.endswith("le") and groups > 1
    return max(1, groups - silent)


def grade(text: str) -> float:
    """The Flesch-Kincaid grade level."""
    sentences = [s for s in re.split(r"[.!?:]\s|\n", text) if re.search("[a-z]", s)]
    words = re.findall(r"[A-Za-z]+", " ".join(sentences))
    each = sum(map(syllables, words)) / len(words)
    return 0.39 * len(words) / len(sentences) + 11.8 * each - 15.59


def test_the_grade_is_that_of_known_texts():
    assert grade("The cat sat on the mat. The dog ran to the cat.") < 1
    hard = "Differentially private mechanisms necessarily randomise statistical publications."
    assert grade(hard) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", plans.STUDIES)
def test_a_sheet_is_read_at_school(name):
    sheet = consent(plans.plan(name), contact="Ann Lee")
    text = "\n".join(p for section in sheet.sections for p in section.paragraphs)
    assert grade(text) <= GRADE
    assert not re.search("[εδασμ]", text)
    assert "Ann Lee" in markdown(sheet)


def test_odds_and_money_are_rounded_up():
    plan = plans.plan("laplace")
    text = markdown(consent(plan, coin=0.05))
    risk = plan.study.individual.base_cost * 0 + 0.01 * 2.718281828459045**plan.epsilon
    odds = float(re.search(r"at most (\d+) in 10,000 of", text)[1])
    assert risk * 10_000 <= odds < risk * 10_000 + 1
    paid = float(re.search(r"We pay you ([\d.]+) EUR", text)[1])
    assert plan.compensation <= paid < plan.compensation + 0.05
    assert round(paid / 0.05) * 0.05 == pytest.approx(paid)
    assert "to find" not in text  # what else is spent is no payment to them
    with pytest.raises(ValueError, match="smallest coin"):
        consent(plan, coin=0.0)


@pytest.mark.slow
def test_what_is_asked_is_listed():
    text = markdown(consent(plans.plan("survey")))
    assert "5 questions" in text
    assert "- age: one of 3 groups" in text
    assert "- cigarettes: a number from 0 to 60" in text
    assert "spin a wheel" in markdown(consent(plans.plan("reports")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("analysis", "cited"), [("exact", "hoeffding1956"), ("hoeffding", "hoeffding1963")]
)
def test_of_a_mean_the_paragraph_says_how_its_accuracy_was_computed(analysis, cited):
    questions = [planner.Mean("age", low=0, high=60, error=9.0), planner.Share("s", error=0.2)]
    person, costs = planner.Individual(12.5), planner.Costs(per_person=5.0)
    one = planner.Accuracy.of_values(9.0, 0.0, 60.0, 0.05)
    for study in (
        planner.Study(planner.LaplaceMean(analysis), one, person, costs=costs),
        planner.Study(
            planner.AddedNoise("laplace", analysis), planner.Survey(questions, 0.05), person,
            costs=costs,
        ),
    ):  # fmt: skip
        sheet = methods(planner.solve(study, prove=False))
        assert f"[{cited}]" in sheet.sections[0].paragraphs[0]
        assert f"@article{{{cited}," in sheet.code
    shares = replace(study, target=planner.Survey(questions[1:], 0.05))
    assert "For means" not in markdown(methods(planner.solve(shares, prove=False)))


@pytest.mark.slow
@pytest.mark.parametrize("name", plans.STUDIES)
def test_the_paragraph_cites_what_it_names(name):
    plan = plans.plan(name)
    sheet = methods(plan)
    words = sheet.sections[0].paragraphs[0]
    cited = set(re.findall(r"\[(\w+)\]", words))
    assert cited == set(re.findall(r"@\w+{(\w+),", sheet.code))
    assert "hsu2014" in cited
    assert persons(plan.participants) in words
    assert "privacy_loss" in sheet.code


def test_a_page_escapes_what_it_shows():
    from dataclasses import replace

    plan = plans.plan("laplace")
    titled = replace(plan, study=replace(plan.study, title="<b>A & B</b>"))
    html = page(consent(titled))
    assert "&lt;b&gt;A &amp; B" in html
    assert html.rstrip().endswith("</html>")


@pytest.mark.slow
def test_the_paragraph_names_each_question_and_those_alike_once():
    questions = [planner.Share(name, error=0.3) for name in ("smokes", "drinks")]
    survey = planner.Survey([*questions, planner.Histogram("age", groups=3, error=0.2)], 0.1)
    text = markdown(methods(planner.solve(plans.study(planner.AddedNoise("laplace"), survey))))
    assert "smokes and drinks: a proportion within 30 percentage points; age: 3 prop" in text


STRATA = (
    planner.Stratum("North", people=4_000, error=0.2),
    planner.Stratum("South", people=4_000, error=0.2),
    planner.Stratum("East", people=90_000, error=0.2, base_cost=50.0),
)


def with_strata(*conditions, coin: float = 0.0):
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(failure=0.1),
        planner.Individual(12.5),
        conditions,
        planner.Costs(5.0, smallest_coin=coin),
        title="Districts",
        currency="EUR",
        strata=STRATA,
    )
    return planner.solve(study)


def test_strata_that_are_paid_alike_have_one_sheet():
    plan = with_strata()
    sheet = consent(plan)
    titles = [one.title for one in (sheet, *sheet.others)]
    assert titles == [
        "Districts: North and South: what it means to take part",
        "Districts: East: what it means to take part",
    ]
    (east,) = sheet.others
    assert f"We ask {plan.stratum('East').participants} people" in markdown(east)
    assert markdown(sheet).count("# Districts") == 2
    assert page(sheet).count("<h1>") == 2


def test_payments_in_coins_of_all_strata_are_within_the_budget():
    plan = with_strata()
    enough = with_strata(planner.Budget(plan.cost * 1.1))
    assert consent(enough, coin=0.01)
    with pytest.raises(ValueError, match="breaks a condition, such as the budget"):
        consent(enough, coin=50.0)


def test_methods_list_the_strata():
    plan = with_strata()
    text = markdown(methods(plan))
    assert f"the answers of {plan.participants:,} people in 3 strata" in text
    assert "- North and South: each: " in text
    assert text.count("deployment:") == 2
    assert "@inproceedings{hsu2014" in text


@pytest.mark.slow
def test_the_sheet_of_two_groups_says_that_they_are_compared() -> None:
    """Which group somebody is in is public."""
    study = planner.Study(
        planner.NoisyCounts(), planner.Difference(baseline=0.3, change=0.3), planner.Individual(2.0)
    )
    study = replace(study, costs=planner.Costs(per_person=5.0))
    text = markdown(consent(planner.solve(study)))
    assert re.search(r"We ask \d+ people in two groups one question", text)
    assert "a result for each of the two groups, of all " in text
    assert "people, and compare them." in text
    assert "Others can know which group you are in." in text


@pytest.mark.slow
def test_methods_of_strata_that_pay_nobody_say_so() -> None:
    """Whatever interviews cost: nobody is paid for a risk, and no such method is cited."""
    plan = planner.solve(
        planner.Study(
            target=planner.Accuracy(failure=0.05),
            conditions=[planner.EpsilonAtMost(1.0), planner.Budget(20_000.0)],
            costs=planner.Costs(per_person=5.0),
            strata=[replace(one, base_cost=None) for one in STRATA],
        ),
        prove=False,
    )
    text = markdown(methods(plan))
    assert "Participants were not paid." in text
    assert "was paid" not in text
    assert "is paid" not in text.replace("nobody is paid", "")
    assert "hsu2014" not in text
