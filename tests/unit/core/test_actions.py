"""Actions: what is said when one is registered, what it takes, and what it gives."""

import asyncio
from datetime import timedelta
from typing import Annotated, Any, Protocol

import pytest
from pydantic import BaseModel, Field

from softrail import action
from softrail.core.action_definition import define_action
from softrail.core.actions import Attempt
from softrail.core.errors import DefinitionError, StepFailed, UnknownAction, WrongArguments
from softrail.registry.actions import Actions

TRY = Attempt(key="r1:3")


class Findings(BaseModel):
    answer: str = Field(min_length=1)


class Length(BaseModel):
    words: int


class Bank(Protocol):
    async def pay(self, key: str, cents: int) -> str: ...


class PaperBank:
    """Pays once for each key."""

    def __init__(self) -> None:
        self.paid: dict[str, int] = {}

    async def pay(self, key: str, cents: int) -> str:
        self.paid.setdefault(key, cents)
        return f"receipt {key}"


@action(repeatable=True)
async def count(found: Findings) -> Length:
    """Counts the words of an answer.

    More about it.
    """
    return Length(words=len(found.answer.split()))


@action(confirm=True)
async def pay(
    cents: Annotated[int, Field(gt=0, description="How much")], bank: Bank, attempt: Attempt, to: str = "rent"
) -> str:
    """Pays something."""
    return f"{to}: {await bank.pay(attempt.key, cents)}"


async def test_an_action_knows_its_words_its_arguments_and_its_schema() -> None:
    found = define_action(count)

    assert (found.name, found.description) == ("count", "Counts the words of an answer.")
    assert (found.repeatable, found.confirm) == (True, False)
    assert found.schema["required"] == ["found"]
    assert "answer" in found.schema["$defs"]["Findings"]["properties"]


async def test_arguments_become_values_and_the_result_has_its_type() -> None:
    assert await define_action(count).run({"found": {"answer": "two words"}}, TRY) == Length(words=2)


async def test_an_action_is_still_the_function_that_it_was() -> None:
    assert await count(Findings(answer="one two three")) == Length(words=3)


async def test_services_and_the_key_are_handed_in_and_are_no_arguments() -> None:
    bank = PaperBank()
    found = define_action(pay, services={Bank: bank})

    assert await found.run({"cents": 700}, TRY) == "rent: receipt r1:3"
    await found.run({"cents": 700}, Attempt(key="r1:3", number=2))

    assert list(found.schema["properties"]) == ["cents", "to"]
    assert found.schema["properties"]["cents"]["description"] == "How much"
    assert bank.paid == {"r1:3": 700}


async def test_a_plain_function_runs_in_a_thread_and_tells_how_far_it_is() -> None:
    told: list[tuple[float, float | None, str]] = []

    @action
    def read(rows: int, attempt: Attempt) -> int:
        """Reads rows."""
        attempt.tell(rows, 10, "rows")
        return rows

    def tell(done: float, total: float | None = None, text: str = "") -> None:
        told.append((done, total, text))

    assert await define_action(read).run({"rows": "4"}, Attempt(key="k", tell=tell)) == 4
    assert told == [(4, 10, "rows")]


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"cents": 0}, "cents", "cents: Input should be greater than 0"),
        ({}, "cents", "cents: Field required"),
        ({"cent": 5, "cents": 5}, "cent", "cent: there is no such argument; did you mean 'cents'?"),
        ({"cents": 5, "bank": {}}, "bank", "bank: there is no such argument"),
        ({"cents": 5, "attempt": {"key": "mine"}}, "attempt", "attempt: there is no such argument"),
    ],
    ids=["out of range", "missing", "misspelt", "a service", "the key"],
)
async def test_wrong_arguments_are_named_and_nothing_is_called(
    given: dict[str, Any], path: str, words: str
) -> None:
    bank = PaperBank()
    found = define_action(pay, services={Bank: bank})

    with pytest.raises(WrongArguments) as refused:
        await found.run(given, TRY)

    assert words in refused.value.message
    assert "It takes: cents, to." in refused.value.message
    assert [one["path"] for one in refused.value.details["fields"]] == [path]
    assert bank.paid == {}


async def test_a_fault_deep_in_an_argument_has_its_whole_path() -> None:
    with pytest.raises(WrongArguments, match=r"found\.answer: String should have at least 1 character"):
        define_action(count).checked({"found": {"answer": ""}})


async def test_an_action_that_raises_hangs_or_gives_something_else_is_told() -> None:
    @action
    async def raises(n: int) -> int:
        """Raises."""
        raise KeyError("gone")

    @action(limit=timedelta(milliseconds=1))
    async def hangs(n: int) -> int:
        """Hangs."""
        await asyncio.Event().wait()
        return n

    @action
    async def lies(n: int) -> Length:
        """Gives a text."""
        return "many"  # type: ignore[return-value] # that is the fault

    for one, kind, words in (
        (raises, "raised", "The action 'raises' raised KeyError"),
        (hangs, "hung", "The action 'hangs' did not end within 0.001 s"),
        (lies, "not_an_outcome", "The action 'lies' gave a str, which is not what it declares"),
    ):
        with pytest.raises(StepFailed, match=words) as failed:
            await define_action(one).run({"n": 1}, TRY)
        assert failed.value.kind == kind


async def test_whoever_calls_may_shorten_the_limit_and_not_lengthen_it() -> None:
    @action(limit=timedelta(milliseconds=1))
    async def hangs() -> None:
        """Hangs."""
        await asyncio.Event().wait()

    with pytest.raises(StepFailed, match=r"within 0\.001 s"):
        await define_action(hangs).run({}, TRY, limit=timedelta(hours=1))


def untyped(n) -> int:  # type: ignore[no-untyped-def] # that is the fault
    """Has no type."""
    return int(n)


def any_typed(n: Any) -> int:
    """Is not typed either."""
    return int(n)


def silent(n: int) -> int:
    return n


def endless(*n: int) -> int:
    """Takes any number."""
    return sum(n)


def wordless(n: int):  # type: ignore[no-untyped-def] # that is the fault
    """Does not say what it gives."""
    return n


def in_need(bank: Bank) -> str:
    """Needs a bank."""
    return str(bank)


def gives_a_bank() -> Bank:
    """Gives what JSON cannot say."""
    return PaperBank()


def kept(copy: str) -> str:
    """Has a name of Pydantic's."""
    return copy


def unreadable(n: "Nowhere") -> str:  # type: ignore[name-defined] # noqa: F821 - that is the fault
    """Has a type that is not there."""
    return str(n)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (untyped, "has the parameter 'n' without a type"),
        (any_typed, "has the parameter 'n' without a type"),
        (silent, "has no docstring"),
        (endless, r"has the parameter \*n: int"),
        (wordless, "does not say what it returns"),
        (in_need, r"has the parameter 'bank' \(Bank\), which is neither .* Services: none"),
        (gives_a_bank, "returns 'Bank', which cannot be written as JSON"),
        (kept, "has an argument 'copy', a name that Pydantic keeps"),
        (unreadable, "has an annotation that cannot be read"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_is_wrong_with_an_action_is_said_when_it_is_registered(function: Any, words: str) -> None:
    with pytest.raises(DefinitionError, match=words) as refused:
        Actions([action(function)])
    assert refused.value.message.startswith(f"Action {function.__name__!r} (")


def test_names_and_limits_are_checked_as_well() -> None:
    for options, words in (
        ({"name": "Bad Name"}, "a name that is not usable"),
        ({"limit": timedelta(0)}, "limit"),
    ):
        marked = action(**options)(lambda: None)
        marked.__doc__ = "Something."
        with pytest.raises(DefinitionError, match=words):
            define_action(marked)


def test_what_is_no_function_and_what_is_no_action_is_refused() -> None:
    with pytest.raises(DefinitionError, match="which is no function"):
        action(Length)
    with pytest.raises(DefinitionError, match="Put @action above the function"):
        Actions([len])


def test_a_service_that_may_be_missing_is_none_where_it_is_missing() -> None:
    @action
    def maybe(bank: Bank | None) -> bool:
        """Needs a bank, if there is one."""
        return bank is None

    found = define_action(maybe)
    assert (found.services, list(found.arguments.model_fields)) == ({"bank": None}, [])


def test_two_actions_of_one_name_are_refused_and_unknown_ones_named() -> None:
    actions = Actions([count])
    other = action(name="count")(in_need)

    with pytest.raises(
        DefinitionError, match=r"'count' is registered already \(.*\.count\)\. Give .*in_need"
    ):
        Actions([count, other], services={Bank: PaperBank()})
    with pytest.raises(UnknownAction, match=r"There is no action named 'cuont'\. There are: count\."):
        actions.get("cuont")
    assert [one.name for one in actions.all()] == ["count"]
    assert actions.find("cuont") is None
