"""The value of one type alone that a clause beside the answer is: "4 tomorrow", "sport, 30 min"."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from softrail.core.reading import Command, Field, log_odds
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, Span, is_named, readable
from softrail.reader.heard import tells_other
from softrail.reader.sharing import APART

_SEEN: Final = 0.3  #: from here on the joint reading sees it
_LIKELY: Final = 0.85  #: how likely it is then
_FEW: Final = 3  #: words that may be nothing but a value of a type


def left_over(
    left: str, fields: Sequence[Field], told: Collection[str], likely: Mapping[str, float], language: Language
) -> Iterator[tuple[Command, Span]]:
    """The value of one type alone that a clause beside the answer is, and where: "4 tomorrow", "sport, 30 min".

    What may be said once more of a field that has its value, one of `told`, is no other's.
    """
    told = set(told)
    said = [(a, b) for a, b in clauses(left) if WORD.search(left, a, b)]
    for start, end in said:
        words = left[start:end].replace("…", " ").strip(" \t\n,;:.!?-–—")
        keys = [(word, normal(word).replace("’", "'").removesuffix("'s")) for word in words.split()]
        kept = " ".join(word for word, key in keys if not language.is_choosing_word(key))
        few = len(said) == 1 and len(words.split()) <= _FEW
        known = [f for f in fields if kept and (f.options or f.parses) and not (few and f.name in told)]
        times = [f for f in known if f.wanted == "time" and f.name not in told]
        if times and (few or any(f.reads(words) or f.may_read(words) for f in times)):
            known = [f for f in known if f.wanted != "number"]  # "10 sharp" may be that, or a number
        read = [(f, text) for f in known if (text := readable(f, kept if few else words, language))]
        if not read:
            continue
        read.sort(key=lambda one: (not is_named(one[0], words), -likely[one[0].name]))
        (field, text), *rivals = read
        ahead = [log_odds(likely[field.name]) - log_odds(likely[other.name]) for other, _ in rivals]
        sure = few or is_named(field, words) or likely[field.name] >= _SEEN
        if field.name in told or not sure or min(ahead, default=APART) < APART or (few and rivals):
            continue
        told.add(field.name)
        yield tells_other(field, text, _LIKELY), (start, end)
