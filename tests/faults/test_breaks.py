"""What breaks a guarantee on purpose still fits the code, names tests that exist, and the sharpest two are caught."""

from pathlib import Path

import pytest

from softrail.store import SqlStore
from tests.faults.breaking import rewritten
from tests.faults.breaks import BREAKS
from tests.faults.broken import listed
from tests.faults.kit import file_url
from tests.faults.statements import half_done
from tests.integration import test_deliveries_of_workers as deliveries

ROOT = Path(__file__).parents[2]
SUITES = "".join(path.read_text() for path in sorted((ROOT / "softrail/testing/contracts").glob("*.py")))


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_replaces_what_is_there_and_its_guards_exist(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        BREAKS[name].apply(patch)
    assert BREAKS[name].guards
    for guard in BREAKS[name].guards:
        path, _, test = guard.partition("::")
        function = test.rpartition("::")[2].partition("[")[0]
        written = (ROOT / path).read_text() + (SUITES if "::Test" in guard else "")
        assert f"def {function}(" in written, guard


def test_the_page_lists_every_guarantee_with_the_ways_it_is_broken() -> None:
    assert listed() in (ROOT / "docs/reference/durability.md").read_text(), (
        "python -m tests.faults.broken --list"
    )


class Shop:
    """Something to be broken."""

    def price(self, pieces: int) -> int:
        return 3 * pieces


def test_a_break_that_does_not_fit_the_code_any_more_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten(monkeypatch, Shop.price, "3 * pieces", "4 * pieces")
    assert Shop().price(2) == 8
    monkeypatch.undo()
    assert Shop().price(2) == 6

    with pytest.raises(AssertionError, match=r"Shop\.price holds '5 \* pieces' 0 times"):
        rewritten(monkeypatch, Shop.price, "5 * pieces", "4 * pieces")


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
