"""What `when=` says, in words for a diagram: as it is written, where its source is at hand."""

import ast
import linecache
import types
from functools import lru_cache
from typing import Any

from softrail.processes.attributes import read_off

_LONGEST = 60


def condition(when: Any) -> str:
    """The condition: a function's name, what a lambda says, else the answers that it reads."""
    if not isinstance(when, types.FunctionType):
        return "it applies"
    if when.__name__ != "<lambda>":
        return when.__name__.strip("_").replace("_", " ")
    said = _written(when)
    if said and len(said) <= _LONGEST:
        return said
    read = dict.fromkeys(name for name, _ in read_off(when, 0))
    return f"{', '.join(read)} …" if read else "it applies"


def _written(when: types.FunctionType) -> str:
    """What the lambda gives, without the name of its argument; "" where that is not certain."""
    code = when.__code__
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column is not None}
    found = [
        node
        for node in _lambdas(code.co_filename)
        if node.lineno == code.co_firstlineno
        and (node.body.lineno, node.body.col_offset) in places
        and len(node.args.args) == 1
    ]
    if len(found) != 1:
        return ""
    return ast.unparse(_Bare(found[0].args.args[0].arg).visit(found[0].body))


@lru_cache(maxsize=64)
def _lambdas(path: str) -> tuple[ast.Lambda, ...]:
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))


class _Bare(ast.NodeTransformer):
    """`a.age` becomes `age`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Take the argument's name away."""
        if isinstance(node.value, ast.Name) and node.value.id == self._name:
            return ast.Name(id=node.attr, ctx=node.ctx)
        self.generic_visit(node)
        return node
