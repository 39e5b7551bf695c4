"""`python -m figures [FOLDER]`: as `planner figures`."""

import sys

from planner.cli import run

if __name__ == "__main__":
    sys.exit(run(["figures", *sys.argv[1:]]))
