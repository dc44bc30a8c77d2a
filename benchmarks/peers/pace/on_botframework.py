"""Bot Framework: a waterfall of prompts over a conversation state with a storage of its own, as its documentation has it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from botbuilder.core import ConversationState, MessageFactory, Storage, StoreItem, TurnContext
from botbuilder.core.adapters import TestAdapter
from botbuilder.dialogs import DialogSet, DialogTurnStatus, WaterfallDialog, WaterfallStepContext
from botbuilder.dialogs.prompts import NumberPrompt, PromptOptions, TextPrompt
from botbuilder.schema import Activity, ChannelAccount, ConversationAccount
from jsonpickle import Pickler, Unpickler

from benchmarks.peers.pace.documents import Documents, documents
from benchmarks.peers.pace.stage import ASKED, BOOKED, main


class InSql(Storage):
    """A row for a key, pickled to JSON as the storages that it brings do."""

    def __init__(self, kept: Documents) -> None:
        self._kept = kept

    async def read(self, keys: list[str]) -> dict[str, Any]:
        """What is kept under these keys."""
        found = {}
        for key in keys:
            body = await self._kept.get(key)
            if body:
                found[key] = Unpickler().restore(body)
        return found

    async def write(self, changes: dict[str, StoreItem]) -> None:
        """Keep what changed."""
        for key, value in changes.items():
            await self._kept.put(key, Pickler().flatten(value))

    async def delete(self, keys: list[str]) -> None:
        """Nothing is ever deleted here."""


async def _name(step: WaterfallStepContext) -> Any:
    return await step.prompt("text", _options(ASKED[0]))


async def _people(step: WaterfallStepContext) -> Any:
    step.values["name"] = step.result
    return await step.prompt("number", _options(ASKED[1]))


async def _place(step: WaterfallStepContext) -> Any:
    step.values["people"] = step.result
    return await step.prompt("text", _options(ASKED[2]))


async def _wishes(step: WaterfallStepContext) -> Any:
    step.values["place"] = step.result
    return await step.prompt("text", _options(ASKED[3]))


async def _confirm(step: WaterfallStepContext) -> Any:
    step.values["wishes"] = step.result
    return await step.prompt("text", _options(ASKED[4]))


async def _book(step: WaterfallStepContext) -> Any:
    await step.context.send_activity(BOOKED if step.result == "yes" else "Cancelled.")
    return await step.end_dialog()


def _options(question: str) -> PromptOptions:
    return PromptOptions(prompt=MessageFactory.text(question))


class Adapter(TestAdapter):
    """Keeps what the bot sends, by conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}

    async def send_activities(self, context: TurnContext, activities: list[Activity]) -> list[Any]:
        self.sent[context.activity.conversation.id] = "\n".join(a.text or "" for a in activities)
        return []


class BotFramework:
    """The dialog with its state; a session is a conversation."""

    def __init__(self, kept: Documents) -> None:
        self._adapter = Adapter()
        self._state = ConversationState(InSql(kept))
        self._dialogs = DialogSet(self._state.create_property("dialogs"))
        self._dialogs.add(TextPrompt("text"))
        self._dialogs.add(NumberPrompt("number"))
        self._dialogs.add(WaterfallDialog("booking", [_name, _people, _place, _wishes, _confirm, _book]))

    async def say(self, session: str, message: str) -> str:
        """Run a turn and save its changes."""
        context = TurnContext(
            self._adapter,
            Activity(
                type="message",
                text=message,
                locale="en-us",
                channel_id="test",
                conversation=ConversationAccount(id=session),
                from_property=ChannelAccount(id=session),
                recipient=ChannelAccount(id="bot"),
            ),
        )
        dialogs = await self._dialogs.create_context(context)
        result = await dialogs.continue_dialog()
        if result.status == DialogTurnStatus.Empty:
            await dialogs.begin_dialog("booking")
        await self._state.save_changes(context)
        return self._adapter.sent.pop(session, "")


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[BotFramework]:
    """The storage and the dialog."""
    async with documents(folder / "botframework.db") as kept:
        yield BotFramework(kept)


if __name__ == "__main__":
    main(opened)
