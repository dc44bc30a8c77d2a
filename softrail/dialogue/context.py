"""What the gates of a turn work with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from softrail.core.attachments import Attachments
from softrail.core.ids import Ids
from softrail.core.instances import Instance
from softrail.core.outcomes import Drafted
from softrail.core.ports import Classifier, ModelKeys, Projects, Prompts, Reader, Responder, Store, Wall
from softrail.core.reading import Bars
from softrail.core.replies import ReplyForm
from softrail.core.turns import Holder, ProcessView, Progress
from softrail.dialogue.metered_model import ModelDoor
from softrail.dialogue.sentences import Sentences
from softrail.language import normal
from softrail.language.text import spoken, squeezed
from softrail.processes import Conductor, FieldDefinition, Given
from softrail.registry.registry import Registry

#: What a value of a kind is, for whoever asks what is wanted.
_KINDS = {
    "text": "in your own words",
    "list": "one or several, each in a line or a sentence",
    "consent": "yes or no",
    "number": "a number",
    "date": "a day",
    "time": "a time of day",
    "file": "a file",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """The rooms a turn passes through, put together once by `bootstrap.build`."""

    registry: Registry
    store: Store
    conductor: Conductor
    prompts: Prompts
    sentences: Sentences
    reader: Reader
    bars: Bars
    classifier: Classifier
    responder: Responder
    wall: Wall | None  #: stands before what is said at once
    model: ModelDoor
    model_keys: ModelKeys
    projects: Projects | None
    attachments: Attachments | None  #: None: this application keeps no files
    ids: Ids
    reply: ReplyForm  #: with the fields of plugins
    limit: timedelta  #: how long plugin code outside a step may take
    hold_limit: float  #: seconds that code of a plugin may hold the event loop before it is told
    people_at: str  #: where a person is to be had, in the operator's words; "" for nowhere
    hands_over: bool  #: somebody delivers `handover` effects: a person gets the conversation
    retention: timedelta  #: how long a suspended instance can be resumed

    def title(self, name: str) -> str:
        """A process as it is called in a sentence, e.g. "the standup"."""
        definition = self.registry.find(name)
        return definition.title if definition else f"the {name.replace('_', ' ')}"

    def kept(self, instance: Instance) -> str:
        """What an instance has kept, as a sentence; "" when there is nothing or its code is gone."""
        definition = self.registry.of(instance)
        return self.conductor.kept(definition, instance) if definition else ""

    def given(self, instance: Instance) -> Mapping[str, Given]:
        """By name: its answers as they are told, those that are given with their value; none when its code is gone."""
        definition = self.registry.of(instance)
        return self.conductor.given(definition, instance) if definition else {}

    def called(self, instance: Instance, message: str) -> Sequence[Given]:
        """The answers it was given that the message calls by their names, and that may be seen."""
        given = [one for one in self.given(instance).values() if one.value and one.shown]
        named = spoken(message).named({squeezed(normal(one.label)): one.label for one in given})
        found = {name.stands_for for name in named}
        return [one for one in given if one.label in found]

    def told(self, instance: Instance) -> str:
        """What an instance was told so far: its draft, else its answers, a line for each; "" where there is nothing to show."""
        if (drafted := self.drafted(instance)) is not None and drafted.text:
            return drafted.text
        given = [one for one in self.given(instance).values() if one.value and one.shown]
        lines = [f"- {one.label[:1].upper()}{one.label[1:]}: {one.value}" for one in given]
        return "\n".join(lines) or self.kept(instance)

    def open_field(self, instance: Instance) -> str:
        """The answer that an instance waits for; "" for a step of an author's own."""
        field = self._asked(instance)
        return field.name if field is not None else ""

    def _asked(self, instance: Instance) -> FieldDefinition | None:
        definition = self.registry.of(instance)
        return definition.asked_at(instance.step) if definition else None

    def asks_for(self, instance: Instance) -> str:
        """What an instance waits for, as it is called in a sentence: "the name", "your answer"."""
        field = self._asked(instance)
        return f"the {field.label}" if field is not None and field.reader.kind == "text" else "your answer"

    def explained(self, instance: Instance) -> str:
        """What an instance waits for, in more words than its question; "" where its author gave none."""
        field = self._asked(instance)
        if field is None:
            definition = self.registry.of(instance)
            step = definition.steps.get(instance.step) if definition else None
            question = instance.question
            # What is looked for beside a yes or a button is not what is waited for.
            open_ = question is not None and question.kind == "ask" and not question.options
            if step is None or not open_:
                return ""
            kept = self.given(instance)  # what is there already is not waited for
            return "; ".join(what for name, what in step.reads.items() if name not in kept)
        return _in_more_words(field)

    def meaning(self, instance: Instance, name: str) -> str:
        """What one of its answers is, as its author describes it; "" where they do not."""
        definition = self.registry.of(instance)
        field = definition.fields.get(name) if definition is not None else None
        what = _in_more_words(field) if field is not None else ""
        return f"{field.label[:1].upper()}{field.label[1:]}: {what}" if field is not None and what else ""

    def data(self, instance: Instance) -> Mapping[str, Any]:
        """What the steps of an instance keep, as JSON values; empty when its code cannot read it."""
        definition = self.registry.of(instance)
        return self.conductor.data(definition, instance) if definition else {}

    def holding(self, instance: Instance) -> Holder:
        """An instance as the handler of an intent sees it that is met in the middle of it."""
        drafted = self.drafted(instance)
        draft = drafted.text if drafted is not None else ""
        title, kept = self.title(instance.process), self.kept(instance)
        definition = self.registry.of(instance)
        return Holder(
            process=instance.process,
            title=title,
            kept=kept,
            draft=draft,
            becomes=definition.becomes if definition is not None else "",
            progress=self.progress(instance),
        )

    def progress(self, instance: Instance) -> Progress | None:
        """How many of its answers an instance has; None where it asks in its own way, or nobody can say."""
        definition = self.registry.of(instance)
        if definition is None or not definition.fields:
            return None
        found = self.conductor.whereabouts(definition, instance)
        return Progress(done=found.done, of=found.of) if found is not None and found.of else None

    def drafted(self, instance: Instance) -> Drafted | None:
        """The text an instance is working on; None when there is none, or nobody can say."""
        definition = self.registry.of(instance)
        return self.conductor.drafted(definition, instance) if definition else None

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
            title=self.title(instance.process),
            progress=self.progress(instance),
        )


def _in_more_words(field: FieldDefinition) -> str:
    """What is waited for, and in which form; "" where its author says no more than the question."""
    kind = _KINDS.get(field.reader.kind, "")
    if field.reader.options:
        kind = f"one of these: {', '.join(o.label for o in field.reader.options)}"
    what = field.about.rstrip(".")
    if not what:
        return ""
    return f"{what} ({kind})" if kind else what
