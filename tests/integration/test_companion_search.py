"""Notes are found by their words, on both databases, as they are at this moment."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from sqlalchemy import select

from softrail.companion.memory.search import LOOKED_AT, MOST_WORDS
from softrail.companion.memory.tables import note_words
from softrail.companion.plugin import TABLES, Companion, companion
from softrail.core.people import Person
from softrail.store import SqlStore, open_store, upgrade
from tests.integration.companion_server import founded, person
from tests.postgres import drop_database, new_database


class Library:
    """A project of Ada's and short ways to its notes."""

    def __init__(self, store: SqlStore, ada: Person, project: str) -> None:
        self.store = store
        self.ada = ada
        self.project = project
        self.all: Companion = companion(store)

    async def write(self, *texts: str) -> None:
        for text in texts:
            await self.all.notes.add(self.ada.id, self.project, text)

    async def about(self, words: str, limit: int = 50) -> list[int]:
        found = await self.all.notes.about(self.ada.id, self.project, words, limit=limit)
        return [note.number for note in found]

    async def words(self) -> Sequence[tuple[str, int]]:
        query = select(note_words.c.word, note_words.c.number).where(note_words.c.project_id == self.project)
        rows = await self.store.read(lambda conn: conn.execute(query).all())
        return sorted((row.word, row.number) for row in rows)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database of this file's own, migrated."""
    if request.param == "sqlite":
        made = f"sqlite:///{tmp_path_factory.mktemp('search')}/notes.db"
        asyncio.run(upgrade(made, plugins=[TABLES]))
        yield made
        return
    server = request.getfixturevalue("postgres_url")
    made = asyncio.run(new_database(server, "search"))
    asyncio.run(upgrade(made, plugins=[TABLES]))
    yield made
    asyncio.run(drop_database(server, made))


@pytest.fixture
async def library(url: str) -> AsyncIterator[Library]:
    store = open_store(url, plugins=[TABLES], durability="normal")
    await store.start()
    ada = await person(store, "ada")
    yield Library(store, ada, await founded(store, ada))
    await store.close()


async def test_notes_that_say_more_of_what_is_asked_come_first_then_the_newest(library: Library) -> None:
    await library.write("soil", "price", "The price of the soil", "weather", "Prices!")
    assert await library.about("soil prices") == [3, 1, 5, 2]


async def test_a_rare_word_tells_more_than_a_frequent_one(library: Library) -> None:
    await library.write("gateway of the harbor", *["harbor and report"] * 6)
    assert (await library.about("report on the gateway", limit=2)) == [1, 7]


async def test_words_are_found_in_other_forms_case_and_scripts(library: Library) -> None:
    await library.write("Die GRÖSSE zählt", "pricing models", "東京の価格表", "Überraschung")
    assert await library.about("größe") == [1]
    assert await library.about("Price") == [2]
    assert await library.about("価格") == [3]
    assert await library.about("uberraschung") == [4]


async def test_signs_and_patterns_are_no_words(library: Library) -> None:
    await library.write("100% sure", "'; DROP TABLE companion_notes; --")
    for words in ("%", "_", "' OR 1=1 --", "", "\\", "the"):
        assert 1 not in await library.about(words) or "1" in words
    assert await library.about("drop table") == [2]


async def test_a_change_is_found_by_its_new_words_only(library: Library) -> None:
    await library.write("clay soil")
    notes = library.all.notes
    await notes.change(library.ada.id, library.project, 1, text="sandy soil")
    assert await library.about("clay") == []
    assert await library.about("sandy") == [1]
    await notes.change(library.ada.id, library.project, 1, state="withdrawn")
    assert await library.about("soil") == []
    assert await library.words() == []
    await notes.change(library.ada.id, library.project, 1, state="saved", text="loamy soil")
    assert await library.words() == [("loamy", 1), ("soil", 1)]


async def test_a_moved_note_is_found_where_it_is_now(library: Library) -> None:
    await library.write("clay soil")
    other = await founded(library.store, library.ada)
    await library.all.notes.move(library.ada.id, library.project, 1, other)
    assert await library.about("clay") == []
    there = await library.all.notes.about(library.ada.id, other, "clay")
    assert [note.number for note in there] == [1]


async def test_notes_of_another_project_are_never_found(library: Library) -> None:
    other = await founded(library.store, await person(library.store, "bob"), notes=["clay soil"])
    assert other
    assert await library.about("clay soil") == []


async def test_far_back_a_note_with_a_rare_and_a_frequent_word_still_beats_one_with_the_rare_word(
    library: Library,
) -> None:
    texts = ["harbor gateway", *[f"harbor entry {n}" for n in range(LOOKED_AT + 20)], "gateway"]
    again = await founded(library.store, library.ada, notes=texts)
    found = await library.all.notes.about(library.ada.id, again, "harbor gateway", limit=2)
    assert [note.number for note in found] == [1, len(texts)]


async def test_a_long_note_is_found_by_its_beginning_and_breaks_no_index(library: Library) -> None:
    await library.write("y" * 15_000, " ".join(f"term{n}x" for n in range(1_500)))
    assert await library.about("y" * 15_000) == [1]
    assert await library.about("term7x") == [2]
    assert await library.about(f"term{MOST_WORDS - 1}x") == [2]
    assert await library.about(f"term{MOST_WORDS}x") == []
