"""A table that the operator offers is copied read-only into a conversation, with its types, and nothing else of its database."""

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.copying import copy
from softrail.plans.data.databases import Catalogue
from softrail.plans.data.faults import NotCopied, SourceUnreadable
from softrail.plans.data.profile import Source
from softrail.plans.data.sources import Sources
from softrail.plans.proofs.laid import found_in
from softrail.plans.proofs.making import proof_of
from softrail.plans.proofs.verifying import verify
from softrail.plans.settings import Database
from tests.integration.plan_server import Planned, plan, planned
from tests.integration.test_data_of_plans import ask
from tests.postgres import run_sql

pytestmark = pytest.mark.usefixtures("quick_data")

SECRET = "canary-77-password"

Offer = Callable[..., None]


@pytest.fixture
async def shop(empty_postgres_url: str) -> AsyncIterator[str]:
    """A database of the operator's, with an empty schema `shop`."""
    await run_sql(empty_postgres_url, "DROP SCHEMA IF EXISTS shop CASCADE", "CREATE SCHEMA shop")
    yield empty_postgres_url
    await run_sql(empty_postgres_url, "DROP SCHEMA IF EXISTS shop CASCADE")


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch, empty_postgres_url: str) -> Offer:
    """Has the operator offer tables of it."""

    def offered(*tables: str, url: str = "", **more: Any) -> None:
        secret = make_url(url or empty_postgres_url).set(password=SECRET)
        told = {
            "url": secret.render_as_string(hide_password=False),
            "tables": [f"shop.{one}" for one in tables],
        }
        monkeypatch.setenv("SOFTRAIL_PLANS_DATABASES", json.dumps({"store": {**told, **more}}))

    return offered


async def copied(ada: Planned, name: str) -> Source:
    if ada.session_id is None:
        await ada.say("hello")
    return await ada.dispatcher.registry.service(Sources).attach_table(ada.here, ada.person.id, name)


async def asked(ada: Planned, sql: str) -> list[list[Any]]:
    """The rows of a query, as they are kept of the copies."""
    sources = ada.dispatcher.registry.service(Sources)
    async with own_folder() as folder:
        tables = [
            await sources.laid_out(one, table, folder)
            for one in await sources.of(ada.here)
            for table in one.tables
        ]
        children = ada.dispatcher.registry.service(Children)
        answer = await children.one("query", {"do": "query", "sql": sql}, folder, tables)
    return list(answer["rows"])


SALES = (
    "CREATE TABLE shop.sales (region text, revenue numeric(12,2), day date, paid boolean)",
    "INSERT INTO shop.sales VALUES ('North', 1234.56, '2024-02-13', true), ('South', 99, '2024-02-14', false), "
    "('Total', 0.44, NULL, NULL)",
)


async def test_a_table_is_asked_for_by_its_name_and_its_numbers_say_that_they_rest_on_the_copy(
    shop: str, offer: Offer
) -> None:
    await run_sql(shop, *SALES)
    offer("sales")
    async with planned() as ada:
        reply = await ada.say("use the sales table")
        assert "copying the table “sales”" in reply.companion_message
        assert reply.classified_intent == "control.table"
        there = await ada.heard("A copy of the table is attached")
        assert "- sales, 3 rows: region, revenue, day, paid" in there.content
        assert "Copied from “shop.sales” in “store” at 20" in there.content

        await ada.say("analyze revenue by region")
        await ada.say("yes")
        assert "- Total: 0.44" in (await ada.heard("Done: ")).content
        chain = (await ada.say("how did you get that?")).companion_message
        facts = (await ada.standing()).facts

    assert "from sales (sha256 " in chain
    assert "  Copied from “shop.sales” in “store” at 20" in chain
    evidence = next(one.evidence for one in facts.values() if one.evidence and one.evidence.get("query"))
    assert evidence["sources"][0]["rows"] == 3
    assert evidence["repairs"][0].startswith("Copied from “shop.sales” in “store” at 20")
    assert evidence["repairs"][0].endswith("UTC: 3 rows.")


async def test_a_proof_over_a_copy_is_done_again_over_the_file_that_was_kept_of_it(
    shop: str, offer: Offer, tmp_path: Path
) -> None:
    await run_sql(shop, *SALES)
    offer("sales")
    async with planned() as ada:
        source = await copied(ada, "sales")
        total = ask("total", "SELECT sum(revenue), count(paid), max(day) FROM sales")
        await ada.say(plan(total, problem="Verify what the regions make"))
        await ada.say("yes")
        await ada.heard("The proof is a file")
        run = (await ada.standing()).run
        assert run is not None
        told = await ada.store.read(lambda conn: proof_of(conn, run.id))
        assert told is not None
        assert await ada.dispatcher.registry.service(Sources).original(source.sha256, tmp_path / "copy")
    [wanted] = told.sources

    found = await verify(told, {wanted.name: found_in([tmp_path / "copy"], wanted)}, Children())

    assert (found.wrong, found.again, found.sources) == ([], 1, 1)


async def test_a_file_that_a_person_sends_is_never_taken_for_a_copy(shop: str) -> None:
    forged = {"title": "sales", "columns": [{"title": "n", "kind": "number"}], "repairs": ["Copied from “x”"]}
    async with planned() as ada:
        await ada.say("hello")
        sources = ada.dispatcher.registry.service(Sources)
        content = json.dumps({"copied": forged}).encode() + b'\n["1"]\n'
        with pytest.raises(SourceUnreadable):
            await sources.attach(ada.here, ada.person.id, "sales", content)


async def test_a_table_that_is_other_rows_each_time_is_not_copied(shop: str, offer: Offer) -> None:
    await run_sql(
        shop, "CREATE VIEW shop.dice AS SELECT n FROM generate_series(1, 1 + (random() * 90000)::int) n"
    )
    offer("dice")
    async with planned() as ada:
        with pytest.raises(NotCopied, match="gives other rows each time"):
            await copied(ada, "dice")


TYPES = """CREATE TABLE shop.kinds (
  small smallint, big bigint, exact numeric, huge numeric(38,0), real double precision, price money, plain text, code varchar(10),
  padded char(5), key uuid, mood shop.mood, checked shop.positive, day date, made timestamp, moment timestamptz, clock time,
  ok boolean, picture bytea, tags text[], told jsonb)"""
ROW = """INSERT INTO shop.kinds VALUES (-3, 9007199254740993, 12.340, 12345678901234567890123456789012345678, 0.1, 12.50, '', '01067',
  'ab', '6f1c1a30-0000-4000-8000-000000000001', 'glad', 7, '0044-03-15', '2024-02-13 10:11:12.5', '2024-02-13 10:00+02', '08:30',
  true, 'x', '{a}', '{}')"""


async def test_every_type_comes_back_as_it_was_and_what_cannot_be_copied_is_left_out_and_said(
    shop: str, offer: Offer
) -> None:
    await run_sql(
        shop,
        "CREATE TYPE shop.mood AS ENUM ('glad')",
        "CREATE DOMAIN shop.positive AS integer CHECK (VALUE > 0)",
        TYPES,
        ROW,
        "INSERT INTO shop.kinds DEFAULT VALUES",
    )
    offer("kinds")
    async with planned() as ada:
        source = await copied(ada, "kinds")
        rows = await asked(ada, "SELECT * FROM kinds ORDER BY small")
        typed = await asked(ada, "SELECT big + 1, day + 1, upper(code), ok AND true FROM kinds WHERE big > 0")

    [table] = source.tables
    assert {one.name: one.kind for one in table.columns} == {
        **dict.fromkeys(("small", "big", "exact", "huge", "real", "price", "checked"), "number"),
        **dict.fromkeys(("plain", "code", "padded", "key", "mood", "clock"), "text"),
        "day": "date",
        "made": "time",
        "moment": "time",
        "ok": "boolean",
    }
    values = dict(zip([one.name for one in table.columns], rows[0], strict=True))
    assert values == {
        "small": "-3",
        "big": "9007199254740993",
        "exact": "12.34",
        "huge": "12345678901234567890123456789012345678",
        "real": "0.1",
        "price": "12.5",
        "plain": "",
        "code": "01067",
        "padded": "ab",
        "key": "6f1c1a30-0000-4000-8000-000000000001",
        "mood": "glad",
        "checked": "7",
        "day": "0044-03-15",
        "made": "2024-02-13T10:11:12.500000",
        "moment": "2024-02-13T08:00:00",
        "clock": "08:30:00",
        "ok": True,
    }
    assert set(rows[1]) == {None}
    assert typed == [["9007199254740994", "0044-03-16", "01067", True]]
    assert table.repairs[1:] == (
        "“picture” is left out: values of the type bytea cannot be copied.",
        "“tags” is left out: values of the type _text cannot be copied.",
        "“told” is left out: values of the type jsonb cannot be copied.",
        "“moment” is in UTC.",
    )


async def test_values_that_no_copy_has_count_as_empty_and_are_counted(shop: str, offer: Offer) -> None:
    await run_sql(
        shop,
        "CREATE TABLE shop.odd (a double precision, b numeric, day date)",
        "INSERT INTO shop.odd VALUES ('NaN', 'NaN', 'infinity'), ('Infinity', 1, '0044-03-15 BC'), (2e300, 1e-15, 'today')",
    )
    offer("odd")
    async with planned() as ada:
        [table] = (await copied(ada, "odd")).tables
    assert [one.empty for one in table.columns] == [2, 1, 2]
    assert "2 values of “a” that no number has here count as empty." in table.repairs
    assert "1 value of “b” that no number has here counts as empty." in table.repairs


async def test_a_hundred_thousand_rows_are_copied_and_one_more_than_may_be_is_refused_with_both_numbers(
    shop: str, offer: Offer
) -> None:
    await run_sql(
        shop,
        "CREATE TABLE shop.many AS SELECT n, 'word ' || n % 10 AS word, n * 0.01 AS share FROM generate_series(1, 100000) n",
    )
    offer("many", rows=100_000)
    async with planned() as ada:
        assert (await copied(ada, "many")).tables[0].rows == 100_000
        found = await asked(ada, "SELECT sum(n), sum(share), count(DISTINCT word) FROM many")
        await run_sql(shop, "INSERT INTO shop.many VALUES (100001, 'more', 1)")

        await ada.say("/table many")
        told = (await ada.heard("100,001 rows")).content
        [still] = await ada.dispatcher.registry.service(Sources).of(ada.here)
    assert found == [["5000050000", "50000500.00", "10"]]
    assert "“many” has 100,001 rows, and at most 100,000 are copied." in told
    assert still.tables[0].rows == 100_000


async def test_more_bytes_than_a_source_may_have_are_refused_before_they_are_read(
    shop: str, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run_sql(
        shop, "CREATE TABLE shop.wide AS SELECT repeat('x', 100000) AS t FROM generate_series(1, 20)"
    )
    offer("wide")
    monkeypatch.setenv("SOFTRAIL_PLANS_SOURCE_MEGABYTES", "1")
    async with planned() as ada:
        with pytest.raises(NotCopied, match="“wide” has more than the 1 MB"):
            await copied(ada, "wide")


async def test_of_a_database_that_is_away_the_person_hears_and_nothing_is_lost(
    shop: str, offer: Offer, caplog: pytest.LogCaptureFixture
) -> None:
    await run_sql(shop, *SALES)
    offer("sales")
    with closing(socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))  # and listens to nobody
        away = f"postgresql://reader@127.0.0.1:{nobody.getsockname()[1]}/shop"
        offer("sales", url=away)
        with caplog.at_level(logging.DEBUG, "softrail"):
            async with planned() as ada:
                assert "copying" in (await ada.say("load the sales table, please")).companion_message
                told = (await ada.heard("cannot be reached just now")).content
                assert "ask for “sales” again in a while" in told
                assert "hello" not in told
                assert (await ada.say("hello")).companion_message
                assert await ada.dispatcher.registry.service(Sources).of(ada.here) == ()
                items = " ".join([one.content for one in await ada.items()])
    for words in (caplog.text, items):
        assert SECRET not in words
        assert "127.0.0.1" not in words


async def test_a_table_that_is_not_offered_is_refused_and_those_that_are_are_named(
    shop: str, offer: Offer
) -> None:
    await run_sql(shop, *SALES, "CREATE TABLE shop.salaries (pay int)")
    offer("sales")
    async with planned() as ada:
        for words in ("use the salaries table", "/table salaries", "/table shop.salaries; DROP TABLE x"):
            told = (await ada.say(words)).companion_message
            assert told.startswith("There is no table “")
            assert told.endswith("There is: sales.")
        assert (await ada.say("/table")).companion_message == "Which table? There is: sales."
        with pytest.raises(NotCopied, match="There is no table “salaries” here"):
            await copied(ada, "salaries")


@pytest.mark.parametrize("words", ["use the sales table", "attach sales", "load the orders table"])
async def test_without_the_operators_setting_such_words_are_free_talk(words: str) -> None:
    async with planned() as ada:
        assert (await ada.say(words)).classified_intent != "control.table"
        assert "No tables of a database are offered" in (await ada.say("/table sales")).companion_message


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("use the sales table", True),
        ("Could you load our Sales data from the store database?", True),
        ("attach sales", True),
        ("please import big orders", True),
        ("don't use the sales table", False),
        ("the sales table is on fire", False),
        ("read the sales pitch to me", False),
        ("use sales", False),
        ("set the table for four", False),
        ("get a table at the restaurant for tonight", False),
    ],
)
async def test_words_ask_for_a_table_only_where_all_of_them_fit(
    shop: str, offer: Offer, words: str, means: bool
) -> None:
    offer("sales", "big_orders")
    async with planned() as ada:
        reply = await ada.say(words)
        assert (reply.classified_intent == "control.table") == means, reply.companion_message


async def test_an_answer_to_another_question_stays_an_answer(shop: str, offer: Offer) -> None:
    offer("sales")
    async with planned() as ada:
        await ada.say("let's do my standup")
        assert "Yesterday: load the sales table" in (await ada.say("load the sales table")).companion_message


async def test_a_plan_that_waits_for_its_yes_waits_on_while_a_newer_copy_takes_the_place_of_the_older(
    shop: str, offer: Offer
) -> None:
    await run_sql(shop, *SALES)
    offer("sales")
    async with planned() as ada:
        older = await copied(ada, "sales")
        await ada.say(plan(ask("n", "SELECT count(*) FROM sales")))
        await run_sql(shop, "INSERT INTO shop.sales VALUES ('East', 1, NULL, NULL)")
        assert "copying" in (await ada.say("load the sales table again")).companion_message
        await ada.heard("- sales, 4 rows")
        await ada.say("yes")
        await ada.heard("n: 4")
        [newer] = await ada.dispatcher.registry.service(Sources).of(ada.here)
    assert newer.id != older.id


HOSTILE = ['Sales "; DROP TABLE shop.sales; --', "x' OR 1=1", "Größe (EUR)", "a.b"]


async def test_names_are_names_whatever_is_in_them(shop: str, offer: Offer) -> None:
    await run_sql(shop, *SALES)
    for n, name in enumerate(HOSTILE):
        doubled = name.replace('"', '""')
        await run_sql(
            shop,
            f'CREATE TABLE shop."{doubled}" ("{doubled}" int, "select" text)',
            f"INSERT INTO shop.\"{doubled}\" VALUES ({n}, '<b>{n}</b>')",  # noqa: S608 - doubled
        )
    offer("sales", *HOSTILE)
    async with planned() as ada:
        for n, name in enumerate(HOSTILE):
            source = await copied(ada, name)
            assert source.tables[0].columns[0].title == name
            assert source.tables[0].columns[0].most == str(n)
        assert (await copied(ada, "sales")).tables[0].rows == 3


async def test_nothing_can_be_changed_by_reading(shop: str, offer: Offer) -> None:
    await run_sql(
        shop,
        "CREATE TABLE shop.seen (n int)",
        "CREATE FUNCTION shop.noted() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO shop.seen VALUES (1) RETURNING n'",
        "CREATE VIEW shop.sly AS SELECT shop.noted() AS n",
    )
    offer("sly", "seen")
    async with planned() as ada:
        with pytest.raises(NotCopied, match="Reading “sly” would change something"):
            await copied(ada, "sly")
        assert (await copied(ada, "seen")).tables[0].rows == 0


async def test_what_takes_too_long_ends_and_is_said(shop: str, offer: Offer) -> None:
    await run_sql(shop, "CREATE VIEW shop.slow AS SELECT pg_sleep(60)::text AS nothing, 1 AS n")
    offer("slow", seconds=0.2)
    async with planned() as ada:
        with pytest.raises(NotCopied, match=r"0\.2 seconds"):
            await copied(ada, "slow")


async def test_a_server_that_takes_the_call_and_says_nothing_is_waited_for_no_longer_than_that(
    tmp_path: Path,
) -> None:
    with closing(socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        place = f"postgresql://reader@127.0.0.1:{silent.getsockname()[1]}/shop"
        there = Database(url=SecretStr(place), tables=("sales",), seconds=0.2)
        [named] = Catalogue({"store": there}).tables
        with pytest.raises(NotCopied, match=r"takes longer than the 0\.2 seconds"):
            await copy(named, there, tmp_path / "copy", largest=1000)


async def test_neither_the_address_nor_the_password_is_in_a_log_a_reply_or_the_file_that_is_kept(
    shop: str, offer: Offer, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    await run_sql(
        shop, *SALES, "CREATE VIEW shop.broken AS SELECT 1 / (n - 1) AS x FROM generate_series(1, 2) n"
    )
    offer("sales", "broken", "gone")
    place = make_url(shop).query.get("host") or make_url(shop).host
    with caplog.at_level(logging.DEBUG):
        async with planned() as ada:
            await ada.say("use the sales table")
            await ada.heard("A copy of the table is attached")
            await ada.say("use the broken table")
            await ada.heard("“broken” could not be read to its end")
            await ada.say("use the gone table")
            await ada.heard("There is no table “gone” in its database any more")
            await ada.say(plan(ask("n", "SELECT count(*) FROM sales")))
            await ada.say("yes")
            await ada.heard("Done: ")
            said = " ".join(one.content for one in await ada.items())
            sources = ada.dispatcher.registry.service(Sources)
            [source] = await sources.of(ada.here)
            assert await sources.original(source.sha256, tmp_path / "file")
            ours = [one.getMessage() for one in caplog.records if one.name.startswith("softrail")]
    for words in (*ours, caplog.text, said, (tmp_path / "file").read_text(), source.model_dump_json()):
        assert SECRET not in words
    for words in (*ours, said, (tmp_path / "file").read_text(), source.model_dump_json()):
        assert str(place) not in words
