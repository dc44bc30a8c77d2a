"""Lines are played in their place and judged by what is seen; which of them are read right is no test."""

import pytest

from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import CONFIRM, OFFER, Line, own, tape
from benchmarks.reading.play import say
from benchmarks.reading.playing import played
from benchmarks.reading.tables import OWN_ROWS, TAPE_ROWS, Row, before, figures, judged

LINES = {line.id: line for line in (*tape(), *own())}


async def seen(line: Line) -> Seen:
    return (await played([line], say))[0][1]


async def test_an_answer_is_stored_and_the_next_question_is_asked() -> None:
    line = LINES["own-transfer-001"]

    found = await seen(line)

    assert (line.message, found.after, found.asks) == ("Ada", {"recipient": "Ada"}, "amount")


async def test_a_yes_to_the_summary_completes() -> None:
    line = next(x for x in LINES.values() if x.open == CONFIRM and x.message == "yes")

    found = await seen(line)

    assert (found.state, found.asks, found.changed) == ("completed", None, frozenset())


async def test_a_yes_to_an_offer_begins() -> None:
    line = next(x for x in LINES.values() if x.open == OFFER and x.message == "yea fine")

    assert (await seen(line)).state == "active"


async def test_a_word_of_leaving_leaves_and_nothing_is_stored() -> None:
    line = LINES["own-booking-017"]

    found = await seen(line)

    assert (line.message, found.state, found.changed) == ("quit", "left", frozenset())


async def test_what_nobody_understands_is_answered_like_nonsense() -> None:
    line = LINES["own-booking-001"]
    lost = Line(
        id="x", slots=line.slots, open=line.open, question=line.question, message="flimp dreggle", label="ask"
    )

    assert (await seen(lost)).unclear


@pytest.mark.parametrize(("part", "rows"), [("tape", TAPE_ROWS), ("own", OWN_ROWS)], ids=["tape", "own"])
def test_every_figure_has_one_from_before(part: str, rows: tuple[Row, ...]) -> None:
    assert set(before()[part]) == {row.name for row in rows}


async def test_every_figure_counts_its_lines() -> None:
    found = judged(await played([LINES["own-transfer-001"]], say))

    assert figures(OWN_ROWS, found)["stored as meant, exactly"] == (1, 1)
