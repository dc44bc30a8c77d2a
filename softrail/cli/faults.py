"""What `softrail check` finds wrong with texts and intents, those of plugins and of the operator's folder included."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from softrail.core.faults import Fault
from softrail.settings import Settings

if TYPE_CHECKING:
    from softrail.core.intents import IntentDefinition
    from softrail.registry.dispatcher import Dispatcher
    from softrail.registry.registry import Registry

ENOUGH: Final = 5  #: examples an intent needs to be told apart from others


def text_faults(chosen: Settings, application: "Dispatcher") -> list[Fault]:
    """Files of texts that do not fit what they replace, have changed, or are not there."""
    from softrail.prompts import Library

    return Library(overrides=chosen.prompts_dir).check(_defaults(application.registry))


def vocabulary_faults(chosen: Settings, application: "Dispatcher") -> list[Fault]:
    """Words that are kept from people, in texts that people, or a language model in their name, may repeat."""
    from softrail.companion.wall import wall_with
    from softrail.prompts import Library

    library = Library(overrides=chosen.prompts_dir)
    files = {f"{t.name} v{t.version}": t.text for name in library.names() if (t := library.get(name))}
    own = {name: text for name, text in _defaults(application.registry).items() if library.get(name) is None}
    shown = {i.name: f"{i.label}\n{i.description}" for i in application.registry.intents()}
    kept_out = wall_with(chosen.prompts_dir)
    return [
        Fault(where, line, f"The word “{word}” is kept from people; use another.")
        for where, text in {**files, **own, **shown}.items()
        for line, row in enumerate(text.split("\n"), 1)
        for word in kept_out.faults(row)
    ]


def intent_faults(application: "Dispatcher") -> list[Fault]:
    """Intents that cannot be told from others, or of which too little is said."""
    from softrail.language import normal

    claimed: dict[str, str] = {}
    faults: list[Fault] = []
    for intent in application.registry.intents():
        if application.registry.acts(intent.name):
            faults += _too_little(intent)
        for example in intent.examples:
            other = claimed.setdefault(normal(example), intent.name)
            if other != intent.name:
                faults.append(Fault(intent.name, 0, f"The example “{example}” belongs to {other} too."))
    return faults


def _too_little(intent: "IntentDefinition") -> list[Fault]:
    from softrail.language import normal

    found = []
    if not intent.description:
        found.append("It has no description; a language model is told it.")
    if len(intent.examples) < ENOUGH:
        found.append(f"It has {len(intent.examples)} examples; it needs at least {ENOUGH}.")
    twice = [said for said, n in Counter(map(normal, intent.examples)).items() if n > 1]
    found += [f"The example “{said}” is there twice." for said in twice]
    return [Fault(intent.name, 0, sentence) for sentence in found]


def _defaults(registry: "Registry") -> Mapping[str, str]:
    """Every sentence that code says where no file replaces it, by the name of its asset."""
    from softrail.processes.sentences import SENTENCES as KIT
    from softrail.prompts.brought import texts_of
    from softrail.registry.sentences import SENTENCES

    defaults = {f"registry/{name}": text for name, text in SENTENCES.items()}
    defaults |= {f"processes/{name}": text for name, text in KIT.items()}
    for definition in registry.definitions():
        questions = {name: field.question for name, field in definition.fields.items()}
        questions |= {name: step.asks for name, step in definition.steps.items() if step.asks is not None}
        questions |= type(definition.process).sentences
        defaults |= {f"{definition.name}/{name}": text for name, text in questions.items()}
    for intent in registry.intents():
        defaults |= texts_of(intent)
    return defaults
