"""Uncertain numbers of a study file: intervals or distributions."""

from typing import Any

from planner import decisions
from planner.checked import Refused
from planner.model.spread import KINDS, Spread, spread_of
from planner.quantities import QUANTITIES, UNCERTAIN
from planner.wording import named, quoted

PLACES = {(QUANTITIES[name].section, QUANTITIES[name].key): name for name in (*UNCERTAIN, "delta")}
PLACES |= {("mechanism", "times"): "queries"}
"""Keys that may be uncertain, and their quantities; δ is refused elsewhere."""
_TAKES = ("individual", "base_costs")  # which holds people who differ, not an uncertain number


def has_spreads(data: dict[str, Any]) -> bool:
    """Whether any number of a study file is uncertain."""
    return bool(_tables(data))


def without_spreads(data: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Spread]]:
    """The tables with medians in place of uncertain numbers, and those numbers by quantity.

    Raises:
        ValueError: a table is not an interval or distribution, or its key cannot be
            uncertain.
    """
    plain = {key: dict(v) if isinstance(v, dict) else v for key, v in data.items()}
    spreads: dict[str, Spread] = {}
    for section, key, table in _tables(data):
        where = f"{named(section)}.{named(key)}".strip(".")
        if (section, key) not in PLACES:
            known = ", ".join(name for _, name in PLACES if name != "delta")
            raise ValueError(
                f"{where} = {quoted(table)} cannot be uncertain; give one number (these can be "
                f"uncertain: {known})"
            )
        quantity = PLACES[section, key]
        try:
            spread = spread_of(table)
        except Refused as error:
            raise ValueError(f"{where} = {quoted(table)}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if quantity != "delta":  # which is refused elsewhere
            decisions.check_ends(quantity, spread)
        median = max(round(spread.median), 1) if QUANTITIES[quantity].whole else spread.median
        plain[section][key] = median
        spreads[quantity] = spread
    _check_costs(data, plain)
    return plain, spreads


def _check_costs(data: dict[str, Any], plain: dict[str, Any]) -> None:
    person = plain.get("individual")
    if not isinstance(person, dict):
        return
    base, worst = person.get("base_cost"), person.get("worst_cost")
    if not (isinstance(base, int | float) and isinstance(worst, int | float) and base > worst):
        return
    given = data["individual"]
    if isinstance(given["base_cost"], dict) or isinstance(given["worst_cost"], dict):
        raise ValueError(
            f"individual.base_cost = {quoted(given['base_cost'])} exceeds worst_cost = "
            f"{quoted(given['worst_cost'])} with probability over 1/2; give a larger worst_cost, "
            "or smaller base costs"
        )


def _tables(data: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    uncertain = []
    for section, keys in data.items():
        tables = keys if isinstance(keys, list) else [keys]
        for table in tables:
            if not isinstance(table, dict):
                continue
            if not isinstance(keys, list):
                uncertain += [(section, k, v) for k, v in table.items() if _is_one(section, k, v)]
            else:  # with several mechanisms it is not clear which one to vary
                uncertain += [(f"{section} (several)", k, v) for k, v in table.items() if _named(v)]
    return uncertain


def _is_one(section: str, key: str, value: Any) -> bool:
    if (section, key) == _TAKES:
        return False
    return isinstance(value, dict) and ((section, key) in PLACES or _named(value))


def _named(value: Any) -> bool:
    return isinstance(value, dict) and bool(set(value) & set(KINDS))


def schema() -> dict[str, Any]:
    """The JSON Schema of an uncertain number."""
    pair: dict[str, Any] = {
        "type": "array",
        "items": {"type": "number"},
        "minItems": 2,
        "maxItems": 2,
    }
    three = {**pair, "minItems": 3, "maxItems": 3}
    kinds = {name: three if name == "triangular" else pair for name in KINDS}
    return {
        "description": "an uncertain number: an interval or a distribution",
        "oneOf": [
            {
                "type": "object",
                "properties": {
                    name: {**shape, "description": str(KINDS[name].__doc__).partition("\n")[0]}
                },
                "required": [name],
                "additionalProperties": False,
            }
            for name, shape in kinds.items()
        ],
    }
