"""People's own keys: sealed in the store, opened for their turns, and never in clear anywhere else."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from softrail.core.errors import ModelKeysOff, ModelUnavailable
from softrail.core.people import Person
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest
from softrail.models import PlainModel, ScriptedModel
from softrail.models.own_keys import MOST_ACCOUNTS, OwnKeys, sealed_anew
from softrail.models.vault import Vault

CANARY = "sk-canary-0123456789"
OLD, NEW = "o" * 40, "n" * 40
REQUEST = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="hello")])
ADA = Person(id="ada", email="ada@example.org", has_model_key=True)


class Kept:
    """Sealed keys in a dictionary."""

    def __init__(self) -> None:
        self.sealed: dict[str, str] = {}
        self.reads = 0

    async def model_key(self, person_id: str) -> str | None:
        self.reads += 1
        return self.sealed.get(person_id)

    async def set_model_key(self, person_id: str, sealed: str | None, *, was: str | None = None) -> bool:
        if was is not None and self.sealed.get(person_id) != was:
            return False
        self.sealed.pop(person_id, None)
        if sealed is not None:
            self.sealed[person_id] = sealed
        return True

    async def model_keys(self) -> Mapping[str, str]:
        return dict(self.sealed)


class Account:
    """A model that says whose key it has, or refuses it."""

    def __init__(self, key: str, *, status: int | None = None, after: str = "") -> None:
        self.name = "claude-own"
        self.key = key
        self._status = status
        self._after = after

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        if self._status is not None:
            raise ModelUnavailable("no", status=self._status)
        return ModelAnswer(text=f"paid with {self.key}", model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        if self._after:
            yield self._after
        yield await self.answer(request)


def keys(
    store: Kept,
    *secrets: str,
    system: Model | None = None,
    own: Callable[[str], Model] | None = Account,
) -> OwnKeys:
    return OwnKeys(store, Vault(secrets) if secrets else None, system=system or PlainModel(), own=own)


def test_what_is_sealed_opens_for_its_owner_alone_and_shows_nothing() -> None:
    vault = Vault([NEW])
    sealed = vault.seal("ada", CANARY)

    assert vault.open("ada", sealed) == CANARY
    assert vault.open("bob", sealed) is None
    assert vault.open("ada", sealed[:-4] + "AAA=") is None
    assert vault.open("ada", "ä") is None
    assert CANARY not in sealed
    assert vault.seal("ada", CANARY) != sealed
    assert NEW not in repr(vault)


async def test_a_persons_key_is_kept_sealed_and_pays_for_their_turns() -> None:
    store = Kept()
    own = keys(store, NEW)
    await own.keep("ada", CANARY)

    model = await own.model_of(ADA)

    assert model is not None
    assert model.name == "claude-own"
    assert (await model.answer(REQUEST)).text == f"paid with {CANARY}"
    assert CANARY not in str(store.sealed)
    assert await own.standing(ADA) == "used"


async def test_nobodys_turn_without_a_key_looks_into_the_store() -> None:
    store = Kept()

    assert await keys(store, NEW).model_of(Person(id="bob", email="bob@example.org")) is None

    assert store.reads == 0


async def test_a_key_that_was_erased_is_used_no_more_even_by_who_still_thinks_it_is_there() -> None:
    store = Kept()
    own = keys(store, NEW)
    await own.keep("ada", CANARY)
    await own.drop("ada")

    assert await own.model_of(ADA) is None
    assert await own.standing(ADA) == "none"


async def test_a_new_first_secret_opens_what_the_old_one_sealed() -> None:
    store = Kept()
    await keys(store, OLD).keep("ada", CANARY)

    assert await keys(store, NEW, OLD).standing(ADA) == "used"
    assert await sealed_anew(store, Vault([NEW, OLD])) == (1, 0)
    assert await keys(store, NEW).standing(ADA) == "used"
    assert await keys(store, OLD).standing(ADA) == "unreadable"


async def test_a_lost_secret_leaves_the_key_unread_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Kept()
    await keys(store, OLD).keep("ada", CANARY)
    own = keys(store, NEW)

    with caplog.at_level(logging.DEBUG):
        assert [await own.model_of(ADA) for _ in range(3)] == [None, None, None]

    assert await own.standing(ADA) == "unreadable"
    assert [r.levelname for r in caplog.records] == ["ERROR"]
    assert "SOFTRAIL_SECRET_KEY" in caplog.text
    assert await keys(store).standing(ADA) == "unreadable"  # no secret at all any more
    assert await sealed_anew(store, Vault([NEW])) == (0, 1)
    assert store.sealed  # what cannot be read now may be readable again


async def test_without_a_secret_nothing_is_stored_and_it_says_what_to_do() -> None:
    store = Kept()
    with pytest.raises(ModelKeysOff, match="SOFTRAIL_SECRET_KEY") as raised:
        await keys(store).keep("ada", CANARY)

    assert store.sealed == {}
    assert CANARY not in str(raised.value)


async def test_a_server_whose_model_takes_no_keys_keeps_none() -> None:
    store = Kept()
    with pytest.raises(ModelKeysOff, match="SOFTRAIL_MODEL"):
        await keys(store, NEW, own=None).keep("ada", CANARY)
    await keys(store, NEW).keep("ada", CANARY)

    plain = keys(store, NEW, own=None)
    assert await plain.model_of(ADA) is None
    assert await plain.standing(ADA) == "unused"


@pytest.mark.parametrize("status", [401, 403])
async def test_where_the_provider_refuses_the_key_the_systems_answers(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    store = Kept()
    system = ScriptedModel(["first", "second"])
    own = keys(store, NEW, system=system, own=lambda key: Account(key, status=status))
    await own.keep("ada", CANARY)
    model = await own.model_of(ADA)
    assert model is not None

    assert (await model.answer(REQUEST)).text == "first"
    pieces = [piece async for piece in model.stream(REQUEST)]

    assert pieces[0] == "second"
    assert len(caplog.records) == 1
    assert CANARY not in caplog.text


@pytest.mark.parametrize(
    ("status", "after"), [(429, ""), (None, "words"), (401, "words")], ids=["busy", "fine", "begun"]
)
async def test_anything_else_is_not_paid_by_the_system(status: int | None, after: str) -> None:
    store = Kept()
    system = ScriptedModel([])
    own = keys(store, NEW, system=system, own=lambda key: Account(key, status=status, after=after))
    await own.keep("ada", CANARY)
    model = await own.model_of(ADA)
    assert model is not None

    if status is None:
        await model.answer(REQUEST)
    else:
        with pytest.raises(ModelUnavailable):
            [piece async for piece in model.stream(REQUEST)]

    assert system.requests == []


async def test_a_refused_key_is_a_failing_model_where_the_system_has_none() -> None:
    store = Kept()
    own = keys(store, NEW, own=lambda key: Account(key, status=401))
    await own.keep("ada", CANARY)
    model = await own.model_of(ADA)
    assert model is not None

    with pytest.raises(ModelUnavailable):
        await model.answer(REQUEST)


async def test_models_are_kept_per_key_but_not_without_end() -> None:
    store = Kept()
    own = keys(store, NEW)
    people = [Person(id=f"p{n}", email=f"p{n}@x", has_model_key=True) for n in range(MOST_ACCOUNTS + 10)]
    for person in people:
        await own.keep(person.id, f"{CANARY}-{person.id}")
        await own.model_of(person)

    again = await own.model_of(people[-1])

    assert again is await own.model_of(people[-1])
    assert len(own._kept) == MOST_ACCOUNTS
    assert CANARY not in repr(own._kept)
