"""The vocabulary wall: words of the machinery are kept from people, wherever they would reach them.

The words are data (`words/wall.toml`). What is compared is what a reader would see: letters in one form and one
case, without signs that take no room. A person's own words may always be quoted back to them.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from softrail.plugin import DefinitionError, inert

_IGNORED: Final = frozenset({"Cf", "Mn", "Me"})  #: signs that take no room, and marks on letters
_ALSO_IGNORED: Final = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0\u034f")
_HELD_AT_MOST: Final = (
    96  #: characters of an unfinished word that are kept back; no word of ours is that long
)
_JOINTS: Final = re.compile(r"[\s_-]+")
_WORD_END: Final = re.compile(r"\s+\S*\Z")


OWN: Final = "wall.toml"  #: words of ours, and in a folder of texts, an operator's


class Catch(NamedTuple):
    """A word of the machinery in a text: where it stands, and which it is."""

    start: int
    end: int
    word: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text fit to be read, and the words that were taken out of it."""

    text: str
    caught: tuple[str, ...] = ()


class Wall:
    """Finds and replaces words of the machinery. Immutable; made once from its data file."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._words: dict[str, str] = {_key(word): word for word in data["words"]}
        self._instead: dict[str, str] = data["words"]
        words = sorted(data["words"], key=len, reverse=True)
        spelled = "|".join(r"[\s_-]*".join(map(re.escape, word.split())) for word in words)
        self._pattern = re.compile(rf"(?<![^\W_])(?:{spelled})(?![^\W_])")
        heads = "|".join(re.escape(word.split()[0]) for word in words if " " in word)
        self._heads = re.compile(rf"(?<![^\W_])(?:{heads})[\s_-]*\Z") if heads else None
        self._agreed: tuple[str, ...] = tuple(data.get("names", {}).get("agreed", ()))
        alike = data.get("lookalikes", {})
        self._alike = str.maketrans(alike.get("letters", ""), alike.get("stand_for", ""))

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that is kept out."""
        return tuple(self._instead)

    def catches(self, text: str, *, quoting: Iterable[str] = ()) -> list[Catch]:
        """The words of the machinery in a text; those that one of the `quoting` texts holds too may stand."""
        found = self._find(text)
        if not found:
            return []
        allowed = {catch.word for quoted in quoting for catch in self._find(quoted)}
        return [catch for catch in found if catch.word not in allowed]

    def clean(self, text: str, *, quoting: Iterable[str] = ()) -> Cleaned:
        """The text with each such word replaced by one that people use."""
        found = self.catches(text, quoting=quoting)
        if not found:
            return Cleaned(text)
        pieces, at = [], 0
        for catch in found:
            pieces += [
                text[at : catch.start],
                _like(text[catch.start : catch.end], self._instead[catch.word]),
            ]
            at = catch.end
        return Cleaned("".join([*pieces, text[at:]]), tuple(catch.word for catch in found))

    def outlet(self, *, quoting: Iterable[str] = ()) -> "Outlet":
        """For text that comes piece by piece."""
        return Outlet(self, tuple(quoting))

    def faults(self, text: str) -> list[str]:
        """The words of the machinery in a text of ours, names that programs agreed on aside."""
        for name in self._agreed:
            text = text.replace(name, " ")
        return [catch.word for catch in self._find(text)]

    def begins_a_phrase(self, text: str) -> int | None:
        """Where, at the end of a text, the first word of a longer expression stands."""
        if self._heads is None:
            return None
        folded, places = self._folded(text)
        match = self._heads.search(folded)
        return places[match.start()] if match else None

    def _find(self, text: str) -> list[Catch]:
        folded, places = self._folded(text)
        found = []
        for match in self._pattern.finditer(folded):
            end = places[match.end()] if match.end() < len(places) else len(text)
            found.append(Catch(places[match.start()], end, self._words[_key(match.group())]))
        return found

    def _folded(self, text: str) -> tuple[str, Sequence[int]]:
        """The text as it is compared, and for each letter of that where it stands in the text."""
        if text.isascii():
            return text.lower(), range(len(text))
        letters: list[str] = []
        places: list[int] = []
        for at, char in enumerate(text):
            same = unicodedata.normalize("NFKD", char).translate(self._alike)
            for part in same.casefold().translate(self._alike):
                if part not in _ALSO_IGNORED and unicodedata.category(part) not in _IGNORED:
                    letters.append(part)
                    places.append(at)
        return "".join(letters), places


class Outlet:
    """Lets streamed text through with a small hold-back, so that a word cut in two is caught.

    What is let through does nothing to a reader of Markdown either.
    """

    def __init__(self, wall: Wall, quoting: Collection[str]) -> None:
        self._wall = wall
        self._quoting = quoting
        self._waiting = ""
        self.text = ""  #: everything let through so far
        self.caught: list[str] = []

    def take(self, piece: str) -> str:
        """What may be shown now that `piece` has come."""
        self._waiting += piece
        match = _WORD_END.search(self._waiting)
        cut = match.start() if match else 0
        head = self._wall.begins_a_phrase(self._waiting[:cut])
        cut = cut if head is None else head
        if len(self._waiting) - cut > 4 * _HELD_AT_MOST:
            cut = len(self._waiting) - _HELD_AT_MOST  # not a word any more: nothing is kept for ever
        return self._let(cut)

    def end(self) -> str:
        """The rest, without blanks at its end."""
        self._waiting = self._waiting.rstrip()
        return self._let(len(self._waiting))

    def _let(self, cut: int) -> str:
        ready, self._waiting = self._waiting[:cut], self._waiting[cut:]
        cleaned = self._wall.clean(ready, quoting=self._quoting)
        self.caught += cleaned.caught
        before = self.text[-1:]  # a picture's sign may have been let through just before what makes it one
        shown = inert(before + (cleaned.text if before else cleaned.text.lstrip()))[len(before) :]
        self.text += shown
        return shown


@cache
def wall() -> Wall:
    """The bundled wall."""
    return Wall(_bundled())


def wall_with(folder: Path | None) -> Wall:
    """The bundled wall, with the words of `wall.toml` in that folder. Raises DefinitionError for a file that is none."""
    own = folder / OWN if folder is not None else None
    if own is None or not own.is_file():
        return wall()
    data = _bundled()
    return Wall({**data, "words": data["words"] | _own_words(own)})


def _bundled() -> dict[str, Any]:
    return tomllib.loads((files("softrail.companion") / "words" / OWN).read_text(encoding="utf-8"))


def _own_words(file: Path) -> dict[str, str]:
    try:
        words = tomllib.loads(file.read_text(encoding="utf-8")).get("words", {})
    except (OSError, ValueError) as error:
        raise DefinitionError(f"{file} cannot be read: {error}.") from error
    wrong = [
        word
        for word, instead in words.items()
        if word != word.strip().lower() or not word or not isinstance(instead, str) or not instead.strip()
    ]
    if wrong:
        raise DefinitionError(
            f'{file}: {wrong[0]!r} needs small letters, and a word to say instead, such as "synergy" = "effect".'
        )
    return {str(word): str(instead) for word, instead in words.items()}


def _key(word: str) -> str:
    """One form for "two words", "two-words" and "twowords"."""
    return _JOINTS.sub("", word)


def _like(word: str, other: str) -> str:
    """`other` with the capitals that `word` has."""
    letters = [c for c in unicodedata.normalize("NFKC", word) if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return other.upper()
    return other.capitalize() if letters and letters[0].isupper() else other
