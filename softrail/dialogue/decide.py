"""Whose turn it is: one table in order of priority, pure. It reads values and returns a claim, nothing else."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from softrail.core.instances import State
from softrail.core.reading import Act, Reading
from softrail.dialogue.answering import (
    answer_given,
    late_answer,
    nothing_clear,
    offered,
    option_meant,
    question_again,
    question_asked,
    said_instead,
    so_far_asked,
    whoever_holds,
    wish_to_leave,
)
from softrail.dialogue.asides import told_beside
from softrail.dialogue.claims import Claim, Free
from softrail.dialogue.view import View
from softrail.dialogue.ways_out import (
    another_wanted,
    answers_taken_back,
    asked_for,
    begun_again,
    doubt_settled,
    filed,
    greeted,
    hinted,
    left_by_name,
    left_in_front,
    nothing_to_come_back_to,
    offer_left,
    own_words,
    resumed,
    said_to_a_doubt,
    slash_word,
    stale_answer,
    taken_back,
    valued,
)

Row = Callable[[Reading, View], Claim | None]


def decide(reading: Reading, view: View) -> Claim:
    """The first row that claims the turn; `Free` when none does."""
    for row in _rows(frozenset([command.act for command in reading.commands])):
        claim = row(reading, view)
        if claim is not None:
            return told_beside(claim, reading, view)
    late = view.asker if view.asker is not None and view.asker.state is State.SUSPENDED else None
    return Free(lapsed=late, why=f"{late.process} stays paused." if late else "No process owns it.")


def _upon(*acts: Act) -> frozenset[Act]:
    """The row claims nothing but messages that do one of those."""
    return frozenset(acts)


ROWS: Sequence[tuple[Row, frozenset[Act] | None]] = (
    (slash_word, _upon("slash")),
    (stale_answer, None),
    (valued, _upon("inform")),
    (filed, _upon("inform")),
    (doubt_settled, _upon("inform")),
    (said_to_a_doubt, _upon("affirm", "negate", "none", "resume")),
    (offer_left, _upon("pause", "leave")),
    (taken_back, _upon("undo", "resume")),
    (resumed, _upon("resume")),
    (begun_again, _upon("start_over")),
    (another_wanted, None),
    (answers_taken_back, _upon("undo")),
    (nothing_to_come_back_to, _upon("undo", "resume")),
    (greeted, _upon("social")),
    (left_in_front, _upon("pause", "leave")),
    (left_by_name, _upon("pause", "leave")),
    (own_words, None),
    (asked_for, _upon("request")),
    (hinted, None),
    (offered, None),
    (late_answer, None),
    (so_far_asked, None),
    (question_again, None),
    (question_asked, _upon("ask")),
    (wish_to_leave, None),
    (answer_given, None),
    (said_instead, None),
    (nothing_clear, None),
    (option_meant, None),
    (whoever_holds, None),
)


@lru_cache(maxsize=1024)
def _rows(acts: frozenset[Act]) -> Sequence[Row]:
    """The rows that a message which does these may be claimed by."""
    return [row for row, upon in ROWS if upon is None or not upon.isdisjoint(acts)]
