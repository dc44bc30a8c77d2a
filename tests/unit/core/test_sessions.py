"""What a session remembers, as it is stored."""

from softrail.core.sessions import Memo


def test_a_memo_that_was_stored_with_a_mode_is_read_without_it() -> None:
    stored = '{"undo":null,"mode":"proof","ended":true,"extra":{"n":1}}'

    assert Memo.model_validate_json(stored) == Memo(ended=True, extra={"n": 1})
