"""Completes what begins with a slash: the word, then the file of this machine that it wants."""

from collections.abc import Iterable, Iterator, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from softrail.cli.files import WITH_FILE
from softrail.cli.terminal import legible


class Completions(Completer):
    """Slash words, and files after those that take one; nothing else is completed."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = sorted(set(words))
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        word, space, rest = typed.partition(" ")
        if not typed.startswith("/") or "\n" in typed:
            return
        if not space:
            known = (one for one in self._words if one.startswith(word.lower()))
            yield from (Completion(one, start_position=-len(word)) for one in known)
        elif word.lower() in WITH_FILE:
            yield from self._files(rest, complete_event)

    def _files(self, begun: str, event: CompleteEvent) -> Iterator[Completion]:
        """Files, each shown so that its name commands nothing."""
        for one in self._paths.get_completions(Document(begun.lstrip()), event):
            shown = legible(one.display_text).replace("\n", " ")
            yield Completion(one.text, start_position=one.start_position, display=shown)
