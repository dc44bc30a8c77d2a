"""`softrail check`: every fault in texts, words, processes, examples and the database, with file and line."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.faults import (
    example_faults,
    intent_faults,
    process_faults,
    process_warnings,
    text_faults,
    vocabulary_faults,
)
from softrail.cli.ground import FINDINGS, AsJson, command, dispatcher, own_settings, print_json, run, settings
from softrail.cli.terminal import tell
from softrail.core.errors import SoftrailError
from softrail.core.faults import Fault
from softrail.settings import Settings

WARNINGS = "warning"  #: what they are printed with
if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher


@command
def check(
    labelled: Annotated[
        list[Path] | None,
        typer.Option(
            help="Labelled messages of your own, as `softrail eval` reads them; no example may be nearly one of them."
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 for a mere warning, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for faults in prompts, word lists, processes, examples and migrations; exit 1 when there are any."""
    found = [(area, fault) for area, faults in _areas(settings(), labelled or ()) for fault in faults]
    warned = [fault for area, fault in found if area == WARNINGS]
    if as_json:
        print_json(
            [
                {
                    "area": "processes" if area == WARNINGS else area,
                    "level": "warning" if area == WARNINGS else "fault",
                    **fault._asdict(),
                }
                for area, fault in found
            ]
        )
    else:
        for area, fault in found:
            tell(f"{fault}  [{area}]")
        tell(_sum(len(found) - len(warned), len(warned)), err=True)
    if len(found) > (0 if strict else len(warned)):
        raise typer.Exit(FINDINGS)


def _sum(faults: int, warnings: int) -> str:
    if not faults and not warnings:
        return "Everything is in order."
    told = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((faults, "fault"), (warnings, "warning")) if n]
    return f"{' and '.join(told)}."


def _areas(chosen: Settings, labelled: Sequence[Path]) -> Iterator[tuple[str, list[Fault]]]:
    if not chosen.app and (faults := _encoder(chosen)):
        yield "encoder", faults
        chosen = chosen.model_copy(update={"encoder": "none"})  # the rest can be looked at without it
    application = dispatcher(chosen)
    chosen = own_settings(application)
    _mount(application)
    unusable = [Fault("processes", 0, sentence) for sentence in application.faults]
    yield "processes", [*unusable, *process_faults(application)]
    yield WARNINGS, process_warnings(application)
    yield "prompts", text_faults(chosen, application)
    yield "vocabulary", vocabulary_faults(chosen, application)
    yield "words", _words()
    yield "intents", intent_faults(application)
    yield "examples", example_faults(application, chosen, labelled)
    yield "database", _database(application)


def _encoder(chosen: Settings) -> list[Fault]:
    """A model of the operator's choice that is not there or cannot be used; the bundled one needs no look."""
    from softrail.classifier.encoder import MINILM, encoder

    try:
        found = encoder(chosen.encoder)
        if found is not None and chosen.encoder != MINILM:
            found.encode(["hello"])
    except SoftrailError as error:
        return [Fault("settings", 0, error.message)]
    return []


def _mount(application: "Dispatcher") -> None:
    """Have plugins' routes made, as the server does: what cannot be made is among the faults then."""
    from softrail.api import create_router

    create_router(application, identity=lambda: "")


def _words() -> list[Fault]:
    from softrail.language import check_words

    return check_words()


def _database(application: "Dispatcher") -> list[Fault]:
    from softrail.store import SqlStore, schema_status

    store = application.store
    if not isinstance(store, SqlStore) or not store.url:
        return []  # it has no tables to look at
    try:
        found = run(schema_status(store.url, plugins=store.plugins))
    except SoftrailError as error:
        return [Fault("database", 0, error.message)]
    # A file that serve makes or migrates by itself is no fault.
    fine = {"current", "ahead", "empty", "behind"} if store.url.startswith("sqlite") else {"current", "ahead"}
    return [] if found.standing in fine else [Fault("database", 0, found.sentence)]
