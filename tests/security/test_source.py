"""The source itself: no text of people can become a template, a statement, a program or the name of one."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import softrail

ROOT = Path(softrail.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
STATEMENT = ("select ", "insert ", "update ", "delete ", "drop ", "create ", "alter ", "pragma ", "attach ")

#: Where a rule is broken on purpose: nothing there comes from a person. Each with the reason.
ALLOWED = {
    ("store/schema.py", "built SQL"): "the names of our own tables of versions, quoted",
    ("store/sqlite.py", "built SQL"): "a PRAGMA with one of two words of ours",
    (
        "plans/child/asking.py",
        "built SQL",
    ): "a query that was looked through before, within one of ours, in a closed database",
    (
        "plans/child/reading/columnar.py",
        "built SQL",
    ): "names of columns, quoted; in a process that holds this one file",
    ("plans/child/reading/databases.py", "built SQL"): "names of tables, quoted; SQLite may only read there",
    (
        "plans/data/copying.py",
        "built SQL",
    ): "a table that the operator named and its columns, quoted, and a number; the transaction may only read",
    ("plans/forms/sql.py", "built SQL"): "names and values, quoted; it is run as any query of a person is",
    ("plans/child/reading/writing.py", "built SQL"): "names that we gave, letters, digits and _ alone",
    ("__init__.py", "programs"): "a table of our own names, imported when first asked for",
    ("plugin.py", "programs"): "a table of our own names, imported when first asked for",
    ("application.py", "programs"): "the operator names a module; what is asked of it runs only then",
    ("replay/script.py", "programs"): "scripts of tests name classes; their authors run the tests",
    (
        "plans/data/beginning.py",
        "fetches",
    ): "a pair of sockets between us and the process of data, no network",
    ("models/counted.py", "fetches"): "what the SDK of the model's provider reads, with a limit",
    (
        "client/client.py",
        "fetches",
    ): "the client: it asks the server that its user names, and no part of a server imports it",
    ("client/tries.py", "fetches"): "which errors of the client's network are tried again",
    ("cli/serving.py", "fetches"): "looks whether its own port is free, and connects to nobody",
}

FORBIDDEN = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "pickle.load",
    "pickle.loads",
    "marshal.loads",
    "shelve.open",
    "jsonpickle.decode",
    "yaml.load",
    "yaml.unsafe_load",
    "yaml.full_load",
    "os.system",
    "os.popen",
    "subprocess.run",
    "subprocess.Popen",
    "importlib.import_module",
    "import_module",
}
UNSAFE_MODULES = {"pickle", "marshal", "shelve", "jsonpickle", "dill", "jinja2", "subprocess", "telnetlib"}


def called(node: ast.Call) -> str:
    """The name of what is called, with its module."""
    return ast.unparse(node.func)


def constant(node: ast.expr) -> bool:
    """Its value stands in the source."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return constant(node.left) and constant(node.right)
    return isinstance(node, ast.Name) and node.id.strip("_").isupper()


def templates(tree: ast.AST) -> Iterator[ast.AST]:
    """`.format` or `%` on a text that does not stand in the source, and template engines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("format", "format_map") and not constant(node.func.value):
                owner = ast.unparse(node.func.value)
                if not owner.startswith(("super()", "logging")):
                    yield node
            if node.func.attr in ("from_string", "safe_substitute", "substitute"):
                yield node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and text_like(node.left):
            yield node


def text_like(node: ast.expr) -> bool:
    """A text that is put together, left of a `%`."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def built_sql(tree: ast.AST) -> Iterator[ast.AST]:
    """A statement that is put together from pieces: an f-string or a sum that begins like one, or in `text(…)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            begins = str(node.values[0].value).lstrip().lower()
            if begins.startswith(STATEMENT) and not sentence(node):
                yield node
        if isinstance(node, ast.Call) and node.args and statement_of(node) and put_together(node.args[0]):
            yield node


def statement_of(call: ast.Call) -> bool:
    """Its first argument is a statement."""
    name = called(call)
    return name in ("text", "sqlalchemy.text") or name.rpartition(".")[2] in ("exec_driver_sql", "execute")


def put_together(node: ast.expr) -> bool:
    """A text made of pieces, not all of which stand in the source."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.BinOp) and text_like(node.left) and not constant(node)
    )


def sentence(node: ast.JoinedStr) -> bool:
    """Words for people may begin like a statement; they end like a sentence."""
    last = node.values[-1]
    return isinstance(last, ast.Constant) and str(last.value).rstrip().endswith((".", "!", "?"))


def programs(tree: ast.AST) -> Iterator[ast.AST]:
    """Whatever runs, loads or imports what a text names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in FORBIDDEN:
            named = node.args and constant(node.args[0])
            if not (called(node).endswith("import_module") and named):
                yield node
        if isinstance(node, ast.Import) and any(
            a.name.partition(".")[0] in UNSAFE_MODULES for a in node.names
        ):
            yield node
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in UNSAFE_MODULES:
            yield node


def fetches(tree: ast.AST) -> Iterator[ast.AST]:
    """Anything that could fetch an address."""
    outside = {"requests", "httpx", "httpx2", "urllib3", "aiohttp", "socket", "ftplib", "http.client"}
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(n in outside or n.partition(".")[0] in outside or n == "urllib.request" for n in names):
            yield node


Rule = Callable[[ast.AST], Iterator[ast.AST]]
RULES: dict[str, Rule] = {
    "templates": templates,
    "built SQL": built_sql,
    "programs": programs,
    "fetches": fetches,
}


@cache
def trees() -> dict[str, ast.AST]:
    """Every module as it is written."""
    return {m.relative_to(ROOT).as_posix(): ast.parse(m.read_text(encoding="utf-8")) for m in MODULES}


@cache
def broken(rule: str) -> dict[str, list[str]]:
    """Where a rule is broken, and how."""
    found: dict[str, list[str]] = {}
    for where, tree in trees().items():
        lines = [f"{node.lineno}: {ast.unparse(node)[:120]}" for node in RULES[rule](tree)]  # type: ignore[attr-defined]
        if lines:
            found[where] = lines
    return found


@pytest.mark.parametrize("rule", RULES)
def test_the_source_keeps_the_rule(rule: str) -> None:
    assert len(MODULES) > 150
    found = broken(rule)
    assert {w: lines for w, lines in found.items() if (w, rule) not in ALLOWED} == {}


@pytest.mark.parametrize("rule", RULES)
def test_every_exception_is_still_needed(rule: str) -> None:
    assert {where for where, name in ALLOWED if name == rule} <= broken(rule).keys()


BAD = {
    "templates": [
        "said.format(x=1)",
        "'%s' % said",
        "f'{a}' % b",
        "Template(said).substitute()",
        "e.from_string(s)",
    ],
    "built SQL": [
        "f'SELECT * FROM {table}'",
        "execute(f'{word} x')",
        "text('DELETE FROM ' + name)",
        "conn.exec_driver_sql(f'PRAGMA {x}')",
    ],
    "programs": [
        "eval(x)",
        "import pickle",
        "yaml.load(x)",
        "import_module(name)",
        "from marshal import loads",
    ],
    "fetches": ["import httpx2", "from urllib.request import urlopen", "import socket"],
}
GOOD = {
    "templates": ["'{x}'.format(x=1)", "a % b", "SENTENCE.format(x=1)"],
    "built SQL": ["f'Delete {what}, please.'", "execute(statement)", "text('SELECT 1')", "f'{a} select'"],
    "programs": ["import_module('anthropic')", "yaml.safe_load(x)", "re.compile(x)"],
    "fetches": ["from urllib.parse import quote", "import asyncio"],
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_finds_what_breaks_it_and_nothing_else(rule: str) -> None:
    assert [line for line in BAD[rule] if not list(RULES[rule](ast.parse(line)))] == []
    assert [line for line in GOOD[rule] if list(RULES[rule](ast.parse(line)))] == []
