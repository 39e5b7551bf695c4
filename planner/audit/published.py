"""Hsu14's statements about ε in the literature (§1, §3.2, §10, Table 1)."""

from planner.audit.claim import Finding, claim, logical
from planner.audit.literature import table_1


def ends() -> tuple[float, float]:
    """The smallest and the largest ε of Table 1."""
    table = table_1()
    return min(p.lowest for p in table if p.lowest), max(p.highest for p in table)


@claim("1", "published ε range", "from 0.01 to 7")
def range_in_the_introduction() -> Finding:
    least, most = ends()
    return logical(
        (least, most) == (0.01, 7),
        f"{least:g} to {most:g}",
        follows=most / least >= 7 / 0.01,
        why="Table 1; that they range widely holds all the more",
    )


@claim("3.2", "who used the largest ε", "7 [31]")
def source_of_the_largest() -> Finding:
    uses = {p.reference: p.highest for p in table_1()}
    with_7 = [reference for reference, highest in uses.items() if highest == 7]
    return logical(
        uses[31] == 7,
        f"[31] used {uses[31]:g} at most",
        follows=bool(with_7),
        why=f"Table 1 gives < 7 for {with_7}, by an author of [31], and 10 for others",
    )


@claim("10", "published ε mostly range", "from 0.01 to 10")
def range_in_related_work() -> Finding:
    least, most = ends()
    return logical((least, most) == (0.01, 10), f"{least:g} to {most:g}", why="Table 1")


@claim("10", "Table 1 names authors as the reference list does", "19 entries")
def names_in_table_1() -> Finding:
    table = table_1()
    plain = str.maketrans("Á", "A")
    slips = [p for p in table if not p.authors.translate(plain).startswith(p.named)]
    words = "; ".join(f"{p.named} for {p.authors} [{p.reference}]" for p in slips)
    references = {p.reference for p in table}
    return logical(
        not slips,
        words or "all the same",
        follows=len(references) == len(table),
        why="the reference numbers show which are meant",
    )
