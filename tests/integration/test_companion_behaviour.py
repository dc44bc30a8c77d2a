"""What the companion does, over the real API, without any model and with the double of one: clause by clause."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from softrail.companion.catalogue import NAMES, NOT_YET
from softrail.companion.wall import wall
from softrail.prompts import Library
from tests.integration.api_server import Served, served, settings
from tests.integration.claude_server import NOTE, TALK, UNCLEAR, App, claude_app
from tests.integration.companion_server import headers, memory, person
from tests.messages_api import Say

ANSWERS = ("Court Finder", "members of two clubs", "every booking takes less than a minute")
IDEA = "I want to build an app for booking tennis courts"


class Talk:
    """Ada in front of the API, and nothing but the API."""

    def __init__(self, server: Served) -> None:
        self.client = server.client
        self.session: str | None = None

    def say(self, message: str, hint: str | None = None, project: str | None = None) -> Any:
        """One turn of one session; its reply."""
        body = {"message": message, "session_id": self.session, "intent_hint": hint, "project_id": project}
        sent = {name: value for name, value in body.items() if value is not None}
        response = self.client.post("/converse", json=sent, headers=headers("ada"))
        assert response.status_code == 200, response.text
        reply = response.json()
        self.session = reply["session_id"]
        return reply

    def get(self, path: str, who: str = "ada") -> Any:
        """What a page holds."""
        response = self.client.get(path, headers=headers(who))
        assert response.status_code == 200, response.text
        return response.json()

    def decision(self, reply: Any) -> Any:
        """The record of a turn."""
        return self.get(f"/sessions/{reply['session_id']}/decisions/{reply['turn_id']}")

    def notes(self, project: str) -> list[Any]:
        """The notes of a project."""
        items: list[Any] = self.get(f"/projects/{project}/notes")["items"]
        return items

    def described(self, hint: str | None = None, first: str = IDEA) -> None:
        """Everything that a project needs is told."""
        for message, given in ((first, hint), *((answer, None) for answer in ANSWERS)):
            self.say(message, given)

    def project(self, name: str = "Court Finder") -> str:
        """A project that was made by talking; its id."""
        self.say(IDEA, "create_project")
        for answer in (name, *ANSWERS[1:]):
            self.say(answer)
        self.say("finalize it")
        made = self.say("yes")
        assert made["side_effects"], made["companion_message"]
        return str(made["project_id"])

    def give(self, project: str, title: str, kind: str = "report") -> str:
        """A file for the project; where it is downloaded."""
        given = self.client.post(
            f"/projects/{project}/artifacts",
            files={"file": ("file.txt", title.encode())},
            data={"title": title, "type": kind},
            headers=headers("ada"),
        )
        assert given.status_code == 201, given.text
        return str(given.json()["href"])


@pytest.fixture
def ada() -> Iterator[Talk]:
    with served(store=memory(), processes=(), discover=True, chosen=settings(model="plain")) as server:
        yield Talk(server)


# -- knowledge


def test_what_is_told_becomes_a_waiting_note_by_the_companion(ada: Talk) -> None:
    project = ada.project()
    reply = ada.say("Remember that the courts are closed on Mondays", project=project)
    assert reply["classified_intent"] == "add_knowledge"
    [effect] = reply["side_effects"]
    note = ada.notes(project)[-1]
    assert (effect["kind"], effect["ref"]) == ("note_saved", str(note["number"]))
    assert (note["text"], note["state"]) == ("the courts are closed on Mondays", "waiting")
    assert note["author"]["kind"] == "companion"
    assert note["turn_id"] == reply["turn_id"]


def test_without_a_project_nothing_is_kept_and_it_asks_which(ada: Talk) -> None:
    projects = [ada.project("Court Finder"), ada.project("Harvest Help")]
    before = [len(ada.notes(project)) for project in projects]
    reply = ada.say("Remember that the deadline is March 15th.")
    assert reply["pending"]["kind"] == "clarify"
    assert reply["suggested_actions"][:2] == ["Court Finder", "Harvest Help"]
    assert reply["side_effects"] == []
    assert [len(ada.notes(project)) for project in projects] == before

    answered = ada.say("Harvest Help")
    assert (answered["classified_intent"], answered["project_id"]) == ("add_knowledge", projects[1])
    assert [len(ada.notes(project)) for project in projects] == [before[0], before[1] + 1]


def test_remember_and_at_once_what_have_i_told_you_shows_it_as_waiting(ada: Talk) -> None:
    project = ada.project()
    ada.say("Remember that the seed comes from Lyon", project=project)
    reply = ada.say("What have I told you?", project=project)
    number = ada.notes(project)[-1]["number"]
    assert f"#{number} (waiting): the seed comes from Lyon" in reply["companion_message"]


def test_past_input_is_told_by_number_the_topic_first_and_an_empty_list_is_said(ada: Talk) -> None:
    project = ada.project()
    ada.say("Remember that the pricing has three tiers", project=project)
    number = ada.notes(project)[-1]["number"]
    on_topic = ada.say("What have I told you about the price?", project=project)
    assert f"#{number} (waiting): the pricing has three tiers" in on_topic["companion_message"]
    assert "members of two clubs" not in on_topic["companion_message"]
    everything = ada.say("What have I told you?", project=project)["companion_message"]
    for note in ada.notes(project):
        assert f"#{note['number']}" in everything
    for note in ada.notes(project):
        url = f"/projects/{project}/notes/{note['number']}"
        ada.client.patch(url, json={"state": "withdrawn"}, headers=headers("ada"))
    empty = ada.say("What have I told you?", project=project)
    assert empty["companion_message"].startswith("You have told me nothing about Court Finder yet.")


# -- progress and files


def test_progress_says_what_the_dashboard_shows(ada: Talk) -> None:
    project = ada.project()
    ada.give(project, "Soil report")
    ada.say("Remember that sheep need shade", project=project)
    reply = ada.say("How's the project going?", project=project)
    assert reply["classified_intent"] == "ask_about_progress"
    board = ada.get("/me/dashboard")
    titles = [matter["title"] for matter in (*board["needs_you"], *board["recent"])]
    assert {"sheep need shade", "Soil report"} <= set(titles)
    for title in ("sheep need shade", "Soil report"):
        assert title in reply["companion_message"]


def test_a_download_is_unique_ambiguous_or_none(ada: Talk) -> None:
    project = ada.project()
    href = ada.give(project, "Soil report")
    unique = ada.say("I need to download the soil report.", project=project)
    assert unique["side_effects"] == [{"kind": "download_ready", "summary": "Soil report", "ref": href}]
    taken = ada.client.get(href, headers=headers("ada"))
    assert taken.content == b"Soil report"

    ada.give(project, "Water report")
    ambiguous = ada.say("I need to download the report.", project=project)
    assert ambiguous["side_effects"] == []
    assert sorted(ambiguous["suggested_actions"]) == ["Soil report", "Water report"]
    chosen = ada.say("Water report", "request_download", project)
    assert [effect["summary"] for effect in chosen["side_effects"]] == ["Water report"]

    none = ada.say("download the insurance contract", "request_download", project)
    assert none["side_effects"] == []
    for title in ("Soil report", "Water report", "Specification of Court Finder"):
        assert title in none["companion_message"]


# -- talk, and what cannot be done yet


@pytest.mark.parametrize("message", ["What do you think about adding a glossary section?", "hmm"])
def test_talk_returns_nothing_and_changes_nothing(ada: Talk, message: str) -> None:
    project = ada.project()
    before, board = ada.notes(project), ada.get("/me/dashboard")
    reply = ada.say(message, project=project)
    assert reply["classified_intent"].partition(".")[0] == "general_conversation"
    assert (reply["side_effects"], reply["pending"], reply["draft_specification"]) == ([], None, None)
    assert ada.decision(reply)["effects"] == []
    assert (ada.notes(project), ada.get("/me/dashboard")) == (before, board)


@pytest.mark.parametrize("intent", NOT_YET)
def test_what_cannot_be_done_yet_is_said_in_voice_and_changes_nothing(ada: Talk, intent: str) -> None:
    project = ada.project()
    before = ada.notes(project)
    reply = ada.say("Please do that.", intent, project)
    assert (reply["classified_intent"], reply["side_effects"]) == (intent, [])
    assert "in conversation yet" in reply["companion_message"]
    assert any(ref.startswith(f"replies/{intent}@") for ref in ada.decision(reply)["prompts"])
    assert ada.notes(project) == before


@pytest.mark.parametrize("intent", NOT_YET)
async def test_a_model_is_told_that_it_cannot_be_done_yet_and_where_it_can(intent: str) -> None:
    async with claude_app(Say(text="I see what you want.")) as app:
        reply = await app.say("Please do that.", intent, project_id=await app.project())
        assert (reply["companion_message"], reply["side_effects"]) == ("I see what you want.", [])
        facts = json.loads(asked(app)[-1].partition("The rest is data:\n")[2])
        assert facts["is_stub"] is True
        assert facts["stub_guidance"] == Library().render(f"replies/{intent}")


# -- creating a project


@pytest.mark.parametrize("first", [None, "create_project"], ids=["words", "hint"])
@pytest.mark.parametrize("last", [None, "finalize_project"], ids=["words", "hint"])
def test_creating_and_finalizing_by_words_and_by_hint_do_the_same(
    ada: Talk, first: str | None, last: str | None
) -> None:
    ada.described(first)
    shown = ada.say("looks good, finalize it", last)
    assert (shown["side_effects"], shown["pending"]["kind"]) == ([], "confirm")
    reply = ada.say("finalize it", last)
    assert [effect["kind"] for effect in reply["side_effects"]] == ["project_created"]
    assert (reply["process"]["name"], reply["process"]["state"]) == ("seed_conversation", "completed")
    assert reply["readiness"] == "ready_for_review"
    page = ada.get(f"/projects/{reply['project_id']}")
    assert (page["name"], page["role"]) == ("Court Finder", "owner")
    assert [note["state"] for note in ada.notes(page["id"])] == ["saved"] * 3
    [file] = ada.get(f"/projects/{page['id']}/artifacts")["items"]
    kept = ada.client.get(file["href"], headers=headers("ada")).text
    assert (file["type"], kept) == ("specification", reply["draft_specification"])


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
def test_a_paused_description_is_shown_and_created_as_it_was_left(ada: Talk, hint: str | None) -> None:
    ada.described("create_project")
    assert ada.say("stop")["process"]["state"] == "suspended"
    reply = ada.say("I think the project setup looks good, let's finalize it.", hint)
    assert reply["classified_intent"] == "finalize_project"
    assert (reply["side_effects"], reply["pending"]["kind"]) == ([], "confirm")
    assert [effect["kind"] for effect in ada.say("yes")["side_effects"]] == ["project_created"]
    assert [page["name"] for page in ada.get("/projects")["items"]] == ["Court Finder"]


# -- classification


async def test_a_hint_calls_no_model_to_classify() -> None:
    async with claude_app(Say(text="Well."), structured=[read_as(NOTE, 0.99)]) as app:
        reply = await app.say(UNCLEAR, TALK)
        assert reply["classified_intent"] == TALK
        decision = await app.decision(reply)
        assert [call["purpose"] for call in decision["model_calls"]] == ["respond"]
        assert (decision["tier"], decision["confidence"]) == ("hint", 1.0)


@pytest.mark.parametrize(
    ("confidence", "intent"), [(0.69, TALK), (0.6999, TALK), (0.70, NOTE), (0.71, NOTE)], ids=str
)
async def test_below_70_percent_it_is_talk_with_its_confidence_kept_and_its_parameters_emptied(
    confidence: float, intent: str
) -> None:
    told = read_as(NOTE, confidence, knowledge_text="sheds are elsewhere")
    async with claude_app(Say(text="Well."), structured=[told]) as app:
        project = await app.project()
        reply = await app.say(UNCLEAR, None, project_id=project)
        assert reply["classified_intent"] == intent
        assert (await app.decision(reply))["confidence"] == confidence
        kept = await app.companion.notes.list((await person(app.store, "ada")).id, project)
        assert [note.text for note in kept] == (["sheds are elsewhere"] if intent == NOTE else [])
        assert ("sheds are elsewhere" in asked(app)[-1]) is (intent == NOTE)


# -- prompts and context


def test_the_persona_comes_from_its_file_with_both_places_and_no_word_of_the_machinery() -> None:
    persona = Library().get("companion/persona")
    assert persona is not None
    for place in ("{companion_name}", "{operator_name}"):
        assert place in persona.text
    assert wall().faults(persona.text) == []


@pytest.mark.parametrize(
    "intent", [name for name in NAMES if name not in ("create_project", "finalize_project")]
)
async def test_the_prompt_holds_the_companions_name_and_the_instruction(intent: str) -> None:
    async with claude_app(Say(text="Well.")) as app:
        await app.client.patch("/me", json={"companion_name": "Mira"}, headers=headers("ada"))
        await app.say("about it", intent, project_id=await app.project())
        system = "".join(block["text"] for block in app.api.requests[-1]["system"])
        assert "You are Mira, a lead expert working beside the person." in system
        told = Library().render(f"instructions/{intent}", operator_name="the person")
        assert asked(app)[-1].startswith(f"{told}\n\nThe rest is data:")


async def test_the_context_has_three_tiers_and_is_seen_anew_after_every_change() -> None:
    async with claude_app(Say(text="Well.")) as app:
        project, ada = await app.project(), await person(app.store, "ada")

        async def seen() -> str:
            await app.say("tell me", TALK, project_id=project)
            return asked(app)[0]

        first = await seen()
        assert "Project: FarmGuard" in first
        assert "#" not in first
        assert await seen() == first

        for text in ("Clay holds water", "Clay dries slowly"):
            await app.companion.notes.add(ada.id, project, text)
        assert "#2: Clay dries slowly\n#1: Clay holds water" in await seen()
        await app.companion.projects.change_seed(ada.id, project, {"who": "farmers"})
        assert "Who it is for: farmers" in await seen()

        await app.client.post(f"/projects/{project}/organise", headers=headers("ada"))
        await app.dispatcher.sweep()
        grouped = await seen()
        assert "Its notes, by group:" in grouped
        assert "#1" not in grouped
        await app.companion.notes.add(ada.id, project, "Sand dries fast")
        assert "#3: Sand dries fast" in await seen()


# -- turns


async def test_the_last_ten_of_fifteen_turns_go_along_with_their_own_project_only() -> None:
    async with claude_app(*(Say(text=f"answer {n}") for n in range(18))) as app:
        here, there = await app.project(), await app.project()
        for n in range(15):
            await app.say(f"message {n}", TALK, project_id=here)
        await app.say("over there", TALK, project_id=there)
        await app.say("nowhere", TALK)
        await app.say("the present one", TALK, project_id=here)
        _, *before, last = asked(app)
        assert before == [text for n in range(5, 15) for text in (f"message {n}", f"answer {n}")]
        assert last.endswith('"message":"the present one"}')


async def test_talk_without_a_project_is_one_thread_over_all_sessions() -> None:
    async with claude_app(Say(text="Well.")) as app:
        project = await app.project()
        first = await app.say("in an old session", TALK)
        for n in range(12):
            await app.say(f"in session {n}", TALK, project_id=project)
        await app.say("in a new session", TALK)
        await app.say("in the old one again", TALK, session_id=first["session_id"])
        await app.say("here and now", TALK)
        said = asked(app)[1:-1][::2]  # before these there is the making of the project
        assert said[-3:] == ["in an old session", "in a new session", "in the old one again"]


def test_both_sides_of_every_turn_are_read_back_in_order_by_their_own_person_only(ada: Talk) -> None:
    project = ada.project()
    ada.session = None
    for intent in NAMES:
        ada.say(f"about {intent}", intent, project)
        if intent in ("create_project", "finalize_project"):  # a description in front would have its say
            ada.say("stop", project=project)
    items = ada.get(f"/sessions/{ada.session}/turns?limit=200")["items"]
    assert [item["seq"] for item in items] == list(range(1, len(items) + 1))
    assert [item["role"] for item in items] == ["operator", "companion"] * (len(items) // 2)
    for intent in NAMES:
        said = next(n for n, item in enumerate(items) if item["content"] == f"about {intent}")
        assert items[said + 1]["classified_intent"] == intent
    of_project = ada.get(f"/projects/{project}/turns?limit=200")["items"]
    assert [item["content"] for item in of_project][-len(items) :] == [item["content"] for item in items]

    ada.client.post(f"/projects/{project}/members", json={"email": "bob@example.org"}, headers=headers("ada"))
    assert ada.get(f"/projects/{project}/turns", "bob")["items"] == []


def test_the_wall_stands_before_every_schema(ada: Talk) -> None:
    described = ada.client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert {"Reply", "NoteView", "GroupView", "DashboardPage", "ArtifactView"} <= set(schemas)
    # The status of a turn in its record is a value that programs compare, not a word for people.
    schemas["Decision"]["properties"]["status"].pop("default")
    found = {name: wall().faults(json.dumps(schema)) for name, schema in schemas.items()}
    assert {name: words for name, words in found.items() if words} == {}


def asked(app: App) -> Sequence[str]:
    """The messages that the model was sent last."""
    contents = [message["content"] for message in app.api.requests[-1]["messages"]]
    return [text if isinstance(text, str) else "".join(part["text"] for part in text) for text in contents]


def read_as(intent: str, confidence: float, **parameters: str) -> Say:
    """How the model reads a message."""
    read = {
        "intent": intent,
        "confidence": confidence,
        "parameters": parameters or None,
        "alternative": None,
    }
    return Say(text=json.dumps(read))
