"""What the companion tells about itself and this place: every sentence that names something to say or to open is true."""

import re
from dataclasses import replace

import pytest

from softrail.api import create_app
from softrail.companion import catalogue
from softrail.companion.catalogue import telling as tellings
from softrail.companion.voice.newcomer import needs_a_project
from softrail.core.intents import Clarify, RouteResult
from softrail.core.people import Person
from softrail.core.turns import Holder, Turn
from softrail.prompts import Library
from softrail.settings import Settings
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

TEXTS = Library()
KINDS = [catalogue.kind_of(known.name) or known.name for known in tellings()]
OWN = [
    found.text
    for name in TEXTS.names()
    if any(re.fullmatch(rf"replies/{kind}(_\d)?", name) for kind in KINDS)
    and (found := TEXTS.get(name)) is not None
]
ALL = [
    found.text
    for name in TEXTS.names()
    if name.startswith("replies/") and (found := TEXTS.get(name)) is not None
]
_ADDRESS = re.compile(r"(?:(GET|PATCH|DELETE|POST) )?(/(?:me|sessions|projects)\b[\w/]*)")


async def test_every_wish_on_the_card_is_understood_as_it_is_told(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        await c.project()
        registry = c.talk.dispatcher.registry
        meant = {i.say: i.name for i in registry.intents() if i.say}
        shown = await c.say("show me what is possible here")

        for say, name in meant.items():
            assert f"“{say}”" in shown.text
            c.talk.session_id = None
            if name != "undo_last":  # there has to be something to take back
                assert (await c.say(say)).intent == name, say


async def test_what_the_replies_tell_people_to_say_leads_somewhere(frozen: FrozenClock) -> None:
    phrases = {p.replace("…", "the gate is red") for text in OWN for p in re.findall("“([^”{]+)”", text)}
    assert len(phrases) >= 4
    async with companion_talk(frozen) as c:
        project = await c.project()
        for phrase in sorted(phrases):
            c.talk.session_id = None
            answer = await c.say(phrase, project_id=project)
            last = [ref for ref in answer.decision.prompts if ref.startswith("replies/general_conversation")]
            assert last == [], phrase


async def test_every_address_that_a_reply_names_is_one_of_the_interface(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        paths = create_app(c.talk.dispatcher, Settings()).openapi()["paths"]
    named = [pair for text in ALL for pair in _ADDRESS.findall(text)]

    assert len(named) >= 8
    for method, path in named:
        bare = re.sub("[A-Z]+", "", path)  # ID, NUMBER and the like stand for what is filled in
        whole = next(p for p in paths if re.sub(r"\{[^}]*\}", "", p) == bare)
        assert (method or "GET").lower() in paths[whole]


@pytest.mark.parametrize(
    ("said", "intent", "told"),
    [
        ("are you a machine?", "general_conversation.machine", "program"),
        ("who is able to read my notes", "privacy", "members"),
        ("give me a copy of all my data", "export_my_data", "/me/export"),
        ("call me Sam from now on", "settings", "PATCH /me"),
        ("book a flight to Rome", "general_conversation.booking", "can't book"),
        ("ich möchte meine Notizen sehen", "general_conversation.other_language", "Englisch"),
        ("I want to talk to a human", "human", "program"),
    ],
)
async def test_it_is_told_in_true_words_and_nothing_is_done(
    frozen: FrozenClock, said: str, intent: str, told: str
) -> None:
    async with companion_talk(frozen) as c:
        answer = await c.say(said)

    assert answer.intent == intent
    assert told in answer.text
    assert answer.effects == []


async def test_asked_to_delete_everything_it_deletes_nothing_and_says_how(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        project = await c.project()
        await c.say("remember that the gate is red", project_id=project)
        answer = await c.say("I want to be forgotten", project_id=project)

        assert "DELETE /me" in answer.text
        assert answer.effects == []
        assert len(await c.notes(project)) == 1


@pytest.mark.parametrize("said", ["show my projects", "list my projects"])
async def test_to_see_the_projects_begins_no_setup(frozen: FrozenClock, said: str) -> None:
    async with companion_talk(frozen) as c:
        answer = await c.say(said)

    assert answer.process is None
    assert answer.intent == "list_projects"


def test_without_a_project_in_the_middle_of_something_that_is_what_is_told(frozen: FrozenClock) -> None:
    ada = Person(id="ada", email="ada@example.org")
    turn = Turn(id="t", session_id="s", seq=1, message="where were we?", person=ada, at=frozen())

    asked = needs_a_project(TEXTS, turn)
    assert isinstance(asked, Clarify)  # where it tells of one; otherwise it is said that there is none
    assert "no project" in str(asked.otherwise)

    inside = needs_a_project(TEXTS, replace(turn, holder=Holder(process="trip", title="your trip")))
    assert isinstance(inside, RouteResult)
    assert str(inside.text).endswith("After your trip we can begin one.")
