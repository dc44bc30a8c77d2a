"""Fitted heads for sets of intents: in memory, on disk, or fitted now."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock

from softrail.classifier.cache import Cache, head_key, texts_key
from softrail.classifier.encoder import Encoder, MiniLM
from softrail.classifier.extract import keeps
from softrail.classifier.head import Exemplar, Head, Scores, fit, share
from softrail.classifier.linear import Rows
from softrail.classifier.spelling import Spelling
from softrail.classifier.text import LATIN, bare, form, scripts
from softrail.core.intents import GENERAL, IntentDefinition

_KEPT = 32  #: sets of intents in memory: the free turn's, with and without a plan, and those of processes
_SHARED = (
    4  #: places whose sets stay in memory: a program has one, and one more for each way it is set up in tests
)

_SERVED = 0.48  #: how near talk is to an example of what an author serves, to be that

#: The names of a set, with the examples and the voices of each.
Content = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A set of intents, ready to be asked about."""

    definitions: tuple[IntentDefinition, ...]
    head: Head | None  #: None when no intent has an example
    sayings: dict[str, tuple[str, str]]  #: (intent, example) by the words of the example
    scripts: frozenset[str] | None  #: that an example is written in; None: the encoder is trusted with any
    spelling: Spelling | None = None  #: where the encoder knows which words there are
    keeping: tuple[str, ...] = ()  #: the intents that keep what is said

    def exactly(self, message: str) -> tuple[str, str] | None:
        """The intent and the example that the message is, politeness and punctuation aside."""
        return self.sayings.get(form(message)) or self.sayings.get(bare(message))

    def mended(self, text: str) -> str:
        """The text as it is read: without slips of the fingers."""
        return self.spelling.mended(text) if self.spelling is not None else text

    def foreign(self, text: str) -> bool:
        """It is mostly in a script that no example is written in: scores then say nothing, not even that it is talk."""
        if self.scripts is None or text.isascii():
            return False
        letters = scripts(text)
        return 2 * sum(n for script, n in letters.items() if script not in self.scripts) > letters.total()

    def scores(self, texts: Sequence[str]) -> list[Scores]:
        """One for each text; none without a head."""
        return self.head.scores(texts) if self.head is not None else []


class Heads:
    """Gives the head for a set of intents, fitting it once for the same content."""

    def __init__(self, encoder: Encoder | None, folder: Path | None, *, strangers: float) -> None:
        self.encoder = encoder
        self._cache = Cache(folder)
        self._strangers = strangers
        # Words and the bundled encoder know the letters of their examples; who names a model knows what it reads.
        self._of_few_scripts = encoder is None or isinstance(encoder, MiniLM)
        self._lock = Lock()
        self._fitting = Lock()  # one at a time; sets that are ready are given meanwhile
        # Definitions are frozen and handed over by the same registry on every turn: being the same objects is
        # enough to be the same set, and hashing 100,000 examples on every message is not. `Known` keeps them alive.
        self._known: OrderedDict[tuple[int, ...], Known] = OrderedDict()
        self._made: OrderedDict[Content, Known] = (
            OrderedDict()
        )  #: for equal sets whose definitions are made anew

    def known(self, definitions: Sequence[IntentDefinition]) -> Known:
        """The set, ready; the first call for it may take a second or, with thousands of exemplars, minutes."""
        key = tuple(map(id, definitions))
        if (found := self._ready(key)) is not None:
            return found
        with self._fitting:
            if (found := self._ready(key)) is not None:
                return found
            found = self._equal(tuple(definitions))
            with self._lock:
                self._known[key] = found
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
            return found

    def _ready(self, key: tuple[int, ...]) -> Known | None:
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def _equal(self, definitions: tuple[IntentDefinition, ...]) -> Known:
        """What stands for these names, examples and voices already, else made now."""
        content = tuple((one.name, tuple(one.examples), tuple(one.voices)) for one in definitions)
        if (made := self._made.get(content)) is None:
            made = self._made[content] = self._make(definitions)
        self._made.move_to_end(content)
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)
        keeping = tuple(one.name for one in definitions if keeps(one))
        return replace(made, definitions=definitions, keeping=keeping)

    def _make(self, definitions: tuple[IntentDefinition, ...]) -> Known:
        examples = share([Exemplar(d.name, text) for d in definitions for text in d.examples])
        exemplars = [*examples, *self._voices(definitions, examples)]
        said: dict[str, set[tuple[str, str]]] = {}
        for exemplar in examples:
            for words in {form(exemplar.text), bare(exemplar.text)}:
                said.setdefault(words, set()).add((exemplar.intent, exemplar.text))
        # What is an example of two intents says nothing by itself.
        sayings = {
            words: min(homes) for words, homes in said.items() if words and len({i for i, _ in homes}) == 1
        }
        head = self._head(exemplars) if exemplars else None
        spelling = Spelling(said, self.encoder.knows) if isinstance(self.encoder, MiniLM) else None
        scripts = _scripts(exemplars) if self._of_few_scripts else None
        return Known(definitions, head, sayings, scripts, spelling)

    def _voices(
        self, definitions: Sequence[IntentDefinition], examples: Sequence[Exemplar]
    ) -> list[Exemplar]:
        """What people say besides the examples.

        Who wrote it knew nothing of the intents that have none of it, an author's own: talk that is near to an example
        of one of those ("send my sister forty euros", in a bank) is left out.
        """
        voices = [Exemplar(d.name, text) for d in definitions for text in d.voices]
        authors = {d.name for d in definitions if d.by_examples_alone}
        own = [one.text for one in examples if one.intent in authors]
        talk = [one for one in voices if one.intent.partition(".")[0] == GENERAL]
        if self.encoder is None or not own or not talk:
            return voices
        near = self._nearness(self.encoder, [one.text for one in talk], own)
        served = {one for one, how in zip(talk, near, strict=True) if how >= _SERVED}
        return [one for one in voices if one not in served]

    def _nearness(self, encoder: Encoder, talk: Sequence[str], own: Sequence[str]) -> Rows:
        """How near each of what is talk is to the nearest of what an author serves; no vector is looked up twice for it."""
        reader = self._cache.remembering(encoder)
        key = texts_key(encoder, talk, own)
        return self._cache.numbers(
            key, len(talk), lambda: (reader.encode(talk) @ reader.encode(own).T).max(axis=1)
        )

    def _head(self, exemplars: Sequence[Exemplar]) -> Head:
        key = head_key(exemplars, self.encoder, self._strangers)
        with self._cache.alone(key):
            if (found := self._cache.load_head(key, exemplars, self.encoder)) is not None:
                return found
            reader = self._cache.remembering(self.encoder) if self.encoder is not None else None
            head = fit(exemplars, self.encoder, strangers=self._strangers, reader=reader)
            self._cache.save_head(key, head)
            return head


def heads(encoder: Encoder | None, folder: Path | None, *, strangers: float) -> Heads:
    """Those of this encoder and this folder; an application that is made again finds the sets of the one before.

    An encoder that is not the bundled one is its maker's to share: it goes when nobody holds it any more.
    """
    if encoder is None or isinstance(encoder, MiniLM):
        return _shared(encoder, folder, strangers)
    return Heads(encoder, folder, strangers=strangers)


@lru_cache(_SHARED)
def _shared(encoder: MiniLM | None, folder: Path | None, strangers: float) -> Heads:
    return Heads(encoder, folder, strangers=strangers)


def _scripts(exemplars: Sequence[Exemplar]) -> frozenset[str]:
    """The script that each exemplar is mostly in, and that of the intents' names."""
    most = (scripts(e.text).most_common(1) for e in exemplars if not e.text.isascii())
    return frozenset({LATIN, *(script for found in most for script, _ in found)})
