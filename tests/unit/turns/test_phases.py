"""The machine of one turn: every way that there is, none that there is not, and what a turn notices on its way."""

import asyncio
from datetime import UTC, datetime
from itertools import product

import pytest

from softrail.core.commits import TurnRow
from softrail.core.errors import TurnReused
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.core.turns import Request
from softrail.turns.phases import (
    BACK,
    MOVES,
    Accepted,
    Arrived,
    Committing,
    Done,
    IllegalMove,
    Leased,
    Phase,
    Thinking,
    move,
)
from softrail.turns.running import RunningTurn, patience

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SESSION = Session(id="s", person_id="p", created_at=AT)
ALL: tuple[Phase, ...] = (
    Arrived(SESSION),
    Thinking(SESSION),
    Accepted(3),
    Leased(3, 1),
    Committing(3, 1),
    Done(),
)
UNNUMBERED = Committing(None, None)


def row(**changes: object) -> TurnRow:
    request = Request(message="hello", turn_id="t")
    stored = {
        "session_id": "s",
        "seq": 3,
        "person_id": "p",
        "turn_id": "t",
        "hash": request.hash,
        "request": None,
        "accepted_at": AT,
    }
    return TurnRow(**(stored | changes))  # type: ignore[arg-type] # names are those of the row


def turn(*, streaming: bool = False) -> RunningTurn:
    return RunningTurn(
        Request(message="hello", turn_id="t"),
        Person(id="p", email="sam@example.org"),
        turn_id="t",
        session_id="s",
        opens=False,
        at=AT,
        streaming=streaming,
        escapes=False,
        patience=patience(60.0),
    )


def one_of(kind: type[Phase], *, numbered: bool) -> Phase:
    if kind is Committing and not numbered:
        return UNNUMBERED
    return next(phase for phase in ALL if type(phase) is kind)


@pytest.mark.parametrize(("before", "after"), MOVES, ids=lambda kind: kind.__name__)
def test_every_way_of_the_table_can_be_gone(before: type[Phase], after: type[Phase]) -> None:
    numbered = Arrived not in (before, after) and before is not Thinking
    to = one_of(after, numbered=numbered)

    assert move(one_of(before, numbered=numbered), to) is to


@pytest.mark.parametrize(
    ("before", "after"),
    [pair for pair in product(ALL, ALL) if (type(pair[0]), type(pair[1])) not in MOVES],
    ids=lambda phase: type(phase).__name__,
)
def test_no_other_way_can_be_gone(before: Phase, after: Phase) -> None:
    with pytest.raises(IllegalMove, match="There is no way from"):
        move(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Accepted(3), Leased(5, 1)),
        (Leased(3, 1), Accepted(5)),
        (Leased(3, 1), UNNUMBERED),
        (Committing(3, 1), Arrived()),
    ],
    ids=lambda phase: type(phase).__name__,
)
def test_a_number_once_given_is_neither_changed_nor_lost(before: Phase, after: Phase) -> None:
    with pytest.raises(IllegalMove, match="A number is given once"):
        move(before, after)


def test_from_done_there_is_no_way() -> None:
    assert not [after for before, after in MOVES if before is Done]


@pytest.mark.parametrize(("before", "after"), sorted(BACK, key=str), ids=lambda kind: kind.__name__)
async def test_a_way_back_tells_the_attempt_that_it_is_void(before: type[Phase], after: type[Phase]) -> None:
    assert (before, after) in MOVES
    run = turn()
    run.move(Thinking(SESSION))
    if before is not Thinking:
        run.move(Leased(3, 1) if after is Accepted else UNNUMBERED)
    if before is Committing and after is Accepted:
        run.move(Committing(3, 1))
    attempt = run.superseded

    run.move(one_of(after, numbered=after is Accepted))

    assert attempt.done()


async def test_an_attempt_is_counted_and_void_for_itself_only() -> None:
    run = turn()
    run.move(Thinking(SESSION))
    first = run.superseded
    run.move(Leased(3, 1))  # the same attempt goes on
    assert (run.runs, run.superseded) == (1, first)

    run.step_back()
    run.move(Leased(3, 2))

    assert run.runs == 2
    assert first.done()
    assert not run.superseded.done()


async def test_a_turn_is_settled_with_its_number_and_knows_its_lease_while_it_has_one() -> None:
    run = turn()
    seen = [(run.settled.is_set(), run.seq, run.fence)]
    for phase in (Thinking(SESSION), Leased(3, 7), Committing(3, 7)):
        run.move(phase)
        seen.append((run.settled.is_set(), run.seq, run.fence))
    run.finish("{}")

    assert seen == [(False, None, None), (False, None, None), (True, 3, 7), (True, 3, 7)]
    assert (run.finished, run.fence, await run.result()) == (True, None, "{}")


async def test_a_stream_hears_once_that_it_is_accepted_and_each_time_that_it_is_void() -> None:
    run = turn(streaming=True)
    for phase in (Thinking(SESSION), Leased(3, 1), Accepted(3), Leased(3, 2), Committing(3, 2), Accepted(3)):
        run.move(phase)
    run.finish("{}")

    told = [event.name async for event in run.log.after()]

    assert told == ["turn.accepted", "turn.superseded", "turn.superseded"]


async def test_a_stored_turn_ends_the_attempt_that_did_not_know_of_it() -> None:
    for stored, phase in ((row(), Accepted(3)), (row(reply="{}"), Arrived())):
        run = turn()
        run.move(Thinking(SESSION))

        assert run.recognise(stored) == stored.reply
        assert run.phase == phase
        assert run.superseded.done()


async def test_another_body_under_the_same_id_is_no_turn_of_ours() -> None:
    run = turn()
    with pytest.raises(TurnReused):
        run.recognise(row(hash="another"))
    assert run.phase == Arrived()


async def test_who_waits_is_told_why_there_is_no_reply() -> None:
    run = turn()
    asking = asyncio.ensure_future(run.accepted())
    await asyncio.sleep(0)

    run.fail(TurnReused("No."))

    with pytest.raises(TurnReused):
        await asking
