"""`softrail new process NAME` and `softrail new project NAME`."""

import keyword
import os
import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from softrail.cli.ground import FINDINGS, USAGE, command, stop

making = typer.Typer(help="Write the beginning of something of your own.", no_args_is_help=True)
NAME = re.compile(r"[a-z][a-z0-9_]{0,49}")
PROJECT = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")
FIRST = "enquiry"  #: the process a new project begins with
TAKEN = frozenset({"softrail", "tests", FIRST, *sys.stdlib_module_names})


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
    package, tests = _place(into)
    values = _values(name, package)
    test = tests / f"test_{name}.py"
    written = {into / f"{name}.py": "process.txt", test: "test.txt"}
    for path in written:
        if path.exists():
            stop(f"{path} exists already; nothing was written.", FINDINGS)
    for path, template in written.items():
        path.write_text(_filled(template, values), encoding="utf-8")
        typer.echo(f"Wrote {path}")
    typer.echo(f"Try it: pytest {test}")
    if package and (into / "app.py").exists():
        typer.echo(f"To talk to it, add {values['class_name']} to the processes in {into / 'app.py'}")


@making.command()
@command
def project(
    name: Annotated[str, typer.Argument(help="In small letters, for example shop or help-desk.")],
    into: Annotated[Path, typer.Option(help="The folder to write its folder to.")] = Path(),
) -> None:
    """Write a distribution of your own that runs: an application, a process, its tests, and their workflow."""
    package = name.replace("-", "_")
    if not PROJECT.fullmatch(name) or len(name) > 50 or keyword.iskeyword(package) or package in TAKEN:
        taken = "is the name of something else" if package in TAKEN else "is no name for a project"
        stop(
            f"{name!r} {taken}. Use small letters, digits and -, and a name of its own: shop, help-desk.",
            USAGE,
        )
    if not into.is_dir():
        stop(f"There is no folder {into}.", USAGE)
    folder = into / name
    if folder.exists():
        stop(f"{folder} exists already; nothing was written.", FINDINGS)
    of_process = _values(FIRST)
    title = package.replace("_", " ").capitalize()
    of_project = {"package": package, "distribution": name, "title": title}
    for path, template in {
        "README.md": "readme",
        "pyproject.toml": "pyproject",
        "softrail.toml": "settings",
        ".gitignore": "ignored",
        ".github/workflows/test.yml": "workflow",
        f"{package}/__init__.py": "init",
        f"{package}/app.py": "app",
        f"tests/{FIRST}.talk": "talk",
        f"tests/test_{FIRST}.py": "test",
    }.items():
        _write(folder / path, _filled(f"project/{template}.txt", of_project))
    _write(folder / package / f"{FIRST}.py", _filled("process.txt", of_process))
    typer.echo(f"Wrote {folder}. Try it: cd {folder} && pytest && softrail serve")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _place(into: Path) -> tuple[str, Path]:
    """The package that a module of this folder is in, with a dot, and where its test goes: a package has them beside it."""
    package, above = "", into.resolve()
    while (above / "__init__.py").exists():
        package, above = f"{above.name}.{package}", above.parent
    tests = above / "tests" if into.is_absolute() else Path(os.path.relpath(above / "tests"))
    return package, tests if package and tests.is_dir() else into


def _values(name: str, package: str = "") -> dict[str, str]:
    """What the templates of a process are filled with."""
    words = name.replace("_", " ").strip()
    return {
        "name": name,
        "module": f"{package}{name}",
        "class_name": "".join(part.capitalize() for part in name.split("_") if part),
        "title": words.capitalize(),
        "words": words,
    }


def _filled(template: str, values: dict[str, str]) -> str:
    from softrail.prompts.template import Template

    ready = Template(files("softrail.cli").joinpath("templates", template).read_text(encoding="utf-8"))
    return ready.fill(template, {key: value for key, value in values.items() if key in ready.places})
