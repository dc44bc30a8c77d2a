"""The documentation says what is so: its code runs, its tables are those of the code, its links lead somewhere."""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

import softrail
from softrail.api import create_app
from softrail.bootstrap import build
from softrail.cli import app as command_line
from softrail.companion.settings import CompanionSettings
from softrail.core.errors import SoftrailError
from softrail.dialogue.commands import Commands
from softrail.plans.settings import PlanSettings
from softrail.processes.asking import ask, step
from softrail.processes.lifecycle import TABLE
from softrail.processes.process import Process
from softrail.replay.script import WORDS
from softrail.settings import Settings, settings_table
from softrail.store import MemoryStore
from softrail.turns.phases import MOVES
from tests.house.pages import ROOT, Reader, blocks, pages

PAGES = pages()
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
RUN = [
    page
    for page in PAGES
    if any(block.kind in ("python", "talk", "console", "json", "sh") for block in blocks(page))
]


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")


def codes(text: str, level: str = "##") -> list[str]:
    """The `code` headings of a page."""
    return re.findall(rf"^{level} `([^`]+)`", text, re.MULTILINE)


def test_the_drawn_machine_of_a_turn_is_the_one_that_runs() -> None:
    drawn = re.findall(r"^    (\w+) --> (\w+): (.+)$", reference("durability"), re.MULTILINE)

    assert drawn == [(before.__name__, after.__name__, why) for (before, after), why in MOVES.items()]


@pytest.mark.parametrize("page", RUN, ids=[str(page.relative_to(ROOT)) for page in RUN])
def test_what_a_page_shows_is_what_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_LOG_LEVEL", "ERROR")

    Reader(page, tmp_path).read()


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        name = str(page.relative_to(ROOT / "docs")) if page.is_relative_to(ROOT / "docs") else None
        if name not in (None, "README.md"):
            assert f"({name})" in index, f"docs/README.md does not name {name}"


def all_errors(parent: type[SoftrailError] = SoftrailError) -> set[type[SoftrailError]]:
    found = {parent}
    for child in parent.__subclasses__():
        if child.__module__.startswith("softrail."):
            found |= all_errors(child)
    return found


def test_every_error_has_its_heading_and_no_heading_is_without_an_error() -> None:
    for module in pkgutil.walk_packages(softrail.__path__, "softrail."):
        if ".migrations" not in module.name and ".child" not in module.name:  # that is loaded elsewhere
            import_module(module.name)  # an error counts wherever it is defined

    known = {error.code for error in all_errors()} | {"method_not_allowed", "internal", "error"}

    assert sorted(codes(reference("errors"))) == sorted(known)


@pytest.mark.parametrize(
    "of", [Settings, CompanionSettings, PlanSettings], ids=["our own", "of the companion", "of plans"]
)
def test_the_table_of_settings_is_that_of_the_code(of: type[BaseSettings]) -> None:
    rows = ["| Setting | Type | Default | What it means |", "|---|---|---|---|"]
    for row in settings_table(of):
        kind = row.type.replace(" | ", ", ")
        rows.append(
            f"| `{row.name}` | {kind} | `{row.default}` | {row.description} |".replace("| `` |", "| |")
        )

    assert "\n".join(rows) in reference("settings"), "\n".join(rows)


def test_the_table_of_the_lifecycle_is_that_of_the_machine() -> None:
    rows = ["| From | Trigger | To |", "|---|---|---|"]
    rows += [f"| {source or '–'} | {trigger} | {dest} |" for source, trigger, dest in TABLE]

    assert "\n".join(rows) in reference("lifecycle"), "\n".join(rows)


def test_every_route_has_its_heading_and_no_heading_is_without_a_route() -> None:
    settings = Settings(docs=True)
    app = create_app(build(settings, store=MemoryStore(), discover=False), settings)
    served = {
        f"{method.upper()} {re.sub('{(session|instance)_id}', '{id}', path)}"
        for path, methods in app.openapi()["paths"].items()
        for method in methods
    } | {"GET /metrics"}

    assert sorted(codes(reference("http"), "###")) == sorted(served)


def test_every_command_has_its_heading_and_no_heading_is_without_a_command() -> None:
    names = {c.name or c.callback.__name__ for c in command_line.registered_commands if c.callback}
    for group in command_line.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            assert command.callback is not None
            names.add(f"{group.name} {command.name or command.callback.__name__}")

    assert sorted(c.removeprefix("softrail ") for c in codes(reference("cli"))) == sorted(names)


def test_every_extension_point_is_on_the_one_page() -> None:
    page = reference("processes")
    hooks = {name for name in vars(Process) if not name.startswith("_") and name not in ("name", "version")}
    names = hooks | set(inspect.signature(ask).parameters) | set(inspect.signature(step).parameters)
    names |= set(softrail.__all__) | set(inspect.signature(build).parameters)
    names -= {"constraints"}

    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_every_line_of_a_script_is_explained() -> None:
    page = reference("conversations")
    assert [word for word in (*WORDS, "sweep") if f"`{word}" not in page] == []


def test_every_slash_command_is_explained() -> None:
    page = reference("conversations")
    parts = build(Settings(), store=MemoryStore(), discover=False)
    assert isinstance(parts.commands, Commands)
    assert [name for name in parts.commands.names if f"`/{name}`" not in page] == []
