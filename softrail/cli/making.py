"""`softrail new process NAME`."""

import keyword
import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from softrail.cli.ground import FINDINGS, USAGE, command, stop

making = typer.Typer(help="Write the beginning of something of your own.", no_args_is_help=True)
NAME = re.compile(r"[a-z][a-z0-9_]{0,49}")


@making.callback()
def begin() -> None:
    """Write the beginning of something of your own."""


@making.command()
@command
def process(
    name: Annotated[str, typer.Argument(help="In small letters, for example refund or book_a_room.")],
    into: Annotated[Path, typer.Option(help="The folder to write to.")] = Path(),
) -> None:
    """Write a guided process and its test, both running as they are."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        stop(
            f"{name!r} is no name for a process. Use small letters, digits and _: refund, book_a_room.", USAGE
        )
    if not into.is_dir():
        stop(f"There is no folder {into}.", USAGE)
    written = {into / f"{name}.py": "process.txt", into / f"test_{name}.py": "test.txt"}
    for path in written:
        if path.exists():
            stop(f"{path} exists already; nothing was written.", FINDINGS)
    for path, template in written.items():
        path.write_text(_filled(template, name), encoding="utf-8")
        typer.echo(f"Wrote {path}")
    typer.echo(f"Try it: pytest {into / f'test_{name}.py'}")


def _filled(template: str, name: str) -> str:
    from softrail.prompts.template import Template

    text = files("softrail.cli").joinpath("templates", template).read_text(encoding="utf-8")
    words = name.replace("_", " ").strip()
    values = {
        "name": name,
        "module": name,
        "class_name": "".join(part.capitalize() for part in name.split("_") if part),
        "title": words.capitalize(),
        "words": words,
    }
    ready = Template(text)
    return ready.fill(template, {key: value for key, value in values.items() if key in ready.places})
