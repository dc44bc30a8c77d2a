"""Answers to interrupts: each is a turn that names the question it answers, and the same answer is the same turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic_core import to_json

from softrail.api.border import settled
from softrail.api.protocols.thread import Thread, digest
from softrail.core.errors import BadRequest, ConversationError
from softrail.core.questions import Question
from softrail.core.turns import Request
from softrail.turns.requests import as_sent


class QuestionClosed(ConversationError):
    """What is answered is not open any more; nothing was done with the answer."""

    code = "question_closed"


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one interrupt."""

    interrupt_id: str
    status: Literal["resolved", "cancelled"]
    payload: Any


async def resumed(thread: Thread, entries: Sequence[Entry], *, words: bool, leave: str) -> list[Request]:
    """The turns of these answers; `leave` is what an abandoned question is left with, unless there are `words`.

    Raises QuestionClosed for another answer to a question that is not open: it is never taken for free talk. Raises
    BadRequest for one that its question's schema refuses: the question stays open as it is.
    """
    found = []
    for entry in entries:
        if entry.status == "cancelled" and words:
            continue  # what is said instead is the turn
        turn_id = digest(
            thread.id, "resume", entry.interrupt_id, entry.status, to_json(entry.payload).decode()
        )
        row = await thread.seen(turn_id)
        again = as_sent(row) if row is not None else None
        found.append(again or settled(await _answer(thread, entry, turn_id, leave), None))
    return found


async def _answer(thread: Thread, entry: Entry, turn_id: str, leave: str) -> Request:
    session = await thread.session()
    pending = session.pending if session is not None else None
    if pending is None or pending.id != entry.interrupt_id:
        raise QuestionClosed("That question is no longer open, so nothing was done with the answer.")
    here: dict[str, Any] = {"session_id": thread.session_id, "turn_id": turn_id}
    if entry.status == "cancelled":
        return Request(message=leave, **here)
    if entry.payload is None:
        raise BadRequest("An interrupt that is resolved needs a payload: the answer.", field="resume")
    here["answers"] = entry.interrupt_id
    if isinstance(entry.payload, str) and _in_words(pending.question, entry.payload):
        return Request(message=entry.payload, **here)
    answer = Request(value=entry.payload, **here)
    await thread.check(answer)
    return answer


def _in_words(question: Question, text: str) -> bool:
    """The text is no value of the question's: it has no form for one, or this is what a button of it says."""
    if question.answer_schema is None:
        return True
    labels = {option.label for option in question.options} | set(question.suggestions)
    return text in labels and question.answer_schema.get("type") != "string"
