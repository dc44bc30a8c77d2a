"""A canary in what people say is in no log line, at DEBUG, of ours or of any library, whatever fails over it."""

import logging
from collections.abc import Iterator

import pytest
from pydantic import BaseModel
from sqlalchemy import Connection, insert
from sqlalchemy.exc import IntegrityError

from softrail.api.logs import TALKATIVE, JsonLines, NoWordsOfPeople, PlainLines, in_places
from softrail.cli.serving import log_config
from softrail.core.effects import Effect, OutboxItem
from softrail.core.errors import StepFailed, StoreUnavailable
from softrail.core.outcomes import Done, Outcome
from softrail.core.ports import Message, ModelRequest
from softrail.core.turns import Turn
from softrail.processes import Process, step
from softrail.store import MemoryStore, SqlStore
from softrail.store.postgres import PostgresStore
from softrail.store.tables import records
from tests.integration.api_server import Served, served, settings
from tests.messages_api import Say
from tests.providers import PROVIDERS, Provider

CANARY = "canary-words-4c1f"


class Lines(logging.Handler):
    """Keeps every line as the server writes it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonLines())
        self.addFilter(NoWordsOfPeople())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
        self.lines.append(PlainLines().format(record))

    def told(self) -> list[str]:
        return [line for line in self.lines if CANARY in line]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    handler = Lines()
    for name in (None, *TALKATIVE):  # whatever they were set to
        monkeypatch.setattr(logging.getLogger(name), "level", logging.DEBUG)
        logging.getLogger(name).manager._clear_cache()  # type: ignore[attr-defined]
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)
    for name in (None, *TALKATIVE):
        logging.getLogger(name).manager._clear_cache()  # type: ignore[attr-defined]


class Leaky(Process, name="leaky", version=1):
    """Fails in every way, each time with what was said."""

    starts_on = ("be leaky",)

    class Data(BaseModel):
        """What is kept."""

        kept: str = ""

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        if "raise" in said.message:
            try:
                int(said.message)
            except ValueError as error:
                raise RuntimeError(f"unreadable: {said.message}") from error
        if "return" in said.message:
            return said.message  # type: ignore[return-value]
        if "refuse" in said.message:
            return Done(
                "Done.", effects=[Effect(kind="refused", summary=said.message, payload={"x": said.message})]
            )
        return Done(
            "Done.",
            effects=[Effect(kind="late", summary="s", payload={"x": said.message}, after_commit=True)],
        )


def refuse(tx: object, effect: Effect) -> str:
    raise ValueError(f"It may not be {effect.payload['x']}.")


async def late(item: OutboxItem) -> None:
    raise RuntimeError(f"nobody wants {item.payload['x']}")


@pytest.fixture
def server() -> Iterator[Served]:
    store = MemoryStore(effect_handlers={"refused": refuse})
    with served(store=store, processes=(Leaky,), deliverers={"late": late}) as running:
        yield running


@pytest.mark.parametrize("how", ["raise", "return", "refuse", "deliver"])
def test_a_process_that_fails_over_words_leaves_none_of_them(lines: Lines, server: Served, how: str) -> None:
    session = server.say("be leaky")["session_id"]

    server.say(f"please {how} {CANARY}", session)

    assert len(lines.lines) > 2
    assert lines.told() == []


async def breaks(store: SqlStore) -> str:
    """What a statement that breaks says of itself."""

    def twice(conn: Connection) -> None:
        row = {
            "person_id": CANARY,
            "kind": CANARY,
            "key": CANARY,
            "data": CANARY,
            "session_id": "s",
            "seq": 1,
        }
        for _ in range(2):
            conn.execute(insert(records), {**row, "made_at": 1})

    with pytest.raises(IntegrityError) as raised:
        await store.write(twice)
    logging.getLogger("somebody").error("It broke.", exc_info=raised.value)
    return str(raised.value)


async def test_a_statement_that_breaks_tells_no_values(lines: Lines, server: Served) -> None:
    store = server.dispatcher.store
    assert isinstance(store, SqlStore)
    assert CANARY not in await breaks(store)
    assert lines.told() == []


async def test_nor_on_postgres_whose_details_hold_keys(lines: Lines, empty_postgres_url: str) -> None:
    store = PostgresStore(empty_postgres_url)
    await breaks(store)  # the driver quotes the key itself; what is logged does not
    assert lines.told() == []
    await store.close()


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
async def test_the_sdk_of_a_model_tells_nothing_of_what_was_sent(lines: Lines, provider: Provider) -> None:
    request = ModelRequest(purpose="respond", system=CANARY, messages=[Message(role="user", content=CANARY)])
    async with provider.api(Say(text=CANARY)) as api:
        model = provider.model(api_key=CANARY, base_url=api.url, timeout=10.0, retries=0)
        await model.warm()
        await model.answer(request)
        await model.aclose()
    assert lines.told() == []


def test_libraries_are_heard_when_they_warn() -> None:
    quiet = NoWordsOfPeople()
    for name in TALKATIVE:
        record = logging.LogRecord(f"{name}.inner", logging.INFO, "f", 1, CANARY, (), None)
        assert not quiet.filter(record)
        record.levelno = logging.WARNING
        assert quiet.filter(record)
    assert quiet.filter(logging.LogRecord("softrail.turns", logging.DEBUG, "f", 1, "x", (), None))


def test_the_server_writes_its_log_this_way() -> None:
    made = log_config(settings(log_level="DEBUG"))
    assert made["handlers"]["err"]["filters"] == ["no_words"]
    assert made["formatters"]["lines"] == {"()": "softrail.api.logs.JsonLines", "words": False}


def test_a_traceback_has_its_places_and_our_own_words() -> None:
    def fails() -> None:
        try:
            raise KeyError(CANARY)
        except KeyError as error:
            raise StoreUnavailable("The database is away.") from error

    try:
        try:
            fails()
        except StoreUnavailable:
            raise ExceptionGroup(
                CANARY, [FileNotFoundError(2, "x", CANARY), StepFailed(CANARY, kind="raised")]
            ) from None
    except ExceptionGroup as error:
        error.__suppress_context__ = False
        told = in_places(error)

    assert CANARY not in told.replace("raise KeyError(CANARY)", "")
    assert "in fails" in told
    assert "StoreUnavailable: The database is away." in told
    assert "FileNotFoundError: No such file or directory" in told
    assert "StepFailed: raised" in told
    assert told.index("KeyError") < told.index("StoreUnavailable") < told.index("ExceptionGroup")


def test_with_words_everything_is_written_for_whoever_develops() -> None:
    try:
        raise RuntimeError(CANARY)
    except RuntimeError as error:
        info = (type(error), error, error.__traceback__)
    for lines in (JsonLines(words=True), PlainLines(words=True)):
        assert CANARY in lines.formatException(info)
