"""`python -m planner.guide.reference`: the reference of the API in HTML, in build/reference.

It starts with the public names. Each part has a page, of its public names where it lists them.
Needs the extra `docs`.
"""

import sys
from pathlib import Path
from pkgutil import iter_modules

import planner
from planner.wording import not_installed

LEFT_OUT = {"cli", "explorer", "figures", "guide", "reports", "scenarios"}
"""What shows answers, and data."""


def write(folder: Path) -> None:
    """Write the reference into a folder.

    Raises:
        ValueError: pdoc is not installed.
    """
    try:
        import pdoc
    except ImportError as error:
        raise ValueError(not_installed("the reference needs", error.name, "docs")) from None
    from pydantic._internal import _dataclasses

    # pydantic defines this type for type checkers alone, and its signatures name it
    vars(_dataclasses).setdefault("PydanticDataclass", object)
    others = LEFT_OUT.union(dir(planner))  # public modules are found with the public names
    parts = sorted(one.name for one in iter_modules(planner.__path__) if one.name not in others)
    pdoc.render.configure(docformat="google", show_source=False)
    pdoc.pdoc("planner", *(f"planner.{name}" for name in parts), output_directory=folder)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/reference")
    write(target)
    print(target / "planner.html")  # noqa: T201
