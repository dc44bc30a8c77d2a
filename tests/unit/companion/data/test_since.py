"""How far back a question asks is read from its words, by the person's calendar."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from softrail.companion.understanding.phrases import phrases

#: A Wednesday in London, still Tuesday evening in New York.
NOW = datetime(2026, 3, 4, 2, 0, tzinfo=UTC)
LONDON, NEW_YORK = ZoneInfo("Europe/London"), ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("said", "london", "new_york"),
    [
        ("What's been happening since last week?", "2026-02-23T00:00", "2026-02-23T00:00"),
        ("what happened since Monday?", "2026-03-02T00:00", "2026-03-02T00:00"),
        ("what is new since Tuesday", "2026-03-03T00:00", "2026-02-24T00:00"),
        ("anything since yesterday?", "2026-03-03T00:00", "2026-03-02T00:00"),
        ("what happened today", "2026-03-04T00:00", "2026-03-03T00:00"),
        ("and this week?", "2026-03-02T00:00", "2026-03-02T00:00"),
        ("what was done since last Friday", "2026-02-27T00:00", "2026-02-27T00:00"),
        ("since last month", "2026-02-01T00:00", "2026-02-01T00:00"),
        ("since March 1st", "2026-03-01T00:00", "2026-03-01T00:00"),
        ("since the 3rd of December", "2025-12-03T00:00", "2025-12-03T00:00"),
        ("since 2026-01-15, please", "2026-01-15T00:00", "2026-01-15T00:00"),
        ("over the last two weeks", "2026-02-18T02:00", "2026-02-17T21:00"),
        ("over the last week", "2026-02-25T02:00", "2026-02-24T21:00"),
        ("what did I do 3 days ago", "2026-03-01T02:00", "2026-02-28T21:00"),
        ("in the past hour", "2026-03-04T01:00", "2026-03-03T20:00"),
    ],
)
def test_a_time_is_read_in_the_zone_of_whoever_asks(said: str, london: str, new_york: str) -> None:
    for zone, wanted in ((LONDON, london), (NEW_YORK, new_york)):
        read = phrases().since(said, at=NOW, zone=zone)
        assert read == datetime.fromisoformat(wanted).replace(tzinfo=zone)


@pytest.mark.parametrize(
    "said",
    ["how is it going?", "since 2026-02-30", "since 2027-01-01", "since February 29", "last chance", ""],
)
def test_what_names_no_past_day_is_no_time(said: str) -> None:
    assert phrases().since(said, at=NOW, zone=LONDON) is None


def test_a_day_begins_at_midnight_also_where_the_clock_was_changed_since() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    read = phrases().since("since Friday", at=datetime(2026, 3, 30, 9, tzinfo=UTC), zone=berlin)
    assert read is not None
    assert read.astimezone(UTC) == datetime(2026, 3, 26, 23, tzinfo=UTC)


def test_an_enormous_amount_is_bounded() -> None:
    read = phrases().since("over the last 99999 months", at=NOW, zone=LONDON)
    assert read is not None
    assert read.year == 2016
