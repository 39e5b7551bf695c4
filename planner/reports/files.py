"""Report files: pages, and PDFs where there is a Chromium."""

from pathlib import Path

from planner.output import write_whole
from planner.reports.pdf import write_pdf

PAGES, PDF = (".html", ".htm"), ".pdf"


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
