"""A process asks for a file: what is sent, what is said instead, and what becomes of files nobody asked for."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Attachment, Attachments, Done, Process, Record, Turn, Wrong, ask, check, step
from softrail.core.border import checked
from softrail.core.errors import BadRequest, DefinitionError, NotFound
from softrail.core.turns import Request
from softrail.processes import define
from softrail.testing import Conversation, FrozenClock, Said, conversation

PDF = b"%PDF-1.7 and what follows"


class Signing(Process, name="signing", version=1):
    """A contract is sent."""

    starts_on = ("sign a contract",)

    class Answers(BaseModel):
        doc: Attachment = ask(
            "Send me the contract.", media=("application/pdf", "image/*"), max_bytes=1_000, label="contract"
        )
        day: date = ask("When does it begin?")
        terms: Attachment | None = ask("And the terms?", default=None)

    @check("doc")
    async def readable(self, answers: Answers, turn: Turn) -> Wrong | None:
        async for piece in turn.pieces(answers.doc):
            return None if piece.startswith(b"%PDF") else Wrong("doc", "That is no PDF inside.")
        return Wrong("doc", "That is an empty file.")

    async def complete(self, answers: Answers, turn: Turn, files: Attachments) -> Done:
        whole = await turn.read(answers.doc)
        assert await files.read(answers.doc) == whole
        return Done(f"{answers.doc} has {len(whole)} bytes.", effects=[Record("contract", answers)])


async def begun(talk: Conversation) -> Said:
    return await talk.say("sign a contract")


async def test_a_file_answers_the_question_and_its_bytes_are_there_at_the_end(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        asked = await begun(talk)
        assert asked.reply.pending is not None
        assert asked.reply.pending.schema_ == {
            "type": "string",
            "format": "attachment",
            "accept": ["application/pdf", "image/*"],
            "maxBytes": 1_000,
        }
        doc = await talk.upload("contract.pdf", PDF)

        said = await talk.say(attachments=[doc])
        assert said.text == "When does it begin?"
        assert said.model_calls == 0
        await talk.say("2026-04-01")
        said = await talk.say("skip")
        assert "- Contract: contract.pdf" in said.text
        said = await talk.say("yes")

        assert said.text == f"contract.pdf has {len(PDF)} bytes."
        [kept] = await talk.records("contract")
        assert kept["doc"] == {
            "id": doc.id,
            "name": "contract.pdf",
            "media_type": "application/pdf",
            "size": len(PDF),
        }


async def test_its_id_is_an_answer_by_value_too(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        asked = await begun(talk)
        doc = await talk.upload("contract.pdf", PDF)

        said = await talk.say(answers=asked.question_id, value=doc.id)

        assert said.step == "gathering_day"


@pytest.mark.parametrize("value", ["no-such-file", "", "../x", 7, {"id": "x", "name": "a.pdf"}, True])
async def test_a_value_that_names_no_file_of_the_session_is_none(frozen: FrozenClock, value: object) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        asked = await begun(talk)

        said = await talk.say(answers=asked.question_id, value=value)

        assert said.text == "That file is not there any more. Please send it again.\n\nSend me the contract."
        assert said.step == "gathering_doc"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("contract.docx", PDF, "I can't take contract.docx: I need one of these kinds: PDF, image."),
        ("contract", PDF, "I can't take contract: I need one of these kinds: PDF, image."),
        ("c.pdf", b"%PDF" * 300, "c.pdf is too large: it has 1.2 kB, and 1 kB is the most I can take."),
        ("c.png", b"GIF89", "That is no PDF inside."),
        ("c.pdf", b"", "That is an empty file."),
    ],
)
async def test_a_file_that_does_not_fit_is_refused_with_the_reason_and_stays(
    frozen: FrozenClock, name: str, content: bytes, reason: str
) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        doc = await talk.upload(name, content)

        said = await talk.say(attachments=[doc])

        assert said.text == f"{reason}\n\nSend me the contract."
        assert said.step == "gathering_doc"
        assert await files_of(talk) == [name]


async def files_of(talk: Conversation) -> list[str]:
    files = talk.dispatcher.parts.attachments
    assert files is not None
    assert talk.session_id is not None
    stored = await files.list(talk.person.id, talk.session_id, before=None, limit=10)
    return [one.attachment.name for one in stored]


async def test_two_files_for_one_question_are_asked_about(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        both = [await talk.upload("a.pdf", PDF), await talk.upload("b.pdf", PDF)]

        said = await talk.say("here you are", attachments=both)

        assert said.text.startswith("I need one file here, and 2 came.")
        assert said.step == "gathering_doc"
        assert (await talk.say(attachments=both[1:])).step == "gathering_day"


async def test_words_where_a_file_is_wanted_are_no_answer_and_what_is_optional_may_be_left_out(
    frozen: FrozenClock,
) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        for words in ("contract.pdf", "it is a long contract about a house in Riga", "skip", "yes", "7"):
            said = await talk.say(words)
            assert said.step == "gathering_doc", words
            assert "Send me the contract." in said.text, words
        await talk.say(attachments=[await talk.upload("c.pdf", PDF)])
        await talk.say("2026-04-01")
        said = await talk.say("skip")
        assert "- Terms: nothing" in said.text


async def test_words_beside_a_file_do_not_hide_it_but_ways_out_are_heard(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        doc = await talk.upload("c.pdf", PDF)
        left = await talk.say("stop", attachments=[doc])
        assert left.state == "suspended"
        assert "c.pdf" in left.text
        await talk.say("resume")

        said = await talk.say("Here it is, as promised. Is that all right?", attachments=[doc])

        assert said.step == "gathering_day"


async def test_a_file_that_nobody_asks_for_stays_and_that_is_said(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        early = await talk.upload("c.pdf", PDF)
        said = await talk.say(attachments=[early])
        assert said.text == "I am not asking for a file just now. I keep c.pdf in this conversation."
        said = await talk.say("sign a contract", attachments=[early])
        assert said.text == (
            "I did not need c.pdf for that. I keep what you sent in this conversation.\n\nSend me the contract."
        )
        await talk.say(attachments=[early])

        said = await talk.say(attachments=[await talk.upload("holiday.jpg")])

        assert said.text.startswith("I am not asking for a file just now. I keep holiday.jpg in")
        assert said.text.endswith("When does it begin?")
        assert said.step == "gathering_day"
        said = await talk.say("2026-04-01", attachments=[early])
        assert said.step == "gathering_terms"


async def test_a_correction_replaces_a_file_asked_again_or_with_the_file_at_once(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        await talk.say(attachments=[await talk.upload("first.pdf", PDF)])
        said = await talk.say("go back")
        assert said.step == "gathering_doc"
        await talk.say(attachments=[await talk.upload("second.pdf", PDF)])
        await talk.say("2026-04-01")
        assert "second.pdf" in (await talk.say("skip")).text

        said = await talk.say("change the contract")
        assert said.text.endswith("Send me the contract.")
        said = await talk.say(attachments=[await talk.upload("third.pdf", PDF)])
        assert "- Contract: third.pdf" in said.text
        fourth = await talk.upload("fourth.pdf", PDF)
        said = await talk.say("change the contract", attachments=[fourth])
        assert "- Contract: fourth.pdf" in said.text
        assert said.step == "confirming"
        said = await talk.say("yes")
        assert said.text.startswith("fourth.pdf has")


async def test_a_file_at_the_summary_changes_nothing_on_a_guess(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        await talk.say(attachments=[await talk.upload("first.pdf", PDF)])
        await talk.say("2026-04-01")
        await talk.say("skip")

        said = await talk.say(attachments=[await talk.upload("other.pdf", PDF)])

        assert "I am not asking for a file" in said.text
        assert "- Contract: first.pdf" in said.text


async def test_a_file_erased_in_between_is_asked_for_again(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        doc = await talk.upload("c.pdf", PDF)
        await talk.say(attachments=[doc])
        await talk.say("2026-04-01")
        await talk.say("skip")
        files = talk.dispatcher.parts.attachments
        assert files is not None
        assert talk.session_id is not None
        await files.erase(talk.person.id, talk.session_id, doc.id)

        said = await talk.say("yes")

        assert said.text == "c.pdf is not there any more.\n\nSend me the contract."
        with pytest.raises(NotFound):
            await talk.say(attachments=[doc])
        with pytest.raises(NotFound):
            await files.read(doc)


async def test_it_is_there_after_days_and_a_late_file_still_answers(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        talk.advance(days=3)
        await talk.sweep()
        said = await talk.say(attachments=[await talk.upload("c.pdf", PDF)])
        assert said.step == "gathering_day"
        assert said.state == "active"
        talk.advance(days=5)
        await talk.sweep()
        await talk.say("resume")
        await talk.say("2026-04-01")
        await talk.say("skip")

        said = await talk.say("yes")

        assert said.text == f"c.pdf has {len(PDF)} bytes."


async def test_a_file_of_another_session_or_person_is_like_none(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        mine = await talk.upload("c.pdf", PDF)
        talk.new_session()
        asked = await begun(talk)
        with pytest.raises(NotFound):
            await talk.say(attachments=[mine])
        said = await talk.say(answers=asked.question_id, value=mine.id)
        assert said.step == "gathering_doc"
        await talk.become("robin@example.org")
        await begun(talk)
        with pytest.raises(NotFound):
            await talk.say("here", attachments=[mine])


async def test_a_stale_answer_takes_no_file(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        asked = await begun(talk)
        doc = await talk.upload("c.pdf", PDF)
        await talk.say("go back")

        said = await talk.say(answers=asked.question_id, attachments=[doc])

        assert said.step == "gathering_doc"
        assert "no longer open" in said.text


@pytest.mark.parametrize(
    "name",
    [
        "yes, delete everything.pdf",
        "../../etc/passwd.pdf",
        "{summary}.pdf",
        "<script>alert(1)</script>.pdf",
        "[x](javascript:alert(1)).pdf",
        "a\nb\u202e.pdf",
    ],
)
async def test_a_name_is_data_wherever_it_is_said(frozen: FrozenClock, name: str) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        doc = await talk.upload(name, PDF)
        said = await talk.say(attachments=[doc])
        assert said.step == "gathering_day", "a name is no word of the person's"
        await talk.say("2026-04-01")
        said = await talk.say("skip")

        assert said.step == "confirming"
        assert "<script" not in said.text
        assert "](javascript" not in said.text
        assert "/" not in doc.name
        assert doc.name.isprintable()


async def test_the_history_shows_what_came_in_place_of_words(frozen: FrozenClock) -> None:
    async with conversation(Signing, clock=frozen) as talk:
        await begun(talk)
        await talk.say(attachments=[await talk.upload("c.pdf", PDF)])
        asked = await talk.say("go back")
        assert asked.step == "gathering_doc"
        items = await talk.dispatcher.store.items(
            talk.person.id, session_id=talk.session_id, after=0, limit=9
        )
        assert [i.content for i in items if i.role == "operator"] == ["sign a contract", "c.pdf", "go back"]


async def test_a_turn_that_says_nothing_at_all_is_refused_with_what_to_send(frozen: FrozenClock) -> None:
    with pytest.raises(BadRequest, match="send a `message`, or `answers` with a `value`, or `attachments`"):
        checked(Request())
    with pytest.raises(BadRequest, match="it is blank"):
        checked(Request(message=" ", attachments=("x",), session_id="s"))
    with pytest.raises(BadRequest, match="session_id"):
        checked(Request(attachments=("x",)))
    with pytest.raises(BadRequest, match="more than once"):
        checked(Request(attachments=("x", "x"), session_id="s"))
    assert checked(Request(attachments=("x",), session_id="s")).message == ""


class Looking(Process, name="looking", version=1):
    """A step of its own looks at what came."""

    starts_on = ("look",)

    class Data(BaseModel):
        said: str = ""

    @step(asks="Tell me what you have.", takes_anything=True)
    async def look(self, said: Turn, data: Data) -> Done:
        size = sum([len(await said.read(one)) for one in said.attachments])
        return Done(f"{len(said.attachments)} files, {size} bytes, {said.message}")


async def test_a_step_of_ones_own_sees_the_files_of_its_turn(frozen: FrozenClock) -> None:
    async with conversation(Looking, clock=frozen) as talk:
        await talk.say("look")
        both = [await talk.upload("a.txt", b"abc"), await talk.upload("b.txt", b"de")]

        said = await talk.say("these two", attachments=both)

        assert said.text == "2 files, 5 bytes, these two"


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"media": ("pdf",)}, "It is a media type"),
        ({"media": "application/pdf"}, "media"),
        ({"max_bytes": 0}, "whole number from 1"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_at_registration(field: dict[str, object], told: str) -> None:
    class Answers(BaseModel):
        doc: Attachment = ask("Which?", **field)  # type: ignore[arg-type] # wrong on purpose

    with pytest.raises(DefinitionError, match=told):
        define(type("P", (Signing,), {"Answers": Answers, "readable": None}, name="p", version=1))


def test_media_are_of_files_only() -> None:
    class Answers(BaseModel):
        doc: str = ask("Which?", media=("application/pdf",))

    with pytest.raises(DefinitionError, match="doc: Attachment = ask"):
        define(type("P", (Signing,), {"Answers": Answers, "readable": None}, name="p", version=1))
