"""The vocabulary wall: words of the machinery are kept out of what is ours, texts, schemas, errors and names.

What a language model says in free talk is prose of its own and passes as it is: a garden may have a shape.
The words are data (`words/wall.toml`). What is compared is what a reader would see: letters in one form and one
case, without signs that take no room. A person's own words may always be quoted back to them.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from softrail.plugin import DefinitionError

_IGNORED: Final = frozenset({"Cf", "Mn", "Me"})  #: signs that take no room, and marks on letters
_ALSO_IGNORED: Final = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0\u034f")
_JOINTS: Final = re.compile(r"[\s_-]+")


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

    def faults(self, text: str) -> list[str]:
        """The words of the machinery in a text of ours, names that programs agreed on aside."""
        for name in self._agreed:
            text = text.replace(name, " ")
        return [catch.word for catch in self._find(text)]

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
