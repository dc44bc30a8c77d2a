"""How a guarantee is broken on purpose, and by which tests that must be noticed.

A break replaces a method or a function of the real code, or one piece of its source, by what does not keep a promise.
Nothing else changes, so what notices it would notice the same fault if somebody made it by mistake.
"""

import __future__

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import pytest

Break = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, kw_only=True)
class Broken:
    """One guarantee, broken in one way."""

    name: str
    guarantee: str
    how: str
    guards: tuple[str, ...]  #: the tests that must notice it, as pytest names them
    apply: Break


class Breaks(dict[str, Broken]):
    """Breaks by their names, in the order in which they were written."""

    def of(self, guarantee: str, how: str, *guards: str) -> Callable[[Break], Break]:
        """Makes a function a way to break a guarantee."""

        def marked(apply: Break) -> Break:
            name = apply.__name__.replace("_", "-")
            assert name not in self, f"There are two breaks called {name!r}."
            self[name] = Broken(name=name, guarantee=guarantee, how=how, guards=guards, apply=apply)
            return apply

        return marked


def rewritten(patch: pytest.MonkeyPatch, function: Callable[..., Any], old: str, new: str) -> None:
    """Have a function run with one piece of its source replaced, wherever it was imported to.

    Raises AssertionError where that piece is not in it exactly once: then the code has changed, and the break must, too.
    """
    real = inspect.unwrap(function)
    assert isinstance(real, FunctionType), f"{function!r} has no source."
    source = textwrap.dedent(inspect.getsource(real))
    found = source.count(old)
    assert found == 1, f"{real.__qualname__} holds {old!r} {found} times."
    [tree] = ast.parse(source.replace(old, new)).body
    assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    tree.decorator_list = []
    ast.increment_lineno(tree, real.__code__.co_firstlineno - 1)
    flags = __future__.annotations.compiler_flag
    module = compile(ast.Module([tree], []), real.__code__.co_filename, "exec", flags, dont_inherit=True)
    [code] = (one for one in module.co_consts if isinstance(one, CodeType))
    assert code.co_freevars == real.__code__.co_freevars, f"{real.__qualname__} needs what is around it."
    patch.setattr(real, "__code__", code)
