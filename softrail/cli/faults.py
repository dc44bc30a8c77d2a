"""What `softrail check` finds wrong with texts and intents, those of plugins and of the operator's folder included."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from softrail.core.faults import Fault
from softrail.settings import Settings

if TYPE_CHECKING:
    from softrail.core.intents import IntentDefinition
    from softrail.processes import Definition
    from softrail.processes.mistakes import Mistake
    from softrail.registry.registry import Registry
    from softrail.turns.dispatcher import Dispatcher

ENOUGH: Final = 5  #: examples an intent needs to be told apart from others


def process_faults(application: "Dispatcher") -> list[Fault]:
    """Calls of processes that are not there: known only when all of them are."""
    from softrail.processes.mistakes import unknown

    return [_fault(*found) for found in unknown(application.registry.definitions())]


def process_warnings(application: "Dispatcher") -> list[Fault]:
    """What may be meant in a process, and more often is not: nothing that stops the start."""
    from softrail.companion.catalogue import PROCESS_USE
    from softrail.processes.mistakes import Mistake, at, circles, place_of, suspicious

    registry, found = application.registry, list[Fault]()
    for definition in registry.definitions():
        mistakes = [*suspicious(definition)]
        if not _starts(definition, registry):
            what = (
                "can be started by nobody: it starts on no words, offers itself to nobody, and no intent leads to it. "
                "Give it starts_on, an offer_when(), or an IntentDefinition(process=…)."
            )
            mistakes.append(Mistake(what=what, sure=False, **place_of(type(definition.process))))
        kind = type(definition.process)
        ours = kind.__module__.startswith("softrail.")
        if definition.becomes and not ours and registry.route(PROCESS_USE) is None:
            what = (
                'says what it becomes, and nobody is there to tell it: the bundled part "companion" hears '
                "“what is that for?” and “who sees this?”. Name it in the setting `bundled`."
            )
            mistakes.append(Mistake(what=what, sure=False, **at(kind, "becomes")))
        found += [_fault(definition, mistake) for mistake in mistakes]
    return found + [_fault(*one) for one in circles(registry.definitions())]


def _fault(definition: "Definition", mistake: "Mistake") -> Fault:
    who = f"Process {definition.name!r} ({definition.where})"
    return Fault(_short(mistake.path) or definition.name, mistake.line, f"{who} {mistake.what}")


def _starts(definition: "Definition", registry: "Registry") -> bool:
    """Something leads to it: words, an offer, an intent, or the code of a handler or of another process."""
    from softrail.dialogue.clarifying import CLARIFICATION
    from softrail.processes.mistakes import names_in, names_used
    from softrail.processes.process import Process

    name = definition.name
    known = type(definition.process).recognise is not Process.recognise
    by_words = definition.starts_on or (definition.begins_with and (known or definition.slashes))
    if by_words or definition in registry.offering() or name == CLARIFICATION:
        return True
    routes = [route for one in registry.intents() if (route := registry.route(one.name)) is not None]
    if any(route.process == name or name in names_in(route.handler) for route in routes):
        return True
    others = (type(d.process) for d in registry.definitions() if d is not definition)
    return any(name in names_used(other) for other in others)


def _short(path: str) -> str:
    """A path from here, where that is shorter."""
    return os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path


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
    intents = application.registry.intents()
    names = {intent.name for intent in intents}
    for intent in intents:
        route = application.registry.route(intent.name)
        told = route is not None and route.tells is not None
        never_compared = not intent.examples and (intent.by_words or told)
        if not _by_itself(intent) and not never_compared:
            faults += _too_little(intent)
        faults += _misfit(intent, names)
        for example in intent.examples:
            other = claimed.setdefault(normal(example), intent.name)
            if other != intent.name:
                faults.append(Fault(intent.name, 0, f"The example “{example}” belongs to {other} too."))
    return faults


def example_faults(application: "Dispatcher", chosen: Settings, labelled: Sequence[Path] = ()) -> list[Fault]:
    """Faults of the files of intents, and examples, wherever they are from, that are nearly a message of a test.

    Such messages are those the bundled intents are tested with, and those of the labelled files.
    """
    from softrail.classifier.catalogue import check_catalogues, copy_faults, read_catalogue
    from softrail.classifier.evaluate import read_labelled
    from softrail.companion.catalogue import ADD, bundled_files, listed

    asked = [m.text for m in (*listed(), *(m for path in labelled for m in read_labelled(path)))]
    intents = application.registry.intents()
    bundled = bundled_files() if application.registry.route(ADD) is not None else []
    files = [*bundled, *(read_catalogue(path, adds=True) for path in chosen.intents_files)]
    found = check_catalogues(files, known=[intent.name for intent in intents], asked=asked)
    placed = {place for file in files for place in file.lines}
    for intent in intents:
        elsewhere = [said for said in intent.examples if (intent.name, said) not in placed]
        found += copy_faults(replace(intent, examples=elsewhere), asked)
    return found


def _by_itself(intent: "IntentDefinition") -> bool:
    """It was made with its process, from the words that start it, or is known without examples."""
    from softrail.core.intents import GENERAL, GREETING

    return intent.name in (GREETING, GENERAL, f"start_{intent.process}")


def _misfit(intent: "IntentDefinition", names: Collection[str]) -> Iterator[Fault]:
    primary = intent.name.partition(".")[0]
    if primary not in names:
        yield Fault(intent.name, 0, f"It refines {primary}, which is not registered.")
    if intent.bar is not None and not 0.0 <= intent.bar <= 1.0:
        yield Fault(intent.name, 0, f"Its bar must be a number from 0 to 1, not {intent.bar}.")


def _too_little(intent: "IntentDefinition") -> list[Fault]:
    from softrail.language import normal

    found = []
    if not intent.description:
        found.append("It has no description; a language model is told it.")
    if len(intent.examples) < ENOUGH:
        count = len(intent.examples)
        found.append(f"It has {count} example{'s' * (count != 1)}; it needs at least {ENOUGH}.")
    twice = [said for said, n in Counter(map(normal, intent.examples)).items() if n > 1]
    found += [f"The example “{said}” is there twice." for said in twice]
    return [Fault(intent.name, 0, sentence) for sentence in found]


def _defaults(registry: "Registry") -> Mapping[str, str]:
    """Every sentence that code says where no file replaces it, by the name of its asset."""
    from softrail.dialogue.sentences import SENTENCES
    from softrail.processes.sentences import SENTENCES as KIT
    from softrail.prompts.brought import texts_of

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
