"""How far long work is: thinned out, never lost, from any thread."""

import asyncio
import math

import pytest

from softrail.turns.progress import ProgressBoard


@pytest.fixture
async def board() -> ProgressBoard:
    board = ProgressBoard(at_most_every=0.02)
    board.start()
    return board


async def test_what_is_told_fast_is_thinned_out() -> None:
    board = ProgressBoard(at_most_every=3600)
    board.start()
    with board.follow("s1") as following:
        for n in range(1, 101):
            board.tell("s1", "count", "r1", n, 100, f"row {n}")
        assert [told.done for told in following.take()] == [1]


async def test_the_last_word_is_shown_a_moment_later(board: ProgressBoard) -> None:
    with board.follow("s1") as following:
        for n in range(1, 101):
            board.tell("s1", "count", "r1", n, 100, f"row {n}")
        while "row 100" not in (shown := [told.text for told in following.take()]):
            await asyncio.wait_for(following.news.wait(), 60)
        assert shown == ["row 100"]


async def test_runs_do_not_hide_each_other_and_sessions_do_not_hear_each_other(board: ProgressBoard) -> None:
    with board.follow("s1") as mine, board.follow("s2") as theirs:
        board.tell("s1", "count", "r1", 1)
        board.tell("s1", "sort", "r1", 2)
        board.tell("s2", "count", "r3", 3)

        assert [(told.kind, told.done) for told in mine.take()] == [("count", 1), ("sort", 2)]
        assert [told.run_id for told in theirs.take()] == ["r3"]


async def test_who_comes_later_is_shown_the_last_words(board: ProgressBoard) -> None:
    board.tell("s1", "count", "r1", 1)
    board.tell("s1", "count", "r1", 2)

    with board.follow("s1") as following:
        assert [told.done for told in following.take()] == [2]


async def test_a_run_that_is_over_goes_with_its_last_word_shown(board: ProgressBoard) -> None:
    with board.follow("s1") as following:
        board.tell("s1", "count", "r1", 1, 2)
        board.tell("s1", "count", "r1", 2, 2)
        assert [told.done for told in board.of("s1")] == [2]

        board.over("count", "r1")

        assert [told.done for told in following.take()] == [2]
        assert board.of("s1") == []


async def test_another_thread_may_tell(board: ProgressBoard) -> None:
    with board.follow("s1") as following:
        await asyncio.to_thread(board.tell, "s1", "count", "r1", 4)

        await asyncio.wait_for(following.news.wait(), 60)
        assert [told.done for told in following.take()] == [4]


async def test_what_is_no_amount_is_refused_and_texts_are_made_fit(board: ProgressBoard) -> None:
    for wrong in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="which is no number from 0 on"):
            board.tell("s1", "count", "r1", wrong)
    with pytest.raises(ValueError, match="total = -3"):
        board.tell("s1", "count", "r1", 1, -3)

    board.tell("s1", "count", "r1", 1, text="a\0" + "b" * 500)

    [told] = board.of("s1")
    assert (told.text[:2], len(told.text)) == ("a�", 200)


async def test_only_so_many_runs_are_remembered(board: ProgressBoard) -> None:
    for n in range(1005):
        board.tell("s1", "count", f"r{n}", n)

    assert len(board.of("s1")) == 1000
    assert board.of("s1")[0].run_id == "r5"


def test_words_before_the_start_are_dropped() -> None:
    board = ProgressBoard()
    board.tell("s1", "count", "r1", 1)
    assert board.of("s1") == []
