"""What a language model may look up while it answers: tools, the calls it makes, and what they found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelTool:
    """Something a model may ask for instead of answering; whoever asked the model decides what becomes of it."""

    name: str
    description: str
    parameters: Mapping[str, Any]  #: the JSON schema of its arguments, in the part that providers accept


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """One such wish. Its arguments come from outside: nothing says that they fit the schema."""

    id: str
    name: str
    arguments: Mapping[str, Any]  #: empty where they could not be read


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What a call found, as text for the model."""

    id: str  #: of the call
    name: str
    text: str
