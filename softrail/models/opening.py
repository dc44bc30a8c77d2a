"""Finds the language model that a setting names."""

import os

from softrail.core.errors import DefinitionError
from softrail.core.ports import Model
from softrail.models.plain import PlainModel

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def open_model(name: str, *, timeout: float) -> Model:
    """The model of that name; "auto" is "claude" when there is a key for it. Nothing connects before it is asked.

    Raises:
        DefinitionError: There is no such model, or what it needs is missing; the message says what.
    """
    keyed = any(os.environ.get(variable) for variable in CREDENTIALS)
    if name == "plain" or (name == "auto" and not keyed):
        return PlainModel()
    if name in ("claude", "auto"):
        from softrail.models.claude import AnthropicModel

        model = AnthropicModel(timeout=timeout)
        if not keyed:
            raise DefinitionError('The model "claude" needs a key: set ANTHROPIC_API_KEY.')
        return model
    raise DefinitionError(f'There is no model "{name}". There are: auto, plain, claude.')
