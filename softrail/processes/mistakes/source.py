"""The source of one method as a tree, with the names in it."""

import ast
import textwrap
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from softrail.processes.mistakes.mistake import source_of

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Source:
    """A method: its statements, where they stand, and what its names mean."""

    function: types.FunctionType
    node: ast.FunctionDef | ast.AsyncFunctionDef
    path: str
    first: int
    made: Sequence[ast.Call] = field(compare=False)  #: every call in it

    def here(self, node: ast.AST | None = None) -> dict[str, Any]:
        """The file and line of a part of it, for a Mistake."""
        return {"path": self.path, "line": self.first + getattr(node, "lineno", 1) - 1}

    def argument(self, place: int) -> str:
        """What an argument is called; "" where there is none."""
        names = [a.arg for a in (*self.node.args.posonlyargs, *self.node.args.args)]
        return names[place] if place < len(names) else ""

    def means(self, node: ast.expr) -> Any:
        """The object that a name, or a name in a module, stands for; None where that is not known."""
        if isinstance(node, ast.Name):
            return self.function.__globals__.get(node.id, _enclosed(self.function).get(node.id))
        if isinstance(node, ast.Attribute):
            owner = self.means(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
        return None

    def calls(self, *kinds: type) -> Iterator[ast.Call]:
        """Where it makes one of those values."""
        for call in self.made:
            if self.means(call.func) in kinds:
                yield call


@lru_cache(maxsize=1024)
def source(function: Any) -> Source | None:
    """The method as a tree; None where its source is not at hand."""
    if not isinstance(function, types.FunctionType):
        return None
    path, first, text = source_of(function)
    try:
        found = ast.parse(textwrap.dedent(text)).body
    except SyntaxError:
        return None
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    same = found[0].name == function.__name__  # the file may be another one than what runs
    if not same:
        return None
    made = [node for node in within(found[0], inner=True) if isinstance(node, ast.Call)]
    return Source(function, found[0], path, first, made)


def within(node: ast.AST, *, inner: bool = False) -> Sequence[ast.AST]:
    """A statement or expression and all its parts, as they are read; with `inner` those of functions made in it, too."""
    found, left = [], [node]
    while left:
        one = left.pop()
        found.append(one)
        parts = list[ast.AST]()
        for value in vars(
            one
        ).values():  # in the order of its fields; a tree is looked through thousands of times
            if isinstance(value, ast.AST):
                parts.append(value)
            elif isinstance(value, list):
                parts += [part for part in value if isinstance(part, ast.AST)]
        left += [part for part in reversed(parts) if inner or not isinstance(part, _INNER)]
    return found


def text_of(node: ast.expr | None) -> str | None:
    """A text that is written out; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def texts_of(node: ast.expr | None) -> list[str]:
    """The texts of a tuple or list that is written out."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    return [text for part in parts if (text := text_of(part)) is not None]


def given(call: ast.Call, name: str, place: int | None = None) -> ast.expr | None:
    """The argument of that name, or else at that place."""
    named = next((k.value for k in call.keywords if k.arg == name), None)
    if named is None and place is not None and place < len(call.args):
        return call.args[place]
    return named


def _enclosed(function: types.FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return found
