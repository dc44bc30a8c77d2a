import json

import pytest

from softrail.api.failures import STATUSES, TooLarge, TooMany, Unauthorized, response_to, status_of
from softrail.core import errors


def everything() -> list[type[errors.SoftrailError]]:
    """Every error of ours that is meant for a client."""
    found: list[type[errors.SoftrailError]] = []
    waiting: list[type[errors.SoftrailError]] = [errors.ConversationError, errors.ServiceError]
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", everything(), ids=lambda kind: kind.__name__)
def test_every_error_meant_for_a_client_has_a_status_below_500_or_503(
    kind: type[errors.SoftrailError],
) -> None:
    error = kind("words", retry_after=3.0) if kind is TooMany else kind("words")

    response = response_to(error)

    assert response.status_code in STATUSES.values()
    assert json.loads(bytes(response.body))["error"]["code"] == kind.code
    assert ("retry-after" in response.headers) == isinstance(error, errors.ServiceError)


def test_the_order_of_the_table_lets_the_nearest_class_decide() -> None:
    assert status_of(errors.NotFound()) == 404
    assert status_of(errors.SessionBusy("x")) == 503
    assert status_of(Unauthorized("x")) == 401
    assert status_of(TooLarge("x")) == 413
    assert status_of(errors.DefinitionError("x")) == 500


def test_two_reasons_for_not_found_are_one_answer() -> None:
    one = response_to(errors.NotFound("Session s1 belongs to Bob.", session="s1"))
    other = response_to(errors.NotFound())

    assert one.body == other.body


def test_what_no_client_should_see_shows_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    response = response_to(errors.StepFailed("ValueError in refund.py line 7"))

    assert response.status_code == 500
    assert b"refund" not in bytes(response.body)
    assert "refund.py" in caplog.text
