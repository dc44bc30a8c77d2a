"""What tests of talk about a bakery share."""

from collections.abc import AsyncIterator

import pytest

from benchmarks.free import BAKERY, World, world


@pytest.fixture
async def here() -> AsyncIterator[World]:
    """Somebody with a bakery and its price list."""
    async with world(BAKERY, ["Price list"]) as made:
        yield made
