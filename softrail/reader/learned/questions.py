"""The words by which a question or a field is put to the model, in training and at run time."""

from collections.abc import Sequence

KINDS = ("text", "list", "bool", "number", "date", "time", "choice", "confirm", "option")

_ABOUT = 220  #: characters kept of a question, the last ones: what is asked stands at the end
_OPTIONS = 10
_WORD = 32  #: characters kept of an option
_PRESENT = 40  #: characters kept of the value that a field has already


def query(kind: str, about: str, *, options: Sequence[str] = (), present: str | None = None) -> str:
    """The words by which a question or a field is put to the model."""
    asked = f"{kind}: {_last(_plain(about), _ABOUT)}"
    if options:
        asked += f" ({', '.join(_first(_plain(option), _WORD) for option in options[:_OPTIONS])})"
    if present is not None:
        asked += f" now {_first(_plain(present), _PRESENT)}"
    return asked


def wish() -> str:
    """What stands for the question where nobody has asked for anything yet, and a message may tell of every field."""
    return query("text", "How can I help you?")


def _plain(text: str) -> str:
    return " ".join(text[:4000].split())


def _first(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0]


def _last(text: str, most: int) -> str:
    return text if len(text) <= most else text[-most:].split(" ", 1)[-1]
