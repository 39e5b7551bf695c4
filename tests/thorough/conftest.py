"""The order of the thorough tests."""

import pytest

LONGEST = ("test_harness", "test_surveys", "test_frozen_studies", "test_survey_certificates")
"""Files whose tests take minutes: they begin first, so that no processor waits for one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.stem not in LONGEST)
