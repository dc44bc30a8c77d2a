"""The providers behind the model port, each with its double: whatever is tested of one is tested of all."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from softrail.core.ports import Model
from softrail.models.claude import AnthropicModel
from softrail.models.compatible import OpenAIModel
from tests.completions_api import CompletionsApi, completions_api
from tests.messages_api import MODEL, Line, MessagesApi, Say, messages_api


class Asked(Model, Protocol):
    """A model that can be loaded and closed."""

    async def warm(self) -> None:
        """Load what it needs."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...


class Opens(Protocol):
    """Opens a double."""

    def __call__(
        self, *lines: Line, structured: Iterable[Line] = ()
    ) -> AbstractAsyncContextManager[MessagesApi]:
        """Within the block it listens."""
        ...


@dataclass(frozen=True, kw_only=True)
class Provider:
    """How one is asked, and where in a request it finds what."""

    name: str
    api: Opens
    model: Callable[..., Asked]
    said: Callable[[Mapping[str, Any]], list[tuple[str, str]]]  #: role and text of everything sent
    streamed: Callable[[Say], bytes]  #: the body of a streamed answer
    schema: Callable[[Mapping[str, Any]], Any]  #: the form that was asked for
    tools: Callable[[Mapping[str, Any]], dict[str, Any]]  #: the schemas of what may be looked up, by name


def _claude(**given: Any) -> AnthropicModel:
    return AnthropicModel(**{"model": MODEL, **given})


def _openai(**given: Any) -> OpenAIModel:
    return OpenAIModel(**{"model": MODEL, **given})


def _to_claude(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    system = [("system", block["text"]) for block in request.get("system", ())]
    return system + [(m["role"], _words(m["content"])) for m in request["messages"]]


def _words(content: str | list[dict[str, Any]]) -> str:
    """The text of a message, what was found for its calls included."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text") or block.get("content") or "" for block in content)


def _to_openai(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(m["role"], m["content"] or "") for m in request["messages"]]


def _claude_tools(request: Mapping[str, Any]) -> dict[str, Any]:
    return {tool["name"]: tool["input_schema"] for tool in request.get("tools", ())}


def _openai_tools(request: Mapping[str, Any]) -> dict[str, Any]:
    functions = [tool["function"] for tool in request.get("tools", ())]
    return {one["name"]: one["parameters"] for one in functions}


PROVIDERS = (
    Provider(
        name="claude",
        api=messages_api,
        model=_claude,
        said=_to_claude,
        streamed=MessagesApi(()).events,
        schema=lambda request: request["output_config"]["format"]["schema"],
        tools=_claude_tools,
    ),
    Provider(
        name="openai",
        api=completions_api,
        model=_openai,
        said=_to_openai,
        streamed=CompletionsApi(()).events,
        schema=lambda request: request["response_format"]["json_schema"]["schema"],
        tools=_openai_tools,
    ),
)
