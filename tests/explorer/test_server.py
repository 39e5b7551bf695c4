"""The explorer's server, without a browser."""

import asyncio
import re
import tomllib
from html import escape
from itertools import product
from typing import ClassVar

import httpx
import pytest

import planner
from planner.explorer import server
from planner.explorer.fields import FIELDS
from planner.explorer.state import asked, state_of, study_of
from planner.guide import chapters

SMOKING = "title=Smokers&currency=USD&scenario=smoking&error=0.05&failure=0.05&budget=30000"


class Here:
    """Answers found in this process, as the pool would find them."""

    found: ClassVar[dict] = {}  # kept for all tests, as the server keeps answers
    owners: ClassVar[list] = []  # whether each question was the page's own

    def __init__(self, find, workers) -> None:
        self._find = find

    async def of(self, asked, client="", gone=None, own=False):
        self.owners.append(own)
        key = (self._find, asked)
        if key not in self.found:
            self.found[key] = self._find(asked)
        return self.found[key]

    def known(self, asked):
        return self.found.get((self._find, asked))


class Client:
    """Asks an application without a network."""

    def __init__(self, application) -> None:
        self._transport = httpx.ASGITransport(application)

    def ask(self, method, path, **given) -> httpx.Response:
        async def once() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self._transport, base_url="http://localhost"
            ) as client:
                return await client.request(method, path, **given)

        return asyncio.run(once())

    def get(self, path, **given) -> httpx.Response:
        return self.ask("GET", path, **given)

    def post(self, path, **given) -> httpx.Response:
        return self.ask("POST", path, **given)


@pytest.fixture
def client(monkeypatch) -> Client:
    monkeypatch.setattr(server, "Answers", Here)
    return Client(server.build())


@pytest.mark.slow
@pytest.mark.parametrize(("analysis", "verdict"), [("paper", "infeasible"), ("exact", "feasible")])
def test_the_page_is_whole_without_a_script(client, analysis, verdict) -> None:
    page = client.get(f"/?{SMOKING}&mechanism=laplace-mean+{analysis}")
    assert page.status_code == 200
    assert f'class="{verdict}"' in page.text
    assert "<svg" in page.text
    assert 'value="Smokers"' in page.text
    outside = re.findall(r'(?:src|href|action)="([^"]+)"', page.text)
    assert all(link.startswith(("/", "#")) for link in outside)


@pytest.mark.slow
def test_more_is_a_link_away_without_a_script(client) -> None:
    coarse = SMOKING.replace("error=0.05", "error=0.21")
    more = client.get(f"/?{coarse}&mechanism=laplace-mean+paper&more=1").text
    assert "By other mechanisms and analyses" in more


@pytest.mark.slow
def test_answers_and_files_agree_with_solve(client) -> None:
    query = f"{SMOKING}&mechanism=laplace-mean+exact".replace("error=0.05", "error=0.21")
    plan = planner.solve(study_of(state_of(query)))
    found = client.get(f"/answer?{query}").json()
    assert found["verdict"] == "feasible"
    assert f"{plan.participants:,} people" in found["html"]
    assert client.get(f"/plan.json?{query}").json()["plan"]["epsilon"] == plan.epsilon
    file = client.get(f"/study.toml?{query}")
    assert "attachment" in file.headers["content-disposition"]
    assert tomllib.loads(file.text)["individual"] == {"scenario": "smoking"}
    assert client.get(f"/region.svg?{query}").text.startswith("<svg")


CLINIC = (
    "title=Clinic&currency=EUR&mechanism=laplace-mean+hoeffding&error=0.05&failure=0.05"
    "&base_cost=12.5&worst_cost=1274&budget=30000&per_person=5"
)


def test_the_papers_of_a_plan_are_downloads(client) -> None:
    consent = client.get(f"/consent.html?{CLINIC}").text
    assert "We pay you 2.84 EUR" in consent
    assert "methods" in client.get(f"/methods.html?{CLINIC}").text.lower()
    none = client.get(f"/consent.html?{CLINIC.replace('30000', '300')}")
    assert none.status_code == 400
    assert "infeasible, so there is no plan" in none.text


@pytest.mark.slow
def test_with_a_curator_without_one_and_without_privacy_stand_side_by_side(client) -> None:
    more = client.get(f"/more?{CLINIC}").json()["html"]
    for name in ("private with a curator", "private without a curator", "not private"):
        assert f'<th scope="col">{name}</th>' in more


SURVEY = (
    "title=Visits&currency=EUR&mechanism=added-noise+hoeffding&failure=0.05&base_cost=1"
    "&budget=1e6&max_participants=20000&per_person=5"
    "&question.1.kind=share&question.1.name=smokes&question.1.error=0.03&question.1.times=3"
    "&question.2.kind=histogram&question.2.name=age&question.2.error=0.05&question.2.groups=8"
)


@pytest.mark.slow
def test_a_survey_is_shown_with_its_questions(client) -> None:
    page = client.get(f"/?{SURVEY}").text
    plan = planner.solve(study_of(state_of(SURVEY)))
    assert f"{plan.participants:,} people" in page
    assert "3 × smokes: ε = " in page
    assert '<th scope="row">smokes</th><td>3 times</td>' in page
    assert page.count("of the privacy loss</td>") == 0  # in the table, not in the rows too
    assert 'name="question.2.groups" inputmode="decimal"' in page
    assert 'value="8">' in page
    low = re.search(r'<input[^>]*name="question.2.low"[^>]*>', page)
    assert low is not None
    assert "disabled" in low[0]  # a histogram has none
    assert "The questions" in client.get(f"/report.html?{SURVEY}").text
    assert "The proof" in client.get(f"/annex.html?{SURVEY}").text


MEAN = "&question.3.kind=mean&question.3.name=visits&question.3.error=1&question.3.high=9"
NO_SURVEY = f"{SURVEY}{MEAN}&question.3.low=0".replace("budget=1e6", "budget=10")


@pytest.mark.slow
def test_an_infeasible_survey_is_shown(client) -> None:
    shown = client.get(f"/answer?{NO_SURVEY}").json()
    assert shown["verdict"] == "infeasible"
    assert "The questions" not in shown["html"]


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "place"), [("add=1", "question.3.name"), ("remove=1", "add")])
def test_a_changed_survey_has_an_address_of_its_own(client, edit, place) -> None:
    reply = client.get(f"/?{SURVEY}&{edit}")
    assert reply.status_code == 303
    address, _, named = reply.headers["location"].partition("#")
    assert named == place
    page = client.get(address).text
    assert f'id="{place}"' in page
    names = re.findall(r'name="question\.\d\.name"[^>]*value="([^"]*)"', page)
    assert names == (["smokes", "age", "question 1"] if edit == "add=1" else ["age"])


def test_a_wrong_question_is_marked(client) -> None:
    page = client.get(f"/?{SURVEY}&question.2.error=7").text
    assert "error of question 2 = 7" in page
    box = re.search(r'<input id="question.2.error"[^>]*>', page)
    assert box is not None
    assert 'aria-invalid="true"' in box[0]


def test_an_answer_holds_a_list_of_what_was_asked() -> None:
    query = f"{SMOKING}&mechanism=laplace-mean+paper&queries=9&delta=&max_harm=10"
    assert asked(state_of(query)) == [
        ("mechanism", "a proportion, Laplace noise: the paper's bound"),
        ("what people fear", "smoking"),
        ("margin of error", "0.05"),
        ("probability of a larger error", "0.05"),
        ("budget", "30000 USD"),
        (FIELDS["max_harm"].words, "10 USD"),
    ]


@pytest.mark.slow
def test_what_is_locked_is_not_to_give_way(client) -> None:
    query = f"{SMOKING}&mechanism=laplace-mean+paper"
    assert "a budget of " in client.get(f"/changes?{query}").json()["html"]
    assert "a budget of " not in client.get(f"/changes?{query}&lock=budget").json()["html"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("error=7&failure=0.05&base_cost=1&mechanism=laplace-mean+paper", "from 1e-60 to 1"),
        ("bugdet=3", "did you mean budget"),
        (f"title={'x' * 60_000}", "at most 200"),
    ],
)
def test_wrong_states_are_a_sentence_where_one_looks(client, query, words) -> None:
    page = client.get(f"/?{query}")
    assert page.status_code == 200
    problem = re.search(r'<p id="problem" role="alert">(.*?)</p>', page.text)
    assert words in problem[1]
    assert words in client.get(f"/answer?{query}").json()["error"]
    assert client.get(f"/study.toml?{query}").status_code in (200, 400)


def test_titles_are_text_everywhere(client) -> None:
    query = f"{SMOKING}&mechanism=laplace-mean+paper".replace(
        "Smokers", "%3Cscript%3Ealert(1)%3C/script%3E%22"
    )
    page = client.get(f"/?{query}").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_files_are_opened_by_the_server_s_rules(client) -> None:
    text = 'title = "A"\n[target]\nerror = 0.1\nfailure = 0.1\n[mechanism]\nkind = "laplace-mean"\n'
    text += "[individual]\nbase_cost = 3\n[conditions]\nbudget = 100\n"
    opened = client.post("/open", content=text).json()
    assert study_of(state_of(opened["query"])).target == planner.Accuracy(0.1, 0.1)
    assert client.post("/open", content="?").status_code == 400
    assert "not valid TOML" in client.post("/open", content="?").json()["error"]
    assert "UTF-8" in client.post("/open", content=b"\xff\xfe").json()["error"]
    assert "too large" in client.post("/open", content="x" * 2_000_000).json()["error"]


def test_pages_of_other_sites_are_refused(client) -> None:
    for path, headers in product(
        ["/", "/answer", "/changes", "/open", "/report.html"],
        [
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        ],
    ):
        method = "POST" if path == "/open" else "GET"
        assert client.ask(method, path, headers=headers).status_code == 403


def test_links_from_other_sites_may_be_followed_and_the_own_page_may_ask(client) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get(f"/?{SMOKING}&mechanism=laplace-mean+paper", headers=link).status_code == 200
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert "not valid TOML" in client.post("/open", content="?", headers=own).json()["error"]


@pytest.mark.parametrize("path", ["/", "/none", "/static/explorer.js", "/glossary"])
def test_every_answer_says_what_a_browser_may_do(client, path) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_only_this_computer_s_names_are_answered(client) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_each_answer_is_found_once_and_stops_when_all_have_gone() -> None:
    asked, stopped = [], []

    class Slow:
        async def run(self, find, given, client, own):
            asked.append((given, client))
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                stopped.append(given)
                raise
            return find(given)

    async def gone():
        """The client has disconnected."""

    async def run():
        found = server.Answers(str.upper, Slow())
        assert await asyncio.gather(*(found.of(x, "me") for x in "aab")) == ["A", "A", "B"]
        assert await found.of("a", "you") == "A"
        assert asked == [("a", "me"), ("b", "me")]
        assert await found.of("c", "me", gone) is None
        await asyncio.sleep(0)
        assert stopped == ["c"]
        assert await found.of("d", "me", gone) is None
        assert await found.of("d", "you") == "D"
        # one who waits for the same as one who goes is answered all the same
        assert await asyncio.gather(found.of("c", "me", gone), found.of("c", "you")) == [None, "C"]

    asyncio.run(run())


def test_the_page_holds_the_token_that_its_requests_send(client) -> None:
    query = f"{SMOKING}&mechanism=laplace-mean+paper"
    pages = [client.get(f"/?{query}").text, Client(server.build()).get("/guide").text]
    token = re.search(r'<meta name="token" content="([^"]{40,})">', pages[0])
    assert token is not None
    assert "token" not in pages[1]
    owners = []
    for given in ({"x-token": token[1]}, {"x-token": token[1][:-1]}, {"x-token": "é".encode()}, {}):
        client.get(f"/answer?{query}", headers=given)
        owners.append(Here.owners[-1])
    assert owners == [True, False, False, False]
    assert token[1] not in Client(server.build()).get("/").text
    script = client.get("/static/explorer.js").text
    assert '"X-Token": document.querySelector("meta[name=token]").content' in script


def test_a_port_in_use_is_said(capsys) -> None:
    import socket

    from planner.cli import run

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["app", "--port", str(port), "--no-browser"]) == 64
    assert "in use; give another --port" in capsys.readouterr().err


@pytest.mark.slow
def test_the_guide_is_shown_chapter_by_chapter(client) -> None:
    contents = client.get("/guide").text
    for one in chapters():
        assert f'href="/guide/{one.name}"' in contents
        page = client.get(f"/guide/{one.name}").text
        assert f"<h1>{escape(one.title)}</h1>" in page
        links = re.findall(r'(?:href|src)="(/[^"]*)"', page)
        assert all(client.get(link).status_code == 200 for link in links if link != "/")
    assert ".md" not in page
    assert 'href="/guide"' in client.get(f"/?{SMOKING}").text
    assert client.get("/guide/none").status_code == 404


@pytest.mark.slow
def test_a_range_is_an_uncertain_number(client) -> None:
    query = CLINIC.replace("budget=30000", "budget=8000+to+20000")
    shown = client.get(f"/answer?{query}").json()
    assert shown["verdict"] == "for some"
    assert "feasible" in shown["html"]
    more = client.get(f"/more?{query}").json()["html"]
    assert "which input matters most" in more
    assert "<svg" in more
    assert "no number is a range" in client.get(f"/changes?{query}").json()["html"]
    file = client.get(f"/study.toml?{query}").text
    assert tomllib.loads(file)["conditions"]["budget"] == {"uniform": [8000, 20000]}
    refused = client.get(f"/plan.json?{query}")
    assert refused.status_code == 400
    assert "give one number for each" in refused.text
    opened = client.post("/open", content=file.encode()).json()
    assert "budget=8000+to+20000" in opened["query"]
    page = client.get(f"/?{query}").text
    assert 'value="8000 to 20000"' in page
    assert "for some" in page or "feasible" in page


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ("budget=20000+to+8000", "the lower end"),
        ("budget=8000+to+lots", "not a number"),
        ("overhead=1+to+2+to+3", "not a number"),
        ("max_participants=10+to+20", ""),
    ],
)
def test_ranges_that_are_none_are_refused_in_a_sentence(client, box, words) -> None:
    shown = client.get(f"/answer?{CLINIC}&{box}").json()
    assert words in shown.get("error", "")
