"""Passages of texts: where each stands, which of them say most of what is asked, and how they are quoted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from softrail.companion.memory.search import MOST_ASKED, MOST_WORDS, ranked, weight
from softrail.companion.memory.stems import folded, terms

LONGEST: Final = 400  #: characters of a quotation
PAGE_END: Final = "\f"
_LONGEST_HEADING: Final = 120
_LONGEST_BLOCK: Final = 2_000  #: characters; what is longer is several passages
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+([^\n]*)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,4}[.)])\s+(?=\S)|\s*\|")
_MARK: Final = re.compile(r"\s*(?:[-*+•>]\s+)+")
_SENTENCE: Final = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Document:
    """A text that a person attached."""

    name: str
    text: str
    marked: bool  #: it is Markdown: it has headings
    paged: bool = False  #: form feeds stand between its pages


@dataclass(frozen=True, slots=True)
class Passage:
    """What a document says in one place."""

    document: str  #: the name of its file
    line: int
    heading: str  #: under which it stands; "": none
    quoted: str  #: as it stands, in one line
    share: float  #: of the words that were asked for
    page: int = 0  #: in a document with pages; its lines are counted on each anew

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"page {self.page}" if self.page else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class _Block:
    page: int
    line: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class _Found:
    document: Document
    block: _Block
    words: frozenset[str]  #: of those asked for; one of the file's name, too


def found_in(documents: Sequence[Document], question: str, *, until: float) -> list[Passage]:
    """The passage of each document that says most of what is asked, the best first.

    A word that few of all passages have counts for more than one that many have, as with notes. What is not read
    `until` then, in seconds of the monotonic clock, is not found.
    """
    asked = terms(question, MOST_ASKED)
    passages, found = 0, list[_Found]()
    for document in documents:
        named = frozenset(asked) & frozenset(_named(document.name))
        for block in _blocks(document):
            if monotonic() > until:
                break
            passages += 1
            words = _said(block, asked)
            if words:
                # “The contract” may be what the file is called.
                found.append(_Found(document, block, words | named))
    having = Counter(word for one in found for word in one.words)
    weights = {word: weight(count, passages) for word, count in having.items()}
    # Of passages that say the same the first counts, and `ranked` takes the highest number of equals first.
    scores = {-n: sum(weights[word] for word in one.words) for n, one in enumerate(found)}
    best: dict[str, _Found] = {}
    for number in ranked(scores, len(scores)):
        best.setdefault(found[-number].document.name, found[-number])
    return [_passage(one, asked) for one in best.values()]


def calls(message: str, document: str) -> bool:
    """The message has a word of the name of a document."""
    return not set(terms(message, MOST_WORDS)).isdisjoint(_named(document))


def _named(document: str) -> tuple[str, ...]:
    return terms(document.rpartition(".")[0], MOST_WORDS)


def _said(block: _Block, asked: Sequence[str]) -> frozenset[str]:
    """The words asked for that a passage has, or its heading."""
    text = folded(f"{block.heading}\n{block.text}")
    # The form that words have in common begins as each of them does, but for its last letter.
    if not any(word[:-1] in text for word in asked):
        return frozenset()
    return frozenset(asked) & frozenset(terms(text, MOST_WORDS))


def _passage(found: _Found, asked: Sequence[str]) -> Passage:
    return Passage(
        document=found.document.name,
        line=found.block.line,
        heading=_plain(found.block.heading),
        quoted=_quoted(_plain(_MARK.sub("", found.block.text, count=1)), asked),
        share=len(found.words) / len(asked),
        page=found.block.page,
    )


def _quoted(text: str, asked: Sequence[str]) -> str:
    """The whole passage, or the sentences of it that say most of what is asked."""
    if len(text) <= LONGEST:
        return text
    sentences = [one for one in _SENTENCE.split(text) if one]
    words = [len(frozenset(asked) & frozenset(terms(one, MOST_WORDS))) for one in sentences]
    first = words.index(max(words))
    last = first + 1
    while last < len(sentences) and len(" ".join(sentences[first : last + 1])) <= LONGEST:
        last += 1
    kept = " ".join(sentences[first:last])
    before, after = "… " if first else "", " …" if last < len(sentences) or len(kept) > LONGEST else ""
    return f"{before}{kept[:LONGEST].rstrip()}{after}"


def _plain(text: str) -> str:
    """In one line, without what nobody sees, and with no quotation mark that would end ours."""
    seen = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(seen.split()).replace("“", "‘").replace("”", "’")


def _blocks(document: Document) -> Iterator[_Block]:
    """Paragraphs, items of lists and rows of tables, each with its page or line and the heading it stands under."""
    if not document.paged:
        yield from _on_page(document.text, 0, marked=document.marked)
        return
    for page, text in enumerate(document.text.split(PAGE_END), start=1):
        yield from _on_page(text, page, marked=False)


def _on_page(text: str, page: int, *, marked: bool) -> Iterator[_Block]:
    heading, begun, lines, size, fenced = "", 0, list[str](), 0, False

    def ended() -> Iterator[_Block]:
        if lines:
            yield _Block(page, begun, heading, "\n".join(lines))
            lines.clear()

    for number, line in enumerate(_LINE_END.split(text), start=1):
        if _FENCE.match(line):
            yield from ended()
            fenced = marked and not fenced
            continue
        title = _HEADING.match(line) if marked and not fenced else None
        under = marked and not fenced and len(lines) == 1 and _UNDERLINE.fullmatch(line)
        if title is not None:
            yield from ended()
            heading = title[1].rstrip().rstrip("#").rstrip()[:_LONGEST_HEADING]
        elif under:
            heading = lines.pop()[:_LONGEST_HEADING]
        elif not line.strip():
            yield from ended()
        else:
            if _ITEM.match(line) or size > _LONGEST_BLOCK:
                yield from ended()
            for at in range(0, len(line), _LONGEST_BLOCK):
                if at:
                    yield from ended()
                if not lines:
                    begun, size = number, 0
                lines.append(line[at : at + _LONGEST_BLOCK])
                size += len(lines[-1]) + 1
    yield from ended()
