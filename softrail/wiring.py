"""What plugins bring besides processes and intents: tables, settings, services, deliverers, long work."""

import difflib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from softrail.core.errors import DefinitionError, SoftrailError
from softrail.core.execution import Work
from softrail.core.ports import Deliverer, Store
from softrail.core.replies import ReplyForm
from softrail.registry.discovery import (
    DELIVERERS,
    REPLY,
    SERVICES,
    SETTINGS,
    TABLES,
    WORKS,
    Part,
    entries,
    found,
)
from softrail.settings import TOML_FILE, PluginSettings, SettingsError, sections
from softrail.store import PluginTables, SqlStore

T = TypeVar("T")

log = logging.getLogger(__name__)


def tables_of(parts: Iterable[Part]) -> tuple[PluginTables, ...]:
    """The tables that the parts announce.

    Raises:
        DefinitionError: What is announced cannot be used. Unlike other things it is not passed over: what
            people have told it would seem to be gone.
    """
    brought: dict[str, PluginTables] = {}
    for part, entry in entries(parts, TABLES):
        one = part.load(entry)
        if not isinstance(one, PluginTables):
            raise DefinitionError(f"{part.where(entry)} is not a PluginTables.")
        brought.setdefault(one.name, one)
    return tuple(brought.values())


def at_home(parts: Iterable[Part], store: Store) -> tuple[list[Part], list[str]]:
    """The parts whose tables, if they have any, are in the store; and a sentence for each installed one that is left out.

    A store that is opened for an application by itself has them all. One that is handed over may lack them, and
    a part without its tables could only fail at everybody.
    """
    kept = {one.name for one in getattr(store, "plugins", ())}
    there: list[Part] = []
    left_out: list[str] = []
    for part in parts:
        missing = [one.name for one in tables_of([part]) if one.name not in kept]
        if not missing:
            there.append(part)
        elif not part.bundled:
            left_out.append(
                f"{part.name} is left out: the store that was handed over lacks its tables {', '.join(missing)}. "
                "Open it with plugins=plugin_tables()."
            )
    return there, left_out


def reply_form(parts: Sequence[Part]) -> tuple[ReplyForm, list[str]]:
    """The form of a reply with the fields that the parts announce, and a sentence for each that cannot be used.

    Those of the bundled parts are always there, null where the part is left out: clients rely on them.
    """
    form, faults = ReplyForm(), list[str]()
    bundled = found(installed=False)
    for some in (bundled, [part for part in parts if not part.bundled]):
        for part, entry in entries(some, REPLY):
            try:
                fields = part.load(entry)
                if not (isinstance(fields, type) and issubclass(fields, BaseModel)):
                    raise DefinitionError(f"{part.where(entry)} is no pydantic model.")
                form.add(fields)
            except DefinitionError as error:
                faults.append(
                    error.message
                    if part.where(entry) in error.message
                    else f"{part.where(entry)}: {error.message}"
                )
    return form, faults


class ReadTables:
    """The plugins' tables of a store, to be read. Implements `Tables`."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def read(self, fn: Callable[[Any], T]) -> T:
        """Run `fn` with a connection."""
        return await self._store.read(fn)


class ServiceSet:
    """The services there are so far; a plugin's function is called with it. Implements `Services`."""

    def __init__(self, base: Mapping[type, object], given: Mapping[type, object]) -> None:
        """Those of the application, and those that `build` was given, which nothing replaces."""
        self._found = {**base, **given}
        self._given = given

    def find_service(self, wanted: type[T]) -> T | None:
        """The service of that type, or None."""
        return cast("T | None", self._found.get(wanted))

    def service(self, wanted: type[T]) -> T:
        """The service of that type; raises DefinitionError when there is none."""
        one = self.find_service(wanted)
        if one is None:
            known = ", ".join(sorted(kind.__name__ for kind in self._found))
            raise DefinitionError(f"There is no service {wanted.__name__}. There are: {known}.")
        return one

    def add(self, brought: Mapping[type, object]) -> None:
        """Make more services known; one that was there is replaced, unless `build` was given it."""
        self._found.update((kind, one) for kind, one in brought.items() if kind not in self._given)

    def all_but(self, hidden: Iterable[type]) -> dict[type, object]:
        """What processes and handlers may ask for."""
        return {kind: one for kind, one in self._found.items() if kind not in set(hidden)}


def add_settings(services: ServiceSet, parts: Sequence[Part]) -> list[str]:
    """Make the plugins' settings known, each by its class; what could not be used, one sentence each.

    Raises:
        SettingsError: A value cannot be used, or `softrail.toml` has a table that belongs to no plugin.
    """
    faults: list[str] = []
    for part, entry in entries(parts, SETTINGS):
        try:
            kind = part.load(entry)
            if not (isinstance(kind, type) and issubclass(kind, PluginSettings)):
                raise DefinitionError(f"{part.where(entry)} is not a class derived from PluginSettings.")
        except DefinitionError as error:
            faults.append(error.message)
            continue
        if services.find_service(kind) is None:
            services.add({kind: kind.loaded()})
    _check_sections()
    return faults


def _check_sections() -> None:
    known = sorted(entry.name for _, entry in entries(found(), SETTINGS))
    for name in sections():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean [{near[0]}]?" if near else ""
            raise SettingsError(
                f"{TOML_FILE}: nothing that is installed has settings in a table [{name}].{hint}"
            )


def add_services(services: ServiceSet, parts: Sequence[Part]) -> list[str]:
    """Call every plugin's function with what there is so far and make known what it gives, the bundled ones first."""
    faults: list[str] = []
    ordered = [p for p in parts if p.bundled], [p for p in parts if not p.bundled]
    for part, entry in (one for some in ordered for one in entries(some, SERVICES)):
        brought = _called(part, entry, services, faults)
        wrong = [kind for kind in brought if not isinstance(kind, type)]
        if wrong:
            faults.append(
                f"{part.where(entry)} gave {wrong[0]!r} as the type of a service, which is no type."
            )
            continue
        services.add(brought)
    return faults


def deliverers_of(
    services: ServiceSet, parts: Sequence[Part], given: Mapping[str, Deliverer]
) -> tuple[dict[str, Deliverer], list[str]]:
    """Who delivers which kind of `after_commit` effect; those that `build` was given win."""
    return _by_kind(
        services,
        parts,
        given,
        DELIVERERS,
        lambda kind: f"effects of kind {kind!r} are delivered by another plugin.",
    )


def works_of(
    services: ServiceSet, parts: Sequence[Part], given: Mapping[str, Work]
) -> tuple[dict[str, Work], list[str]]:
    """The long work there is, by its kind; what `build` was given wins."""
    return _by_kind(services, parts, given, WORKS, lambda kind: f"work of kind {kind!r} is another plugin's.")


def _by_kind(
    services: ServiceSet,
    parts: Sequence[Part],
    given: Mapping[str, T],
    group: str,
    taken: Callable[[str], str],
) -> tuple[dict[str, T], list[str]]:
    """What plugins announce in a group, one for each kind; the second for a kind is a fault, which `taken` tells."""
    faults: list[str] = []
    brought: dict[str, T] = {}
    for part, entry in entries(parts, group):
        for kind, one in _called(part, entry, services, faults).items():
            if kind in brought:
                faults.append(f"{part.where(entry)}: {taken(kind)}")
                continue
            brought[kind] = one
    return {**brought, **given}, faults


def _called(part: Part, entry: Any, services: ServiceSet, faults: list[str]) -> Mapping[Any, Any]:
    """What an announced function gives; nothing, and a fault more, where it cannot be used."""
    try:
        function: Callable[[ServiceSet], Any] = part.load(entry)
        brought = function(services) if callable(function) else function
        if not isinstance(brought, Mapping):
            raise DefinitionError(f"{part.where(entry)} gave {type(brought).__name__}, and not a mapping.")
    except SettingsError:
        raise
    except DefinitionError as error:
        faults.append(
            error.message if part.where(entry) in error.message else f"{part.where(entry)}: {error.message}"
        )
    except SoftrailError as error:
        faults.append(f"{part.where(entry)}: {error.message}")
    except Exception as error:
        log.debug("A plugin's function failed.", exc_info=error)
        faults.append(f"{part.where(entry)} failed: {type(error).__name__}: {error}")
    else:
        return brought
    return {}
