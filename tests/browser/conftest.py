"""A real browser, and the explorer running on a free port of this computer."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / "build" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "the browser tests need Chromium; apt-get install chromium"
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def explorer() -> Iterator[str]:
    planner = Path(sys.executable).with_name("planner")
    process = subprocess.Popen(
        [planner, "app", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    yield found[0]
    process.terminate()
    process.wait(20)
    process.stdout.close()


@pytest.fixture
def page(chromium) -> Iterator:
    """A page whose every request is remembered, and which may not raise an error."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    page.asked, errors = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[str]]:
    """What axe-core finds to be seriously wrong with a page."""
    assert AXE.exists(), "npm install --no-save --prefix build axe-core"
    script = AXE.read_text("utf-8")

    def found(page: Any) -> list[str]:
        page.evaluate(script)
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in page.evaluate("() => axe.run().then(found => found.violations)")
            if one["impact"] in ("serious", "critical")
        ]

    return found
