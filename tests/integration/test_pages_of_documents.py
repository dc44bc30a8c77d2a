"""A PDF is read in a process of its own, page by page; one that cannot be is refused with the reason, or ends at a limit."""

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from softrail import Attachment
from softrail.plans.data.children import Children
from softrail.plans.data.faults import LimitReached, SourceUnreadable
from softrail.plans.documents.passages import PAGE_END
from softrail.plans.documents.portable import Portable, Text
from softrail.testing.contracts.counting import until
from tests.child_processes import KNOWN, processes_of_data
from tests.portable_documents import assembled, beside, document, lines, locked, packed_many_times, written

LEASE = document(
    lines(
        "Lease of the shop", "", "The rent is 1,250.00 EUR a month, paid in ad-", "vance on the first day."
    ),
    b"",
    lines("The notice period is three months, in writing."),
)
EMPTY_PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"
CATALOGUE = b"<< /Type /Catalog /Pages 2 0 R >>"


async def read(raw: bytes, folder: Path, children: Children | None = None) -> Mapping[str, Any]:
    (folder / "document").write_bytes(raw)
    reader = children or Children(megabytes=256, seconds=60)
    told = list[Mapping[str, Any]]()
    await reader.one("pages", {"file": "document"}, folder, parts=told)
    return {"count": told[0]["count"], "pages": [one["page"] for one in told[1:]]}


class Files:
    """One file."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    async def pieces(self, file: Attachment) -> AsyncIterator[bytes]:
        yield self._raw


async def as_searched(raw: bytes, children: Children) -> Text:
    """A PDF as questions are answered from it."""
    reader = Portable(Files(raw), children)  # type: ignore[arg-type] # all of them that is asked for
    file = Attachment(id="f", name="lease.pdf", media_type="application/pdf", size=len(raw))
    found = await reader.read("s", file, patience=60)
    reader.only("s", ())
    assert found is not None
    return found


async def test_the_text_of_each_page_is_read_with_its_paragraphs_and_whole_words(tmp_path: Path) -> None:
    assert await read(LEASE, tmp_path) == {
        "pages": [
            "Lease of the shop\n\nThe rent is 1,250.00 EUR a month, paid in advance on the first day.",
            "",
            "The notice period is three months, in writing.",
        ],
        "count": 3,
    }


async def test_two_columns_are_read_one_after_the_other_in_whatever_order_they_were_written(
    tmp_path: Path,
) -> None:
    left = [
        "The rent is paid on the first",
        "day of each month, in advance,",
        "to the account of the owner",
        "who names it in writing.",
    ]
    right = [
        "Either side may end the lease.",
        "The notice period is three",
        "months, counted from the end",
        "of the month it is given in.",
    ]
    by_row = beside((72, left), (330, right))
    by_column = lines(*left, top=700) + lines(*right, x=330, top=700)
    for drawn in (by_row, by_column):
        [page] = (await read(document(drawn), tmp_path))["pages"]
        assert [line for line in page.split("\n") if line] == [*left, *right]


async def test_turned_text_and_a_page_that_is_turned_are_read_all_the_same(tmp_path: Path) -> None:
    turned = b"BT /F1 11 Tf 0 1 -1 0 100 100 Tm (The notice period is long.) Tj ET"
    raw = document(turned, lines("The rent is due."))
    assert (await read(raw, tmp_path))["pages"] == ["The notice period is long.", "The rent is due."]
    sideways = LEASE.replace(b"/MediaBox", b"/Rotate 90 /MediaBox")
    assert "notice period" in " ".join((await read(sideways, tmp_path))["pages"])


async def test_one_that_is_locked_without_a_password_is_read_and_one_with_a_password_is_not(
    tmp_path: Path,
) -> None:
    assert (await read(locked(LEASE, ""), tmp_path))["count"] == 3
    with pytest.raises(SourceUnreadable, match="locked with a password"):
        await read(locked(LEASE, "secret"), tmp_path)


@pytest.mark.parametrize(
    "broken",
    [
        LEASE.replace(b"startxref\n", b"startxref\n9"),
        LEASE.replace(b"0000000", b"0000009"),
        b"rubbish before it\n" + LEASE,
    ],
    ids=["wrong place", "wrong table", "something before"],
)
async def test_a_broken_table_of_places_is_found_again(tmp_path: Path, broken: bytes) -> None:
    assert "notice period" in " ".join((await read(broken, tmp_path))["pages"])


async def test_a_page_that_is_damaged_leaves_the_others(tmp_path: Path) -> None:
    raw = document(lines("The rent is due."), lines("The keys are handed over."))
    begins = raw.index(b"stream\n") + 7
    damaged = raw[:begins] + b"\xff" * 20 + raw[begins + 20 :]
    assert (await read(damaged, tmp_path))["pages"][1] == "The keys are handed over."


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (document(b"0 0 100 100 re f", b""), "no text"),
        (b"", "no PDF"),
        (b"The notice period is three months.", "no PDF"),
        (b"%PDF-1.7\nnothing of the sort", "damaged"),
        (LEASE[:200], "damaged"),
        (LEASE[: LEASE.rindex(b"startxref")], "damaged"),
        (assembled([CATALOGUE, b"<< /Type /Pages /Count 0 /Kids [] >>"]), "no pages"),
        (assembled([CATALOGUE, b"<< /Type /Pages /Count 2 /Kids [2 0 R] >>"]), "damaged"),
        (os.urandom(20) + b"%PDF-1.4" + bytes(range(256)) * 40, "damaged"),
    ],
    ids=["scanned", "empty", "a text", "a mark alone", "cut off", "no end", "no pages", "a circle", "noise"],
)
async def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path: Path, raw: bytes, why: str) -> None:
    with pytest.raises(SourceUnreadable, match=why):
        await read(raw, tmp_path)


async def test_of_very_many_pages_the_first_are_read_and_it_is_told(tmp_path: Path) -> None:
    raw = document(lines("The rent is due."), *[b""] * 600)
    told = await read(raw, tmp_path)
    assert (len(told["pages"]), told["count"]) == (500, 601)


@pytest.mark.parametrize(
    "made",
    [
        lambda: packed_many_times(300_000_000, 1),
        lambda: packed_many_times(1_000_000_000, 3),
        lambda: assembled([CATALOGUE, b"<< /Type /Pages /Count 2000000000 /Kids [3 0 R] >>", EMPTY_PAGE]),
        lambda: assembled(
            [
                CATALOGUE,
                b"<< /Type /Pages /Count 1000000 /Kids [" + b"3 0 R " * 1_000_000 + b"] >>",
                EMPTY_PAGE,
            ]
        ),
        lambda: document(b"q " * 500_000),
        lambda: b"%PDF-1.7\n" + b"[" * 5_000_000,
    ],
    ids=["unpacked", "packed three times", "a number of pages", "one page many times", "nested", "brackets"],
)
async def test_bombs_end_at_a_limit_and_the_server_keeps_its_memory(
    tmp_path: Path, made: Callable[[], bytes]
) -> None:
    (tmp_path / "document").write_bytes(made())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((SourceUnreadable, LimitReached)):
        await Children(megabytes=128, seconds=30).one("pages", {"file": "document"}, tmp_path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


SLOW = b"BT /F1 11 Tf " + b"1 0 0 1 72 600 Tm (x) Tj " * 200_000 + b"ET"


async def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match="takes"):
        await read(document(SLOW), tmp_path, Children(megabytes=256, seconds=2))


async def test_a_page_that_takes_too_long_leaves_those_before_it_and_is_told() -> None:
    before = [lines(f"This is page {n}.", "The rent is due.") for n in range(1, 12)]
    for seconds in (
        3,
        6,
        12,
        24,
    ):  # a machine too busy to begin in so many takes longer for the last page, too
        found = await as_searched(document(*before, SLOW), Children(megabytes=256, seconds=seconds))
        if found.text:
            break

    assert found.text.split(PAGE_END) == [f"This is page {n}.\nThe rent is due." for n in range(1, 12)]
    assert found.note == "Of lease.pdf only pages 1 to 11 of 12 can be searched: page 12 took too long."
    assert not found.lasts  # on a machine with more time it may be read


class Watched(Children):
    """Shows what a process tells while it goes on."""

    told: Sequence[Mapping[str, Any]] = ()

    async def one(self, *args: Any, **kwargs: Any) -> Mapping[str, Any]:
        self.told = kwargs["parts"]
        return await super().one(*args, **kwargs)


@pytest.mark.skipif(not KNOWN, reason="the system does not list processes")
async def test_a_page_that_ends_its_process_leaves_those_before_it_and_is_told() -> None:
    children = Watched(megabytes=256, seconds=60)
    reading = asyncio.create_task(as_searched(document(lines("The rent is due."), SLOW, SLOW), children))

    async def first_was_told() -> bool:
        return len(children.told) == 2

    await until(first_was_told)
    [process] = processes_of_data()
    os.kill(int(process), signal.SIGKILL)  # as the system does when there is no memory left
    found = await reading

    assert found.text == "The rent is due."
    assert (
        found.note
        == "Of lease.pdf only page 1 of 3 can be searched: page 2 takes more than may be used for one."
    )


async def test_where_the_first_page_takes_too_long_nothing_is_searched() -> None:
    found = await as_searched(document(SLOW, lines("The rent is due.")), Children(megabytes=256, seconds=2))
    assert (found.text, found.lasts) == ("", False)
    assert found.note.startswith("lease.pdf is not searched. This ")


async def test_of_a_page_that_cannot_be_read_the_number_is_told_and_the_others_are_read() -> None:
    unpacked = b" " * 200_000_000
    raw = document(lines("The rent is due."), unpacked, lines("The keys are handed over."))
    found = await as_searched(raw, Children(megabytes=256, seconds=60))

    assert found.text.split(PAGE_END) == ["The rent is due.", "", "The keys are handed over."]
    assert (found.note, found.lasts) == ("Page 2 of lease.pdf could not be read.", True)


async def test_a_place_far_beside_the_page_costs_nothing(tmp_path: Path) -> None:
    far = b"".join(written(x, y, "far") for x, y in ((10**12, 700), (72, 10**9))) + written(
        72, 600, "The rent is due."
    )
    assert "The rent is due." in (await read(document(far), tmp_path))["pages"][0]
