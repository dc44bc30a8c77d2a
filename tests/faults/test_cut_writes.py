"""A write that is cut between any two of its statements has not happened, and can be made again (row A5)."""

import pytest

from softrail.store import SqlStore
from tests.faults.statements import WRITES, half_done


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_that_is_cut_anywhere_has_not_happened(store: SqlStore, name: str) -> None:
    assert await half_done(store, name) == []
