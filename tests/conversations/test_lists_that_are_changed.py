"""A list that was told is changed in people's own words: items come and go, and what else the message says is kept."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Outing(Process, name="outing", version=1):
    """A day out with others."""

    starts_on = ("plan a day out",)

    class Answers(BaseModel):
        people: list[str] = ask("Who comes along?")
        food: list[str] = ask("What shall we take to eat?")
        day: date = ask("On which day?")
        cars: int = ask("How many cars do we need?")
        dog: bool = ask("Does the dog come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.")


PEOPLE, FOOD = ["Ben", "Ida", "Ravi"], ["cheese rolls", "nuts", "plums"]


async def changed(message: str) -> tuple[dict[str, object], str]:
    """What is kept after the message, with both lists told before and the day asked for, and what is said."""
    answers, words = await told(Outing, "\n".join(PEOPLE), "\n".join(FOOD), message)
    return answers, words


@pytest.mark.parametrize(
    ("message", "people", "food"),
    [
        ("Ravi can't make it", ["Ben", "Ida"], FOOD),
        ("not Ravi, Ravindra is how he writes himself", ["Ben", "Ida", "Ravindra"], FOOD),
        ("leave the cheese rolls at home, it's too hot for them", PEOPLE, ["nuts", "plums"]),
    ],
)
async def test_items_go_and_come_and_the_question_comes_again(
    message: str, people: list[str], food: list[str]
) -> None:
    answers, words = await changed(message)

    assert answers == {"people": people, "food": food}
    assert words.endswith("On which day?")


@pytest.mark.parametrize(
    ("message", "food", "day"),
    [
        ("saturday, and no nuts please", ["cheese rolls", "plums"], "2026-03-07"),
        ("sunday. the nuts may have gone off", ["cheese rolls", "plums"], "2026-03-08"),
        ("the 14th. oh and put lemonade on the list", [*FOOD, "lemonade"], "2026-03-14"),
        ("saturday, the nuts are from Brazil by the way", FOOD, "2026-03-07"),
    ],
)
async def test_what_is_asked_is_answered_beside_it(message: str, food: list[str], day: str) -> None:
    answers, words = await changed(message)

    assert answers == {"people": PEOPLE, "food": food, "day": day}
    assert words.endswith("How many cars do we need?")


async def test_who_is_left_out_beside_the_answer_goes() -> None:
    answers, _ = await changed("saturday, without Ben")

    assert answers == {"people": ["Ida", "Ravi"], "food": FOOD, "day": "2026-03-07"}


@pytest.mark.parametrize("message", ["Ben is a great cook", "does Ida eat nuts?", "next sunday"])
async def test_what_only_speaks_of_items_changes_nothing(message: str) -> None:
    answers, _ = await changed(message)

    assert (answers["people"], answers["food"]) == (PEOPLE, FOOD)


async def test_what_may_go_is_asked_about_beside_the_answer_and_nothing_is_lost() -> None:
    async with conversation(Outing, clock=FrozenClock()) as talk:
        for line in ("plan a day out", "\n".join(PEOPLE), "\n".join(FOOD), "saturday, Ben is unlikely"):
            asked = await talk.say(line)
        assert asked.reply.pending is not None
        assert asked.reply.pending.options == [
            "Day: saturday, people without Ben",
            "Day: saturday",
            "None of these",
        ]

        said = await talk.say("Day: saturday, people without Ben")

        assert await kept(talk, said) == {"people": ["Ida", "Ravi"], "food": FOOD, "day": "2026-03-07"}


async def test_one_more_thing_that_was_done_is_added_to_a_standup() -> None:
    _, words = await told(Standup, "fixed the oven", "forgot one, I also called the bank yesterday")

    assert words.startswith("Yesterday: fixed the oven; called the bank.")


async def test_what_goes_from_one_list_comes_to_no_other() -> None:
    answers, _ = await told(
        Standup,
        "sorted out the flaky export, paperwork",
        "get the invoices through",
        "actually scrap the paperwork, that was monday",
    )

    assert answers == {"yesterday": ["sorted out the flaky export"], "today": ["get the invoices through"]}


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("saturday, and skip the quince jam please", "quince jam"),
        ("saturday. leave out the tuna sandwich", "tuna sandwich"),
    ],
)
async def test_an_item_of_a_long_list_goes_by_its_words(message: str, gone: str) -> None:
    many = [f"{kind} jam" for kind in ("apricot", "plum", "cherry", "quince", "fig", "peach")]
    many += [f"{kind} sandwich" for kind in ("ham", "tuna", "egg", "salmon", "turkey", "tofu")]

    answers, _ = await told(Outing, "Ben", "\n".join(many), message)

    assert answers["food"] == [one for one in many if one != gone]


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ("the call was with Dan actually, not Dana", "a long call with Dan from support"),
        ("not Dana, I think that was Priya", "a long call with Priya from support"),
    ],
)
async def test_a_name_within_an_item_is_put_right_wherever_the_other_one_stands(
    message: str, calls: str
) -> None:
    told_before = "chased a memory leak\na long call with Dana from support"
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], told_before, "the fix", "none"):
            await talk.say(line)
        said = await talk.say(message)
        assert (await kept(talk, said))["yesterday"] == ["chased a memory leak", calls]


DONE, PLANNED = (
    ["wrote the report", "called Bob", "met Anna"],
    ["write the report", "mail Ann", "call Anna"],
)


async def at_the_summary(message: str, done: list[str] = DONE) -> tuple[dict[str, object], str]:
    answers, words = await told(Standup, "\n".join(done), "\n".join(PLANNED), "none", message)
    return answers, words


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("i finished the report so drop that from today", ["mail Ann", "call Anna"]),
        ("the report is done, remove it from today", ["mail Ann", "call Anna"]),
        ("I already met Anna, scratch that for today please", ["write the report", "mail Ann"]),
        ("the mail to Ann went out, so not today", ["write the report", "call Anna"]),
    ],
)
async def test_what_goes_from_the_list_that_is_called_stays_in_the_other(
    message: str, left: list[str]
) -> None:
    answers, _ = await at_the_summary(message)

    assert answers == {"yesterday": DONE, "today": left}


async def test_the_other_list_is_called() -> None:
    answers, _ = await at_the_summary("the report from yesterday was monday, drop it")

    assert answers == {"yesterday": ["called Bob", "met Anna"], "today": PLANNED}


@pytest.mark.parametrize("message", ["the thing with Anna fell through", "Anna is ill"])
async def test_of_which_list_it_goes_is_asked_where_none_is_called(message: str) -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], "\n".join(DONE), "\n".join(PLANNED), "none"):
            await talk.say(line)
        asked = await talk.say(message)
        assert asked.reply.pending is not None
        assert asked.reply.pending.options == [
            "Yesterday without met Anna",
            "Today without call Anna",
            "None of these",
        ]

        said = await talk.say("Today without call Anna")

        assert await kept(talk, said) == {"yesterday": DONE, "today": ["write the report", "mail Ann"]}


async def test_what_is_told_in_a_clause_that_calls_a_list_comes_to_that() -> None:
    lines = ("fixed the printer", "call Anna", "waiting on legal, and yesterday i also called Bob")
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], *lines):
            asked = await talk.say(line)
        assert asked.reply.pending is not None
        said = await talk.say(str(asked.reply.pending.options[0]))
        answers = await kept(talk, said)

    assert answers == {
        "yesterday": ["fixed the printer", "called Bob"],
        "today": ["call Anna"],
        "blockers": ["waiting on legal"],
    }


async def asked_of(*lines: str) -> list[str]:
    """The buttons of what is asked after those lines, and nothing is kept meanwhile."""
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], *lines[:-1]):
            before = await talk.say(line)
        were = await kept(talk, before)
        asked = await talk.say(lines[-1])
        assert asked.reply.pending is not None
        assert await kept(talk, asked) == were
        return asked.reply.pending.options or []


@pytest.mark.parametrize(
    ("message", "item"),
    [
        ("the scanner as well, sorry", "the scanner"),
        ("and called Bob", "called Bob"),
        ("plus a call with Bob", "a call with Bob"),
        ("and the scanner", "the scanner"),
        ("the scanner too", "the scanner"),
    ],
)
async def test_more_of_the_list_before_is_asked_about_with_both_lists(message: str, item: str) -> None:
    options = await asked_of("fixed the printer", message)

    assert options[:2] == [f"Yesterday: {item} as well", f"Today: {item}"]


async def test_a_word_with_a_star_may_put_right_what_was_said_before() -> None:
    options = await asked_of("fixed the printer", "scanner*")

    assert options == ["Yesterday: scanner instead of fixed the printer", "Today: scanner", "None of these"]


async def test_what_is_sure_goes_with_what_is_asked_about() -> None:
    options = await asked_of(
        "fixed the printer", "call Anna", "waiting on legal, and yesterday I also called Bob"
    )

    assert options == ["Yesterday: called Bob as well, blockers: waiting on legal", "None of these"]


@pytest.mark.parametrize(
    ("message", "today"),
    [
        ("and then the tests", "the tests"),
        ("and today I fix the scanner", "fix the scanner"),
        ("met Ann and Bob", "met Ann and Bob"),
    ],
)
async def test_what_comes_next_is_the_answer(message: str, today: str) -> None:
    answers, _ = await told(Standup, "fixed the printer", message)

    assert answers == {"yesterday": ["fixed the printer"], "today": [today]}


async def test_and_before_an_answer_of_words_is_a_slip_of_the_tongue() -> None:
    class Parcel(Process, name="parcel", version=1):
        """A parcel."""

        starts_on = ("send a parcel",)

        class Answers(BaseModel):
            branch: str = ask("Which branch?")
            postcode: str = ask("What is your postcode?")
            name: str = ask("Your name?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Sent.")

    answers, _ = await told(Parcel, "the old harbour", "and P3 2WB")

    assert answers["branch"] == "the old harbour"
    assert answers["postcode"]
