"""AG-UI: what a client sends, with the protocol's own models."""

from collections.abc import Iterable, Sequence
from typing import Any

from ag_ui.core import AssistantMessage, Message, RunAgentInput, UserMessage

from softrail.api.border import parse
from softrail.api.protocols.resuming import Entry
from softrail.api.protocols.thread import Transcript
from softrail.api.protocols.words import Extras, InlineFile, Said, decoded, extras
from softrail.core.commits import Item
from softrail.core.errors import BadRequest


def run_input(raw: bytes) -> RunAgentInput:
    """The input of a run. Raises BadRequest that names the field."""
    return parse(raw, RunAgentInput)


def extras_of(run: RunAgentInput) -> Extras:
    """Softrail's own part of what the frontend forwards; all else there is its own business."""
    props = run.forwarded_props
    return extras(props.get("softrail") if isinstance(props, dict) else None, "forwardedProps.softrail")


def unanswered(messages: Sequence[Message]) -> list[Said]:
    """What the person said after the last answer. Raises BadRequest for a message that says nothing."""
    last = max((n for n, one in enumerate(messages) if one.role == "assistant"), default=-1)
    return [_said(one) for one in messages[last + 1 :] if isinstance(one, UserMessage)]


def _said(message: UserMessage) -> Said:
    if isinstance(message.content, str):
        said = Said(message.id, message.content)
    else:
        texts = [part.text for part in message.content if part.type == "text"]
        files = [_file(part, n) for n, part in enumerate(message.content, 1) if part.type != "text"]
        said = Said(message.id, "\n\n".join(text for text in texts if text.strip()), files)
    if not said.text and not said.files:
        raise BadRequest("A message says nothing: it has no text and no file.", field="messages")
    return said


def _file(part: Any, n: int) -> InlineFile:
    source = getattr(part, "source", None)
    if source is None or source.type != "data":
        raise BadRequest("Files come within the message, as data; no address is fetched.", field="messages")
    extra = (part.metadata if isinstance(getattr(part, "metadata", None), dict) else None) or {}
    kind = source.mime_type.rpartition("/")[2]
    name = extra.get("filename") or extra.get("name") or f"file-{n}.{kind if kind.isalnum() else 'bin'}"
    return decoded(str(name), source.value, "messages")


def entries_of(run: RunAgentInput) -> list[Entry]:
    """What became of the interrupts of the run before."""
    return [Entry(one.interrupt_id, one.status, one.payload) for one in run.resume or ()]


def messages_of(transcript: Transcript, *, without: Sequence[str] = ()) -> list[Message]:
    """What was said, as messages; the answers to these turns come by themselves."""
    return [
        _message(transcript, i) for i in transcript.items if i.role == "operator" or i.turn_id not in without
    ]


def _message(transcript: Transcript, item: Item) -> Message:
    made = UserMessage if item.role == "operator" else AssistantMessage
    return made(id=transcript.id_of(item), content=item.content)


def to_say(said: Iterable[tuple[str, str]], messages: Sequence[Message]) -> list[Message]:
    """What the person says, each with its id, as messages; not what is among these already."""
    there = {one.id for one in messages}
    return [UserMessage(id=one, content=words) for one, words in said if one not in there]
