"""Study files to begin with, which `planner init` writes."""

from pathlib import Path

TEMPLATES = Path(__file__).parent
