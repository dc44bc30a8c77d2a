"""`softrail review list|accept|reject`: examples learned from use, added only by a person."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.ground import USAGE, AsJson, command, print_json, settings, stop
from softrail.cli.terminal import tell

if TYPE_CHECKING:
    from softrail.classifier.review import ReviewQueue

review = typer.Typer(help="Examples learned from use, waiting for a person.", no_args_is_help=True)

Numbers = Annotated[list[int], typer.Argument(help="Numbers, as `softrail review list` shows them.")]


def _queue() -> "ReviewQueue":
    from softrail.classifier.review import ReviewQueue

    path = settings().review_file
    if path is None:
        stop("No examples are collected: set SOFTRAIL_REVIEW_FILE to a file.", USAGE)
    return ReviewQueue(path)


@review.command("list")
@command
def list_waiting(as_json: AsJson = False) -> None:
    """List the messages that may become examples."""
    from dataclasses import asdict

    waiting = _queue().waiting()
    if as_json:
        print_json([asdict(proposal) for proposal in waiting])
        return
    for proposal in waiting:
        tell(f"{proposal.id}  {proposal.intent}: “{proposal.text}” ({proposal.why})")
    if not waiting:
        typer.echo("Nothing is waiting.", err=True)


@review.command()
@command
def accept(
    numbers: Numbers,
    into: Annotated[
        Path | None,
        typer.Option(
            help="The YAML file of intents that takes them; omitted: the last of SOFTRAIL_INTENTS_FILES."
        ),
    ] = None,
) -> None:
    """Add messages as examples of their intents and take them off the list."""
    read = settings().intents_files
    path = into or (read[-1] if read else None)
    if path is None:
        stop("Where to? Name a file in SOFTRAIL_INTENTS_FILES, or here with --into.", USAGE)
    if not path.is_file():
        stop(f"There is no file {path}.", USAGE)
    for proposal in _queue().accept(numbers, path):
        tell(f"{proposal.intent}: “{proposal.text}”")
    if path.resolve() not in {one.resolve() for one in read}:
        tell(f"The assistant does not read {path}: name it in SOFTRAIL_INTENTS_FILES.", err=True)


@review.command()
@command
def reject(numbers: Numbers) -> None:
    """Take messages off the list."""
    for proposal in _queue().reject(numbers):
        tell(f"dropped: “{proposal.text}”")
