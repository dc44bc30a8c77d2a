"""Faults are about what is kept and how often: here what people say is taken as it is, by exact words alone."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def exact_words() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOFTRAIL_READER", "exact")
        yield
