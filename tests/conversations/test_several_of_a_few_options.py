"""An answer that is several of a few options: chosen, all but some, changed later, and never anything else."""

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Option, Process, Record, Turn, ask
from softrail.testing import Conversation, FrozenClock, Said, conversation


class Day(Enum):
    """A day on which there is something to do."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"


TASKS = ["sorting", "driving", "cooking", "front desk"]
NAMES = [
    Option(label=label, value=label[:3].lower())
    for label in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
]
NO_OPTION = "Please choose one of these: sorting, driving, cooking, front desk."


class Volunteer(Process, name="volunteer", version=1):
    """Helping at the food bank."""

    starts_on = ("volunteer at the food bank",)

    class Answers(BaseModel):
        """What somebody would do, and when."""

        tasks: list[Literal["sorting", "driving", "cooking", "front desk"]] = ask(
            "What would you like to do?", min_length=1
        )
        days: list[Day] = ask("Which days suit you?", options=NAMES, default=[], max_length=4)
        shirts: list[str] = ask("Which sizes do you need?", options=["small", "large"])
        tools: list[str] = ask("What will you bring?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("volunteer", answers)])


LINES = ("volunteer at the food bank", "sorting and cooking", "Monday and Friday", "small", "gloves")


async def after(talk: Conversation, *lines: str, told: int = 5) -> Said:
    for line in (*LINES[:told], *lines):
        said = await talk.say(line)
    return said


async def kept(talk: Conversation) -> Any:
    assert (await talk.say("yes")).text == "Kept."
    return (await talk.records("volunteer"))[0]


@pytest.mark.parametrize(
    ("message", "tasks"),
    [
        ("driving", ["driving"]),
        ("cooking and sorting", ["cooking", "sorting"]),
        ("I'd like to do sorting and some cooking", ["sorting", "cooking"]),
        ("sorting and NOT driving", ["sorting"]),
        ("all but driving", ["sorting", "cooking", "front desk"]),
        ("anything but the front desk", ["sorting", "driving", "cooking"]),
        ("no driving, the rest is fine", ["sorting", "cooking", "front desk"]),
        ("everything", TASKS),
    ],
)
async def test_what_is_chosen_is_kept(frozen: FrozenClock, message: str, tasks: list[str]) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, message, *LINES[2:], told=1)
        assert (await kept(talk))["tasks"] == tasks


async def test_what_was_not_named_word_by_word_is_read_back(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, "all but driving", told=1)
        assert said.text.startswith("Tasks: sorting; cooking; front desk.")
        assert (await talk.say("any day but Friday")).text.startswith(
            "Days: Monday; Tuesday; Wednesday; Thursday."
        )


@pytest.mark.parametrize(
    "message",
    ["bowling", "everything but bowling", "apart from driving", "all of the evenings"],
)
async def test_what_is_no_option_is_refused_with_the_options(frozen: FrozenClock, message: str) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, message, told=1)
        assert said.text == f"{NO_OPTION}\n\nWhat would you like to do?"
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == TASKS


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("sorting and bowling", "sorting"),
        ("driving lessons", "driving"),
        ("the phones, the front desk and cooking", "front desk; cooking"),
        ("I'm good at sorting, Ben is on cooking I suppose, my brother no idea", "sorting; cooking"),
        ("two on driving and one on the phones", "driving"),
    ],
)
async def test_those_that_are_named_beside_what_is_none_are_asked_about(
    frozen: FrozenClock, message: str, named: str
) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, message, told=1)
        assert said.text.startswith(f"Do you mean “{named}”? There are these: {', '.join(TASKS)}.")
        assert said.reply.suggested_actions[0] == named
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == TASKS


@pytest.mark.parametrize(
    ("answer", "tasks"),
    [
        ("yes", ["front desk", "cooking"]),
        ("yes please", ["front desk", "cooking"]),
        ("front desk; cooking", ["front desk", "cooking"]),
        ("sorting", ["sorting"]),
        ("1 and 2", ["sorting", "driving"]),
    ],
)
async def test_what_is_asked_about_is_agreed_to_or_chosen_anew(
    frozen: FrozenClock, answer: str, tasks: list[str]
) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, "the phones, the front desk and cooking", answer, *LINES[2:], told=1)
        assert (await kept(talk))["tasks"] == tasks


@pytest.mark.parametrize(
    ("message", "tasks"),
    [
        ("everything but cooking, nobody wants to eat what I make", ["sorting", "driving", "front desk"]),
        ("anything except driving, my eyes are not good enough", ["sorting", "cooking", "front desk"]),
        ("anything but the front desk, my voice is gone", ["sorting", "driving", "cooking"]),
    ],
)
async def test_a_remark_behind_what_is_chosen_is_no_option(
    frozen: FrozenClock, message: str, tasks: list[str]
) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, message, *LINES[2:], told=1)
        assert (await kept(talk))["tasks"] == tasks


@pytest.mark.parametrize(
    "message",
    [
        "everything but cooking, no wait, everything",
        "what would driving be?",
    ],
)
async def test_what_may_turn_it_round_is_no_remark(frozen: FrozenClock, message: str) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, message, told=1)
        assert (await talk.say("what have I told you so far?")).text.count("sorting;") == 0


async def test_none_leaves_empty_what_may_be_and_not_what_may_not(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        assert (await after(talk, "none", told=1)).text.startswith("I can't go on without your answer.")
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, "none", *LINES[3:], told=2)
        assert (await kept(talk))["days"] == []


async def test_no_more_are_taken_than_may_be(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, "any day", told=2)
        assert said.text == "That is too many: at most 4, please.\n\nWhich days suit you?"


@pytest.mark.parametrize(
    ("message", "name", "now"),
    [
        ("also driving", "tasks", ["sorting", "cooking", "driving"]),
        ("add driving and sorting", "tasks", ["sorting", "cooking", "driving"]),
        ("no cooking after all", "tasks", ["sorting"]),
        ("only sorting", "tasks", ["sorting"]),
        ("driving instead of cooking", "tasks", ["sorting", "driving"]),
        ("change tasks to driving and cooking", "tasks", ["driving", "cooking"]),
        ("Tuesday too", "days", ["mon", "fri", "tue"]),
        ("I can't do Friday", "days", ["mon"]),
        ("any day but Monday", "days", ["tue", "wed", "thu", "fri"]),
        ("remove Monday and Friday", "days", []),
        ("drop Friday and add Wednesday", "days", ["mon", "wed"]),
    ],
)
async def test_what_was_chosen_is_changed_within_its_options(
    frozen: FrozenClock, message: str, name: str, now: list[str]
) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, message)
        assert (await kept(talk))[name] == now


@pytest.mark.parametrize(
    "message", ["add bowling to the tasks", "change tasks to bowling", "add Sunday to the days"]
)
async def test_what_is_no_option_changes_nothing(frozen: FrozenClock, message: str) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, message)
        assert "Please choose one of these" in said.text
        if said.reply.pending is not None and said.reply.pending.options:
            await talk.say("sorting and cooking")
        record = await kept(talk)
        assert record["tasks"] == ["sorting", "cooking"]
        assert record["days"] == ["mon", "fri"]


@pytest.mark.parametrize(
    ("message", "now"),
    [
        ("Tuesday", ["tue"]),
        ("also Tuesday", ["mon", "fri", "tue"]),
        ("Tuesday too", ["mon", "fri", "tue"]),
        ("and Wednesday", ["mon", "fri", "wed"]),
        ("no Friday", ["mon"]),
        ("not Friday but Tuesday", ["mon", "tue"]),
        ("remove Monday", ["fri"]),
        ("all but Friday", ["mon", "tue", "wed", "thu"]),
        ("keep it", ["mon", "fri"]),
    ],
)
async def test_asked_once_more_they_are_chosen_anew_or_changed(
    frozen: FrozenClock, message: str, now: list[str]
) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, "change the days", message)
        assert (await kept(talk))["days"] == now


async def test_only_lists_that_may_have_it_are_asked_about(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, "large too")
        assert said.reply.pending is not None
        assert [*said.reply.pending.options] == [
            "Shirts: large as well",
            "Tools: large as well",
            "None of these",
        ]


async def test_an_option_goes_to_the_list_that_has_it(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, "also large")
        record = await kept(talk)
        assert record["shirts"] == ["small", "large"]
        assert record["tasks"] == ["sorting", "cooking"]


async def test_the_last_one_that_is_needed_stays(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk, "remove sorting and cooking")
        assert "at least 1" in said.text


async def test_the_summary_tells_what_the_options_are_called(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        said = await after(talk)
        assert "- Days:\n  - Monday\n  - Friday\n- Shirts: small\n" in said.text


async def test_a_list_without_options_takes_any_words(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, "gloves and everything I find in the shed", told=4)
        assert "shed" in (await kept(talk))["tools"][-1]


async def test_values_that_come_as_json_are_options_and_each_once(frozen: FrozenClock) -> None:
    async with conversation(Volunteer, clock=frozen) as talk:
        await after(talk, told=3)
        said = await talk.say("…", value=["medium"])
        assert said.text.startswith("Please choose one of these: small, large.")
        await talk.say("…", value=["large", "small", "large"])
        await talk.say("gloves")
        assert (await kept(talk))["shirts"] == ["large", "small"]
