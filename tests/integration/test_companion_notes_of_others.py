"""Notes of a project with several people: everybody's own by word, others' by number, and who told what."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from softrail.store import SqlStore
from tests.integration.companion_server import assistant, headers, person
from tests.security.kit import World, companion_server


class Shared:
    """A project of Ada's with Bob as a member and Cleo as a viewer, each in a session of their own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sessions: dict[str, str] = {}
        asyncio.run(self._let_in())

    async def _let_in(self) -> None:
        store, services = self.world.server.dispatcher.store, assistant(self.world.server)
        assert isinstance(store, SqlStore)
        ada, cleo = await person(store, "ada"), await person(store, "cleo")
        bob = await person(store, "bob")
        await services.projects.add_member(ada.id, self.world.shared, bob.email, "member")
        await services.projects.add_member(ada.id, self.world.shared, cleo.email, "viewer")

    def say(self, who: str, message: str) -> Any:
        """One turn of that person about the project, in their session."""
        body: dict[str, Any] = {"project_id": self.world.shared}
        if who in self.sessions:
            body["session_id"] = self.sessions[who]
        reply = self.world.say(who, message, **body).json()
        self.sessions[who] = reply["session_id"]
        return reply

    def states(self) -> dict[str, str]:
        """The state of each note by its text."""
        url = f"/projects/{self.world.shared}/notes?state=waiting&state=saved&state=withdrawn"
        items = self.world.client.get(url, headers=headers("ada")).json()["items"]
        return {note["text"]: note["state"] for note in items}


@pytest.fixture
def shared() -> Iterator[Shared]:
    with companion_server() as server:
        yield Shared(World(server))


def test_save_it_saves_ones_own_note_and_never_anothers(shared: Shared) -> None:
    shared.say("ada", "Remember that the sky is blue")
    shared.say("bob", "Remember that grass is green")
    shared.say("ada", "yes, save it")
    assert shared.states()["the sky is blue"] == "saved"
    assert shared.states()["grass is green"] == "waiting"

    shared.say("ada", "save it")
    shared.say("ada", "yes")
    shared.say("ada", "save all")
    shared.say("ada", "withdraw all")
    assert shared.states()["grass is green"] == "waiting"


def test_what_another_told_is_saved_by_its_number(shared: Shared) -> None:
    shared.say("bob", "Remember that grass is green")
    asked = shared.say("ada", "save all")
    answered = shared.say("ada", "save it")["companion_message"]
    assert shared.states()["grass is green"] == "waiting"
    assert asked["side_effects"] != []  # her own, told before
    assert "#3" not in asked["companion_message"]
    assert answered == "Saved already in Open Gate: #2."

    shared.say("ada", "save note 3")
    assert shared.states()["grass is green"] == "saved"


def test_the_list_says_who_told_what(shared: Shared) -> None:
    shared.say("ada", "Remember that the sky is blue")
    shared.say("bob", "Remember that grass is green")
    told = shared.say("bob", "what have I told you?")["companion_message"]
    own, _, others = told.partition("What ada told me about Open Gate:")
    assert "grass is green" in own
    assert "sky" not in own
    assert "the sky is blue" in others
    assert "grass" not in others

    nobody = shared.say("cleo", "what have I told you?")["companion_message"]
    assert nobody.startswith("You have told me nothing about Open Gate yet.\n\nWhat ")
    assert "What you told me" not in nobody


def test_who_has_left_is_still_the_one_who_told_it_and_who_is_erased_is_somebody(shared: Shared) -> None:
    shared.say("bob", "Remember that grass is green")
    erased = shared.world.client.delete("/me", headers=headers("bob"))
    assert erased.status_code < 300
    told = shared.say("ada", "what have I told you?")["companion_message"]
    assert "What somebody told me about Open Gate:" in told
    assert "bob" not in told
