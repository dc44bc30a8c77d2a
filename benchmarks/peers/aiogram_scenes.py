"""aiogram 3: a scene for every question, as its example of a form has them.

A `cancel` button or word and `/cancel` leave (the base scene of the example), typed questions have a filter and a
handler for everything else, yes and no are the words of buttons.
"""

from datetime import UTC, datetime
from typing import Any

from aiogram import Bot, Dispatcher, F, Router
from aiogram.client.session.base import BaseSession
from aiogram.filters import Command
from aiogram.fsm.scene import After, Scene, SceneRegistry, on
from aiogram.fsm.storage.base import StorageKey
from aiogram.methods import SendMessage, TelegramMethod
from aiogram.types import Chat, Message, Update, User

from benchmarks.peers.stage import AGAIN, RETRY, answers_before, main, seen, summary_of, value_of
from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import CONFIRM, Line, Slot

BOT, CHAT, USER = 1, 2, 3
DONE, CANCELLED = "Done.", "Cancelled."


class Offline(BaseSession):
    """A session that keeps what the bot sends."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    async def make_request(self, bot: Bot, method: TelegramMethod[Any], timeout: Any = None) -> Any:
        if isinstance(method, SendMessage):
            self.sent.append(method.text)
        return _message(method.text if isinstance(method, SendMessage) else "")

    async def close(self) -> None:
        """Nothing is open."""

    async def stream_content(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def _message(text: str) -> Message:
    return Message(
        message_id=1,
        date=datetime.now(UTC),
        chat=Chat(id=CHAT, type="private"),
        from_user=User(id=USER, is_bot=False, first_name="Sam"),
        text=text,
    )


class Cancellable(Scene):
    """Leaves on `/cancel` and on the words of the cancel button."""

    @on.message(Command("cancel"), after=After.exit())
    @on.message(F.text.casefold() == "cancel", after=After.exit())
    async def cancelled(self, message: Message) -> None:
        await message.answer(CANCELLED)


FILTERS: dict[str, Any] = {
    "int": F.text.isdigit(),
    "digits": F.text.regexp(r"^\d[\d -]*$"),
    "bool": F.text.casefold().in_({"yes", "no"}),
}


def scenes(line: Line) -> list[type[Scene]]:
    """The scenes of a flow, the last question's first."""

    class Confirm(Cancellable, state=CONFIRM):
        @on.message.enter()
        async def enter(self, message: Message) -> None:
            await message.answer(summary_of(line))

        @on.message(F.text.casefold() == "yes", after=After.exit())
        async def yes(self, message: Message) -> None:
            await message.answer(DONE)

        @on.message(F.text.casefold() == "no", after=After.exit())
        async def no(self, message: Message) -> None:
            await message.answer(CANCELLED)

        @on.message()
        async def other(self, message: Message) -> None:
            await message.answer(AGAIN)

    found: list[type[Scene]] = [Confirm]
    for slot in reversed(line.slots):
        found.append(_scene(slot, found[-1]))
    return found


def _scene(slot: Slot, following: type[Scene]) -> type[Scene]:
    fits = (
        F.text.casefold().in_({o.casefold() for o in slot.options})
        if slot.options
        else FILTERS.get(slot.kind)
    )

    class Base(Cancellable):
        @on.message.enter()
        async def enter(self, message: Message) -> None:
            await message.answer(slot.question)

    if fits is None:

        class Free(Base, state=slot.name):
            @on.message(F.text, after=After.goto(following))
            async def answer(self, message: Message) -> None:
                await self.wizard.update_data({slot.name: message.text})

        return Free

    class Typed(Base, state=slot.name):
        @on.message(fits, after=After.goto(following))
        async def answer(self, message: Message) -> None:
            await self.wizard.update_data({slot.name: value_of(slot, message.text or "")})

        @on.message()
        async def other(self, message: Message) -> None:
            await message.answer(RETRY[slot.kind])

    return Typed


async def say(line: Line, message: str) -> Seen:
    """Say it in the place of the line."""
    session = Offline()
    bot = Bot("1:offline", session=session)
    dispatcher, router = Dispatcher(), Router()
    dispatcher.include_router(router)
    flow = scenes(line)
    SceneRegistry(dispatcher).add(*flow)
    router.message.register(flow[-1].as_handler(), Command("begin"))
    key = StorageKey(bot_id=BOT, chat_id=CHAT, user_id=USER)

    async def tell(text: str) -> None:
        session.sent.clear()
        await dispatcher.feed_update(bot, Update(update_id=1, message=_message(text)))

    await tell("/begin")
    for _, words in answers_before(line):
        await tell(words)
    assert await dispatcher.storage.get_state(key) == line.open, (line.id, session.sent)
    before = dict(await dispatcher.storage.get_data(key))
    await tell(message)
    words = "\n".join(session.sent)
    state = await dispatcher.storage.get_state(key)
    if state is None:  # leaving a scene clears what it kept
        return seen(line, before, before, "completed" if DONE in session.sent else "left", None, words)
    return seen(line, before, dict(await dispatcher.storage.get_data(key)), "active", state, words)


if __name__ == "__main__":
    main(say)
