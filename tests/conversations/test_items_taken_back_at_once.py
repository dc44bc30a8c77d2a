"""An item that is taken back in the breath that told it is none; what takes nothing back leaves the list as it is."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Kit(Process, name="kit", version=1):
    """What everybody brings."""

    starts_on = ("pack a kit",)

    class Answers(BaseModel):
        things: list[str] = ask("What do they have to bring?", default=[], label="things to bring")
        note: str = ask("Anything else?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Packed.")


@pytest.mark.parametrize(
    ("said", "things"),
    [
        ("pens and paper, and a calculator, no not the calculator", ["pens", "paper"]),
        ("ruler and compass, not the compass", ["ruler"]),
        ("a pencil and scissors, actually no scissors", ["a pencil"]),
        ("books and a mug, not the mug sorry", ["books"]),
        ("tent, stove, no scratch the stove", ["tent"]),
        ("roof box. no sorry, ski rack", ["ski rack"]),
        ("two plates, no wait three plates", ["three plates"]),
        ("a tent, a stove, no sorry, a lamp", ["a tent", "a lamp"]),
        ("a lamp and bulbs, no just the lamp", ["a lamp"]),
        ("child seat, snow chains, no forget the chains", ["child seat"]),
    ],
)
async def test_what_is_taken_back_is_no_item(said: str, things: list[str]) -> None:
    answers, words = await told(Kit, said)

    assert answers["things"] == things
    assert words.startswith(f"Things to bring: {'; '.join(things)}.")


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("a mug, but not the big mug, and a plate", "a plate"),
        ("pens, pencils, or rather only pencils", "pencils"),
    ],
)
async def test_where_it_is_not_sure_the_list_as_it_would_be_is_put(said: str, thing: str) -> None:
    async with conversation(Kit, clock=FrozenClock()) as talk:
        for line in ("pack a kit", said):
            reply = await talk.say(line)
        assert await kept(talk, reply) == {}
        assert reply.reply.pending is not None
        assert reply.reply.pending.options[0] == f"Things to bring: {thing}"

        reply = await talk.say(f"Things to bring: {thing}")
        assert (await kept(talk, reply))["things"] == [thing]


@pytest.mark.parametrize(
    ("said", "things"),
    [
        ("a pen, a book, no problem", ["a pen", "a book"]),
        ("fish and chips, no peas", ["fish and chips"]),
        ("a hammer\nnot the old saw", ["a hammer", "not the old saw"]),
    ],
)
async def test_what_takes_none_of_them_back_leaves_them(said: str, things: list[str]) -> None:
    answers, _ = await told(Kit, said)

    assert answers["things"] == things or answers["things"][0] == things[0]
