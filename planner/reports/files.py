"""Report files: pages, and PDFs where there is a Chromium to print them."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from planner.output import write_whole

PAGES, PDF = (".html", ".htm"), ".pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SECONDS = 120  # Chromium prints in seconds, so by then it hangs


def write(html: str, path: Path) -> None:
    """Write a page to a file, as PDF where its name ends so.

    Raises:
        ValueError: the file cannot be written, or Chromium failed.
    """

    def save(part: Path) -> None:
        if path.suffix.lower() == PDF:
            write_pdf(html, part)
        else:
            part.write_text(html, "utf-8")

    write_whole(path, save)


def browser() -> str:
    """The path of a Chromium.

    Raises:
        ValueError: there is none on the PATH.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise ValueError(
            "a PDF is printed by Chromium, which is not on the PATH; install one (apt install "
            "chromium), or write .html and print that from any browser"
        )
    return path


def write_pdf(html: str, path: Path) -> None:
    """Print a page to a file, without network access and without leaving files behind.

    Raises:
        ValueError: there is no Chromium, or it failed.
    """
    program = browser()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "report.html"
        page.write_text(html, "utf-8")
        command = [
            program, "--headless", "--disable-gpu", "--no-pdf-header-footer",
            f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={path}",
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # its sandbox does not run as root
            command.append("--no-sandbox")
        try:
            ran = subprocess.run(
                [*command, page.as_uri()], capture_output=True, timeout=_SECONDS, check=False
            )
            reason = "" if ran.returncode == 0 and path.exists() else f"status {ran.returncode}"
        except subprocess.TimeoutExpired:
            reason = f"no end after {_SECONDS} s"
        except OSError as error:
            reason = error.strerror or "cannot be run"
    if reason:
        raise ValueError(f"{program} could not print the PDF ({reason}); write .html instead")
