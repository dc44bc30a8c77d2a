"""python-telegram-bot: a `ConversationHandler`, as its example has it.

A state for every question, typed ones with a filter and a second handler for everything else; `/cancel` as the
fallback.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from telegram import Chat, Message, MessageEntity, Update, User
from telegram.ext import (
    Application,
    CommandHandler,
    ContextTypes,
    ConversationHandler,
    MessageHandler,
    filters,
)
from telegram.request import BaseRequest

from benchmarks.peers.stage import AGAIN, RETRY, answers_before, main, seen, summary_of, value_of
from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import CONFIRM, Line, Slot

CHAT, USER = 2, 3
DONE, CANCELLED = "Done.", "Cancelled."
Context = ContextTypes.DEFAULT_TYPE
PLAIN = filters.TEXT & ~filters.COMMAND


class Offline(BaseRequest):
    """Answers every call of the bot's by itself and keeps what it sends."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self, url: str, method: str, request_data: Any = None, **_: Any
    ) -> tuple[int, bytes]:
        result: Any = {"id": 1, "is_bot": True, "first_name": "bot", "username": "offline_bot"}
        if url.endswith("/sendMessage"):
            self.sent.append(request_data.parameters["text"])
            result = {"message_id": 1, "date": 0, "chat": {"id": CHAT, "type": "private"}, "text": "…"}
        return 200, json.dumps({"ok": True, "result": result}).encode()


PATTERNS = {"int": r"^\d+$", "digits": r"^\d[\d -]*$", "bool": r"(?i)^(yes|no)$"}


def handler(line: Line) -> ConversationHandler[Context]:
    """The conversation of a flow."""
    names = [slot.name for slot in line.slots] + [CONFIRM]
    questions = [slot.question for slot in line.slots] + [summary_of(line)]

    async def begin(update: Update, context: Context) -> str:
        await _answer(update, questions[0])
        return names[0]

    async def cancel(update: Update, context: Context) -> int:
        await _answer(update, CANCELLED)
        return ConversationHandler.END

    async def done(update: Update, context: Context) -> int:
        await _answer(update, DONE)
        return ConversationHandler.END

    async def unclear(update: Update, context: Context) -> None:
        await _answer(update, AGAIN)

    def take(slot: Slot, at: int) -> Callable[[Update, Context], Any]:
        async def taken(update: Update, context: Context) -> str:
            assert update.message
            assert context.user_data is not None
            context.user_data[slot.name] = value_of(slot, update.message.text or "")
            await _answer(update, questions[at + 1])
            return names[at + 1]

        return taken

    def retry(slot: Slot) -> Callable[[Update, Context], Any]:
        async def asked_again(update: Update, context: Context) -> None:
            await _answer(update, RETRY[slot.kind])

        return asked_again

    states: dict[object, list[Any]] = {}
    for at, slot in enumerate(line.slots):
        options = "|".join(re.escape(o) for o in slot.options)
        pattern = f"(?i)^({options})$" if options else PATTERNS.get(slot.kind)
        if pattern is None:
            states[slot.name] = [MessageHandler(PLAIN, take(slot, at))]
        else:
            states[slot.name] = [
                MessageHandler(filters.Regex(pattern), take(slot, at)),
                MessageHandler(PLAIN, retry(slot)),
            ]
    states[CONFIRM] = [
        MessageHandler(filters.Regex(r"(?i)^yes$"), done),
        MessageHandler(filters.Regex(r"(?i)^no$"), cancel),
        MessageHandler(PLAIN, unclear),
    ]
    return ConversationHandler([CommandHandler("begin", begin)], states, [CommandHandler("cancel", cancel)])


async def _answer(update: Update, text: str) -> None:
    assert update.message
    await update.message.reply_text(text)


async def say(line: Line, message: str) -> Seen:
    """Say it in the place of the line."""
    offline = Offline()
    application = Application.builder().token("1:offline").request(offline).updater(None).build()
    flow = handler(line)
    application.add_handler(flow)
    await application.initialize()

    async def tell(text: str) -> None:
        offline.sent.clear()
        entities = [MessageEntity("bot_command", 0, len(text))] if text == "/begin" else []
        said = Message(
            1,
            datetime.now(UTC),
            Chat(CHAT, "private"),
            from_user=User(USER, "Sam", False),
            text=text,
            entities=entities,
        )
        said.set_bot(application.bot)
        await application.process_update(Update(1, message=said))

    await tell("/begin")
    for _, words in answers_before(line):
        await tell(words)
    place = (CHAT, USER)
    assert flow._conversations.get(place) == line.open, (line.id, offline.sent)
    before = dict(application.user_data[USER])
    await tell(message)
    words, state = "\n".join(offline.sent), flow._conversations.get(place)
    after = dict(application.user_data[USER])
    if state is None:
        return seen(line, before, after, "completed" if DONE in offline.sent else "left", None, words)
    return seen(line, before, after, "active", str(state), words)


if __name__ == "__main__":
    main(say)
