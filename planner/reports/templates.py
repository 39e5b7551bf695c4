"""The templates of pages, and the style that they have in common."""

from pathlib import Path
from typing import TYPE_CHECKING

from planner.libraries import jinja2

if TYPE_CHECKING:
    from jinja2 import Environment


def page_environment() -> "Environment":
    """Where templates of pages are found; each gets its own functions."""
    folder = Path(__file__).parent
    environment: Environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style"] = (folder / "report.css").read_text("utf-8")
    return environment
