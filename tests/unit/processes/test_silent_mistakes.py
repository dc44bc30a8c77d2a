"""Mistakes that nobody notices until a person is in the middle of them: each is found, with its cure."""

import enum
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Settings, build
from softrail.core.errors import DefinitionError
from softrail.core.outcomes import Ask, Decline, Done, Goto, Outcome, Release
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.processes import Process, Wrong, ask, check, define, step
from softrail.processes.mistakes import in_definition, suspicious


class Shelf(BaseModel):
    rows: list[str] = []
    note: str = ""
    seen: dict[str, int] = {}


class Colour(enum.Enum):
    RED = "red"


class Named(BaseModel):
    name: str = ask("Name?")
    age: int = ask("Age?", default=0)


class Plain(Process, name="wrong", version=1):
    """Nothing is wrong with it."""

    starts_on = ("begin",)
    Answers: Any = Named

    async def complete(self, answers: Named, turn: Turn) -> Done:
        return Done("x")


def settings(**given: Any) -> type[Process]:
    return type("Wrong", (Plain,), given, name="wrong")


def answers(**fields: tuple[Any, Any]) -> type[Process]:
    body = {name: default for name, (_, default) in fields.items()}
    hints = {name: kind for name, (kind, _) in fields.items()}
    return settings(
        Answers=type("Answers", (BaseModel,), {**body, "__annotations__": hints, "__module__": __name__})
    )


def does(**marks: Any) -> Callable[[Any], type[Process]]:
    def made(function: Any) -> type[Process]:
        async def other(self: Process, said: Turn, data: Shelf) -> Outcome:
            return Done("x")

        ways = {"goes_to": ("other",), **marks}
        body = {"single": step(**ways)(function), "other": step()(other)}
        return type("Wrong", (Process,), body, name="wrong")

    return made


class Scattered(Plain, name="wrong"):
    size: str = ask("Which size?")


class Forgetful(Process, name="wrong", version=1):
    idle_timeout: timedelta(minutes=5)  # type: ignore[valid-type, misc] # the mistake
    Answers = Named

    async def complete(self, answers: Named, turn: Turn) -> Done:
        return Done("x")


class Misnamed(Plain, name="wrong"):
    async def sumary(self, answers: Named, turn: Turn) -> str | None:
        return "x"


class Misread(Plain, name="wrong"):
    async def complete(self, answers: Any, turn: Turn) -> Done:
        return Done(answers.nmae)


class Misjudged(Plain, name="wrong"):
    @check("name")
    async def known(self, answers: Named, turn: Turn) -> Wrong | None:
        return Wrong("nmae", "Nobody knows you.")


class Unfinished(Plain, name="wrong"):
    async def complete(self, answers: Named, turn: Turn) -> Done:  # type: ignore[return] # the mistake
        Done("Saved.")


class Prefilled(Plain, name="wrong"):
    def prefill(self, said: Turn) -> dict[str, Any]:
        return {"nmae": said.message}


class Halved(Plain, name="wrong"):
    @check("name", goes_to="look")
    async def known(self, answers: Named, turn: Turn) -> Wrong | None:
        return None


async def keeps_all(self: Process, said: Turn, data: Shelf) -> Outcome:
    return Goto("other", data=data)


@does(asks="Which?")
async def keeps_nothing(self: Process, said: Turn, data: Shelf) -> Outcome:
    data.rows.append(said.message)
    return Goto("other")


@does(asks="Which?")
async def keeps_no_number(self: Process, said: Turn, data: Shelf) -> Outcome:
    if said.message == "stop here":
        return Decline("All right.")
    data.note = said.message
    data.seen["x"] = 1
    return Ask("And now?") if data.rows else Goto("other")


@does(asks="Which?")
async def goes_astray(self: Process, said: Turn, data: Shelf) -> Outcome:
    return Goto("othre")


@does(asks="Which?", goes_to=("other", "third"))
async def asks_elsewhere(self: Process, said: Turn, data: Shelf) -> Outcome:
    return Ask("And?", step="otehr")


@does(asks="Which?")
async def reads_what_is_not_there(self: Process, said: Turn, data: Shelf) -> Outcome:
    return Goto("other", say=data.nots)  # type: ignore[attr-defined] # the mistake


@does(asks="Which?")
async def says_nothing(self: Process, said: Turn, data: Shelf) -> Outcome:  # type: ignore[return] # the mistake
    Goto("other")


SURE = {
    "a misspelt attribute": (
        settings(idel_timeout=timedelta(minutes=5)),
        "has idel_timeout, which nobody reads. Did you mean idle_timeout? If it is your own, call it _idel_timeout.",
    ),
    "a misspelt tuple": (
        settings(start_on=("go",)),
        "has start_on, which nobody reads. Did you mean starts_on?",
    ),
    "a misspelt method": (Misnamed, "has sumary(), which nobody reads. Did you mean summary?"),
    "misspelt Answers": (
        type("Wrong", (Process,), {"Answer": Named}, name="wrong"),
        "has Answer, which nobody reads. Did you mean Answers?",
    ),
    "a colon for an equals sign": (Forgetful, "has a colon behind idle_timeout where it is to be set."),
    "a question beside Answers": (
        Scattered,
        "asks for 'size' outside of its Answers, where nobody is asked.",
    ),
    "a text for a number": (
        answers(age=(int, ask("Age?", default="x"))),
        "has 'x' as the default of 'age', which is no int. Give it a default that is one, or change its type to str.",
    ),
    "digits for a number": (answers(age=(int, ask("Age?", default="5"))), "has '5' as the default of 'age'"),
    "nothing for a number": (
        answers(age=(int, ask("Age?", default=None))),
        "has None as the default of 'age', which is no int. Write age: int | None",
    ),
    "a name for a colour": (answers(of=(Colour, ask("Of?", default="red"))), "which is no Colour"),
    "a maker for what it makes": (
        answers(rows=(list[str], ask("Rows?", default=list))),
        "as the default of 'rows', which is no list[str]. Write default_factory=list.",
    ),
    "a forgotten ask": (
        answers(name=(str, ask("Name?")), age=(int, "How old are you?")),
        'which is no int. Write: age: int = ask("…?")',
    ),
    "one string for words that start it": (
        settings(starts_on="do it"),
        "has starts_on = 'do it'. It is a tuple of words, e.g. (\"start it\",).",
    ),
    "one string for names of an answer": (
        answers(name=(str, ask("Name?", names="nickname"))),
        "has the answer 'name' with names = one string, of which every letter would count. Write: names=(\"…\",)",
    ),
    "one string for options": (answers(size=(str, ask("Size?", options="ab"))), "with options = one string"),
    "one string for ways of a step": (
        does(goes_to="other")(keeps_all),
        "has the step 'single' with goes_to = one string",
    ),
    "one string for ways of a check": (Halved, "has the check 'known' with goes_to = one string"),
    "a comma too many": (settings(title=("the standup",)), "Take the comma behind it away."),
    "no confirmation, they thought": (settings(confirm=0), "has confirm = 0. It is True or False."),
    "yes in words": (settings(resumable="no"), "has resumable = 'no'. It is True or False."),
    "state that is changed and not returned": (
        keeps_nothing,
        "changes 'data' at step 'single' and returns Goto without it, in line",
    ),
    "state that is changed on one way": (keeps_no_number, "the change is lost. Write: Ask(…, data=data)."),
    "a step that does not exist": (
        goes_astray,
        "goes at 'single' to step 'othre', which does not exist. Did you mean 'other'?",
    ),
    "a question for no step": (asks_elsewhere, "'third', which does not exist"),
    "data that is not there": (
        reads_what_is_not_there,
        "reads 'nots' in single(), which Shelf does not have. Did you mean 'note'?",
    ),
    "an answer that is not there": (
        Misread,
        "reads 'nmae' in complete(), which Named does not have. Did you mean 'name'?",
    ),
    "a step without outcome": (
        says_nothing,
        "has single(), which returns no outcome. Return one on every way",
    ),
    "complete without outcome": (Unfinished, "has complete(), which returns no outcome."),
    "a refusal of nothing": (
        Misjudged,
        "gives Wrong('nmae', …) at 'known': 'nmae' is not asked for. Did you mean 'name'?",
    ),
    "a prefill of nothing": (Prefilled, "gives 'nmae' in prefill(), which is neither an answer nor data"),
    "a condition on another's field": (
        answers(
            name=(str, ask("Name?")), age=(int | None, ask("Age?", default=None, when=lambda a: a.give_age))
        ),
        "asks for 'age' when 'give_age' …, which is none of its answers: name, age.",
    ),
    "an end that is a way out": (
        settings(ends_on=("that is it", "cancel")),
        "ends on 'cancel', which pauses the process before it is heard. Choose other words for ends_on.",
    ),
    "a skip that is a way out": (
        answers(name=(str, ask("Name?", default="", skip_words=("stop",)))),
        "leaves 'name' out on 'stop', which pauses the process before it is heard.",
    ),
    "bounds that exclude each other": (
        answers(age=(int, ask("Age?", gt=150, lt=0))),
        "asks for 'age' with gt=150 and lt=0: no answer is both.",
    ),
    "an option that is another's word": (
        answers(size=(str, ask("Size?", options=(Option(label="Small", words=("s",)), Option(label="S"))))),
        "has the option 'S' at step 'gathering_size', whose own words are read as another's: saying it chooses 'Small'.",
    ),
    "an option that is refused": (
        answers(count=(int, ask("How many?", options=("2", "20"), lt=10))),
        "offers '20' for 'count' and would refuse it",
    ),
    "more of a few options than there are": (
        answers(of=(list[Literal["a", "b"]], ask("Of?", min_length=3))),
        "asks for at least 3 of 2 options of 'of': no answer is so many. Change min_length.",
    ),
    "an option of a list that is refused": (
        answers(sizes=(list[int], ask("Sizes?", options=("2", "few"), min_length=2))),
        "offers 'few' for 'sizes' and would refuse it",
    ),
    "an option of a list that is another's word": (
        answers(of=(list[str], ask("Of?", options=(Option(label="Small", words=("s",)), Option(label="S"))))),
        "has the option 'S' at step 'gathering_of', whose own words are read as another's: saying it chooses 'Small'.",
    ),
    "an option of another type": (
        answers(count=(int, ask("How many?", options=("2", "few")))),
        "offers 'few'",
    ),
    "a timeout in seconds": (settings(idle_timeout=900), "has idle_timeout = 900. It is a timedelta"),
    "no migration": (settings(on_new_version="migrate"), "has no migrate()"),
}


@pytest.mark.parametrize(("process", "says"), SURE.values(), ids=SURE.keys())
def test_what_is_surely_wrong_stops_the_start(process: type[Process], says: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        define(process)
    assert says in refused.value.message
    assert refused.value.message.startswith("Process 'wrong' (")


def test_the_file_and_the_line_are_told() -> None:
    with pytest.raises(DefinitionError) as refused:
        define(goes_astray)
    here = Path(__file__).read_text(encoding="utf-8").splitlines()
    line = refused.value.details["line"]
    assert here[line - 1].strip() == 'return Goto("othre")'
    assert refused.value.message.endswith(f"It is line {line} of {__file__}.")


def test_a_check_without_brackets_is_no_check_and_is_refused_at_once() -> None:
    async def affordable(self: Process, answers: Named, turn: Turn) -> None: ...

    with pytest.raises(TypeError, match="affordable is called: write @check\\(\\) for all answers"):
        check(affordable)  # type: ignore[arg-type] # the mistake


@does(asks="Which?")
async def keeps_half(self: Process, said: Turn, data: Shelf) -> Outcome:
    data.rows.append(said.message)
    if len(data.rows) > 3:
        return Goto("other")
    return Ask("And?", data=data)


@does(asks="Which?")  # noqa: RET503 - the mistake
async def ends_sometimes(  # type: ignore[return] # the mistake
    self: Process, said: Turn, data: Shelf
) -> Outcome:
    if said.message:
        return Goto("other")


@does(asks="Which?")
async def remembers_itself(self: Any, said: Turn, data: Shelf) -> Outcome:
    self.last = said.message
    return Goto("other")


class LooksAhead(Process, name="wrong", version=1):
    class Answers(BaseModel):
        first: str = ask("First?")
        second: str = ask("Second?")

    @check("first")
    async def known(self, answers: Answers, turn: Turn) -> Wrong | None:
        return Wrong("first", "No.") if answers.second else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("x")


class Unmarked(Plain, name="wrong"):
    async def affordable(self, answers: Named, turn: Turn) -> Wrong | None:
        return None


class Moved(Plain, name="wrong"):
    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return data, step


SUSPICIOUS = {
    "state that is lost on one way": (
        keeps_half,
        "changes 'data' at step 'single' and returns Goto without it",
    ),
    "a way without outcome": (ends_sometimes, "has single(), which may end without an outcome."),
    "state on the instance": (remembers_itself, "changes itself in single(). One instance serves everybody"),
    "a check that looks ahead": (
        LooksAhead,
        "has a check 'known' of first that reads 'second', which is asked later: it fails until then. "
        "Name it, too: @check('first', 'second').",
    ),
    "a check that is none": (Unmarked, "has affordable(), which is called by nobody. Put @check(…) above it"),
    "a migration that nobody asks for": (
        Moved,
        'has migrate, which does nothing without on_new_version = "migrate".',
    ),
    "an offer that nobody gets": (
        settings(offer_text="Shall we?"),
        "has offer_text, which does nothing without offer_when().",
    ),
    "the same question twice": (
        answers(a=(str, ask("Who?")), b=(str, ask("Who? "))),
        "asks for 'a' and 'b' with the same question",
    ),
    "kept for less than it waits": (
        settings(idle_timeout=timedelta(hours=2), retention=timedelta(hours=1)),
        "what it pauses is gone at once. Make retention longer.",
    ),
    "fresh for longer than it is kept": (
        settings(retention=timedelta(days=1), freshness=timedelta(days=2)),
        "nothing is ever asked again. Make freshness shorter.",
    ),
    "options of one value": (
        answers(of=(str, ask("Of?", options=(Option(label="A", value="x"), Option(label="B", value="x"))))),
        "has the options 'A' and 'B' at step 'gathering_of' with the same value 'x'.",
    ),
    "a default that breaks its constraint": (
        answers(age=(int, ask("Age?", default=0, gt=0))),
        "has 0 as the default of 'age', which no person could answer",
    ),
    "a question that nobody is asked": (
        answers(name=(str, ask("Name?")), age=(str, "How old are you?")),
        "has a question as the default of 'age', and asks nobody. Write: age: str = ask('How old are you?')",
    ),
    "a condition on itself": (
        answers(name=(str, ask("Name?")), age=(int, ask("Age?", default=0, when=lambda a: a.age > 3))),
        "asks for 'age' only when it knows itself, and the other way round: it never asks.",
    ),
    "conditions on each other": (
        answers(
            name=(str, ask("Name?")),
            a=(int, ask("A?", default=0, when=lambda a: a.b > 3)),
            b=(int, ask("B?", default=0, when=lambda a: a.a > 3)),
        ),
        "asks for 'a' only when it knows b",
    ),
    "a start that is a way out": (
        settings(starts_on=("stop",)),
        "starts on 'stop', which pauses the process",
    ),
}


@pytest.mark.parametrize(("process", "says"), SUSPICIOUS.values(), ids=SUSPICIOUS.keys())
def test_what_may_be_meant_starts_and_is_told_by_check(process: type[Process], says: str) -> None:
    (found,) = suspicious(define(process))
    assert says in found.what
    assert (Path(found.path) == Path(__file__)) == (found.line > 0)


class Careful(Process, name="careful", version=2):
    """Everything here looks like a mistake, and is none."""

    starts_on = ("begin with care",)
    retention = timedelta(days=3)
    freshness = timedelta(days=1)
    subjects = ("its own, and read below",)
    on_new_version = "migrate"

    class Answers(BaseModel):
        name: str = ask("Name?", default="")
        size: Literal["small", "large"] = ask("Size?", default="small")
        price: Decimal = ask("Price?", default=0, ge=0)
        lines: list[str] = ask("Rows?", default=[])
        other: str | None = ask("Other?", default=None, when=lambda a: a.size == "large" and a.name)

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return data, step

    @step(asks="Which?", goes_to=("look", "gathering"), first=True)
    async def look(self, said: Turn, data: Shelf) -> Outcome:
        while said.message not in self.subjects:
            data.rows.append(said.message)
            if len(data.rows) > 3:
                break
            return Ask("And?", data=data)
        try:
            data.note = said.message
        finally:
            data.seen.clear()
        match len(data.rows):
            case 0:
                return self._ends(data)
            case 1:
                return Done("x")  # at the end nobody needs what is changed
            case _:
                raise ValueError(said.message)

    def _ends(self, data: Shelf) -> Outcome:
        return Goto("gathering", data=data)

    @step(goes_to=("gathering",))
    async def elsewhere(self, said: Turn, data: Shelf) -> Outcome:
        copy = data.model_copy(deep=True)
        copy.rows.append("only for these words")
        return Release(say=", ".join(copy.rows))

    @check("size", goes_to=("elsewhere",))
    async def fits(self, answers: Answers, turn: Turn) -> Wrong | Goto | None:
        if answers.size == "large":
            return Wrong("size", answers.model_dump_json())
        return Goto("elsewhere", forget=("size",)) if answers.name else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.model_fields_set}{answers.other}")


def test_what_only_looks_like_a_mistake_is_left_alsingle() -> None:
    assert list(suspicious(define(Careful))) == []


def test_bundled_processes_which_no_start_looks_through_have_no_sure_mistake(tmp_path: Path) -> None:
    bundled = build(Settings(database_url=f"sqlite:///{tmp_path}/x.db")).registry.definitions()

    assert {"onboarding", "standup", "planning"} <= {definition.name for definition in bundled}
    assert [one for definition in bundled for one in in_definition(definition) if one.sure] == []
