"""Finds the language model that a setting names."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from softrail.core.errors import DefinitionError
from softrail.core.ports import Model
from softrail.models.circuit import Circuit
from softrail.models.plain import PlainModel
from softrail.models.prices import load_prices

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """The system's model, and how the same is had on a person's own account."""

    system: Model
    own: Callable[[str], Model] | None = None  #: from a key; None: this model takes none
    room_to_think: int = 0  #: tokens a call may use beside what it was allowed for its answer
    warm: Callable[[], Awaitable[None]] | None = None  #: loads what the first call would wait for
    close: Callable[[], Awaitable[None]] | None = None  #: gives all connections back


def open_models(
    name: str,
    *,
    timeout: float,
    claude: str | None = None,
    openai: str | None = None,
    base_url: str | None = None,
    prices: Path | None = None,
) -> Models:
    """The models of that name; "auto" is "claude" when there is a key for it. Nothing connects before it is asked.

    Args:
        name: auto, plain, claude or openai.
        timeout: Seconds for one answer.
        claude: Which Claude; None: the usual one.
        openai: What the model is called by a server of the kind of OpenAI's.
        base_url: Where that server is; None: `OPENAI_BASE_URL`, else OpenAI's own.
        prices: A file of prices instead of the bundled one.

    Raises:
        DefinitionError: There is no such model, or what it needs is missing; the message says what.
    """
    if name == "plain":
        return Models(system=PlainModel())
    if name == "openai":
        return _compatible(openai, base_url, timeout=timeout, prices=prices)
    if name not in ("claude", "auto"):
        raise DefinitionError(f'There is no model "{name}". There are: auto, plain, claude, openai.')
    from softrail.models.claude import DEFAULT_MODEL, AnthropicModel

    keyed = any(os.environ.get(variable) for variable in CREDENTIALS)
    if name == "claude" and not keyed:
        raise DefinitionError('The model "claude" needs a key: set ANTHROPIC_API_KEY.')
    model = AnthropicModel(model=claude or DEFAULT_MODEL, timeout=timeout, prices=load_prices(prices))
    return Models(
        system=Circuit(model) if keyed else PlainModel(),
        own=lambda key: Circuit(model.paid_by(key)),
        room_to_think=model.room_to_think,
        warm=model.warm if keyed else None,
        close=model.aclose,
    )


def _compatible(called: str | None, base_url: str | None, *, timeout: float, prices: Path | None) -> Models:
    """A model behind an OpenAI-compatible API. A key is needed by OpenAI's own, and by whoever asks for one."""
    from softrail.models.compatible import OpenAIModel

    if not called:
        raise DefinitionError(
            'The model "openai" needs a name: set SOFTRAIL_OPENAI_MODEL to what your server calls its model.'
        )
    base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
    key = os.environ.get("OPENAI_API_KEY") or None
    if key is None and base_url is None:
        raise DefinitionError(
            'The model "openai" needs a key or a server: set OPENAI_API_KEY, or SOFTRAIL_OPENAI_URL for a server of '
            "your own that wants none."
        )
    model = OpenAIModel(
        model=called, api_key=key, base_url=base_url, timeout=timeout, prices=load_prices(prices)
    )
    return Models(
        system=Circuit(model),
        own=lambda own: Circuit(model.paid_by(own)),
        room_to_think=model.room_to_think,
        warm=model.warm,
        close=model.aclose,
    )
