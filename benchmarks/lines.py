"""How many lines somebody writes: `python -m benchmarks.lines` counts the examples, beside the same flow elsewhere.

A line counts that has code on it: blank lines, comments and docstrings do not. Tests, `pyproject.toml` and README are
left out on both sides.
"""

import ast
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"

#: Tokens that are no code by themselves.
_SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True, slots=True)
class Flow:
    """An example, and how many lines the same takes elsewhere."""

    example: str
    name: str
    goal: int
    parts: tuple[str, ...]  #: the modules that are the flow
    peer: str = ""
    peer_lines: int | None = None


FLOWS = (
    Flow("bank", "transfer with contacts", 70, ("accounts", "contacts", "transfer"), "Rasa", 325),
    Flow("reviewers", "complex dialog", 40, ("__init__",), "Bot Framework", 176),
    Flow("family", "nested conversation", 60, ("__init__",), "python-telegram-bot", 256),
    Flow("table", "booking", 90, ("booking", "house")),
    Flow("leave", "approval", 45, ("__init__",)),
)


def code_lines(source: str) -> int:
    """How many lines of a module have code on them."""
    documented = {
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and ast.get_docstring(node, clean=False) is not None
        for number in range(node.body[0].lineno, (node.body[0].end_lineno or node.body[0].lineno) + 1)
    }
    coded = {
        number
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in _SILENT
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(coded - documented)


def modules(example: str) -> dict[str, int]:
    """The lines of every module of an example, by its name."""
    folder = EXAMPLES / example / example
    return {path.stem: code_lines(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))}


def lines(flow: Flow) -> tuple[int, int]:
    """The lines of the flow, and those of the whole example."""
    counted = modules(flow.example)
    return sum(counted[part] for part in flow.parts), sum(counted.values())


def told() -> str:
    """The table."""
    rows = [f"{'':26}{'lines':>7}{'goal':>7}{'whole example':>16}   elsewhere"]
    for flow in FLOWS:
        own, whole = lines(flow)
        elsewhere = f"{flow.peer} {flow.peer_lines}" if flow.peer else "no figure"
        rows.append(f"{flow.name:26}{own:>7}{f'<= {flow.goal}':>7}{whole:>16}   {elsewhere}")
    for flow in FLOWS:
        counted = ", ".join(f"{name} {n}" for name, n in modules(flow.example).items() if n)
        rows.append(f"\n{flow.example}: {counted}\n  counted as the flow: {', '.join(flow.parts)}")
    return "\n".join(rows)


if __name__ == "__main__":
    print(told())
