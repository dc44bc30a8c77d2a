"""What a turn is made from: a person's message, a signal, or news of a part that one does for another."""

from datetime import datetime
from functools import partial

from softrail.core.assignments import PartRequest
from softrail.core.commits import TurnRow
from softrail.core.people import Person
from softrail.core.signals import SignalRequest
from softrail.core.turns import Request, Turn

AnyRequest = Request | SignalRequest | PartRequest


def turn_for(
    request: AnyRequest, *, turn_id: str, session_id: str, seq: int, person: Person, at: datetime
) -> Turn:
    """The turn of a request."""
    turn = partial(Turn, id=turn_id, session_id=session_id, seq=seq, person=person, at=at)
    if isinstance(request, PartRequest):
        return turn(message="", origin="signal", part=request)
    if isinstance(request, SignalRequest):
        return turn(message="", origin="signal", signal=request.signal, signals_to=request.instance_id)
    return turn(
        message=request.message,
        project_id=request.project_id,
        intent_hint=request.intent_hint,
        answers=request.answers,
        value=request.value,
        brought=request.attachments,
    )


def stored_request(row: TurnRow) -> AnyRequest:
    """The request of a turn that was written down."""
    if row.origin == "signal" and row.turn_id.startswith("part:"):
        return PartRequest.model_validate_json(row.request or "{}")
    if row.origin == "signal":
        return SignalRequest.model_validate_json(row.request or "{}")
    return Request.model_validate_json(row.request or "{}")


def as_sent(row: TurnRow) -> Request | None:
    """The request of a stored turn, so that it has its hash again; None for what was no person's."""
    request = stored_request(row)
    if not isinstance(request, Request):
        return None
    # Words that were made for a value or a file were not sent.
    for sent in (request, request.model_copy(update={"message": ""})):
        sent = sent.model_copy(update={"turn_id": row.turn_id})
        if sent.hash == row.hash:
            return sent
    return None
