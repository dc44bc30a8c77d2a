"""aiogram 3: a state for each question and a handler for each state, as its page on the finite state machine has them.

It brings storages for Redis and MongoDB; this one is written for SQL, as that page says how.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiogram import Bot, Dispatcher, F, Router
from aiogram.client.session.base import BaseSession
from aiogram.fsm.context import FSMContext
from aiogram.fsm.state import State, StatesGroup
from aiogram.fsm.storage.base import BaseStorage, StateType, StorageKey
from aiogram.methods import SendMessage, TelegramMethod
from aiogram.types import Chat, Message, Update, User

from benchmarks.peers.pace.documents import Documents, documents
from benchmarks.peers.pace.stage import ASKED, BOOKED, main


class InSql(BaseStorage):
    """State and data of a chat in one row."""

    def __init__(self, kept: Documents) -> None:
        self._kept = kept

    async def set_state(self, key: StorageKey, state: StateType = None) -> None:
        """Keep where the chat is."""
        name = state.state if isinstance(state, State) else state
        await self._kept.put(str(key.chat_id), {**await self._kept.get(str(key.chat_id)), "state": name})

    async def get_state(self, key: StorageKey) -> str | None:
        """Where the chat is."""
        return (await self._kept.get(str(key.chat_id))).get("state")

    async def set_data(self, key: StorageKey, data: Mapping[str, Any]) -> None:
        """Keep what was gathered."""
        await self._kept.put(str(key.chat_id), {**await self._kept.get(str(key.chat_id)), "data": dict(data)})

    async def get_data(self, key: StorageKey) -> dict[str, Any]:
        """What was gathered."""
        return dict((await self._kept.get(str(key.chat_id))).get("data", {}))

    async def close(self) -> None:
        """The file is closed by who opened it."""


class Booking(StatesGroup):
    """The questions."""

    name = State()
    people = State()
    place = State()
    wishes = State()
    confirm = State()


router = Router()


@router.message(F.text == "book a table")
async def begin(message: Message, state: FSMContext) -> None:
    """Asks who it is for."""
    await state.set_state(Booking.name)
    await message.answer(ASKED[0])


@router.message(Booking.name)
async def name(message: Message, state: FSMContext) -> None:
    """Keeps who, asks how many."""
    await state.update_data(name=message.text)
    await state.set_state(Booking.people)
    await message.answer(ASKED[1])


@router.message(Booking.people, F.text.isdigit())
async def people(message: Message, state: FSMContext) -> None:
    """Keeps how many, asks where."""
    await state.update_data(people=int(message.text or "0"))
    await state.set_state(Booking.place)
    await message.answer(ASKED[2])


@router.message(Booking.place)
async def place(message: Message, state: FSMContext) -> None:
    """Keeps where, asks for wishes."""
    await state.update_data(place=message.text)
    await state.set_state(Booking.wishes)
    await message.answer(ASKED[3])


@router.message(Booking.wishes)
async def wishes(message: Message, state: FSMContext) -> None:
    """Keeps them, asks whether all is right."""
    await state.update_data(wishes=message.text)
    await state.set_state(Booking.confirm)
    await message.answer(ASKED[4])


@router.message(Booking.confirm)
async def book(message: Message, state: FSMContext) -> None:
    """Books it on yes."""
    await state.clear()
    await message.answer(BOOKED if message.text == "yes" else "Cancelled.")


class Heard(BaseSession):
    """A session that keeps what the bot sends, by chat."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[int, str] = {}

    async def make_request(self, bot: Bot, method: TelegramMethod[Any], timeout: Any = None) -> Any:
        if isinstance(method, SendMessage):
            self.sent[int(method.chat_id)] = method.text
            return _message(int(method.chat_id), method.text)
        return True

    async def close(self) -> None:
        """Nothing is open."""

    async def stream_content(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def _message(chat: int, text: str) -> Message:
    return Message(
        message_id=1,
        date=datetime.now(UTC),
        chat=Chat(id=chat, type="private"),
        from_user=User(id=chat, is_bot=False, first_name="Sam"),
        text=text,
    )


class Aiogram:
    """The dispatcher with its storage; a session is a chat."""

    def __init__(self, kept: Documents) -> None:
        self._heard = Heard()
        self._bot = Bot("1:offline", session=self._heard)
        self._dispatcher = Dispatcher(storage=InSql(kept))
        self._dispatcher.include_router(router)
        self._chats: dict[str, int] = {}

    async def say(self, session: str, message: str) -> str:
        """Feed an update, as a webhook does."""
        chat = self._chats.setdefault(session, len(self._chats) + 1)
        await self._dispatcher.feed_update(self._bot, Update(update_id=1, message=_message(chat, message)))
        return self._heard.sent.pop(chat, "")


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Aiogram]:
    """The storage and the dispatcher."""
    async with documents(folder / "aiogram.db") as kept:
        yield Aiogram(kept)


if __name__ == "__main__":
    main(opened)
