"""Report files: checked before anything is computed, written whole or not at all."""

import os
from pathlib import Path

from planner.reports.pdf import browser, write_pdf

PAGES, PDF = (".html", ".htm"), ".pdf"


def check_target(path: Path) -> None:
    """Refuse a file that could not be written.

    Raises:
        ValueError: the folder does not exist or is not writable, the format is unknown, or a PDF
            is asked for and there is no Chromium.
    """
    suffix = path.suffix.lower()
    if suffix not in (*PAGES, PDF):
        raise ValueError(f"{path}: cannot write '{path.suffix}' files; end the name in .html, .pdf")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: folder {path.parent} does not exist; create it first")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path}: cannot be written; give another file")
    if suffix == PDF:
        browser()


def write(html: str, path: Path) -> None:
    """Write a page to a file, as PDF where its name ends so.

    Raises:
        ValueError: the file cannot be written, or Chromium failed.
    """
    part = path.with_name(f".{path.name}.part").absolute()
    try:
        if path.suffix.lower() == PDF:
            write_pdf(html, part)
        else:
            part.write_text(html, "utf-8")
        part.replace(path)
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise ValueError(f"{path}: {reason}; give another file") from None
    finally:
        part.unlink(missing_ok=True)
