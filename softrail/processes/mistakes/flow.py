"""Follows the ways through a method: whether it ends without an outcome, and whether changes are lost."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from softrail.core.outcomes import Ask, Decline, Done, Goto, Release
from softrail.processes.mistakes.source import Source, given, within

_GO_ON = (Ask, Goto, Release)  #: after these the state is needed
_CHANGES = frozenset(
    ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault")
) | {"popitem", "add", "discard"}


@dataclass(frozen=True, slots=True)
class Lost:
    """A change of the state, and an outcome after it that does not hand it on."""

    change: ast.AST
    outcome: ast.AST
    kind: str
    always: bool  #: no outcome of the method hands it on


@dataclass(slots=True)
class Flow:
    """What was found on the ways through a method."""

    open: bool = False  #: one way ends without `return`
    returns: int = 0  #: outcomes that are returned
    changes: list[ast.AST] = field(default_factory=list)  #: of the argument
    lost: Lost | None = None
    unknown: bool = False  #: something is returned that is not made on the spot, or hands the state on
    losses: list[tuple[ast.AST, ast.AST, str]] = field(default_factory=list)


@lru_cache(maxsize=2048)
def flow(source: Source, place: int | None) -> Flow:
    """Follow the method; `place` is that of the argument whose changes are looked for."""
    follower = _Follower(source, source.argument(place) if place is not None else "")
    end = follower.block(source.node.body, _Way())
    found = follower.found
    found.open = end is not None
    if found.losses and not follower.renamed:
        change, outcome, kind = found.losses[0]
        found.lost = Lost(change, outcome, kind, always=not found.unknown)
    return found


@dataclass(frozen=True, slots=True)
class _Way:
    """A way so far: the last change on it."""

    change: ast.AST | None = None


class _Follower:
    def __init__(self, source: Source, name: str) -> None:
        self._source = source
        self._name = name
        self._others: set[str] = set()  #: further names of parts of it
        self.found = Flow()
        self.renamed = False

    def block(self, statements: Sequence[ast.stmt], way: _Way) -> _Way | None:
        """What is known after the statements; None when they never come to their end."""
        for statement in statements:
            after = self._statement(statement, way)
            if after is None:
                return None
            way = after
        return way

    def _statement(self, statement: ast.stmt, way: _Way) -> _Way | None:
        match statement:
            case ast.Return():
                self._returned(statement.value, self._changed(statement, way))
                return None
            case ast.Raise():
                return None
            case ast.Break() | ast.Continue():
                return way
            case ast.If():
                way = self._changed(statement.test, way)
                return _joined(self.block(statement.body, way), self.block(statement.orelse, way))
            case ast.While() | ast.For() | ast.AsyncFor():
                return self._loop(statement, way)
            case ast.Try() | ast.TryStar():
                body = self.block([*statement.body, *statement.orelse], way)
                inside = [
                    c for c in self.found.changes if any(c is n for s in statement.body for n in within(s))
                ]
                start = _joined(body, _Way(inside[-1] if inside else way.change))
                ends = [body, *(self.block(h.body, start or way) for h in statement.handlers)]
                end = _joined(*ends)
                last = self.block(statement.finalbody, end or way)
                return None if end is None or last is None else last
            case ast.With() | ast.AsyncWith():
                for item in statement.items:
                    way = self._changed(item.context_expr, way)
                return self.block(statement.body, way)
            case ast.Match():
                way = self._changed(statement.subject, way)
                ends = [self.block(case.body, way) for case in statement.cases]
                return _joined(*ends)  # what is matched is taken to be one of the cases
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return way
            case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
                return None
            case _:
                return self._changed(statement, way)

    def _loop(self, loop: ast.While | ast.For | ast.AsyncFor, way: _Way) -> _Way | None:
        way = self._changed(loop.test if isinstance(loop, ast.While) else loop.iter, way)
        once = self.block(loop.body, way)
        count = len(self.found.losses), self.found.returns, self.found.unknown
        again = self.block(loop.body, once or way)  # what one round changed the next may lose
        self.found.returns, self.found.unknown = count[1], count[2]
        breaks = any(isinstance(node, ast.Break) for node in within(loop))
        forever = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and loop.test.value
        if forever and not breaks:
            return None
        return self.block(loop.orelse, _joined(way, once, again) or way)

    # -- outcomes

    def _returned(self, value: ast.expr | None, way: _Way) -> None:
        if isinstance(value, ast.IfExp):
            self._returned(value.body, way)
            self._returned(value.orelse, way)
            return
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return
        self.found.returns += 1
        kind = self._source.means(value.func) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or kind not in (*_GO_ON, Done, Decline):
            self.found.unknown = True
            return
        if given(value, "data") is not None or any(k.arg is None for k in value.keywords):
            self.found.unknown = True
            return
        if kind in _GO_ON and way.change is not None and isinstance(kind, type):
            self.found.losses.append((way.change, value, kind.__name__))
            if any(isinstance(n, ast.Name) and n.id == self._name for n in within(value)):
                self.found.unknown = True  # it is used, if only to say something

    # -- changes

    def _changed(self, statement: ast.AST, way: _Way) -> _Way:
        if not self._name:
            return way
        for node in within(statement):
            if self._is_change(node):
                self.found.changes.append(node)
                way = _Way(node)
        if isinstance(statement, ast.Assign):
            self._assigned(statement)
        return way

    def _assigned(self, statement: ast.Assign) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                continue
            if target.id == self._name:
                self.renamed = True  # it is another thing from here on
            elif isinstance(statement.value, ast.Attribute) and self._is_part(statement.value):
                self._others.add(target.id)

    def _is_change(self, node: ast.AST) -> bool:
        targets: Sequence[ast.AST] = ()
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(t, ast.Attribute | ast.Subscript) and self._is_part(t) for t in targets):
            return True
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name) and node.func.id == "setattr" and node.args:
            return isinstance(node.args[0], ast.Name) and node.args[0].id == self._name
        func = node.func
        return (
            isinstance(func, ast.Attribute)
            and func.attr in _CHANGES
            and isinstance(func.value, ast.Attribute | ast.Subscript | ast.Name)
            and self._is_part(func.value)
            and not (isinstance(func.value, ast.Name) and func.value.id == self._name)
        )

    def _is_part(self, node: ast.AST) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in {self._name, *self._others}


def _joined(*ways: _Way | None) -> _Way | None:
    """Where several ways meet; None when none comes there."""
    there = [way for way in ways if way is not None]
    return next((way for way in there if way.change is not None), there[0]) if there else None
