"""What an intent must be to be registered."""

import inspect
import re
from typing import Any, Final

from pydantic import BaseModel

from softrail.core.errors import DefinitionError
from softrail.core.intents import IntentDefinition

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")


def check_intent(intent: IntentDefinition, handler: Any) -> None:
    """Raises DefinitionError for an intent that could only fail on someone's turn."""
    if not _NAME.fullmatch(intent.name):
        raise DefinitionError(
            f"The intent {intent.name!r} needs a name of small letters, digits and underscores, such as 'borrow_tool'."
        )
    if isinstance(intent.examples, str):
        raise DefinitionError(
            f"The examples of the intent {intent.name!r} are one text, not a list of texts."
        )
    if intent.parameters is not None and not _is_model(intent.parameters):
        raise DefinitionError(f"The parameters of the intent {intent.name!r} are not a Pydantic model.")
    if handler is not None and not _is_async(handler):
        raise DefinitionError(
            f"The handler of the intent {intent.name!r} is no `async def` function of a turn and an intent."
        )
    if handler is not None and intent.process is not None:
        raise DefinitionError(f"The intent {intent.name!r} starts a process and has a handler: choose one.")


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel)


def _is_async(handler: Any) -> bool:
    return any(map(inspect.iscoroutinefunction, (handler, type(handler).__call__)))
