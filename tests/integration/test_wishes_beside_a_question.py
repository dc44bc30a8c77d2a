"""While the companion asks back, a choice, a yes, a no and a new wish are each taken for what they are."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from softrail.store import SqlStore
from tests.integration.api_server import Served, served, settings
from tests.integration.companion_server import assistant, founded, headers, memory, person

NAMES = ("Choir Tour", "Bake Sale", "Harbour Lights")


class Asked:
    """Ada with three projects, in sessions in which something was asked back."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.session: str | None = None
        self.choir, *_ = asyncio.run(self._found())

    async def _found(self) -> list[str]:
        store = self.server.dispatcher.store
        assert isinstance(store, SqlStore)
        ada = await person(store, "ada")
        return [await founded(store, ada, name=name, notes=["the bus leaves at nine"]) for name in NAMES]

    def say(self, message: str, project: str | None = None) -> Any:
        body = {"message": message, "session_id": self.session, "project_id": project}
        sent = {name: value for name, value in body.items() if value is not None}
        reply = self.server.client.post("/converse", json=sent, headers=headers("ada")).json()
        self.session = reply["session_id"]
        return reply

    def asked_which(self) -> None:
        """It was asked in a new session which project a note is for."""
        self.session = None
        assert self.say("Remember that the deadline is May 5")["pending"]["kind"] == "clarify"

    def asked_whether(self) -> None:
        """It was asked in a new session whether a project is to be archived."""
        self.session = None
        assert self.say("archive Choir Tour", project=self.choir)["pending"]["kind"] == "clarify"

    def archived(self) -> list[str]:
        async def look() -> list[str]:
            store = self.server.dispatcher.store
            assert isinstance(store, SqlStore)
            known = await assistant(self.server).projects.details((await person(store, "ada")).id)
            return [one.name for one in known if one.archived]

        return asyncio.run(look())


@pytest.fixture(scope="module")
def ada() -> Iterator[Asked]:
    with served(store=memory(), discover=True, chosen=settings(model="plain")) as server:
        yield Asked(server)


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("Archive the choir tour please", "archive_project"),
        ("Show my projects", "list_projects"),
        ("what did I tell you about the bake sale?", "ask_about_past_input"),
        ("who takes part in Harbour Lights?", "members"),
    ],
)
def test_a_new_wish_is_one_although_it_names_an_option(ada: Asked, said: str, intent: str) -> None:
    ada.asked_which()
    reply = ada.say(said)
    assert reply["classified_intent"] == intent
    assert reply["side_effects"] == []


@pytest.mark.parametrize(
    "said",
    [
        "the choir tour one",
        "it's for the choir tour",
        "put it in the choir tour",
        "I meant the choir tour of course",
        "open Choir Tour",
        "the first one please",
    ],
)
def test_a_choice_in_a_sentence_is_still_one(ada: Asked, said: str) -> None:
    ada.asked_which()
    reply = ada.say(said)
    assert [effect["kind"] for effect in reply["side_effects"]] == ["note_saved"]
    assert reply["project_id"] == ada.choir


@pytest.mark.parametrize(
    "said",
    [
        "search for bus",
        "show my notes",
        "no, keep it",
        "nope, leave it as it is",
        "keep it",
        "yes but only tomorrow",
        "hmm not sure",
        "if Tom agrees, save note 1",
    ],
)
def test_nothing_is_done_on_what_is_no_clear_yes(ada: Asked, said: str) -> None:
    ada.asked_whether()
    assert ada.say(said, project=ada.choir)["side_effects"] == []
    assert ada.archived() == []


@pytest.mark.parametrize("said", ["yes", "yes please archive it", "sure, why not", "yes, do it"])
def test_a_yes_is_one_in_any_words(ada: Asked, said: str) -> None:
    ada.asked_whether()
    ada.say(said, project=ada.choir)
    assert ada.archived() == ["Choir Tour"]
    ada.say("undo")
    assert ada.archived() == []


@pytest.mark.parametrize(
    ("said", "archived"), [("no, show my notes", []), ("yes! show my notes", ["Choir Tour"])]
)
def test_what_is_said_behind_a_yes_or_no_is_heard_too(ada: Asked, said: str, archived: list[str]) -> None:
    ada.asked_whether()
    reply = ada.say(said, project=ada.choir)
    assert "the bus leaves at nine" in reply["companion_message"]
    assert reply["pending"] is None
    assert ada.archived() == archived
    if archived:
        ada.say("bring back Choir Tour", project=ada.choir)


def test_what_is_named_behind_a_no_is_asked_about_in_its_place(ada: Asked) -> None:
    ada.asked_whether()
    words = ada.say("no, archive Bake Sale instead", project=ada.choir)["companion_message"]
    assert words.startswith("All right, I leave them as they are.")
    assert "Archive Bake Sale" in words
    assert ada.archived() == []
