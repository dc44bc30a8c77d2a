"""What the gates of a turn work with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from softrail.core.ids import Ids
from softrail.core.instances import Instance
from softrail.core.ports import Classifier, ModelKeys, Projects, Prompts, Responder, Store
from softrail.core.turns import Holder, ProcessView
from softrail.processes import Conductor
from softrail.registry.model_door import ModelDoor
from softrail.registry.registry import Registry
from softrail.registry.sentences import Sentences


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """The rooms a turn passes through, put together once by `bootstrap.build`."""

    registry: Registry
    store: Store
    conductor: Conductor
    prompts: Prompts
    sentences: Sentences
    classifier: Classifier
    responder: Responder
    model: ModelDoor
    model_keys: ModelKeys
    projects: Projects | None
    ids: Ids
    limit: timedelta  #: how long plugin code outside a step may take
    retention: timedelta  #: how long a suspended instance can be resumed

    def title(self, name: str) -> str:
        """A process as it is called in a sentence, e.g. "the standup"."""
        definition = self.registry.find(name)
        return definition.title if definition else f"the {name.replace('_', ' ')}"

    def kept(self, instance: Instance) -> str:
        """What an instance has kept, as a sentence; "" when there is nothing or its code is gone."""
        definition = self.registry.of(instance)
        return self.conductor.kept(definition, instance) if definition else ""

    def data(self, instance: Instance) -> Mapping[str, Any]:
        """What the steps of an instance keep, as JSON values; empty when its code cannot read it."""
        definition = self.registry.of(instance)
        return self.conductor.data(definition, instance) if definition else {}

    def holding(self, instance: Instance) -> Holder:
        """An instance as the handler of an intent sees it that is met in the middle of it."""
        definition = self.registry.of(instance)
        draft = self.conductor.drafted(definition, instance) if definition else ""
        return Holder(process=instance.process, kept=self.kept(instance), draft=draft)

    def describe(self, instance: Instance) -> ProcessView:
        """An instance as a frontend sees it."""
        definition = self.registry.of(instance)
        return ProcessView(
            name=instance.process,
            version=instance.version,
            instance_id=instance.id,
            state=str(instance.state),
            step=instance.step,
            description=definition.description if definition else "",
        )
