"""`python -m tests.browser.screenshots`: the README's pictures of the explorer and of a report.

Needs Chromium and the extra `browser`; other pictures are drawn by `planner figures`.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from planner.explorer.downloads import report_page
from planner.explorer.state import state_of

HERE = Path(__file__).resolve().parents[2] / "figures"  # beside the folder of the code
STUDY = (
    "title=Clinic&currency=EUR&mechanism=laplace-mean+exact&error=0.05&failure=0.05"
    "&base_cost=12.5&worst_cost=1274&budget=30000&max_participants=4000&per_person=5&overhead=2000"
    "&smallest_coin=0.01"
)


def main() -> None:
    """Take every screenshot.

    Raises:
        ValueError: Chromium is not installed.
    """
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise ValueError("screenshots need Chromium; run apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        _explorer(browser, HERE / "explorer.png")
        _report(browser, HERE / "report.png")
        browser.close()


def _explorer(browser: Any, path: Path) -> None:
    planner = str(Path(sys.executable).with_name("planner"))
    command = [planner, "app", "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        address = re.search(r"http://[\d.:]+", line)
        if address is None:
            raise ValueError(f"the explorer did not start: {line}")
        page = browser.new_page(viewport={"width": 1180, "height": 790})
        page.goto(f"{address[0]}/?{STUDY}")
        page.wait_for_selector("#more h3", timeout=60_000)
        page.screenshot(path=path)
    finally:
        process.terminate()
        process.wait(20)


def _report(browser: Any, path: Path) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "report.html")
        file.write_text(report_page(state_of(STUDY))["file"], "utf-8")
        page = browser.new_page(viewport={"width": 1000, "height": 1100})
        page.goto(file.as_uri())
        page.screenshot(path=path)


if __name__ == "__main__":
    main()
