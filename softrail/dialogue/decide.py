"""Whose turn it is: one table in order of priority, pure. It reads values and returns a claim, nothing else."""

from collections.abc import Callable, Sequence

from softrail.core.instances import State
from softrail.core.reading import Reading
from softrail.dialogue.answering import (
    answer_given,
    late_answer,
    nothing_clear,
    offered,
    option_meant,
    question_asked,
    said_instead,
    whoever_holds,
    wish_to_leave,
)
from softrail.dialogue.claims import Claim, Free
from softrail.dialogue.view import View
from softrail.dialogue.ways_out import (
    another_wanted,
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
    to_be_noted,
    valued,
)

Row = Callable[[Reading, View], Claim | None]


def decide(reading: Reading, view: View) -> Claim:
    """The first row that claims the turn; `Free` when none does."""
    for row in ROWS:
        claim = row(reading, view)
        if claim is not None:
            return claim
    late = view.asker if view.asker is not None and view.asker.state is State.SUSPENDED else None
    return Free(lapsed=late, why=f"{late.process} stays paused." if late else "No process owns it.")


ROWS: Sequence[Row] = (
    slash_word,
    stale_answer,
    valued,
    filed,
    doubt_settled,
    said_to_a_doubt,
    offer_left,
    taken_back,
    resumed,
    begun_again,
    another_wanted,
    nothing_to_come_back_to,
    greeted,
    left_in_front,
    left_by_name,
    own_words,
    to_be_noted,
    hinted,
    offered,
    late_answer,
    question_asked,
    wish_to_leave,
    answer_given,
    said_instead,
    nothing_clear,
    option_meant,
    whoever_holds,
)
