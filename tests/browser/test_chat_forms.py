"""Forms of the open question, of every kind of schema that there is; and files."""

import json
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from softrail import Attachment, Done, Option, Process, Record, Settings, Turn, Wrong, ask, build, check
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, in_the_way, running


def chosen(said: str) -> list[str]:
    """What a form chose comes as JSON to a reader of one's own."""
    found: list[str] = json.loads(said)
    return found


class Trip(Process, name="trip", version=1):
    """Plans a trip."""

    title = "your trip"
    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        """One question of each kind."""

        where: str = ask("Where to?", max_length=40)
        people: int = ask("How many people?", ge=1, le=8)
        budget: float = ask("How much may it cost?", gt=0)
        first: date = ask("From which day on?")
        at: time = ask("At what time do you leave?")
        back: datetime = ask("When will you be back?")
        by: Literal["Train", "Boat"] = ask("How will you go?")
        dinner: bool = ask("With dinner?")
        stops: list[str] = ask("Which stops on the way?")
        extras: list[Literal["wifi", "bike", "dog"]] = ask(
            "Anything else?",
            options=[Option(label=name, value=name.lower()) for name in ("Wifi", "Bike", "Dog")],
        )
        ticket: Attachment = ask("Send me the old ticket.", media=("text/plain",), max_bytes=1000)

    @check("people")
    async def seats(self, answers: Answers, turn: Turn) -> Wrong | None:
        return Wrong("people", "Seven is one too many for our boats.") if answers.people == 7 else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.", effects=[Record("trip", answers)])


class Draw(Process, name="draw", version=1):
    """Kinds of answers that are rarer."""

    starts_on = ("draw numbers",)

    class Answers(BaseModel):
        """Lists with a length, a price to the cent, and what has one value alone."""

        lucky: list[int] = ask("Which numbers?", min_length=2, max_length=3, read=chosen)
        days: list[date] = ask("On which days?", read=chosen)
        price: Decimal = ask("At what price?", ge=Decimal("0.5"))
        only: Literal["Agreed"] = ask("By our rules?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.lucky} {answers.days[1]:%d.%m.} {answers.price} {answers.only}")


class Coded(Process, name="coded", version=1):
    """A number that text may stand for."""

    starts_on = ("give a code",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        code: Annotated[int, Field(ge=100)] | None = ask("Which code?", default=None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Code {answers.code}.")


class Parcel(Process, name="parcel", version=1):
    """What only the server can judge of a form: the page looks at no patterns."""

    starts_on = ("send a parcel",)
    confirm = False

    class Answers(BaseModel):
        """A text of a form, and several of them."""

        code: str = ask("Which code?", pattern="^P-[0-9]+$")
        others: list[Annotated[str, Field(pattern="^P-")]] = ask("Which others?", read=chosen)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Sent {answers.code} and {len(answers.others)} more.")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    dispatcher = build(settings, store=MemoryStore(), processes=[Trip, Draw, Coded, Parcel], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def started(visit: Visit, words: str) -> Chat:
    chat = visit(timezone_id="UTC").open()
    chat.button("New conversation").click()
    chat.say(words)
    return chat


def test_every_kind_of_question_has_its_form(visit: Visit, tmp_path: Path) -> None:
    chat = started(visit, "plan a trip")
    answer = chat.button("Answer")
    reason = chat.page.locator("#answer-wrong")

    wrong: list[str] = []

    def field(question: str) -> None:
        chat.hears(question)
        chat.page.get_by_label(question).wait_for()
        wrong.extend(in_the_way(chat.page))

    chat.hears("Where to?")
    chat.button("Use a form").click()  # words are as good there, so it waits to be asked for
    answer.click()
    reason.get_by_text("This is needed.").wait_for()
    wrong.extend(in_the_way(chat.page))
    chat.page.get_by_label("Where to?").fill("cancel")  # a value is nothing but an answer
    answer.click()

    field("How many people?")
    chat.page.get_by_label("How many people?").fill("nine")
    answer.click()
    reason.get_by_text("Please give a number.").wait_for()
    chat.page.get_by_label("How many people?").fill("9")
    answer.click()
    reason.get_by_text("It can be at most 8.").wait_for()
    assert chat.look("chat.shadowRoot.activeElement.id") == "answer"
    chat.page.get_by_label("How many people?").fill("7")
    answer.click()
    reason.get_by_text("Seven is one too many for our boats.").wait_for()  # the server's, at its field
    assert chat.page.get_by_label("How many people?").input_value() == "7"
    chat.page.get_by_label("How many people?").fill("2")
    answer.click()

    field("How much may it cost?")
    chat.wait(
        "chat.shadowRoot.activeElement?.id === 'answer'"
    )  # whoever fills in a form goes on with the next
    chat.page.get_by_label("How much may it cost?").fill("99,5")
    answer.click()
    field("From which day on?")
    chat.page.get_by_label("From which day on?").fill("2027-03-01")
    answer.click()
    field("At what time do you leave?")
    assert chat.mine.last.inner_text() == "1 March 2027"
    chat.page.get_by_label("At what time do you leave?").fill("08:30")
    answer.click()
    field("When will you be back?")
    chat.page.get_by_label("When will you be back?").fill("2027-03-09T18:00")
    answer.click()
    chat.hears("How will you go?")
    assert chat.mine.last.inner_text() == "9 March 2027 at 18:00"
    wrong.extend(in_the_way(chat.page))
    chat.button("Boat").click()
    chat.hears("With dinner?")
    chat.button("Yes").click()
    field("Which stops on the way?")
    chat.page.get_by_label("Which stops on the way?").fill("Oslo\n\nBergen")
    answer.click()
    chat.hears("Anything else?")
    chat.page.get_by_role("checkbox", name="Wifi").check()
    wrong.extend(in_the_way(chat.page))
    chat.page.get_by_role("checkbox", name="Dog").check()
    answer.click()

    field("Send me the old ticket.")
    assert chat.mine.last.inner_text() == "Wifi\nDog"
    large = tmp_path / "large.txt"
    large.write_text("x" * 2000)
    chat.page.get_by_label("Send me the old ticket.").set_input_files(large)
    answer.click()
    assert reason.inner_text() == "The file is too large: 1 kB is the most."
    ticket = tmp_path / "ticket <b>.txt"
    ticket.write_text("one way")
    chat.page.get_by_label("Send me the old ticket.").set_input_files(ticket)
    answer.click()

    chat.hears("Here is what I have")
    summary = chat.answers.last.inner_text()
    for part in ("cancel", "2", "99.5", "March", "8:30", "Boat", "Oslo", "Bergen", "Wifi", "Dog", "ticket"):
        assert part in summary
    wrong.extend(in_the_way(chat.page))
    chat.button("Looks good").click()
    chat.hears("Planned.")
    assert wrong == []

    chat.button("Conversations").click()
    with chat.page.expect_download() as download:
        drawer = chat.page.get_by_role("dialog", name="Conversations")
        drawer.get_by_role("button", name="Download ticket").click()
    assert Path(download.value.path()).read_text() == "one way"


def test_lists_with_a_length_prices_and_what_has_one_value_have_forms_too(visit: Visit) -> None:
    chat = started(visit, "draw numbers")
    reason = chat.page.locator("#answer-wrong")

    def answered(question: str, given: str) -> None:
        chat.page.get_by_label(question).fill(given)
        chat.button("Answer").click()

    chat.hears("Which numbers?")
    chat.button("Use a form").click()
    for given, why in {
        "7": "Please give at least 2.",
        "1\n2\n3\n4": "Please give at most 3.",
        "1\ntwo": "two: Please give a number.",
        "1\n2,5": "2,5: Please give a whole number.",
    }.items():
        answered("Which numbers?", given)
        reason.get_by_text(why, exact=True).wait_for()
    answered("Which numbers?", "3\n\n 17 ")
    chat.hears("On which days?")
    answered("On which days?", "2027-03-01\n2027-03-09")
    chat.hears("At what price?")
    answered("At what price?", "0.4")
    reason.get_by_text("It has to be at least 0.5.").wait_for()
    answered("At what price?", "2,75")
    chat.hears("By our rules?")
    chat.button("Agreed").click()
    chat.hears("Here is what I have")
    chat.button("Looks good").click()
    chat.hears("[3, 17] 09.03. 2.75 Agreed")


def test_an_old_form_of_another_tab_changes_nothing_and_says_why(visit: Visit) -> None:
    visitor = visit(timezone_id="UTC")
    one = visitor.open()
    one.button("New conversation").click()
    one.say("plan a trip")
    one.hears("Where to?")
    other = visitor.open()
    other.hears("Where to?")
    other.button("Use a form").click()
    # The other tab hears of nothing any more, so that its form is an old one.
    other.page.evaluate("document.querySelector('softrail-chat').talk.following.abort()")
    one.say("Porto")
    one.hears("How many people?")

    other.page.get_by_label("Where to?").fill("Rome")
    other.button("Answer").click()
    other.hears("That question is no longer open")
    one.answers.filter(has_text="That question is no longer open").wait_for()
    assert one.page.get_by_text("1 of 11").is_visible()
    one.say("go back")
    one.hears("Where to?")
    assert "Rome" not in " ".join(one.answers.all_inner_texts())


def test_what_the_server_does_not_take_stays_in_its_field_with_the_reason(visit: Visit) -> None:
    visitor = visit(timezone_id="UTC")
    visitor.outages = True  # a browser writes down what is refused
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("send a parcel")
    chat.hears("Which code?")
    chat.button("Use a form").click()
    sent: list[Any] = []
    chat.page.on("request", lambda one: sent.append(one.post_data_json) if "converse" in one.url else None)
    field, reason = chat.page.get_by_label("Which code?"), chat.page.locator("#answer-wrong")
    question = chat.look("talk.state.pending.id")

    field.fill("  17 ")
    chat.button("Answer").click()
    reason.get_by_text("That does not have the form I need.", exact=True).wait_for()
    assert field.input_value() == "  17 "
    assert chat.look("chat.shadowRoot.activeElement.id") == "answer"
    assert chat.look("[talk.state.pending.id, talk.outbox.turns.length]") == [question, 0]
    assert chat.mine.all_inner_texts() == ["send a parcel"]
    assert chat.page.get_by_text("Not taken").count() == chat.page.get_by_text("Not sent yet").count() == 0
    assert in_the_way(chat.page) == []

    field.fill("P-17")
    chat.button("Answer").click()
    chat.hears("Which others?")
    field = chat.page.get_by_label("Which others?")
    field.fill("P-18\n\n19")
    chat.button("Answer").click()
    reason.get_by_text("19: That does not have the form I need.", exact=True).wait_for()
    assert field.input_value() == "P-18\n\n19"
    field.fill("P-18\nP-19")
    chat.button("Answer").click()
    chat.hears("Sent P-17 and 2 more.")

    assert [one["value"] for one in sent] == ["17", "P-17", ["P-18", "19"], ["P-18", "P-19"]]
    assert len({one["turn_id"] for one in sent}) == 4
    assert [one["answers"] for one in sent[:2]] == [question] * 2
    assert chat.mine.all_inner_texts() == ["send a parcel", "P-17", "P-18\nP-19"]


def test_what_is_refused_after_its_question_was_closed_here_is_said_as_not_taken(visit: Visit) -> None:
    visitor = visit(timezone_id="UTC")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("send a parcel")
    chat.hears("Which code?")
    chat.look("void (talk.state = { ...talk.state, pending: null })")
    question = chat.page.request.get(f"/sessions/{chat.look('talk.session')}").json()["pending"]["id"]

    chat.look(f"void talk.say({{ answers: '{question}', value: '17' }}, '17')")

    chat.page.get_by_text("Not taken: That does not have the form I need.").wait_for()
    assert chat.mine.last.inner_text() == "17"


def test_a_form_is_closed_in_favour_of_words(visit: Visit) -> None:
    chat = started(visit, "give a code")
    chat.page.get_by_label("Which code?").wait_for()
    chat.button("In my own words").click()
    assert chat.page.get_by_label("Which code?").count() == 0
    assert chat.look("chat.shadowRoot.activeElement.ariaLabel") == "Message"

    chat.say("123")
    chat.hears("Code 123.")
