"""Which processes and intents exist."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Final, TypeVar, cast

from softrail.core.errors import DefinitionError, UnknownProcess
from softrail.core.instances import Instance
from softrail.core.intents import GENERAL, GREETING, IntentDefinition
from softrail.core.ports import Handler
from softrail.language import Language, normal
from softrail.language.text import Names, spoken, squeezed
from softrail.processes import Definition, Process, define
from softrail.registry.intents import check_intent

T = TypeVar("T")
_NAMING: Final = 2  #: words that a process is called by where nothing else is understood: "daily check-in"
_NEVER: Final = re.compile(r"(?!)")  #: finds nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """Where an intent leads: it starts a process, is told to a run of one, or a handler acts, or there is only talk."""

    intent: IntentDefinition
    process: str | None = None
    tells: str | None = None  #: the process whose own intent it is
    handler: Handler | None = None


class Registry:
    """The processes and intents of one application; filled at start, read on every turn."""

    def __init__(self, *, services: Mapping[type, object] | None = None) -> None:
        self._services = dict(services or {})
        self._live: dict[str, Definition] = {}
        self._kept: dict[tuple[str, int], Definition] = {}
        self._routes: dict[str, Route] = {}
        #: What people say besides, by intent, whoever registers it.
        self.voices: dict[str, tuple[str, ...]] = {}
        self._starts: dict[str, str] = {}
        self._start_words = _NEVER  #: finds the first word of a phrase that starts something
        self._told_words = _NEVER
        self._slashes: dict[str, tuple[str, str]] = {}  #: process and intent, by slash word
        self._in_order: tuple[Definition, ...] = ()
        self._names: tuple[str, ...] = ()
        #: What people are told to say, and the process whose name it is; None: it is to be gathered anew.
        self._told: Mapping[str, str] | None = None
        self._begun: Mapping[str, str] = {}  #: the process that can be asked for, by its names
        self._called = Names({})
        self.names_of: Mapping[str, tuple[str, ...]] = {}  #: what people call each live process
        self._offering: tuple[Definition, ...] = ()
        self.recognises: tuple[
            Definition, ...
        ] = ()  #: live, and they may know words while no run of theirs is active
        for name, what in ((GREETING, "A greeting, nothing more."), (GENERAL, "Talk that asks for nothing.")):
            self._routes[name] = Route(intent=IntentDefinition(name=name, description=what))

    # -- processes

    def register(self, process: type[Process], *, replace: bool = False, keep: bool = False) -> Definition:
        """Check a process class and make it known.

        `keep` registers an old version only to finish what people began in it. Raises DefinitionError for a
        class that cannot work and for a second process of the same name, unless `replace`.
        """
        definition = define(process, services=self._services)
        name = definition.name
        if keep:
            self._kept[name, definition.version] = definition
            return definition
        if name in self._live and not replace:
            other = type(self._live[name].process)
            raise DefinitionError(
                f"A process named {name!r} is registered already ({other.__module__}.{other.__qualname__}). "
                f"Give {process.__module__}.{process.__qualname__} another name, or pass replace=True."
            )
        self._check_own(definition)
        self._told = None
        self._live[name] = definition
        self._add_start(definition)
        self._start_words = _first_words(self._starts)
        self._add_own(definition)
        self._in_order = tuple(sorted(self._live.values(), key=lambda d: (d.priority, d.name)))
        self.names_of = {d.name: d.names for d in self._in_order}
        self._begun = {
            normal(name): n
            for n, names in self.names_of.items()
            if f"start_{n}" in self._routes
            for name in names
        }
        self._called = Names({squeezed(name): n for name, n in self._begun.items()})
        self._names = tuple(name for names in self.names_of.values() for name in names)
        self._offering = tuple(d for d in self._in_order if _offers_itself(d))
        self.recognises = tuple(d for d in self._in_order if _recognises_always(d))
        return definition

    def _add_start(self, definition: Definition) -> None:
        starts = tuple(definition.starts_on)
        intent_name = f"start_{definition.name}"
        for phrase in [p for p, owner in self._starts.items() if owner == definition.name]:
            del self._starts[phrase]
        self._routes.pop(intent_name, None)
        if not starts:
            return
        for phrase in starts:
            owner = self._starts.setdefault(normal(phrase), definition.name)
            if owner != definition.name:
                raise DefinitionError(
                    f"Process {definition.name!r} starts on {phrase!r}, which starts {owner!r} already."
                )
        intent = IntentDefinition(
            name=intent_name,
            description=f"Start: {definition.description}",
            examples=starts,
            process=definition.name,
        )
        self._routes[intent_name] = Route(intent=intent, process=definition.name)

    def _check_own(self, definition: Definition) -> None:
        """Names of intents and slash words are those of one process alone."""
        for intent in definition.intents:
            check_intent(intent, None)
            known = self._routes.get(intent.name)
            if known is not None and known.tells != definition.name:
                whose = f" by process {known.tells!r}" if known.tells else ""
                raise DefinitionError(
                    f"Process {definition.name!r} has an intent {intent.name!r}, which is registered already{whose}. "
                    "Give it another name."
                )
        for word in definition.slashes:
            owner, _ = self._slashes.get(word, (definition.name, ""))
            if owner != definition.name:
                raise DefinitionError(
                    f"Process {definition.name!r} has the slash word {word!r}, which is one of {owner!r} already."
                )

    def _add_own(self, definition: Definition) -> None:
        name = definition.name
        for gone in [intent for intent, route in self._routes.items() if route.tells == name]:
            del self._routes[gone]
        for gone in [word for word, (owner, _) in self._slashes.items() if owner == name]:
            del self._slashes[gone]
        self._routes |= {intent.name: Route(intent=intent, tells=name) for intent in definition.intents}
        self._slashes |= {word: (name, intent) for word, intent in definition.slashes.items()}

    def definitions(self) -> Sequence[Definition]:
        """The live definitions, by priority, then name."""
        return self._in_order

    def names(self) -> Sequence[str]:
        """What people call the live processes."""
        return self._names

    def offering(self) -> Sequence[Definition]:
        """The live definitions that may offer themselves, by priority, then name."""
        return self._offering

    def get(self, name: str) -> Definition:
        """The live definition of that name; raises UnknownProcess naming those that exist."""
        found = self._live.get(name)
        if found is None:
            known = ", ".join(sorted(self._live)) or "none"
            raise UnknownProcess(f"No process named {name!r} is registered. Registered: {known}.", name=name)
        return found

    def find(self, name: str) -> Definition | None:
        """The live definition of that name, or None."""
        return self._live.get(name)

    def of(self, instance: Instance) -> Definition | None:
        """The definition that runs this instance: its own kept version, else the live one; None: gone."""
        kept = self._kept.get((instance.process, instance.version)) if self._kept else None
        return kept or self._live.get(instance.process)

    # -- intents

    def register_intent(
        self, intent: IntentDefinition, handler: Handler | None = None, *, replace: bool = False
    ) -> None:
        """Make an intent known; `handler`, or else its own, acts on it.

        Raises DefinitionError for one that cannot work and for one that is claimed twice, unless `replace`.
        """
        check_intent(intent, handler or intent.handler)
        self._told = None
        known = self._routes.get(intent.name)
        if known is not None and known.tells is not None and replace:
            self._routes[intent.name] = Route(intent=intent, tells=known.tells)
            return
        if intent.offered != "always":
            raise DefinitionError(
                f"The intent {intent.name!r} is offered {intent.offered!r}, which is for intents of a process's own. "
                "Put it among the `intents` of a process."
            )
        if intent.name in self._routes and not replace and intent.name not in (GREETING, GENERAL):
            raise DefinitionError(f"The intent {intent.name!r} is registered already. Pass replace=True.")
        if intent.process is not None:
            self.get(intent.process)
        acts = handler or intent.handler
        intent = with_fields(intent, handler=acts) if acts is not intent.handler else intent
        self._routes[intent.name] = Route(intent=intent, process=intent.process, handler=acts)

    def add_voices(self, intent: str, said: Sequence[str]) -> None:
        """Add to what people say for an intent, whoever registers it and when; the classifier learns from it."""
        self.voices[intent] = (*self.voices.get(intent, ()), *said)

    def service(self, wanted: type[T]) -> T:
        """The service of that type, as processes are given it."""
        found = self._services.get(wanted)
        if found is None:
            known = ", ".join(sorted(t.__name__ for t in self._services)) or "none"
            raise DefinitionError(f"There is no service {wanted.__name__}. There are: {known}.")
        return cast(T, found)

    def find_service(self, wanted: type[T]) -> T | None:
        """The service of that type, or None."""
        return cast("T | None", self._services.get(wanted))

    def intents(self) -> list[IntentDefinition]:
        """Every intent there is, those of processes' own among them."""
        return [route.intent for route in self._routes.values()]

    def candidates(self, active: Collection[Definition] = ()) -> list[IntentDefinition]:
        """The intents a free turn may have while runs of those definitions are active."""
        takes = {name for definition in active for name in definition.takes}
        found = [
            route.intent
            for name, route in self._routes.items()
            if route.tells is None or route.intent.offered == "always" or name in takes
        ]
        kept = {one.name: one for definition in active for one in definition.intents}
        return found + [one for name, one in kept.items() if name not in self._routes]

    def slash(self, word: str) -> tuple[str, str] | None:
        """The process and its intent that a slash word leads to; None: it is no process's."""
        return self._slashes.get(word)

    def route(self, intent: str) -> Route | None:
        """Where that intent leads; None when no one registered it."""
        return self._routes.get(intent)

    def card(self) -> Sequence[tuple[str, str]]:
        """What may be asked for here: what each wish is called, and what to say for it; processes first."""
        begun = [(d.title, d.starts_on[0]) for d in self.definitions() if d.starts_on]
        told = [(i.label, i.say) for i in self.intents() if i.say]
        return [*begun, *told]

    def keeper(self) -> IntentDefinition | None:
        """The intent that keeps what is told, such as a note."""
        return next((one for one in self.intents() if one.keeps), None)

    def called_in(self, message: str) -> str | None:
        """The one process that can be asked for and that the message calls by its names, in two words or more."""
        named = spoken(message).named(self._called)
        found = {one.stands_for for one in named}
        words = sum(one.end - one.start for one in named)
        return found.pop() if len(found) == 1 and words >= _NAMING else None

    def acts(self, intent: str) -> bool:
        """A function acts on that intent."""
        found = self._routes.get(intent)
        return found is not None and found.handler is not None

    def asked_for(self, message: str, language: Language) -> Definition | None:
        """The process a message asks for by the very words it starts on, polite padding aside."""
        said = normal(message)
        if self._start_words.search(said) is None:
            return None
        name = self._starts.get(said) or self._starts.get(language.unpadded(message))
        return self._live.get(name) if name else None

    def is_told_to_say(self, message: str, language: Language, *, within: str | None = None) -> bool:
        """The whole message is what people are told to say for something, or calls a process, not that one, by its name."""
        if self._told is None:
            self._told = {**{normal(say): "" for _, say in self.card()}, **self._begun}
            self._told_words = _first_words(self._told)
        said = normal(message)
        if self._told_words.search(said) is None:
            return False
        found = [self._told[words] for words in (said, language.unpadded(message)) if words in self._told]
        return bool(found) and within not in found


def _first_words(phrases: Iterable[str]) -> re.Pattern[str]:
    found = {phrase.split()[0] for phrase in phrases if phrase}
    return re.compile("|".join(map(re.escape, sorted(found)))) if found else _NEVER


def _offers_itself(definition: Definition) -> bool:
    return type(definition.process).offer_when is not Process.offer_when


def _recognises_always(definition: Definition) -> bool:
    always = any(intent.offered == "always" for intent in definition.intents)
    return (always or bool(definition.begins_with)) and type(
        definition.process
    ).recognise is not Process.recognise
