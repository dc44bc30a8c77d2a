"""Which actions exist."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from softrail.core.action_definition import ActionDefinition, define_action
from softrail.core.errors import DefinitionError, UnknownAction


class Actions:
    """The actions of one application; filled at start. `services` fill what they name besides their arguments."""

    def __init__(self, made: Iterable[Any] = (), *, services: Mapping[type, object] | None = None) -> None:
        self._services = services if services is not None else {}
        self._known: dict[str, ActionDefinition] = {}
        for one in made:
            self.register(one)

    def register(self, function: Any) -> ActionDefinition:
        """Check an action and make it known.

        Raises:
            DefinitionError: It cannot work as it is written, or its name is taken.
        """
        definition = define_action(function, services=self._services)
        other = self._known.get(definition.name)
        if other is not None:
            raise DefinitionError(
                f"An action named {definition.name!r} is registered already "
                f"({other.function.__module__}.{other.function.__qualname__}). Give "
                f'{function.__module__}.{function.__qualname__} another name: @action(name="…").'
            )
        self._known[definition.name] = definition
        return definition

    def get(self, name: str) -> ActionDefinition:
        """The action of that name; raises UnknownAction naming those that exist."""
        found = self._known.get(name)
        if found is None:
            known = ", ".join(sorted(self._known)) or "none"
            raise UnknownAction(f"There is no action named {name!r}. There are: {known}.", name=name)
        return found

    def find(self, name: str) -> ActionDefinition | None:
        """The action of that name, or None."""
        return self._known.get(name)

    def all(self) -> Sequence[ActionDefinition]:
        """Every action, by name."""
        return [self._known[name] for name in sorted(self._known)]
