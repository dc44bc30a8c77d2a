"""“None” is an answer where the type of what is asked for takes it: an empty list, or 0 of what is counted."""

from typing import Annotated, Any

import pytest
from annotated_types import Ge, MinLen
from pydantic import BaseModel, field_validator

from softrail import Done, Process, Record, Turn, ask
from softrail.processes.builtin.standup import Standup
from softrail.testing import Conversation, FrozenClock, conversation
from softrail.testing.plugin import Talk
from tests.conversations.kept import told
from tests.readers import reader


class Stay(Process, name="stay", version=1):
    """A stay."""

    title = "your stay"
    starts_on = ("book a stay",)

    class Answers(BaseModel):
        name: str = ask("Your name?")
        pets: list[str] = ask("Which pets do you bring?")
        kids: int = ask("How many children are coming?")
        extras: list[str] = ask("Which extras would you like?", default_factory=lambda: ["breakfast"])
        nights: Annotated[int, Ge(1)] = ask("How many nights?")
        rooms: Annotated[list[str], MinLen(1)] = ask("Which rooms?")
        age: int = ask("How old are you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("stay", answers)])


UP_TO: dict[str, tuple[str, ...]] = {
    "pets": ("Ines",),
    "kids": ("Ines", "a cat"),
    "extras": ("Ines", "a cat", "2"),
    "nights": ("Ines", "a cat", "2", "towels"),
    "rooms": ("Ines", "a cat", "2", "towels", "3"),
    "age": ("Ines", "a cat", "2", "towels", "3", "the attic"),
}
ACTS = {
    "not a soul": {"none": 0.95},
    "hardly, just the parrot": {"none": 0.6, "inform": 0.55},
    "we are a quiet lot": {"none": 0.6},
    "none of that is your business, is it": {"none": 0.9, "ask": 0.8},
}
VALUES: dict[str, dict[str, str]] = {words: {} for words in ACTS} | {
    "hardly, just the parrot": {"pets": "parrot"}
}


async def at(talk: Talk, asked: str, *said: str) -> Conversation:
    """The stay, told up to a question."""
    spoken = await talk(Stay, reader=reader(acts=ACTS, values=VALUES))
    for words in (*Stay.starts_on, *UP_TO[asked], *said):
        await spoken.say(words)
    return spoken


@pytest.mark.parametrize(
    "words", ["none", "no animals, I'm allergic", "we left the dog with my sister, so nothing"]
)
async def test_none_to_a_list_is_the_empty_list(words: str) -> None:
    answers, text = await told(Stay, *UP_TO["pets"], words)

    assert answers["pets"] == []
    assert text.startswith("Pets: none.")


@pytest.mark.parametrize("words", ["none", "no little ones this time", "we haven't any"])
async def test_none_of_what_is_counted_is_0(words: str) -> None:
    answers, text = await told(Stay, *UP_TO["kids"], words)

    assert answers["kids"] == 0
    assert text.startswith("Kids: 0.")


async def test_none_is_not_what_is_there_when_a_list_is_left_out() -> None:
    answers, _ = await told(Stay, *UP_TO["extras"], "none, thanks")

    assert answers["extras"] == []


@pytest.mark.parametrize(("asked", "none"), [("pets", []), ("kids", 0)])
async def test_what_was_given_for_none_can_be_changed(asked: str, none: Any) -> None:
    changed = {"pets": "change the pets to a parrot", "kids": "change the kids to 3"}[asked]
    before, _ = await told(Stay, *UP_TO[asked], "none")
    after, _ = await told(Stay, *UP_TO[asked], "none", changed)

    assert before[asked] == none
    assert after[asked] == {"pets": ["a parrot"], "kids": 3}[asked]


@pytest.mark.parametrize("asked", ["nights", "rooms"])
async def test_where_the_type_takes_none_of_it_the_question_stays(asked: str, talk: Talk) -> None:
    spoken = await at(talk, asked)

    said = await spoken.say("not a soul")

    assert said.text == "I can't go on without your answer. Shall I pause your stay until you have it?"


async def test_nobody_is_0_years_old_for_having_said_none(talk: Talk) -> None:
    spoken = await at(talk, "age")

    assert (await spoken.say("not a soul")).pending == "clarify"


@pytest.mark.parametrize("asked", ["pets", "kids"])
async def test_what_may_be_none_is_asked_about(asked: str, talk: Talk) -> None:
    spoken = await at(talk, asked)

    said = await spoken.say("we are a quiet lot")

    assert said.text == "Does “we are a quiet lot” mean none?"
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["None", "No"]


async def test_what_may_be_none_or_the_answer_is_asked_with_both(talk: Talk) -> None:
    spoken = await at(talk, "pets")

    said = await spoken.say("hardly, just the parrot")

    assert said.reply.pending is not None
    assert said.reply.pending.options == ["It is your answer", "None", "Neither"]


async def test_none_in_a_question_is_asked_about(talk: Talk) -> None:
    spoken = await at(talk, "kids")

    assert (await spoken.say("none of that is your business, is it")).pending == "clarify"


@pytest.mark.parametrize(
    ("button", "text"),
    [("None", "Kids: 0.\n\nWhich extras would you like?"), ("No", "How many children are coming?")],
)
async def test_the_button_says_whether_there_is_none(button: str, text: str, talk: Talk) -> None:
    spoken = await at(talk, "kids", "we are a quiet lot")

    assert (await spoken.say(button)).text == text


async def test_that_is_all_ends_a_form_of_which_only_a_list_is_missing() -> None:
    class Order(Process, name="order", version=1):
        """An order."""

        starts_on = ("order",)

        class Answers(BaseModel):
            dish: str = ask("Which dish?")
            extras: list[str] = ask("What else?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Ordered.")

    async with conversation(Order, clock=FrozenClock()) as talk:
        for words in ("order", "soup", "that's all"):
            said = await talk.say(words)

        assert "- Extras: nothing" in said.text


async def test_a_check_of_the_authors_own_says_why_there_must_be_one() -> None:
    class Crew(Process, name="crew", version=1):
        """A crew."""

        starts_on = ("crew",)

        class Answers(BaseModel):
            boat: str = ask("Which boat?")
            hands: list[str] = ask("Who is on board?")

            @field_validator("hands")
            @classmethod
            def somebody(cls, hands: list[str]) -> list[str]:
                if not hands:
                    raise ValueError("Nobody sails alone here.")
                return hands

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Off.")

    answers, text = await told(Crew, "Heron", "nobody at all")

    assert "hands" not in answers
    assert text.split("\n\n") == ["Nobody sails alone here.", "Who is on board?"]


@pytest.mark.parametrize(
    ("asked", "value", "text"),
    [("pets", [], "How many children are coming?"), ("kids", 0, "Which extras would you like?")],
)
async def test_none_in_a_form_is_the_same_value(asked: str, value: Any, text: str, talk: Talk) -> None:
    spoken = await at(talk, asked)

    assert (await spoken.say("", value=value)).text == text


async def test_none_empties_no_list_that_is_asked_for_again() -> None:
    answers, _ = await told(Stay, *UP_TO["kids"], "the pets are wrong", "nope")

    assert answers["pets"] == ["a cat"]


class Guests(Process, name="guests", version=1):
    """Who comes, and what they can't have."""

    starts_on = ("let's have guests",)

    class Answers(BaseModel):
        names: list[str] = ask("Who comes?")
        allergies: list[str] = ask("Does anybody have allergies?")
        day: str = ask("When?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Invited.")


TOLD = {
    Standup: ("fixed the oven", "the fix", "legal"),
    Guests: ("Ines", "nuts"),
}


@pytest.mark.parametrize(
    ("process", "field", "said"),
    [
        (Standup, "blockers", "no blockers any more"),
        (Standup, "blockers", "actually legal answered so no blocker"),
        (Standup, "blockers", "there are no blockers"),
        (Standup, "blockers", "none of the blockers is left"),
        (Standup, "blockers", "blockers: none"),
        (Guests, "allergies", "there are no allergies after all"),
    ],
)
async def test_a_list_that_was_told_is_emptied_by_who_says_that_there_is_none_any_more(
    process: type[Process], field: str, said: str
) -> None:
    answers, text = await told(process, *TOLD[process], said)

    assert not answers.get(field)
    assert not text.endswith(("Any blockers?", "Does anybody have allergies?"))


@pytest.mark.parametrize("no", ["no", "nope"])
@pytest.mark.parametrize(
    ("process", "field", "said"),
    [
        (Standup, "blockers", "legal is solved by now"),
        (Standup, "blockers", "the blocker is gone"),
        (Standup, "blockers", "the blockers are wrong"),
        (Standup, "blockers", "go back"),
        (Guests, "allergies", "the allergies are wrong"),
    ],
)
async def test_no_to_whether_there_is_any_is_none_however_often_it_is_asked(
    process: type[Process], field: str, said: str, no: str
) -> None:
    answers, _ = await told(process, *TOLD[process], said, no)

    assert not answers.get(field)


@pytest.mark.parametrize(
    "said", ["the blockers are wrong", "I made a mistake with the blockers", "legal is called Sam"]
)
async def test_what_is_only_wrong_is_asked_for_again_and_kept_until_then(said: str) -> None:
    answers, _ = await told(Standup, *TOLD[Standup], said)

    assert answers["blockers"] == ["legal"]


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("nothing much, just emails", ["emails"]),
        ("no big things, some emails", ["some emails"]),
        ("not a lot, a call with Bob", ["a call with Bob"]),
        ("nothing special, only reviews", ["reviews"]),
        ("nothing really except the printer", ["the printer"]),
        ("hardly anything. answered mails", ["answered mails"]),
        ("nothing worth telling, reviewed two PRs", ["reviewed two PRs"]),
    ],
)
async def test_what_stands_behind_a_small_nothing_is_the_answer(said: str, items: list[str]) -> None:
    answers, _ = await told(Standup, said)

    assert answers == {"yesterday": items}


@pytest.mark.parametrize(
    "said", ["nothing", "not much", "nothing at all, I was ill", "nothing, the server was down all day"]
)
async def test_a_reason_behind_a_nothing_is_none(said: str) -> None:
    answers, text = await told(Standup, said)

    assert not answers
    assert text == "What's planned for today?"


@pytest.mark.parametrize(
    "said", ["none, the vpn works again", "not really, just legal", "no blockers except the VPN"]
)
async def test_what_may_be_something_behind_a_no_is_asked_about(said: str) -> None:
    answers, text = await told(Standup, "fixed the oven", "the fix", said)

    assert "blockers" not in answers
    assert f"I am not sure that I understood “{said}”." in text


@pytest.mark.parametrize(
    "said", ["no he eats everything. swims too", "no he eats everything that doesnt run away. swims too"]
)
async def test_what_stands_behind_a_no_in_a_sentence_of_its_own_is_no_item(said: str) -> None:
    answers, _ = await told(Guests, "Ines", said)

    assert not answers.get("allergies")
