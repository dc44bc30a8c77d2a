"""What every language model over HTTP keeps to, whoever its provider is."""

import json
from collections.abc import Collection
from typing import Final, Literal

from softrail.core.errors import ModelUnavailable, Trouble
from softrail.core.ports import ModelRequest
from softrail.core.tools import ToolCall

#: What became of the last call to a provider: `key_refused` and `closed` stay until somebody changes a setting.
Standing = Literal["unasked", "answers", "key_refused", "away", "slow", "closed", "declined", "budget"]

MOST_RETRIES: Final = 2
LONGEST_ANSWER: Final = 200_000  #: characters; what comes after them is not read
ROOM_TO_THINK: Final = 2_048  #: tokens more for a model that thinks before it answers
THERE: Final = frozenset({400, 401, 402, 403, 404, 405, 409, 413, 422})  #: statuses that say: not like this
REFUSED_KEY: Final = frozenset({401, 403})  #: the provider does not take the key
_PASSING: Final = frozenset({409})  #: of those statuses, what may go better the next time


def trouble_of(status: int | None, *, slow: bool) -> Trouble:
    """Why a call failed: asking again may help with all but what is closed."""
    if slow:
        return "slow"
    return "closed" if status in THERE - _PASSING else "away"


def standing_of(error: ModelUnavailable) -> Standing:
    """What an operator is told of a provider that gave no answer; one that declined a request is well."""
    if error.details.get("status") in REFUSED_KEY:
        return "key_refused"
    return "answers" if error.trouble == "declined" else error.trouble


def offered(request: ModelRequest) -> Collection[str]:
    """The names of what may be looked up; a wish for anything else is none."""
    return {tool.name for tool in request.tools}


def called(id: str, name: str, arguments: object) -> ToolCall:
    """A wish to look something up, as it came; arguments that are no JSON object are none."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments[:LONGEST_ANSWER] or "{}")
        except (ValueError, RecursionError):
            arguments = None
    found = arguments if isinstance(arguments, dict) else {}
    return ToolCall(id=str(id), name=str(name), arguments=found)


def sendable(text: str) -> str:
    """A lone surrogate cannot be sent as UTF-8; a question mark stands for it."""
    return text.encode("utf-8", "replace").decode("utf-8")
