"""The explorer in a real browser."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse

import pytest

pytestmark = pytest.mark.browser
SMOKING = "?title=Smokers&currency=USD&scenario=smoking&error=0.05&failure=0.05&budget=30000"
CLINIC = (
    "?title=Clinic&currency=EUR&mechanism=laplace-mean+paper&error=0.05&failure=0.05"
    "&base_cost=12.5&worst_cost=1274&budget=30000"
)
SURVEY = (
    "?title=Visits&currency=EUR&mechanism=added-noise+hoeffding&failure=0.05&base_cost=1"
    "&budget=1e6&max_participants=20000&per_person=5"
    "&question.1.kind=share&question.1.name=smokes&question.1.error=0.03&question.1.times=3"
    "&question.2.kind=histogram&question.2.name=age&question.2.error=0.05&question.2.groups=8"
)


def settled(page) -> None:
    """Wait until the answer is that of what the boxes say."""
    page.wait_for_function(
        """() => answer.dataset.query === query().toString()
            && !answer.classList.contains('waiting')"""
    )


def changed(page, key, value) -> None:
    page.fill(f"#{key}", value)
    settled(page)


def verdict(page) -> str:
    return page.inner_text("#verdict")


def test_a_slider_drag_changes_verdict_and_picture(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    assert verdict(page).startswith("Feasible")
    picture = page.inner_html(".picture")
    slider = page.locator("[data-key=budget] .slider").bounding_box()
    y = slider["y"] + slider["height"] / 2
    start = page.locator("[data-key=budget] .slider").evaluate("s => s.value / 1000")
    page.mouse.move(slider["x"] + 8 + start * (slider["width"] - 16), y)
    page.mouse.down()
    for step in range(8):
        page.mouse.move(slider["x"] + 8 + start * (1 - step / 7) * (slider["width"] - 16), y)
    page.mouse.up()
    settled(page)
    assert verdict(page).startswith("Infeasible")
    assert page.inner_html(".picture") != picture
    assert "budget=10" in page.url


def test_smoking_turns_feasible_when_told_exactly(page, explorer) -> None:
    page.goto(f"{explorer}/{SMOKING}&mechanism=laplace-mean+paper")
    assert verdict(page).startswith("Infeasible")
    page.select_option("#mechanism", "laplace-mean exact")
    settled(page)
    assert verdict(page).startswith("Feasible")


def test_the_state_survives_a_reload(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    changed(page, "budget", "5000")
    page.check("[data-key=error] input[name=lock]")
    settled(page)
    before = verdict(page)
    page.reload()
    assert page.input_value("#budget") == "5000"
    assert page.is_checked("[data-key=error] input[name=lock]")
    assert page.locator("[data-key=error] .slider").is_disabled()
    assert verdict(page) == before


def test_downloads_give_the_same_answer_on_the_command_line(page, explorer, tmp_path) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    changed(page, "base_cost", "20")
    files = {}
    names = ("study.toml", "plan.json", "region.svg", "report.html", "annex.html")
    for name in names:
        with page.expect_download() as download:
            page.click(f"#downloads a[data-path='/{name}']")
        files[name] = tmp_path / name
        download.value.save_as(files[name])
    planner = Path(sys.executable).with_name("planner")
    solved = tmp_path / "solved.json"
    subprocess.run([planner, "solve", files["study.toml"], "-o", solved], check=False)
    assert solved.read_text("utf-8") == files["plan.json"].read_text("utf-8")
    answer = json.loads(solved.read_text("utf-8"))
    assert subprocess.run([planner, "check", files["plan.json"]], check=False).returncode == 0
    assert f"{answer['plan']['participants']:,} people" in verdict(page)
    assert "<svg" in files["region.svg"].read_text("utf-8")
    assert "Clinic" in files["report.html"].read_text("utf-8")


def test_a_study_file_can_be_opened(page, explorer, tmp_path) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    file = tmp_path / "mine.toml"
    file.write_text(
        'title = "<b>Mine</b>"\n[target]\nerror = 0.1\nfailure = 0.1\n[mechanism]\n'
        'kind = "laplace-mean"\nanalysis = "paper"\n[individual]\nbase_cost = 3\n'
        "[conditions]\nbudget = 7000\n",
        "utf-8",
    )
    page.set_input_files("#file", file)
    page.wait_for_url("**budget=7000**")
    assert page.input_value("#title") == "<b>Mine</b>"
    assert "<b>Mine</b>: feasible" in page.inner_text("caption")
    file.write_text("x" * 200_000, "utf-8")
    page.set_input_files("#file", file)
    page.wait_for_function("() => problem.textContent.includes('too large')")
    assert page.input_value("#budget") == "7000"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("error", "7", "from 1e-60 to 1"),
        ("budget", "lots", "not a number"),
        ("failure", "0", "at least 1e-290"),
    ],
)
def test_a_wrong_number_is_said_and_nothing_is_lost(page, explorer, key, value, words) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    before = verdict(page)
    page.fill(f"#{key}", value)
    page.wait_for_function(f"() => problem.textContent.includes({json.dumps(words)})")
    assert page.get_attribute(f"#{key}", "aria-invalid") == "true"
    assert page.input_value(f"#{key}") == value
    assert verdict(page) == before
    changed(page, key, "0.04" if key != "budget" else "40000")
    assert page.inner_text("#problem") == ""
    assert page.get_attribute(f"#{key}", "aria-invalid") is None


def test_one_s_own_costs_come_back_after_a_scenario(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    page.select_option("#scenario", "smoking")
    settled(page)
    assert page.input_value("#base_cost") == "254.8"
    assert page.locator("#base_cost").evaluate("box => box.readOnly")
    page.select_option("#scenario", "")
    settled(page)
    assert page.input_value("#base_cost") == "12.5"


def test_the_back_button_undoes_a_change(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    before = verdict(page)
    changed(page, "budget", "100")
    assert verdict(page) != before
    page.go_back()
    from playwright.sync_api import expect

    # the page is loaded again, so what is there first is still the change
    expect(page.locator("#budget")).to_have_value("30000", timeout=20_000)
    expect(page.locator("#verdict")).to_have_text(before, timeout=20_000)


def test_a_decimal_comma_is_not_taken_for_another_number(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    page.fill("#base_cost", "12,5")
    page.wait_for_function("() => problem.textContent.includes('with a point')")
    assert "the study before that" in page.inner_text("#problem")
    assert page.locator("#downloads").is_hidden()
    changed(page, "base_cost", "1,250")
    assert page.locator("#downloads").is_visible()


def test_an_address_that_was_tampered_with(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}&bugdet=1")
    assert "did you mean budget" in page.inner_text("#problem")
    assert "Feasible" in verdict(page)
    page.goto(f"{explorer}/?title={'x' * 100_000}")
    assert "100,000 characters" in page.inner_text("#problem")


def test_the_keyboard_alone_reaches_everything(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    page.wait_for_selector("#more h3", timeout=60_000)
    wanted = page.evaluate(
        """() => [...document.querySelectorAll(
            'a[href], button, input, select, summary, [tabindex="0"]')]
            .filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true})).length"""
    )
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                """() => { const all = [...document.querySelectorAll('*')];
                return all.indexOf(document.activeElement); }"""
            )
        )
    assert len(reached) >= wanted
    page.focus("[data-key=error] .slider")
    page.keyboard.press("Home")
    settled(page)
    assert page.input_value("#error") == "0.001"
    assert verdict(page).startswith("Infeasible")


def test_print_lists_what_was_asked_in_place_of_the_form(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    changed(page, "budget", "20000")
    assert page.locator(".asked").is_hidden()
    page.emulate_media(media="print")
    assert "20000 EUR" in page.inner_text(".asked")
    assert page.locator("#study").is_hidden()
    assert page.locator("summary:visible, input:visible, select:visible").count() == 0


@pytest.mark.parametrize("query", [CLINIC, SURVEY])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_is_wider_than_the_screen(page, explorer, width, query) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{explorer}/{query}&title={'long' * 50}")
    page.wait_for_selector("#more h3", timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    "query", [CLINIC, SURVEY, SMOKING + "&mechanism=laplace-mean+paper", "?error=9"]
)
def test_axe_finds_nothing_serious(page, explorer, violations, query) -> None:
    page.goto(f"{explorer}/{query}")
    if "9" not in query:
        page.wait_for_selector("#more h3", timeout=60_000)
    assert violations(page) == []


def test_without_scripts_it_is_a_form(chromium, explorer) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{explorer}/{CLINIC}")
    page.fill("#budget", "100")
    page.click("#plan")
    assert page.inner_text("#verdict").startswith("Infeasible")
    assert "budget=100&" in page.url + "&"
    context.close()


def test_no_request_leaves_this_computer(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    changed(page, "budget", "20000")
    page.wait_for_selector("#more h3", timeout=60_000)
    page.goto(f"{explorer}/glossary")
    assert page.asked
    assert {urlparse(url).hostname for url in page.asked} == {"127.0.0.1"}


def test_two_people_get_their_own_answers(chromium, explorer) -> None:
    pages = [chromium.new_context().new_page() for _ in range(2)]
    for at, page in enumerate(pages):
        page.goto(f"{explorer}/{CLINIC}&max_participants={20_000 + at}")
    for _ in range(3):
        for at, page in enumerate(pages):
            page.fill("#budget", str(30_000 + 1000 * at))
        for at, page in enumerate(pages):
            settled(page)
            assert f"{30 + at}000 EUR" in page.text_content("#answer .asked")
    for page in pages:
        page.context.close()


def test_what_to_relax_stands_first_where_there_is_no_plan(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}")
    before = "changes.offsetTop < document.querySelector('#answer figure').offsetTop"
    assert not page.evaluate(before)
    changed(page, "budget", "1000")
    assert verdict(page).startswith("Infeasible")
    page.wait_for_selector("#changes h3", timeout=60_000)
    assert page.evaluate(before)
    assert "conflict" not in page.inner_text("#answer")
    changed(page, "budget", "30000")
    assert not page.evaluate(before)
