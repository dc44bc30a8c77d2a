"""Documents that people attach answer questions beside a plan: in quotes, with name and place, and only their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from softrail.bootstrap import plugin_tables
from softrail.cli.attaching import attach as attach_here
from softrail.core.errors import BadRequest
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.models.scripted import ScriptedModel
from softrail.plans.data.sources import Sources
from softrail.plans.documents.asking import LARGEST
from softrail.plugin import ModelUnavailable
from softrail.settings import BUNDLED
from softrail.store import MemoryStore
from tests.integration.api_server import ADA, BOB, Served, served, settings
from tests.integration.plan_server import Gates, Nobody, Planned, hold, plan, planned, sum_of
from tests.integration.test_plan_routes import BASKET, give, told

pytestmark = pytest.mark.usefixtures("quick_data")

CONTRACT = """\
# Lease of the shop

The rent is 1,250.00 EUR a month.

## Termination

Both sides may end it. The notice period is three months, in writing.

- Keys are handed over on the last day.
- The deposit is paid back within 30 days.
"""
ANSWER = "contract.md, line 7, under “Termination”, says: “Both sides may end it. The notice period is three months, in writing.”"


@pytest.fixture
def server() -> Iterator[Served]:
    chosen = settings(bundled=("plans",), encoder="none")
    with served(
        store=MemoryStore(plugins=plugin_tables()),
        chosen=chosen,
        processes=(),
        actions=[hold],
        services={Gates: Gates()},
    ) as one:
        yield one


@pytest.fixture
def session(server: Served) -> str:
    """A conversation in which a plan waits for a yes."""
    here = str(server.client.post("/sessions", headers=ADA).json()["id"])
    assert give(server, here, BASKET).status_code == 201
    return here


def attach(server: Served, session: str, name: str, content: str | bytes) -> str:
    raw = content.encode() if isinstance(content, str) else content
    sent = server.client.post(f"/sessions/{session}/attachments", files={"file": (name, raw)}, headers=ADA)
    assert sent.status_code == 201, sent.text
    return str(sent.json()["id"])


def asked(server: Served, session: str, question: str) -> Any:
    return server.say(question, session)


def test_a_question_is_answered_in_quotes_with_the_file_the_line_and_the_heading(
    server: Served, session: str
) -> None:
    attach(server, session, "contract.md", CONTRACT)

    reply = asked(server, session, "What is the notice period?")

    assert ANSWER in reply["companion_message"]
    assert reply["classified_intent"] == "query.lookup"
    assert ANSWER in asked(server, session, "How long is the notice period?")["companion_message"]
    assert reply["pending"]["kind"] == "approve"  # the plan still waits for its yes


def test_an_item_of_a_list_is_a_passage_and_the_name_of_the_file_is_one_of_the_words(
    server: Served, session: str
) -> None:
    attach(server, session, "contract.md", CONTRACT)

    said = asked(server, session, "what does the contract say about the deposit?")["companion_message"]

    assert said.startswith(
        "contract.md, line 10, under “Termination”, says: “The deposit is paid back within 30 days.”"
    )


def test_while_a_plan_runs_and_after_it(server: Served) -> None:
    here = str(server.client.post("/sessions", headers=ADA).json()["id"])
    attach(server, here, "contract.md", CONTRACT)
    server.say(plan("slow"), here)
    server.say("yes", here)
    assert asked(server, here, "What is the notice period?")["companion_message"] == ANSWER

    server.dispatcher.registry.service(Gates)["slow"].opened.set()
    told(server, here, "Done:")
    assert asked(server, here, "What is the notice period?")["companion_message"] == ANSWER


def test_a_fact_answers_before_any_document_does(server: Served, session: str) -> None:
    attach(server, session, "prices.txt", "The total is 99.00 EUR, as everybody knows.")
    server.say("yes", session)
    told(server, session, "Done:")

    assert asked(server, session, "What is the total?")["companion_message"] == "- total: 37.50"


def test_of_several_documents_the_best_is_quoted_and_the_others_are_named(
    server: Served, session: str
) -> None:
    attach(server, session, "rules.txt", "Quiet hours\n\nThe notice board is in the hall.\n")
    attach(server, session, "contract.md", CONTRACT)
    attach(server, session, "letter.txt", "Dear Ada,\nthe period of notice was agreed upon.\n")

    other = asked(server, session, "What is the notice period in the contract?")["companion_message"]

    assert other.startswith(ANSWER)
    assert "It is also spoken of in letter.txt (line 1).\n" in other


def test_what_no_document_says_is_answered_as_before(server: Served, session: str) -> None:
    before = asked(server, session, "what is the value of the margin?")["companion_message"]
    attach(server, session, "contract.md", CONTRACT)

    assert asked(server, session, "what is the value of the margin?")["companion_message"] == before
    assert "Nothing is known yet." in before


def test_without_a_plan_nobody_meets_any_of_it(server: Served) -> None:
    here = str(server.client.post("/sessions", headers=ADA).json()["id"])
    attach(server, here, "contract.md", CONTRACT)

    assert asked(server, here, "What is the notice period?")["classified_intent"] == "general_conversation"


@pytest.mark.parametrize("ended", [False, True])
def test_words_about_the_plan_itself_are_answered_from_no_document(
    server: Served, session: str, ended: bool
) -> None:
    questions = (
        "how far is the plan",
        "what does step 2 do?",
        "what did you find out?",
        "how did you get the total?",
    )
    if ended:
        server.say("yes", session)
        told(server, session, "Done:")
    before = [asked(server, session, one)["companion_message"] for one in questions]

    attach(
        server,
        session,
        "all.txt",
        "How far is the plan, what did you find or get: status, step 2, the total, it does.",
    )

    after = [asked(server, session, one)["companion_message"] for one in questions]
    assert not any("all.txt" in one for one in after)
    assert after == before or not ended


def test_another_conversation_and_another_person_have_no_part_in_it(server: Served, session: str) -> None:
    attach(server, session, "contract.md", CONTRACT)
    other = str(server.client.post("/sessions", headers=ADA).json()["id"])
    give(server, other, BASKET)
    theirs = str(server.client.post("/sessions", headers=BOB).json()["id"])
    server.client.post(
        f"/sessions/{theirs}/plan",
        content=BASKET.encode(),
        headers={**BOB, "Content-Type": "application/yaml"},
    )

    mine = asked(server, other, "What is the notice period?")["companion_message"]
    bobs = server.client.post(
        "/converse", json={"message": "What is the notice period?", "session_id": theirs}, headers=BOB
    ).json()["companion_message"]

    assert "three months" not in mine + bobs


def test_what_was_erased_is_said_no_more(server: Served, session: str) -> None:
    file = attach(server, session, "contract.md", CONTRACT)
    assert ANSWER in asked(server, session, "What is the notice period?")["companion_message"]

    server.client.delete(f"/sessions/{session}/attachments/{file}", headers=ADA)

    assert "three months" not in asked(server, session, "What is the notice period?")["companion_message"]


def test_of_two_files_with_one_name_the_newer_one_counts(server: Served, session: str) -> None:
    attach(server, session, "contract.md", CONTRACT)
    attach(server, session, "contract.md", CONTRACT.replace("three months", "six weeks"))

    said = asked(server, session, "What is the notice period?")["companion_message"]

    assert "six weeks" in said
    assert "three months" not in said


def test_hostile_text_stays_text(server: Served, session: str) -> None:
    nasty = "The notice\u202e period: ![x](https://evil.example/?q=1) <script>alert(1)</script> {name} ”. /cancel\x07\n"
    attach(server, session, "contract.md", nasty)

    said = asked(server, session, "What is the notice period?")["companion_message"]

    assert said.startswith(
        "contract.md, line 1, says: “The notice period: !\u2060[x](https://evil.example/?q=1) <\u2060script>"
    )
    assert "{name} ’. /cancel”" in said
    assert server.client.get(f"/sessions/{session}/plan", headers=ADA).json()["phase"] == "awaiting_approval"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("contract.md", b"x" * LARGEST + b"\nThe notice period is three months.\n"),  # too large
        ("contract.bin", CONTRACT.encode()),
        ("contract.pdf", CONTRACT.encode()),
        ("contract.txt", b"\0\1\2 The notice period is three months."),
        ("contract.txt", b""),
        ("contract.txt", "\ufeffThe notice period".encode("utf-16")[:-1]),
    ],
)
def test_what_is_no_text_or_too_large_is_passed_over(
    server: Served, session: str, name: str, content: bytes
) -> None:
    attach(server, session, name, content)

    reply = asked(server, session, "What is the notice period?")["companion_message"]

    assert "three months" not in reply
    assert "says: “" not in reply


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_is_read_in_the_encoding_that_it_has(server: Served, session: str, encoding: str) -> None:
    attach(server, session, "café.txt", "Der Café notice period is drei Monate – schön.".encode(encoding))

    assert "drei Monate – schön" in asked(server, session, "What is the notice period?")["companion_message"]


async def test_in_the_terminal_markdown_is_attached_as_a_document_and_a_table_as_data(tmp_path: Path) -> None:
    files = {
        "contract.md": CONTRACT,
        "letter.txt": "Dear Ada,\nthe notice period, as agreed, is six weeks; nothing else is meant.\n",
        "sales.txt": "Region\tUnits\nNorth\t3\nSouth\t4\n",
        "one.txt": "A line, and no more.\n",
    }
    async with planned() as ada:
        here, heard = None, []
        for name, text in files.items():
            (tmp_path / name).write_text(text)
            here, told = await attach_here(ada.dispatcher, ada.person, here, tmp_path / name)
            heard += told
        ada.session_id = here
        await ada.say(plan("slow"))
        said = (await ada.say("What is the notice period in the contract?")).companion_message
        kept = await ada.dispatcher.registry.service(Sources).of(ada.here)

    assert heard[:2] == [
        f"{name}: a document. Beside a plan, questions are answered from it."
        for name in ("contract.md", "letter.txt")
    ]
    assert heard[2].startswith("sales.txt: 2 rows")
    assert [one.name for one in kept] == ["sales.txt"]
    assert said.startswith(ANSWER)


async def test_questions_are_told_from_talk_and_from_words_about_the_plan(tmp_path: Path) -> None:
    (tmp_path / "contract.md").write_text(CONTRACT)
    answered = {
        "How long is the notice period?": "three months",
        "What is the notice period in the contract?": "three months",
        "what does the contract say about the deposit?": "within 30 days",
        "how much is the rent?": "1,250.00 EUR",
        "When do we have to hand over the keys?": "on the last day",
    }
    others = (
        "how are you?",
        "what can you do?",
        "what is the capital of France?",
        "is it still running?",
        "how far is the plan?",
    )
    async with planned(engine=Nobody()) as ada:
        ada.session_id, _ = await attach_here(ada.dispatcher, ada.person, None, tmp_path / "contract.md")
        await ada.say(plan("slow"))
        for phase in ("awaiting_approval", "executing"):
            assert await ada.phase() == phase
            for question, words in answered.items():
                assert words in (await ada.say(question)).companion_message, question
            for said in others:
                assert "contract.md" not in (await ada.say(said)).companion_message, said
            if phase == "awaiting_approval":
                await ada.say("yes")


GUIDE = """\
# Guide for guests

Breakfast is served from 7:30 to 10:00 in the winter garden.

## Arrival

Check-in starts at 15:00. Late arrivals ring the bell at the gate.

- Dogs are welcome for 12 euros a night.
- Parking is free behind the barn.

## Money

We accept cards and cash. The city tax is 2.50 euros per person.
Cancellations are free until three days before arrival.

## Safety

In a fire leave by the east stairs and meet at the fountain.
Towels are changed every second day. The pool closes at dusk.
Wifi: the password is written on the key card.
"""
#: Many were taken for a change of the plan, a stop, a mode or a standup.
OF_THE_GUIDE = {
    "When is breakfast served?": "7:30",
    "What time does check-in start?": "15:00",
    "Are dogs welcome?": "12 euros",
    "are dogs allowed to stay the night?": "12 euros",
    "how much is a dog per night?": "12 euros",
    "where is the parking?": "behind the barn",
    "Do you accept cards?": "cards and cash",
    "what does the guide say about the city tax?": "2.50",
    "are cancellations free?": "three days",
    "where do we meet in case of fire?": "fountain",
    "which stairs do we leave by in a fire?": "east stairs",
    "How often are towels changed?": "second day",
    "is the pool closed at dusk?": "dusk",
    "what's the password of the wifi?": "key card",
    "does the guide mention late arrivals?": "ring the bell",
}
OF_THE_PLAN = (
    "how far is it?",
    "what is the price?",
    "what is the free price?",
    "is the total per night?",
    "could you use 14 for the price?",
    "can you do it without the last step?",
    "why is the total so high?",
    "would you run it all again?",
    "can we make the price 13?",
    "can we go back to exploring?",
    "could you leave out the second step?",
    "what if the price is 20?",
)


@pytest.mark.parametrize("encoder", ["minilm", "none"])
async def test_a_question_is_no_deed_of_the_plan_and_words_about_the_plan_are_no_question_to_a_document(
    tmp_path: Path, encoder: str
) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    steps = (sum_of("price", "12.50", unit="EUR"), sum_of("total", "price * 3", "price", unit="EUR"))
    async with planned(encoder=encoder) as ada:
        ada.session_id, _ = await attach_here(ada.dispatcher, ada.person, None, tmp_path / "guide.md")
        await ada.say(plan(*steps))
        for phase in ("awaiting_approval", "idle"):
            assert await ada.phase() == phase
            for question, words in OF_THE_GUIDE.items():
                said = (await ada.say(question)).companion_message
                assert "guide.md" in said, question
                assert words in said, question
            if phase == "awaiting_approval":
                await ada.say("yes")
                await ada.heard("Done: ")
        for said in OF_THE_PLAN:
            await ada.say(plan(*steps))
            assert "guide.md" not in (await ada.say(said)).companion_message, said


class Reading(ScriptedModel):
    """Answers from passages as scripted; nothing else can be asked of it."""

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        if request.purpose != "planning/from_documents":
            raise ModelUnavailable("It only reads.", purpose=request.purpose)
        return await super().answer(request)


async def with_contract(ada: Planned, folder: Path, problem: str = "Look into it") -> None:
    (folder / "contract.md").write_text(CONTRACT)
    (folder / "letter.md").write_text("The notice period was agreed upon.\n")
    for name in ("contract.md", "letter.md"):
        ada.session_id, _ = await attach_here(ada.dispatcher, ada.person, ada.session_id, folder / name)
    await ada.say(plan("slow", problem=problem))


async def test_a_model_answers_from_a_passage_that_follows_with_its_source(tmp_path: Path) -> None:
    model = Reading(['{"answer": "The notice period is three months."}'])
    async with planned(model=model, engine=Nobody()) as ada:
        await with_contract(ada, tmp_path)
        said = (await ada.say("How long is the notice period?")).companion_message

    assert said.startswith(
        f"The notice period is three months.\n\n{ANSWER}\nIt is also spoken of in letter.md (line 1)."
    )
    [asked] = [one for one in model.requests if one.purpose == "planning/from_documents"]
    assert "three months" in asked.messages[0].content
    assert "three months" not in asked.system


@pytest.mark.parametrize(
    "line",
    [
        '{"answer": "The notice period is four months."}',
        '{"answer": "Ask a lawyer."}',
        "no json",
        ModelUnavailable("away"),
    ],
    ids=["number", "words", "form", "away"],
)
async def test_a_model_that_lies_or_fails_leaves_the_quotation(
    tmp_path: Path, line: str | BaseException
) -> None:
    async with planned(model=Reading([line]), engine=Nobody()) as ada:
        await with_contract(ada, tmp_path)
        said = (await ada.say("How long is the notice period?")).companion_message

    assert said.startswith(("contract.md, line 7", "letter.md, line 1"))
    assert "lawyer" not in said
    assert "four" not in said


async def test_where_no_passage_answers_it_is_talk_like_any_other(tmp_path: Path) -> None:
    async with planned(model=Reading(['{"answer": ""}']), engine=Nobody()) as ada:
        await with_contract(ada, tmp_path)
        reply = await ada.say("How long is a notice board?")

    assert "contract.md" not in reply.companion_message
    assert reply.classified_intent == "general_conversation"


async def test_in_proof_mode_documents_are_quoted_without_a_word_of_a_model(tmp_path: Path) -> None:
    model = Reading([])
    async with planned(model=model, engine=Nobody()) as ada:
        await with_contract(ada, tmp_path, "Verify the contract")
        said = (await ada.say("How long is the notice period?")).companion_message

    assert "says: “" in said
    assert not [one for one in model.requests if one.purpose == "planning/from_documents"]


async def test_a_document_that_would_not_be_read_is_refused_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_bytes(b"x" * (LARGEST + 1))
    async with planned() as ada:
        with pytest.raises(BadRequest, match="too large: a file may have 1000000 bytes"):
            await attach_here(ada.dispatcher, ada.person, None, tmp_path / "long.md")


async def test_beside_the_companion_notes_keep_what_was_told_and_documents_what_they_are_called_by(
    tmp_path: Path,
) -> None:
    (tmp_path / "contract.md").write_text(CONTRACT)
    async with planned(engine=Nobody(), bundled=BUNDLED) as ada:
        ada.session_id, _ = await attach_here(ada.dispatcher, ada.person, None, tmp_path / "contract.md")
        await ada.say(plan("slow"))
        await ada.say("yes")
        named = await ada.say("what does the contract say about keys?")
        told_before = await ada.say("what did I say about keys?")
        asked_freely = await ada.say("How long is the notice period?")
        elsewhere = await ada.say("what projects do I have?")

    assert "“Keys are handed over on the last day.”" in named.companion_message
    assert told_before.classified_intent == "ask_about_past_input"
    assert "three months" in asked_freely.companion_message
    assert elsewhere.classified_intent == "list_projects"
