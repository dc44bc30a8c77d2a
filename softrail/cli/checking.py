"""`softrail check`: every fault in texts, words, processes, examples and the database, with file and line."""

from collections.abc import Iterator
from typing import Any

import typer

from softrail.cli.ground import FINDINGS, AsJson, command, dispatcher, print_json, run, settings
from softrail.core.errors import SoftrailError
from softrail.core.faults import Fault
from softrail.settings import Settings


@command
def check(as_json: AsJson = False) -> None:
    """Look for faults in prompts, word lists, processes, examples and migrations; exit 1 when there are any."""
    chosen = settings()
    found = [(area, fault) for area, faults in _areas(chosen) for fault in faults]
    if as_json:
        print_json([{"area": area, **fault._asdict()} for area, fault in found])
    else:
        for area, fault in found:
            typer.echo(f"{fault}  [{area}]")
        typer.echo(f"{len(found)} faults." if found else "Everything is in order.", err=True)
    if found:
        raise typer.Exit(FINDINGS)


def _areas(chosen: Settings) -> Iterator[tuple[str, list[Fault]]]:
    application = dispatcher(chosen)
    yield "processes", [Fault("processes", 0, sentence) for sentence in application.faults]
    yield "prompts", _prompts(chosen, application)
    yield "vocabulary", _vocabulary(chosen)
    yield "words", _words()
    yield "examples", _examples(application)
    yield "database", _database(chosen)


def _prompts(chosen: Settings, application: Any) -> list[Fault]:
    from softrail.prompts import Library
    from softrail.registry.sentences import SENTENCES

    defaults = {f"registry/{name}": text for name, text in SENTENCES.items()}
    for definition in application.registry.definitions():
        for name, field in definition.fields.items():
            defaults[f"{definition.name}/{name}"] = field.question
        for name, step in definition.steps.items():
            if step.asks is not None:
                defaults[f"{definition.name}/{name}"] = step.asks
    return Library(overrides=chosen.prompts_dir).check(defaults)


def _vocabulary(chosen: Settings) -> list[Fault]:
    """Words of the machinery in texts that people, or a language model in their name, may repeat."""
    from softrail.companion.wall import wall
    from softrail.prompts import Library

    library = Library(overrides=chosen.prompts_dir)
    texts = [text for name in library.names() if (text := library.get(name)) is not None]
    return [
        Fault(f"{text.name} v{text.version}", line, f"The word “{word}” is kept from people; use another.")
        for text in texts
        for line, row in enumerate(text.text.split("\n"), 1)
        for word in wall().faults(row)
    ]


def _words() -> list[Fault]:
    from softrail.language import check_words

    return check_words()


def _examples(application: Any) -> list[Fault]:
    """Examples that two intents claim cannot be told apart by anything."""
    from softrail.language import normal

    claimed: dict[str, str] = {}
    faults = []
    for intent in application.registry.intents():
        for example in intent.examples:
            other = claimed.setdefault(normal(example), intent.name)
            if other != intent.name:
                faults.append(Fault(intent.name, 0, f"The example “{example}” belongs to {other} too."))
    return faults + _exemplars()


def _exemplars() -> list[Fault]:
    """Duplicates, contradictions, too few examples and unknown names in the bundled file of examples."""
    from importlib.resources import as_file, files

    from softrail.classifier.catalogue import check_catalogues, read_catalogue

    with as_file(files("softrail.companion") / "intents.yaml") as path:
        return check_catalogues([read_catalogue(path)])


def _database(chosen: Settings) -> list[Fault]:
    from softrail.bootstrap import plugin_tables
    from softrail.store import schema_status

    try:
        found = run(schema_status(chosen.database_url, plugins=plugin_tables()))
    except SoftrailError as error:
        return [Fault("database", 0, error.message)]
    # A file that serve makes or migrates by itself is no fault.
    fine = {"current", "empty", "behind"} if chosen.database_url.startswith("sqlite") else {"current"}
    return [] if found.standing in fine else [Fault("database", 0, found.sentence)]
