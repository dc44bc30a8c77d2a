"""People's own keys: whose account pays for a turn, and how the keys are kept."""

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol

from softrail.core.errors import ModelKeysOff, ModelUnavailable
from softrail.core.keys import KeyStanding
from softrail.core.people import Person
from softrail.core.ports import Model, ModelAnswer, ModelRequest
from softrail.core.streams import closing
from softrail.models.bounds import REFUSED_KEY
from softrail.models.plain import is_plain

if TYPE_CHECKING:
    from softrail.models.vault import Vault

log = logging.getLogger(__name__)

MOST_ACCOUNTS: Final = 256  #: whose models are kept


class SealedKeys(Protocol):
    """Where sealed keys are kept: the part of the store that is needed here."""

    async def model_key(self, person_id: str) -> str | None:
        """The sealed key."""
        ...

    async def set_model_key(self, person_id: str, sealed: str | None, *, was: str | None = None) -> bool:
        """Keep it, or erase it."""
        ...

    async def model_keys(self) -> Mapping[str, str]:
        """All of them."""
        ...


class OwnKeys:
    """Keeps people's keys sealed, and gives the model on their own account. Implements `ModelKeys`."""

    def __init__(
        self,
        store: SealedKeys,
        vault: "Vault | None",
        *,
        system: Model,
        own: Callable[[str], Model] | None,
        warm: Callable[[], Awaitable[None]] | None = None,
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Make it.

        Args:
            store: Where sealed keys are kept.
            vault: Seals them; None: no keys are kept.
            system: The model that everybody else uses.
            own: The same model on the account of a key; None: it takes no keys.
            warm: Loads what the first call would wait for.
            close: Gives the connections of all of them back.
        """
        self._store = store
        self._vault = vault
        self._system = system
        self._own = own
        self._warm = warm
        self._close = close
        self._kept: OrderedDict[str, Model] = OrderedDict()
        self._told: set[str] = set()

    async def model_of(self, person: Person) -> Model | None:
        """The model on the person's own account; None: the system's is asked."""
        if not person.has_model_key or self._own is None:
            return None
        key = self._opened(person.id, await self._store.model_key(person.id))
        return None if key is None else self._model(key)

    async def standing(self, person: Person) -> KeyStanding:
        """What becomes of the person's key."""
        sealed = await self._store.model_key(person.id)
        if sealed is None:
            return "none"
        if self._own is None:
            return "unused"
        return "unreadable" if self._opened(person.id, sealed) is None else "used"

    async def keep(self, person_id: str, key: str) -> None:
        """Keep the key, sealed; it replaces the one before. Raises ModelKeysOff where none can be kept."""
        if self._vault is None:
            raise ModelKeysOff(
                "This server keeps no model keys, because it has no secret to seal them with. Whoever runs it sets "
                "SOFTRAIL_SECRET_KEY to 32 or more random characters and starts it again. Nothing was stored."
            )
        if self._own is None:
            raise ModelKeysOff(
                "This server uses no model that takes keys: SOFTRAIL_MODEL is set to one that needs none. "
                "Nothing was stored."
            )
        await self._store.set_model_key(person_id, self._vault.seal(person_id, key))

    async def drop(self, person_id: str) -> None:
        """Erase the key, if there is one."""
        await self._store.set_model_key(person_id, None)

    async def warm(self) -> None:
        """Load what the first call would wait for."""
        if self._warm is not None:
            await self._warm()

    async def aclose(self) -> None:
        """Give connections back."""
        self._kept.clear()
        if self._close is not None:
            await self._close()

    def _opened(self, person_id: str, sealed: str | None) -> str | None:
        if sealed is None:
            return None
        key = self._vault.open(person_id, sealed) if self._vault is not None else None
        if key is None and person_id not in self._told:
            self._told.add(person_id)
            log.error(
                "The model key of person %s cannot be read: it was sealed with another SOFTRAIL_SECRET_KEY. "
                "The system's key is used until they set theirs again.",
                person_id,
            )
        return key

    def _model(self, key: str) -> Model:
        name = sha256(key.encode()).hexdigest()
        if name not in self._kept:
            assert self._own is not None  # noqa: S101 - narrowed by the caller
            self._kept[name] = OwnFirst(self._own(key), self._system)
        self._kept.move_to_end(name)
        while len(self._kept) > MOST_ACCOUNTS:
            self._kept.popitem(last=False)
        return self._kept[name]


class OwnFirst:
    """A `Model` on a person's own account; where the provider refuses their key, the system's answers."""

    def __init__(self, own: Model, system: Model) -> None:
        self._own = own
        self._system = system
        self._told = False

    @property
    def name(self) -> str:
        """That of the person's own."""
        return self._own.name

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The answer of the first that gives one."""
        try:
            return await self._own.answer(request)
        except ModelUnavailable as error:
            self._pass_on(error)
        return await self._system.answer(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The pieces of the first that gives any."""
        begun = False
        try:
            async with closing(self._own.stream(request)) as pieces:
                async for piece in pieces:
                    begun = True
                    yield piece
                return
        except ModelUnavailable as error:
            if begun:
                raise
            self._pass_on(error)
        async with closing(self._system.stream(request)) as pieces:
            async for piece in pieces:
                yield piece

    def _pass_on(self, error: ModelUnavailable) -> None:
        """Return when the system's model is to be asked; raise what happened when not."""
        if error.details.get("status") not in REFUSED_KEY or is_plain(self._system):
            raise error
        if not self._told:
            self._told = True
            log.warning("The model's provider refuses a person's own key: the system's is used instead.")


async def sealed_anew(store: SealedKeys, vault: "Vault") -> tuple[int, int]:
    """Seal every kept key with the vault's first secret; how many were, and how many could not be opened."""
    done = lost = 0
    for person_id, sealed in (await store.model_keys()).items():
        key = vault.open(person_id, sealed)
        if key is None:
            lost += 1
        elif await store.set_model_key(person_id, vault.seal(person_id, key), was=sealed):
            done += 1
    return done, lost
