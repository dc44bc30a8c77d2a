import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from softrail.api.border import parse
from softrail.core.border import checked
from softrail.core.errors import BadRequest, NotFound
from softrail.core.turns import Request


@given(st.binary(max_size=200))
@example(b'{"message": "\\ud800"}')
def test_any_bytes_are_a_turn_or_a_refusal(raw: bytes) -> None:
    with contextlib.suppress(BadRequest):
        turn = parse(raw, Request)
        assert turn.message.encode("utf-8") is not None


@given(st.text(max_size=50), st.none() | st.text(max_size=140))
def test_any_turn_is_taken_as_it_is_or_refused_by_its_field(message: str, turn_id: str | None) -> None:
    turn = Request(message=message, turn_id=turn_id)
    refused: list[str] = []
    try:
        assert checked(turn) is turn
    except BadRequest as error:
        refused = [fault["field"] for fault in error.details["fields"]]
    if refused:
        assert refused[0] in ("message", "turn_id")
    else:
        message.encode("utf-8")
        assert message.strip()
        assert turn_id is None or 1 <= len(turn_id) <= 128


@pytest.mark.parametrize("message", ["\u200b", "\u2060\ufeff", "\u00a0\u3000", "\x07", "\u00ad"])
def test_what_nobody_can_see_is_blank(message: str) -> None:
    with pytest.raises(BadRequest, match="blank"):
        checked(Request(message=message))


@pytest.mark.parametrize("session_id", ["", "a b", "a/b", "a\0", "é", "x" * 129])
def test_what_cannot_be_an_id_belongs_to_nobody(session_id: str) -> None:
    with pytest.raises(NotFound):
        checked(Request(message="hi", session_id=session_id))
