"""What a turn must be to come in, through any door: over HTTP, from the terminal, from code."""

import re
import unicodedata
from math import isfinite
from typing import Any, Final

from softrail.core.attachments import MOST
from softrail.core.errors import BadRequest, NotFound
from softrail.core.turns import Request

LONGEST_MESSAGE: Final = 16_000
LONGEST_TURN_ID: Final = 128
_ID: Final = re.compile(r"[0-9A-Za-z_.:@-]{1,128}")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_UNKEEPABLE: Final = re.compile(r"[\0\ud800-\udfff]")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def checked(request: Request) -> Request:
    """The request, when every field of it is usable.

    Raises:
        BadRequest: A field is not usable; `details["fields"]` says which and why, never what was sent.
        NotFound: Its session id cannot be one of ours.
    """
    message = request.message
    _said(request)
    if len(message) > LONGEST_MESSAGE:
        raise unusable("message", f"it has {len(message)} characters; at most {LONGEST_MESSAGE} are taken")
    if "\0" in message or not _encodable(message):
        raise unusable("message", "U+0000 and lone surrogates cannot be kept")
    if request.session_id is not None and not is_id(request.session_id):
        raise NotFound()
    if request.project_id is not None and not _UUID.fullmatch(request.project_id):
        raise unusable("project_id", "it is no UUID")
    for name in ("intent_hint", "turn_id", "answers"):
        text = getattr(request, name)
        if text is not None and not _printable(text):
            raise unusable(name, f"it must have 1 to {LONGEST_TURN_ID} printable characters")
    if request.value is not None:
        if request.answers is None:
            raise unusable("value", "it answers a question: send the `answers` with it, a `pending.id`")
        _keepable(request.value)
    if request.attachments:
        _files(request)
    return request


def _said(request: Request) -> None:
    """Raises BadRequest for a turn that says nothing: no words, and nothing in their place."""
    message = request.message
    if "message" not in request.model_fields_set:
        if request.value is None and not request.attachments:
            raise unusable(
                "message",
                "it is missing, and nothing is there in its place: send a `message`, or `answers` with a `value`, or "
                "`attachments`",
            )
    elif not message.strip() or (not message.isprintable() and _blank(message)):
        raise unusable("message", "it is blank")


def _files(request: Request) -> None:
    """Raises BadRequest for files that no turn can bring."""
    if request.session_id is None:
        raise unusable("attachments", "files are uploaded to a session: send its `session_id` with them")
    if len(request.attachments) > MOST:
        raise unusable("attachments", f"there are more than {MOST} files")
    if len(set(request.attachments)) < len(request.attachments):
        raise unusable("attachments", "a file is there more than once")
    if not all(is_id(one) for one in request.attachments):
        raise NotFound()


def _keepable(value: Any) -> None:
    """Raises BadRequest for what no database keeps in JSON."""
    match value:
        case str() if "\0" in value or not _encodable(value):
            raise unusable("value", "U+0000 and lone surrogates cannot be kept")
        case float() if not isfinite(value):
            raise unusable("value", "it has a number that is not finite")
        case int() if abs(value) >= 2**63:
            raise unusable("value", "it has a whole number of more than 64 bits")
        case list():
            for one in value:
                _keepable(one)
        case dict():
            for name, one in value.items():
                _keepable(name)
                _keepable(one)


def is_id(text: str) -> bool:
    """The text could be an id of ours; anything else belongs to nobody."""
    return _ID.fullmatch(text) is not None


def mended(text: str) -> str:
    """The text with a replacement character for what no database keeps: U+0000 and lone surrogates."""
    return _UNKEEPABLE.sub("\ufffd", text)


def unusable(name: str, reason: str) -> BadRequest:
    """The refusal of one field."""
    return BadRequest(
        f"The field {name!r} is not usable: {reason}.", fields=[{"field": name, "reason": reason}]
    )


def _printable(text: str) -> bool:
    return len(text) <= LONGEST_TURN_ID and text.isprintable() and bool(text.strip())


def _blank(message: str) -> bool:
    return all(unicodedata.category(c) in _INVISIBLE for c in message)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
