"""Computes what a plan says: arithmetic over facts, in decimal numbers, and nothing else.

The expression is parsed and walked node by node; what is not on the list below is refused by name. Nothing is ever
handed to the interpreter, so there is nothing that an expression could reach.
"""

import ast
import decimal
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

LONGEST: Final = 1000  #: characters of an expression
DEEPEST: Final = 50  #: brackets within brackets
DIGITS: Final = 28  #: significant ones of every result
LARGEST_POWER: Final = 1000

Value = Decimal | bool

_BINARY: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class NotComputable(ValueError):
    """The expression is none, or has no value; the message says which part and why."""


def _mean(values: Sequence[Decimal]) -> Decimal:
    return sum(values, Decimal()) / len(values)


def _one(name: str, function: Callable[[Decimal], Decimal]) -> Callable[[Sequence[Decimal]], Decimal]:
    def of(values: Sequence[Decimal]) -> Decimal:
        if len(values) != 1:
            raise NotComputable(f"{name}() takes one number, and was given {len(values)}.")
        return function(values[0])

    return of


def _rounded(values: Sequence[Decimal]) -> Decimal:
    number, *places = values
    if len(places) > 1 or (places and (places[0] != int(places[0]) or not 0 <= places[0] <= DIGITS)):
        raise NotComputable("round() takes a number, and to how many places it is rounded.")
    return round(number, int(places[0]) if places else 0)


_FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Decimal]], Decimal]]] = {
    "abs": _one("abs", abs),
    "max": max,
    "mean": _mean,
    "min": min,
    "round": _rounded,
    "sqrt": _one("sqrt", Decimal.sqrt),
    "sum": lambda values: sum(values, Decimal()),
}


def names_in(expression: str) -> set[str]:
    """The facts that an expression needs. Raises NotComputable where it is none."""
    tree = _parsed(expression)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in called}
    computed(expression, dict.fromkeys(found, Decimal(1)), trial=True)
    return found


def computed(expression: str, facts: Mapping[str, Any], *, trial: bool = False) -> Value:
    """The value of an expression over facts; a `trial` only finds out whether it is one.

    Raises:
        NotComputable: It is no expression, names a fact that is not there, or has no value.
    """
    text = expression.strip()
    walk = _Walk(text, facts)
    with decimal.localcontext() as context:
        context.prec = DIGITS
        context.traps[decimal.FloatOperation] = True
        try:
            return walk.value(_parsed(text).body)
        except decimal.DecimalException as error:
            if trial:
                return Decimal(1)  # it depends on the numbers
            raise NotComputable(_trouble(error)) from error


def _trouble(error: decimal.DecimalException) -> str:
    if isinstance(error, decimal.DivisionByZero | decimal.DivisionUndefined):
        return "It divides by zero."
    if isinstance(error, decimal.Overflow):
        return "The result is too large."
    return "It has no value that can be computed."


def _parsed(expression: str) -> ast.Expression:
    text = expression.strip()
    if not text or len(text) > LONGEST:
        raise NotComputable(f"An expression has 1 to {LONGEST} characters.")
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotComputable(f"“{text[:100]}” is no expression.") from error


class _Walk:
    """One expression being computed."""

    def __init__(self, text: str, facts: Mapping[str, Any]) -> None:
        self._text = text
        self._facts = facts
        self._depth = 0

    def value(self, node: ast.expr) -> Value:
        """The value of one part."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotComputable(f"It is nested more than {DEEPEST} deep.")
        try:
            return self._value(node)
        finally:
            self._depth -= 1

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() as known):
                return known
            case ast.Constant(value=int() | float()):
                return self._constant(node)
            case ast.Name(id=name):
                return self._fact(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._number(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(self._number(left), self._number(right))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return _number(_BINARY[type(op)](self._number(left), self._number(right)))
            case ast.Compare(left=left, ops=ops, comparators=others) if all(
                type(o) in _COMPARISONS for o in ops
            ):
                return self._compared(left, ops, others)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
                return self._called(name, arguments)
            case ast.Call(func=ast.Name(id=name)):
                raise NotComputable(f"There is no function {name!r}. There are: {', '.join(_FUNCTIONS)}.")
        raise NotComputable(
            f"“{ast.unparse(node)[:100]}” is not understood. Numbers, names of facts, + - * / // % **, comparisons and "
            f"{', '.join(_FUNCTIONS)} are."
        )

    def _constant(self, node: ast.expr) -> Decimal:
        """A number as it is written: with its last zeros, and no digit rounded away."""
        written = ast.get_source_segment(self._text, node) or ""
        try:
            return Decimal(written)
        except decimal.InvalidOperation as error:  # such as 0x1f
            raise NotComputable(f"“{written[:100]}” is no decimal number.") from error

    def _fact(self, name: str) -> Value:
        if name not in self._facts:
            known = ", ".join(sorted(self._facts)) or "none"
            raise NotComputable(f"There is no fact {name!r} here. There are: {known}.")
        value = self._facts[name]
        if isinstance(value, bool):
            return value
        try:
            return _number(Decimal(str(value)) if isinstance(value, int | float | str) else value)
        except decimal.DecimalException as error:
            raise NotComputable(f"The fact {name!r} is no number.") from error

    def _number(self, node: ast.expr) -> Decimal:
        found = self.value(node)
        if isinstance(found, bool):
            raise NotComputable(f"“{ast.unparse(node)[:100]}” is true or false, and no number.")
        return found

    def _power(self, base: Decimal, exponent: Decimal) -> Decimal:
        if abs(exponent) > LARGEST_POWER:
            raise NotComputable(f"A power is at most {LARGEST_POWER}.")
        return _number(base**exponent)

    def _compared(self, left: ast.expr, ops: Iterable[ast.cmpop], others: Iterable[ast.expr]) -> bool:
        here = self._number(left)
        for op, other in zip(ops, others, strict=True):
            there = self._number(other)
            if not _COMPARISONS[type(op)](here, there):
                return False
            here = there
        return True

    def _called(self, name: str, arguments: Sequence[ast.expr]) -> Decimal:
        values = [self._number(one) for one in arguments]
        if not values:
            raise NotComputable(f"{name}() was given nothing.")
        return _number(_FUNCTIONS[name](values))


def _number(value: Any) -> Decimal:
    if not isinstance(value, Decimal) or not value.is_finite():
        raise NotComputable("There is something that is no number.")
    return value
