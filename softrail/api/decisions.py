"""A decision record as the person it belongs to may see it: why, but nothing of the inside."""

from typing import Any, Final

from pydantic_core import from_json

TROUBLE: Final = "Something went wrong on our side."
NO_ANSWER: Final = "It gave no usable answer."
CAUGHT: Final = "…"


def shown(record: str) -> dict[str, Any]:
    """The stored record without the words of errors and those that were kept from the person.

    `softrail why` tells them to an operator.
    """
    found: dict[str, Any] = from_json(record)
    if found.get("trouble"):
        found["trouble"] = TROUBLE
    for call in found.get("model_calls", ()):
        if call.get("error"):
            call["error"] = NO_ANSWER
    for said in found.get("said", ()):
        del said["by"], said["milliseconds"]
    found["took"] = []  # which code ran, and what it was given
    found.pop("held", None)
    found["caught"] = [CAUGHT for _ in found.get("caught", ())]
    return found
