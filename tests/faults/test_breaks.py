"""What breaks a guarantee on purpose still fits the code, names tests that exist, and the sharpest two are caught."""

from pathlib import Path

import pytest

from softrail.store import SqlStore
from tests.faults.breaking import BREAKS
from tests.faults.kit import file_url
from tests.faults.statements import half_done
from tests.integration import test_deliveries_of_workers as deliveries

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_replaces_what_is_there_and_its_guards_exist(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        BREAKS[name].apply(patch)
    suites = "".join(path.read_text() for path in (ROOT / "softrail/testing/contracts").glob("*.py"))
    for guard in BREAKS[name].guards:
        path, _, test = guard.partition("::")
        function = test.rpartition("::")[2].partition("[")[0]
        written = suites if "::Test" in guard else (ROOT / path).read_text()
        assert f"def {function}(" in written, guard


def test_every_guarantee_that_can_be_broken_is_documented() -> None:
    page = (ROOT / "docs/reference/durability.md").read_text()
    assert [one.guarantee for one in BREAKS.values() if one.guarantee not in page] == []


async def test_a_reply_that_is_committed_before_its_effects_is_caught(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    BREAKS["reply-first"].apply(monkeypatch)

    [found] = await half_done(store, "a turn that changes everything")

    assert "has changed" in found


async def test_an_outbox_that_is_delivered_without_claims_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BREAKS["no-claim"].apply(monkeypatch)

    with pytest.raises(AssertionError):
        await deliveries.test_two_workers_deliver_each_effect_once_and_never_both_at_once(file_url(tmp_path))
